import type { alarmEndpoints, DeviceEventRow, QueryOf, ResultOf, WithDates } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import type { Caller } from '../platform/http/caller.ts';
import { type DeviceEventRecord, listDeviceEventsAfter, listNewestEvents } from './device-events.store.ts';
import { nextAfter, positionOf } from './positions.ts';

type Events = typeof alarmEndpoints.listDeviceEvents;

/** Events of the devices that a caller may see, newest first. */
export async function readDeviceEvents(
  db: Kysely<Database>,
  caller: Caller,
  query: QueryOf<Events>,
): Promise<ResultOf<Events>> {
  const { after, limit, ...filters } = query;
  const events = await listDeviceEventsAfter(caller.scope, db, filters, positionOf(after), limit);
  return {
    items: events.map(toRow),
    next: nextAfter(events, limit),
  };
}

function toRow({ micros: _, ...event }: DeviceEventRecord): WithDates<DeviceEventRow> {
  return event;
}

/** The newest events of a device that its events carry. */
const CARRIED = 5;

/**
 * The newest events of each device, for events. Null for a device with others at the same moment, and for one whose newest
 * events are from a former site: who sees where it is now need not see where it was.
 */
export async function readNewestEvents(
  db: Kysely<Database>,
  deviceIds: readonly number[],
): Promise<ReadonlyMap<number, WithDates<DeviceEventRow>[] | null>> {
  const events = Map.groupBy(await listNewestEvents(db, deviceIds, CARRIED + 1), ({ deviceId }) => deviceId);
  return new Map(
    deviceIds.map((id) => {
      const own = events.get(id) ?? [];
      const [newest, left] = [own[0], own[CARRIED]];
      const burst = newest && left && newest.at.getTime() - left.at.getTime() < BURST_MS;
      return [id, newest && !burst ? own.slice(0, CARRIED).map(toRow) : null];
    }),
  );
}

/** Older events have reached consoles before. Milliseconds. */
const BURST_MS = 60_000;
