import type { AlarmRow, WithDates } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import { toAlarmRow } from './alarms.service.ts';
import { findMovedWithAlarms, listOpenAlarms } from './alarms.store.ts';

/** More alarms of one device are not sent with its events: fetching a list costs less then. */
const MOST = 10;

/**
 * All open alarms of each device, for events. Null for a device with more than ten, and for one with alarms from a
 * former site: who sees where it is now need not see where it was.
 */
export async function readOpenAlarms(
  db: Kysely<Database>,
  deviceIds: readonly number[],
): Promise<ReadonlyMap<number, WithDates<AlarmRow>[] | null>> {
  const [alarms, moved] = await Promise.all([listOpenAlarms(db, deviceIds), findMovedWithAlarms(db, deviceIds)]);
  const open = Map.groupBy(alarms, ({ deviceId }) => deviceId);
  return new Map(
    deviceIds.map((id) => {
      const own = open.get(id) ?? [];
      return [id, moved.has(id) || own.length > MOST ? null : own.map(toAlarmRow)];
    }),
  );
}
