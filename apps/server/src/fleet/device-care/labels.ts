import { BULK_LIMIT, type DeviceLabel } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { Problem } from '../../platform/http/problem.ts';
import { findLabels } from './labels.store.ts';

export interface LabelParts {
  db: Kysely<Database>;
  /** the secrets of the links behind the QR codes of devices, by device */
  reportTokens(deviceIds: readonly number[]): Promise<ReadonlyMap<number, string>>;
}

/** The label texts of some devices, in the requested order. Devices out of scope are left out. */
export async function readLabels(
  { db, reportTokens }: LabelParts,
  caller: Caller,
  list: string,
): Promise<DeviceLabel[]> {
  const labels = await findLabels(caller.scope, db, idsOf(list));
  const tokens = await reportTokens(labels.map(({ id }) => id));
  return labels.flatMap((label) => {
    const reportToken = tokens.get(label.id);
    return reportToken === undefined ? [] : [{ ...label, reportToken }];
  });
}

/** The ids of a list such as `3,1,2`. @throws Problem `fieldFormat`, `fieldItems` */
function idsOf(list: string): number[] {
  const parts = list.split(',');
  if (!parts.every((part) => /^[1-9]\d{0,8}$/.test(part)))
    throw new Problem('fieldFormat', { field: 'ids', values: { expected: '1,2,3' } });
  const ids = [...new Set(parts.map(Number))];
  if (ids.length > BULK_LIMIT) throw new Problem('fieldItems', { field: 'ids', values: { min: 1, max: BULK_LIMIT } });
  return ids;
}
