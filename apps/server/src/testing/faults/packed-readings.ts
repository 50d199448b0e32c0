import type { DatabaseConnection } from '../../platform/database/connect.ts';
import { packHour } from '../../telemetry/packing/packing.store.ts';

/** Packs the readings of a device as when they are old and rolled up. */
export async function packReadingsOf(
  { db, pool }: Pick<DatabaseConnection, 'db' | 'pool'>,
  deviceId: number,
): Promise<void> {
  await pool.query('delete from reading_marks where device_id = $1', [deviceId]);
  const { rows } = await pool.query<{ hour: Date }>(
    `select distinct date_trunc('hour', at, 'UTC') as hour from readings where device_id = $1`,
    [deviceId],
  );
  for (const { hour } of rows) await packHour(db, deviceId, hour, new Date(hour.getTime() + 86_400_000));
}
