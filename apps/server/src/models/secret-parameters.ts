import { type SecretKeys, secretKeys } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import type { Query } from '../platform/database/statement.ts';
import { newestEntries } from '../platform/memory/newest-entries.ts';
import { presentDescription } from './versions.service.ts';

/** The parameters that the model of a device marks as secret; null for most devices. */
export type SecretsOf = (deviceId: number) => SecretKeys | null;

/** Finds the parameters of devices that are marked as secret. A device is looked up once, until models change. */
export interface SecretParameters {
  learn(client: Query, deviceIds: Iterable<number>): Promise<SecretsOf>;
  /** The contents of models, or the models of devices, have changed. */
  forgetAll(): void;
}

/** More devices than a process serves. Beyond it the oldest are forgotten. */
const KNOWN_DEVICES = 500_000;

export function secretParameters(): SecretParameters {
  let known = new Map<number, SecretKeys | null>();
  return {
    async learn(client, deviceIds) {
      known = newestEntries(known, KNOWN_DEVICES);
      // Entries that are removed meanwhile stay in this batch, and are looked up again for the next.
      const mine = known;
      const unknown = [...new Set(deviceIds)].filter((id) => !mine.has(id));
      if (unknown.length > 0) {
        const marked = new Map((await markedParameters(client, unknown)).map(({ id, keys }) => [id, keys]));
        for (const id of unknown) {
          mine.set(id, secretKeys((marked.get(id) ?? []).map((key) => ({ key, secret: true }))));
        }
      }
      return (deviceId) => mine.get(deviceId) ?? null;
    },
    forgetAll() {
      known = new Map();
    },
  };
}

async function markedParameters(
  client: Query,
  deviceIds: readonly number[],
): Promise<{ id: number; keys: string[] }[]> {
  const { rows } = await client.query<{ id: number; keys: string[] }>({
    name: 'ingest_secret_parameters',
    text: `select d.id, jsonb_path_query_array(v.description, '$.parameters[*] ? (@.secret == true).key') as keys
      from devices d join device_models m on m.id = d.device_model_id
      join device_model_versions v on v.device_model_id = m.id and v.version = m.version
     where d.id = any ($1::int[]) and v.description @? '$.parameters[*] ? (@.secret == true)'`,
    values: [deviceIds],
  });
  return rows;
}

/** The parameters that a model currently marks as secret; null if it marks none. */
export async function secretsOfModel(db: Kysely<Database>, deviceModelId: number): Promise<SecretKeys | null> {
  return secretKeys((await presentDescription(db, deviceModelId)).parameters);
}

/** The models that currently mark parameters as secret. */
export async function modelsWithSecrets(
  db: Kysely<Database>,
): Promise<{ deviceModelId: number; secrets: SecretKeys }[]> {
  const { rows } = await sql<{ id: number; keys: string[] }>`
    select m.id, jsonb_path_query_array(v.description, '$.parameters[*] ? (@.secret == true).key') as keys
      from device_models m join device_model_versions v on v.device_model_id = m.id and v.version = m.version
     where v.description @? '$.parameters[*] ? (@.secret == true)'`.execute(db);
  return rows.flatMap(({ id, keys }) => {
    const secrets = secretKeys(keys.map((key) => ({ key, secret: true })));
    return secrets ? [{ deviceModelId: id, secrets }] : [];
  });
}
