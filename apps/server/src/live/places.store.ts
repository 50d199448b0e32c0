import { type Kysely, sql } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import type { DevicePlace } from '../ports/events.ts';

/** The places of some devices. Removed devices are missing. */
export async function findPlaces(db: Kysely<Database>, deviceIds: readonly number[]): Promise<DevicePlace[]> {
  const { rows } = await sql<DevicePlace>`
    select id as "deviceId", customer_id as "customerId", site_id as "siteId"
      from devices where id = any(${[...deviceIds]}::int[])`.execute(db);
  return rows;
}
