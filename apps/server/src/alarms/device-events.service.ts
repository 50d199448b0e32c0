import type { alarmEndpoints, QueryOf, ResultOf } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import type { Caller } from '../platform/http/caller.ts';
import { listDeviceEventsAfter } from './device-events.store.ts';
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
    items: events.map(({ micros: _, ...event }) => event),
    next: nextAfter(events, limit),
  };
}
