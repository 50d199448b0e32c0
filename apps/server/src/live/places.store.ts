import { type Kysely, sql } from 'kysely';
import type { Database } from '../platform/database/schema.ts';

/** Where a device stands, which decides who may hear of it. */
export interface DevicePlace {
  deviceId: number;
  customerId: number;
  siteId: number;
}

/** The places of some devices; removed ones are missing. */
export async function findPlaces(db: Kysely<Database>, deviceIds: readonly number[]): Promise<DevicePlace[]> {
  const { rows } = await sql<DevicePlace>`
    select id as "deviceId", customer_id as "customerId", site_id as "siteId"
      from devices where id = any(${[...deviceIds]}::int[])`.execute(db);
  return rows;
}
