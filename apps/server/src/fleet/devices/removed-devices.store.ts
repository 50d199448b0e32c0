import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';

/** The devices whose history must still be removed, and whether enough time has passed for their connection to end. */
export async function listRemovedDevices(
  db: Kysely<Database>,
  settleSeconds: number,
): Promise<{ deviceId: number; settled: boolean }[]> {
  const { rows } = await sql<{ deviceId: number; settled: boolean }>`
    select device_id as "deviceId", removed_at < now() - make_interval(secs => ${settleSeconds}) as settled
      from removed_devices order by removed_at, device_id`.execute(db);
  return rows;
}

/** The tables with a device's history that no foreign key refers to. */
export const HISTORIES = [
  'protocol_frames',
  'frame_batches',
  'readings',
  'reading_batches',
  'reading_marks',
  'readings_5m',
  'readings_1h',
  'readings_1d',
  'rollup_marks',
] as const;

/**
 * Removes up to `limit` rows of a device's history from one table, by its index. Returns the number of removed rows.
 */
export async function deleteHistory(
  db: Kysely<Database>,
  table: (typeof HISTORIES)[number],
  deviceId: number,
  limit: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} history
     using (select tableoid, ctid from ${sql.table(table)} where device_id = ${deviceId} limit ${limit}) old
     where history.device_id = ${deviceId} and history.tableoid = old.tableoid and history.ctid = old.ctid`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** Records that the history of a removed device is gone. */
export async function forgetRemovedDevice(db: Kysely<Database>, deviceId: number): Promise<void> {
  await db.deleteFrom('removed_devices').where('device_id', '=', deviceId).execute();
}
