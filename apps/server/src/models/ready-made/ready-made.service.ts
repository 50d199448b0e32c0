import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { findModelByName } from '../device-models/device-models.store.ts';
import { lockModels } from '../editing.ts';
import { placeModel } from '../place-model.ts';
import { OCPP16_PILE, OFF_SPEC_PILE } from './ocpp16.ts';
import { OCPP201_PILE, V2G_PILE } from './ocpp201.ts';
import { rememberShipped, shippedKeys } from './shipped.store.ts';
import { HOME_STORAGE } from './storage.ts';

/** The models that the product ships, parents before the models that inherit from them. The keys never change. */
const READY_MADE = [
  ['model:ocpp16-pile', OCPP16_PILE],
  ['model:ocpp16-off-spec', OFF_SPEC_PILE],
  ['model:ocpp201-pile', OCPP201_PILE],
  ['model:home-storage', HOME_STORAGE],
  ['model:v2g-pile', V2G_PILE],
] as const;

/** The creator of the shipped models. */
const MAKER = 'Chargehand';

/**
 * Creates the ready-made device models with their data items, each once per installation. Models that users changed,
 * renamed or deleted since are not touched, and neither is a model with the same name that users described. Safe to run
 * at every start.
 */
export async function ensureReadyMadeModels(db: Kysely<Database>): Promise<void> {
  const known = await shippedKeys(db);
  if (READY_MADE.every(([key]) => known.has(key))) return;
  await db.transaction().execute(async (trx) => {
    await lockModels(trx);
    const laidDown = await shippedKeys(trx);
    for (const [key, file] of READY_MADE) {
      if (laidDown.has(key)) continue;
      await rememberShipped(trx, key);
      const present = await findModelByName(trx, file.model.name);
      if (present && present.version > 0) continue;
      await placeModel(trx, file, MAKER, present?.id);
    }
  });
}
