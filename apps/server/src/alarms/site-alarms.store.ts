import type { AlarmLevel, Scope } from '@chargehand/domain';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import { withinScope } from '../platform/database/scope.ts';
import type { AlarmRecord } from './alarms.store.ts';
import type { DeviceEventRecord } from './device-events.store.ts';

/** Of a list that spans several devices: which one it is about. */
interface OfDevice {
  deviceId: number;
  deviceName: string;
}
export type SiteAlarmRecord = AlarmRecord & OfDevice;
export type SiteEventRecord = DeviceEventRecord & OfDevice;

interface Page {
  limit: number;
  offset: number;
}

/** One page of the alarm episodes of a site's devices in scope, active ones first, and how many there are in all. */
export async function listSiteAlarms(
  scope: Scope,
  db: Kysely<Database>,
  siteId: number,
  filters: { active?: boolean | undefined; level?: AlarmLevel | undefined },
  descending: boolean,
  page: Page,
): Promise<{ items: SiteAlarmRecord[]; total: number }> {
  const { active, level } = filters;
  const state = active === undefined ? sql`true` : active ? sql`a.cleared_at is null` : sql`a.cleared_at is not null`;
  const grave = level === undefined ? sql`true` : sql`a.level = ${level}`;
  const from = sql`
    from alarms a join devices d on d.id = a.device_id where ${ofSite(scope, siteId)} and ${state} and ${grave}`;
  const direction = descending ? sql`desc` : sql`asc`;
  const [items, totals] = await Promise.all([
    sql<SiteAlarmRecord>`
      select a.id, a.device_id as "deviceId", d.name as "deviceName", a.connector, a.code, a.kind, a.level, a.info,
             a.raised_at as "raisedAt", a.last_at as "lastAt", a.repeats, a.cleared_at as "clearedAt" ${from}
       order by a.cleared_at is null desc, a.raised_at ${direction}, a.id ${direction}
       limit ${page.limit} offset ${page.offset}`.execute(db),
    sql<{ total: number }>`select count(*) as total ${from}`.execute(db),
  ]);
  return { items: items.rows, total: totals.rows[0]?.total ?? 0 };
}

/** One page of the events of a site's devices in scope in the order of time, and how many there are in all. */
export async function listSiteEvents(
  scope: Scope,
  db: Kysely<Database>,
  siteId: number,
  type: number | undefined,
  descending: boolean,
  page: Page,
): Promise<{ items: SiteEventRecord[]; total: number }> {
  const kind = type === undefined ? sql`true` : sql`e.type = ${type}`;
  const from = sql`from device_events e join devices d on d.id = e.device_id where ${ofSite(scope, siteId)} and ${kind}`;
  const direction = descending ? sql`desc` : sql`asc`;
  const [items, totals] = await Promise.all([
    sql<SiteEventRecord>`
      select e.id, e.device_id as "deviceId", d.name as "deviceName", e.type, e.connector, e.at, e.code, e.detail,
             e.ended_at as "endedAt" ${from}
       order by e.at ${direction}, e.id ${direction} limit ${page.limit} offset ${page.offset}`.execute(db),
    sql<{ total: number }>`select count(*) as total ${from}`.execute(db),
  ]);
  return { items: items.rows, total: totals.rows[0]?.total ?? 0 };
}

function ofSite(scope: Scope, siteId: number): RawBuilder<unknown> {
  return sql`d.site_id = ${siteId} and ${withinScope(scope, 'd.customer_id', 'd.site_id')}`;
}
