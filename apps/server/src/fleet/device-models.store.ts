import { type Kysely, sql } from 'kysely';
import { anywhere } from '../platform/database/patterns.ts';
import type { Database } from '../platform/database/schema.ts';

/** A device model as lists and forms show it; models belong to nobody, so there is no scope. */
export interface DeviceModelRecord {
  id: number;
  name: string;
  type: number;
  vendor: string;
  tolerant: boolean;
}

/** One page of the device models that match, by name, and how many match in all. */
export async function listDeviceModels(
  db: Kysely<Database>,
  search: string | undefined,
  descending: boolean,
  page: { limit: number; offset: number },
): Promise<{ items: DeviceModelRecord[]; total: number }> {
  const found = search === undefined ? sql`true` : sql`(name || ' ' || vendor) ilike ${anywhere(search)}`;
  const direction = descending ? sql`desc` : sql`asc`;
  const [items, totals] = await Promise.all([
    sql<DeviceModelRecord>`
      select id, name, type, vendor, tolerant from device_models where ${found}
       order by name ${direction}, id ${direction} limit ${page.limit} offset ${page.offset}`.execute(db),
    sql<{ total: number }>`select count(*) as total from device_models where ${found}`.execute(db),
  ]);
  return { items: items.rows, total: totals.rows[0]?.total ?? 0 };
}
