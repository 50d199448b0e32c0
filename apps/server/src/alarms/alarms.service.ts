import type { AnswerOf, alarmEndpoints, QueryOf } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import { listOrder, pageOf } from '../platform/http/list-queries.ts';
import { requireDevice } from '../platform/http/visible-device.ts';
import type { Caller } from '../ports/caller.ts';
import { listAlarms } from './alarms.store.ts';
import { listDeviceEvents } from './device-events.store.ts';

type Alarms = typeof alarmEndpoints.listAlarms;
type Events = typeof alarmEndpoints.listDeviceEvents;

/** Alarm episodes of a device a caller may see: active first, then newest first. */
export async function readAlarms(
  db: Kysely<Database>,
  caller: Caller,
  deviceId: number,
  query: QueryOf<Alarms>,
): Promise<AnswerOf<Alarms>> {
  const device = await requireDevice(db, caller, deviceId);
  const { descending } = listOrder(query.sort, '-raisedAt');
  const { items, total } = await listAlarms(caller.scope, db, device.id, query.active, descending, pageOf(query));
  return {
    items: items.map((alarm) => ({
      ...alarm,
      raisedAt: alarm.raisedAt.toISOString(),
      lastAt: alarm.lastAt.toISOString(),
      clearedAt: alarm.clearedAt?.toISOString() ?? null,
    })),
    total,
  };
}

/** Events of a device a caller may see, newest first. */
export async function readDeviceEvents(
  db: Kysely<Database>,
  caller: Caller,
  deviceId: number,
  query: QueryOf<Events>,
): Promise<AnswerOf<Events>> {
  const device = await requireDevice(db, caller, deviceId);
  const { descending } = listOrder(query.sort, '-at');
  const { items, total } = await listDeviceEvents(caller.scope, db, device.id, query.type, descending, pageOf(query));
  return {
    items: items.map((event) => ({
      ...event,
      at: event.at.toISOString(),
      endedAt: event.endedAt?.toISOString() ?? null,
    })),
    total,
  };
}
