import { type AlarmKind, type AlarmLevel, type ExecutionState, GROUP_WINDOW_MS, type Scope } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { withinScope } from '../../platform/database/scope.ts';
import { type AlarmFilters, matching, NAME_OF_CODE, NAMES_OF_ALARM, nameOfDevice } from '../alarms.store.ts';
import { CAUSE, SUMS_OF_ALARMS } from './open-causes.store.ts';

/** The groups that are read: a site-wide incident takes up several. */
const GROUPS = 200;
/** Devices and alarms of a group that are read. */
const MEMBERS = 100;

/**
 * Open alarms of a site with one cause: those of an incident about which users were notified, or, of the others, those that
 * were each raised soon after the one before.
 */
export interface GroupRecord {
  /** the stored incident; null: not announced */
  incidentId: number | null;
  siteId: number;
  /** when users were last notified of the cause. Milliseconds */
  announcedAt: number | null;
  cause: string;
  level: AlarmLevel;
  since: Date;
  lastAt: Date;
  alarms: number;
  deviceIds: number[];
  deviceCount: number;
  unacknowledged: number[];
  acknowledgedBy: string | null;
  /** the worst of its alarms, then the oldest */
  alarmId: number;
  /** of all groups in scope */
  total: number;
}

/** The groups of open alarms in scope: the worst first, among them those that nobody has, then the newest. */
export async function readGroups(
  scope: Scope,
  db: Kysely<Database>,
  filters: Pick<AlarmFilters, 'customerId' | 'siteId'>,
): Promise<GroupRecord[]> {
  const window = sql`(partition by site_id, incident_id, cause order by raised_at, id)`;
  const { rows } = await sql<GroupRecord>`
    with open as (
      select a.*, ${CAUSE} as cause,
             (select max(m.incident_id) from incident_members m where m.key = 'fault ' || a.id) as incident_id
        from (select * from alarms where cleared_at is null and not suppressed and ${matching(scope, filters)}) a
    ), marked as (
      select *, case when incident_id is not null
                      or raised_at - lag(raised_at) over ${window} <= make_interval(secs => ${GROUP_WINDOW_MS / 1_000}::int)
                     then 0 else 1 end as begins
        from open
    ), numbered as (
      select *, sum(begins) over ${window} as number from marked
    ), groups as (
      select site_id, incident_id, cause, ${SUMS_OF_ALARMS},
             (array_agg(distinct device_id))[:${MEMBERS}] as device_ids,
             coalesce((array_agg(id) filter (where acknowledged_at is null))[:${MEMBERS}], '{}') as unacknowledged
        from numbered group by site_id, incident_id, cause, number
    )
    select g.incident_id as "incidentId", (i.causes -> g.cause ->> 'announcedAt')::float8 as "announcedAt", g.site_id as "siteId", g.cause, a.level, g.since, g.last_at as "lastAt", g.alarms, g.devices as "deviceCount",
           g.device_ids as "deviceIds", g.unacknowledged, g.by as "acknowledgedBy", g.alarm_id as "alarmId",
           g.total::int as total
      from (select *, count(*) over () as total from groups
             order by severity desc, cardinality(unacknowledged) = 0, since desc, alarm_id desc limit ${GROUPS}) g
      join alarms a on a.id = g.alarm_id left join incidents i on i.id = g.incident_id
     order by g.severity desc, cardinality(g.unacknowledged) = 0, g.since desc, g.alarm_id desc`.execute(db);
  return rows;
}

/** What is shown of the alarm that names a group. */
interface NamedAlarm {
  alarmId: number;
  siteName: string;
  customerName: string;
  deviceModelId: number | null;
  code: string;
  kind: AlarmKind;
  nameEn: string | null;
  nameZh: string | null;
}

/** The names of alarms in scope, with their sites. */
export async function nameAlarms(db: Kysely<Database>, ids: readonly number[]): Promise<Map<number, NamedAlarm>> {
  const { rows } = await sql<NamedAlarm>`
    select a.id as "alarmId", site.name as "siteName", customer.name as "customerName",
           a.device_model_id as "deviceModelId", a.code, a.kind, ${NAMES_OF_ALARM.en} as "nameEn", ${NAMES_OF_ALARM.zh} as "nameZh"
      from alarms a join sites site on site.id = a.site_id join customers customer on customer.id = a.customer_id
      ${NAME_OF_CODE(sql`a.code`, sql`a.device_model_id`)}
     where a.id = any(${[...ids]}::bigint[])`.execute(db);
  return new Map(rows.map((row) => [row.alarmId, row]));
}

/** What people have done about an incident so far. */
interface Work {
  place: number;
  issue: { id: number; number: number; title: string } | null;
  tried: { kind: string; at: string; state: ExecutionState; outcome: number } | null;
}

/**
 * The newest open issue in scope about one of the open alarms, and the newest command to one of the devices since the
 * incident began, for each of some incidents by their place in the list.
 */
export async function readWork(
  scope: Scope,
  db: Kysely<Database>,
  incidents: readonly { siteId: number; deviceIds: readonly number[]; since: Date }[],
): Promise<Work[]> {
  const wanted = incidents.map(({ siteId, deviceIds, since }, place) => ({ place, siteId, deviceIds, since }));
  const { rows } = await sql<Work>`
    select q.place,
           (select json_build_object('id', i.id, 'number', i.number, 'title', i.title)
              from alarms a join issues i on i.alarm_id = a.id
             where a.device_id = any(q."deviceIds") and a.site_id = q."siteId" and a.cleared_at is null
               and i.status <> 'closed' and i.merged_into is null and ${withinScope(scope, 'i.customer_id', 'i.site_id')}
             order by i.id desc limit 1) as issue,
           (select json_build_object('kind', c.kind, 'at', e.queued_at, 'state', e.state,
                                     'outcome', execution_outcome(e.state, e.result, e.reason, e.file))
              from executions e join commands c on c.id = e.command_id
             where e.device_id = any(q."deviceIds") and e.queued_at >= q.since
             order by e.queued_at desc limit 1) as tried
      from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as q (place int, "siteId" int, "deviceIds" int[], since timestamptz)`.execute(
    db,
  );
  return rows;
}

/** The names of devices as a caller may know them. */
export async function nameDevices(
  scope: Scope,
  db: Kysely<Database>,
  ids: readonly number[],
): Promise<Map<number, string>> {
  const { rows } = await sql<{ id: number; name: string }>`
    select d.id, ${nameOfDevice(scope)} as name from devices d where d.id = any(${[...ids]}::int[])`.execute(db);
  return new Map(rows.map(({ id, name }) => [id, name]));
}
