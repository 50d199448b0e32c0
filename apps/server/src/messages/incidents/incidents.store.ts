import {
  ALERT_LIMIT_MS,
  ESCALATE_MINUTES,
  ESCALATE_WITHIN_MS,
  FAULT_TYPES,
  GROUP_WINDOW_MS,
  heldCauses,
  type Incident,
  type NoticeType,
  RECOVERY_SETTLE_MS,
  REMEMBERED_ALERTS,
  RETURN_WINDOW_MS,
  RETURNED_SETTLE_MS,
  type RecentAlert,
  SITE_WIDE_DEVICES,
} from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { unnested } from '../../platform/database/unnested.ts';

/** A notice that was not processed yet. */
export interface WaitingNotice {
  id: number;
  at: Date;
  type: NoticeType;
  key: string;
  ended: boolean;
  subjectKind: string;
  subjectId: string;
  customerId: number | null;
  siteId: number | null;
  deviceId: number | null;
  level: Incident['level'];
  actorId: number | null;
  userIds: number[] | null;
  data: Record<string, string | number | null>;
}

/** The last announced event of a type in an incident. */
export interface TypeFacts {
  level: Incident['level'];
  subjectKind: string;
  subjectId: string;
  data: Record<string, string | number | null>;
}

/** A stored incident. */
export interface IncidentRecord extends Incident {
  id: number;
  customerId: number | null;
  subjectKind: string;
  subjectId: string;
  deviceId: number | null;
  data: Record<string, string | number | null>;
  types: Partial<Record<NoticeType, TypeFacts>>;
  actorId: number | null;
  userIds: number[] | null;
  /** when it was passed to the substitutes */
  escalatedAt: number | null;
}

/** Any number that is not used otherwise in this database. */
const ADVISORY_LOCK = 7_263_540_300;

/** One transaction at a time turns notices into messages; false when another one does. */
export async function takeTurn(trx: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(${ADVISORY_LOCK}) as taken`.execute(trx);
  return rows[0]?.taken ?? false;
}

/** Removes the oldest notices that are due, and returns them in order. */
export async function takeNotices(trx: Kysely<Database>, limit: number): Promise<WaitingNotice[]> {
  const { rows } = await sql<WaitingNotice>`
    delete from notices where id in (
      select id from notices where not_before is null or not_before <= clock_timestamp() order by id limit ${limit})
    returning id, at, type, key, ended, subject_kind as "subjectKind", subject_id as "subjectId",
      customer_id as "customerId", site_id as "siteId", device_id as "deviceId", level, actor_id as "actorId",
      user_ids as "userIds", data`.execute(trx);
  return rows.sort((a, b) => a.id - b.id);
}

const COLUMNS = sql`
  i.id, i.type, i.cause, i.level, i.customer_id as "customerId", i.site_id as "siteId",
  i.subject_kind as "subjectKind", i.subject_id as "subjectId", i.device_id as "deviceId", i.data, i.types,
  i.actor_id as "actorId", i.user_ids as "userIds", i.devices, i.causes, i.members, i.open, i.returned,
  (extract(epoch from i.limited_until) * 1000)::float8 as "limitedUntil",
  (extract(epoch from i.opened_at) * 1000)::float8 as "openedAt",
  (extract(epoch from i.last_at) * 1000)::float8 as "lastAt",
  (extract(epoch from i.recovered_at) * 1000)::float8 as "recoveredAt",
  (extract(epoch from i.closed_at) * 1000)::float8 as "closedAt",
  (extract(epoch from i.alerted_at) * 1000)::float8 as "alertedAt",
  (extract(epoch from i.escalated_at) * 1000)::float8 as "escalatedAt"`;

/** An incident with the members that notices are about. */
export interface OpenIncident {
  record: IncidentRecord;
  members: Map<string, 'open' | 'over'>;
}

/** What the notices of a batch have: their sites and causes, and the time of the first one. */
interface Around {
  siteIds: readonly number[];
  causes: readonly string[];
  since: Date;
}

/**
 * The incidents that notices may belong to: those that contain one of the keys, and those of the sites that are recent or
 * whose recovery is not announced yet, with one of the causes or for the whole site.
 */
export async function findOpenIncidents(
  trx: Kysely<Database>,
  { keys, siteIds, causes, since }: { keys: readonly string[] } & Around,
): Promise<OpenIncident[]> {
  const { rows } = await sql<IncidentRecord & { keys: Record<string, boolean> | null }>`
    select ${COLUMNS}, (
      select jsonb_object_agg(m.key, m.over) from incident_members m
       where m.incident_id = i.id and m.key = any(${[...keys]}::text[])) as keys
      from incidents i
     where i.id in (
       select m.incident_id from incident_members m where m.key = any(${[...keys]}::text[])
       union all
       select recent.id from incidents recent
        where recent.site_id = any(${[...siteIds]}::int[]) and recent.closed_at is null
          and (recent.cause = any(${[...causes]}::text[]) or cardinality(recent.devices) >= ${SITE_WIDE_DEVICES})
          and recent.last_at >= ${since}::timestamptz - make_interval(secs => ${GROUP_WINDOW_MS / 1_000})
       union all
       select recovering.id from incidents recovering
        where recovering.site_id = any(${[...siteIds]}::int[]) and recovering.recovered_at is not null
          and recovering.closed_at is null and recovering.cause = any(${[...causes]}::text[])
       union all
       select recent.id from incidents recent
        where recent.type = 'waitingDevice' and recent.closed_at is null
          and recent.last_at >= ${since}::timestamptz - make_interval(secs => ${GROUP_WINDOW_MS / 1_000}))
       and i.closed_at is null
     order by i.id`.execute(trx);
  return rows.map(({ keys: found, ...record }) => ({
    record,
    members: new Map(Object.entries(found ?? {}).map(([key, over]) => [key, over ? 'over' : 'open'])),
  }));
}

/** The incidents of sites and causes that were over shortly before a time, as far as returning faults need them. */
export async function findRecentlyClosed(
  trx: Kysely<Database>,
  { siteIds, causes, since }: Around,
): Promise<Pick<Incident, 'siteId' | 'type' | 'cause' | 'devices' | 'closedAt'>[]> {
  const { rows } = await sql<Pick<Incident, 'siteId' | 'type' | 'cause' | 'devices' | 'closedAt'>>`
    select site_id as "siteId", type, cause, devices, (extract(epoch from closed_at) * 1000)::float8 as "closedAt"
      from incidents
     where site_id = any(${[...siteIds]}::int[]) and cause = any(${[...causes]}::text[])
       and closed_at >= ${since}::timestamptz - make_interval(secs => ${RETURN_WINDOW_MS / 1_000})`.execute(trx);
  return rows;
}

export type NewIncident = Omit<IncidentRecord, 'id'>;

/** Stores new incidents, and returns their ids in the same order. */
export async function insertIncidents(trx: Kysely<Database>, incidents: readonly NewIncident[]): Promise<number[]> {
  if (incidents.length === 0) return [];
  const { rows } = await sql<{ id: number }>`
    insert into incidents (type, cause, level, customer_id, site_id, subject_kind, subject_id, device_id, data, types,
      actor_id, user_ids, devices, causes, limited_until, members, open, opened_at, waiting_since, last_at, recovered_at, closed_at,
      alerted_at, returned)
    select type, cause, level, "customerId", "siteId", "subjectKind", "subjectId", "deviceId", data, types, "actorId",
           "userIds", devices, causes, to_timestamp("limitedUntil" / 1000), members, open, to_timestamp("openedAt" / 1000), to_timestamp("openedAt" / 1000), to_timestamp("lastAt" / 1000),
           to_timestamp("recoveredAt" / 1000), to_timestamp("closedAt" / 1000), to_timestamp("alertedAt" / 1000),
           returned
      from rows from (jsonb_to_recordset(${JSON.stringify(incidents)}::jsonb) as (
        type text, cause text, level text, "customerId" int, "siteId" int, "subjectKind" text, "subjectId" text,
        "deviceId" int, data jsonb, types jsonb, "actorId" int, "userIds" int[], devices int[], causes jsonb,
        "limitedUntil" float8, members int, open int, "openedAt" float8, "lastAt" float8, "recoveredAt" float8, "closedAt" float8, "alertedAt" float8,
        returned boolean
      )) with ordinality order by ordinality
    returning id`.execute(trx);
  return rows.map(({ id }) => id).sort((a, b) => a - b);
}

/**
 * Stores what notices changed about incidents. Those of `alerted` are announced again: nobody has taken on what is new
 * about them.
 */
export async function updateIncidents(
  trx: Kysely<Database>,
  incidents: readonly IncidentRecord[],
  alerted: ReadonlySet<number>,
): Promise<void> {
  if (incidents.length === 0) return;
  const changes = incidents.map(
    ({ id, type, types, level, devices, causes, limitedUntil, members, open, lastAt, recoveredAt, alertedAt }) => ({
      ...{ id, type, types, level, devices, causes, limitedUntil, members, open, lastAt, recoveredAt, alertedAt },
      ...{ held: heldCauses(causes).length > 0, again: alerted.has(id) },
    }),
  );
  await sql`
    update incidents i set type = n.type, types = n.types, level = n.level, devices = n.devices, causes = n.causes,
           held = n.held, limited_until = to_timestamp(n."limitedUntil" / 1000), members = n.members, open = n.open,
           last_at = to_timestamp(n."lastAt" / 1000), recovered_at = to_timestamp(n."recoveredAt" / 1000),
           alerted_at = to_timestamp(n."alertedAt" / 1000),
           waiting_since = case when n.again and i.acknowledged_at is not null
             then to_timestamp(n."alertedAt" / 1000) else i.waiting_since end,
           acknowledged_at = case when not n.again then i.acknowledged_at end,
           escalated_at = case when not n.again or i.acknowledged_at is null then i.escalated_at end
      from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as n (
        id int, type text, types jsonb, level text, devices int[], causes jsonb, held boolean, "limitedUntil" float8,
        members int, open int, "lastAt" float8, "recoveredAt" float8, "alertedAt" float8, again boolean)
     where i.id = n.id`.execute(trx);
}

/**
 * What was announced of sites within `ALERT_LIMIT_MS` before a time, by site, as far as the limits need it
 * (`rememberAlert`).
 */
export async function findRecentAlerts(
  trx: Kysely<Database>,
  siteIds: readonly number[],
  since: Date,
): Promise<Map<number, RecentAlert[]>> {
  const { rows } = await sql<RecentAlert & { siteId: number }>`
    select "siteId", level, at from (
      select "siteId", level, at, row_number() over (partition by "siteId", level order by at desc) as place from (
        select distinct i.site_id as "siteId", c.value->>'level' as level, (c.value->>'announcedAt')::float8 as at
          from incidents i cross join jsonb_each(i.causes) c
         where i.site_id = any(${[...siteIds]}::int[])
           and i.alerted_at >= ${since}::timestamptz - make_interval(secs => ${ALERT_LIMIT_MS / 1_000})
           and c.value->>'announcedAt' is not null) announced) placed
     where place <= ${REMEMBERED_ALERTS}`.execute(trx);
  const recent = new Map<number, RecentAlert[]>();
  for (const { siteId, level, at } of rows) {
    const alerts = recent.get(siteId) ?? [];
    alerts.push({ at, level });
    recent.set(siteId, alerts);
  }
  return recent;
}

/** Incidents with causes that are held back, the oldest first, locked until the end of the transaction. */
export async function lockHeld(trx: Kysely<Database>, limit: number): Promise<IncidentRecord[]> {
  const { rows } = await sql<IncidentRecord>`
    select ${COLUMNS} from incidents i where i.held and i.closed_at is null
     order by i.id limit ${limit} for update skip locked`.execute(trx);
  return rows;
}

/** Stores which members of incidents are going on. */
export async function storeMembers(
  trx: Kysely<Database>,
  members: readonly { incidentId: number; key: string; over: boolean }[],
): Promise<void> {
  if (members.length === 0) return;
  await sql`
    insert into incident_members as m (incident_id, key, over)
    select * from ${unnested(members, { incidentId: 'int', key: 'text', over: 'boolean' })}
    on conflict (incident_id, key) do update set over = excluded.over where m.over <> excluded.over`.execute(trx);
}

/** Closes the incidents whose recovery is certain (`isOver`), the oldest first, and returns them. */
export async function closeRecovered(trx: Kysely<Database>, now: Date, limit: number): Promise<IncidentRecord[]> {
  const settled = (ms: number) => new Date(now.getTime() - ms);
  const { rows } = await sql<IncidentRecord>`
    update incidents i set closed_at = ${now}
     where i.id in (
       select id from incidents
        where recovered_at <= ${settled(RECOVERY_SETTLE_MS)} and recovered_at is not null and closed_at is null
          and (not returned or recovered_at <= ${settled(RETURNED_SETTLE_MS)})
        order by recovered_at limit ${limit} for update skip locked)
    returning ${COLUMNS}`.execute(trx);
  return rows;
}

/**
 * Marks faults as passed on that nobody has taken on for as long as their customer set (`escalates`), and for which a
 * substitute is on duty. Returns them.
 */
export async function takeUnacknowledged(trx: Kysely<Database>, now: Date, limit: number): Promise<IncidentRecord[]> {
  const { rows } = await sql<IncidentRecord>`
    update incidents i set escalated_at = ${now}
     where i.id in (
       select w.id from incidents w left join on_call_settings t on t.customer_id = w.customer_id
        where w.waiting_since <= ${now}::timestamptz - make_interval(mins => ${ESCALATE_MINUTES.least})
          and w.waiting_since <= ${now}::timestamptz - make_interval(mins => coalesce(t.escalate_minutes, ${ESCALATE_MINUTES.usual}))
          and w.waiting_since > ${now}::timestamptz - make_interval(secs => ${ESCALATE_WITHIN_MS / 1_000})
          and w.open > 0 and w.closed_at is null and w.acknowledged_at is null and w.escalated_at is null
          and w.type = any(${[...FAULT_TYPES]}::text[])
          and exists (
            select from on_call_shifts s
             where s.customer_id = w.customer_id and (s.site_id is null or s.site_id = w.site_id)
               and s.substitute_id is not null and s.begins_at <= ${now} and s.ends_at > ${now})
        order by w.waiting_since limit ${limit} for update of w skip locked)
    returning ${COLUMNS}`.execute(trx);
  return rows;
}

/** Incidents by id. */
export async function findIncidents(db: Kysely<Database>, ids: readonly number[]): Promise<IncidentRecord[]> {
  const { rows } = await sql<IncidentRecord>`
    select ${COLUMNS} from incidents i where i.id = any(${[...ids]}::int[]) order by i.id`.execute(db);
  return rows;
}

/** Removes incidents that have been over for a number of days, with their messages. */
export async function forgetIncidents(db: Kysely<Database>, days: number, now: Date, limit: number): Promise<number> {
  const result = await sql`
    delete from incidents where id in (
      select id from incidents where last_at < ${now}::timestamptz - make_interval(days => ${days}) and open = 0
       order by last_at limit ${limit})`.execute(db);
  return Number(result.numAffectedRows ?? 0);
}
