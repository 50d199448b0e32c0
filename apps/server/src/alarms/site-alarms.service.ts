import type { AnswerOf, alarmEndpoints, QueryOf } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import { findSite } from '../fleet/index.ts';
import type { Database } from '../platform/database/schema.ts';
import { listOrder, pageOf } from '../platform/http/list-queries.ts';
import { notFound } from '../platform/http/problem.ts';
import type { Caller } from '../ports/caller.ts';
import { listSiteAlarms, listSiteEvents } from './site-alarms.store.ts';

type Alarms = typeof alarmEndpoints.listSiteAlarms;
type Events = typeof alarmEndpoints.listSiteEvents;

/** Alarm episodes of the devices of a site a caller may see: active first, then newest first. */
export async function readSiteAlarms(
  db: Kysely<Database>,
  caller: Caller,
  siteId: number,
  query: QueryOf<Alarms>,
): Promise<AnswerOf<Alarms>> {
  await requireSite(db, caller, siteId);
  const { descending } = listOrder(query.sort, '-raisedAt');
  const { items, total } = await listSiteAlarms(caller.scope, db, siteId, query, descending, pageOf(query));
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

/** Events of the devices of a site a caller may see, newest first. */
export async function readSiteEvents(
  db: Kysely<Database>,
  caller: Caller,
  siteId: number,
  query: QueryOf<Events>,
): Promise<AnswerOf<Events>> {
  await requireSite(db, caller, siteId);
  const { descending } = listOrder(query.sort, '-at');
  const { items, total } = await listSiteEvents(caller.scope, db, siteId, query.type, descending, pageOf(query));
  return {
    items: items.map((event) => ({
      ...event,
      at: event.at.toISOString(),
      endedAt: event.endedAt?.toISOString() ?? null,
    })),
    total,
  };
}

async function requireSite(db: Kysely<Database>, caller: Caller, siteId: number): Promise<void> {
  if (!(await findSite(caller.scope, db, siteId))) throw notFound('site');
}
