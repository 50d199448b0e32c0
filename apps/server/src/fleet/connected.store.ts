import { type Kysely, sql } from 'kysely';
import type { Database } from '../platform/database/schema.ts';

/** The number of connected devices, for the metrics. It has no scope. */
export async function countConnectedDevices(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from device_states where connected`.execute(db);
  return rows[0]?.total ?? 0;
}
