import { type BothNames, BULK_SLICE } from '@chargehand/contract';
import { FAULT_TYPES, type IncidentCauses, type NoticeType, type Scope } from '@chargehand/domain';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { NAME_OF_CODE, NAMES_OF_ALARM } from '../../alarms/index.ts';
import { naturally } from '../../platform/database/order/natural-order.ts';
import type { Database } from '../../platform/database/schema.ts';
import { withinScope } from '../../platform/database/scope.ts';
import type { IncidentRecord } from '../incidents/incidents.store.ts';

/** A message with its incident. */
export interface MessageRecord {
  id: number;
  incidentId: number;
  type: NoticeType;
  /** of which the user was notified; null: of the incident */
  notified: NoticeType | null;
  types: IncidentRecord['types'];
  level: 'OA' | 'MA' | 'CA' | null;
  subjectKind: string;
  subjectId: string;
  data: Record<string, string | number | null>;
  causes: IncidentCauses;
  customerName: string | null;
  siteId: number | null;
  siteName: string | null;
  devices: number[];
  events: number;
  open: number;
  alarmIds: number[];
  openedAt: Date;
  lastAt: Date;
  recoveredAt: Date | null;
  updatedAt: Date;
  readAt: Date | null;
  processedAt: Date | null;
  escalatedAt: Date | null;
}

/** What the title of a message depends on. */
type TitledMessage = Pick<MessageRecord, 'id' | 'type' | 'data' | 'siteName'> & BothNames;

/** Filters of messages. Missing fields do not filter. */
export interface MessageFilters {
  type?: string | undefined;
  siteId?: number | undefined;
  read?: boolean | undefined;
  processed?: boolean | undefined;
  recovered?: boolean | undefined;
}

/** Messages of a user about places that they still see. */
function visibleTo(scope: Scope, userId: number): RawBuilder<SqlBool> {
  return sql<SqlBool>`m.user_id = ${userId} and (i.customer_id is null or ${withinScope(scope, 'i.customer_id', 'i.site_id')})`;
}

/**
 * The incident of a message as the user reads about it (`shownAs`): the title, the level and the object are those of the
 * type of which they were notified.
 */
const SHOWN = sql`
  left join incident_receivers r on r.incident_id = m.incident_id and r.user_id = m.user_id
  cross join lateral (select case when i.types ? r.type then r.type else i.type end as type) of_type
  cross join lateral (
    select coalesce(i.types -> of_type.type, jsonb_build_object(
      'level', i.level, 'subjectKind', i.subject_kind, 'subjectId', i.subject_id, 'data', i.data)) as facts) first
  cross join lateral (
    select of_type.type, facts ->> 'level' as level, facts ->> 'subjectKind' as subject_kind,
           facts ->> 'subjectId' as subject_id, facts -> 'data' as data) shown`;

/** The names of the code of the alarm that a message is about, with `OF_ALARM`. */
const NAMES = sql`${NAMES_OF_ALARM.en} as "nameEn", ${NAMES_OF_ALARM.zh} as "nameZh"`;
const OF_ALARM = sql`
  left join alarms a on a.id = case shown.subject_kind when 'alarm' then shown.subject_id::bigint end
  ${NAME_OF_CODE(sql`shown.data ->> 'code'`, sql`a.device_model_id`)}`;

/** A fault that lasts and that nobody works on. */
const URGENT = sql<SqlBool>`(i.type in (${sql.join(FAULT_TYPES.map((type) => sql.lit(type)))})
  and i.recovered_at is null and m.processed_at is null)`;

/**
 * One page of a user's messages, by the time of the last notification, and their total number. `urgentFirst`: faults that
 * last and that nobody works on precede the others.
 */
export async function listMessages(
  scope: Scope,
  db: Kysely<Database>,
  userId: number,
  filters: MessageFilters,
  order: { newestFirst: boolean; urgentFirst: boolean },
  page: { limit: number; offset: number },
): Promise<{ items: MessageRecord[]; total: number }> {
  const direction = order.newestFirst ? sql`desc` : sql`asc`;
  const urgent = order.urgentFirst ? sql`${URGENT} desc,` : sql``;
  const where = matching(scope, userId, filters);
  const unacknowledged = sql`
    select w.id from incident_members im
      join alarms w on w.id = case when im.key like 'fault %' then substr(im.key, 7)::bigint end
     where im.incident_id = i.id and not im.over and w.acknowledged_at is null
     order by w.id limit ${sql.lit(BULK_SLICE)}`;
  const [items, totals] = await Promise.all([
    sql<MessageRecord>`
      select m.id, i.id as "incidentId", i.types, r.type as notified, shown.type, shown.level, shown.subject_kind as "subjectKind",
             shown.subject_id as "subjectId", shown.data, i.causes,
             c.name as "customerName", s.id as "siteId", s.name as "siteName", i.devices,
             coalesce((select jsonb_agg(waiting.id) from (${unacknowledged}) waiting), '[]') as "alarmIds",
             i.members as events, i.open, i.opened_at as "openedAt", i.last_at as "lastAt",
             i.recovered_at as "recoveredAt", m.updated_at as "updatedAt", m.read_at as "readAt",
             m.processed_at as "processedAt", i.escalated_at as "escalatedAt"
        from messages m
        join incidents i on i.id = m.incident_id ${SHOWN}
        left join customers c on c.id = i.customer_id
        left join sites s on s.id = i.site_id
       where ${where}
       order by ${urgent} m.updated_at ${direction}, m.id ${direction} limit ${page.limit} offset ${page.offset}`.execute(
      db,
    ),
    sql<{ total: number }>`
      select count(*)::int as total from messages m join incidents i on i.id = m.incident_id ${SHOWN}
       where ${where}`.execute(db),
  ]);
  return { items: items.rows, total: totals.rows[0]?.total ?? 0 };
}

/** The names of devices in scope, each with its ID, in their order. */
export async function nameSeenDevices(
  scope: Scope,
  db: Kysely<Database>,
  ids: readonly number[],
): Promise<{ id: number; name: string }[]> {
  const { rows } = await sql<{ id: number; name: string }>`
    select d.id, d.name from devices d
     where d.id = any(${[...ids]}::int[]) and ${withinScope(scope, 'd.customer_id', 'd.site_id')}
     order by ${naturally(sql`d.name`)}`.execute(db);
  return rows;
}

/** What the titles of a user's matching messages depend on, at most `limit`. */
export async function selectMessages(
  scope: Scope,
  db: Kysely<Database>,
  userId: number,
  filters: MessageFilters,
  limit: number,
): Promise<TitledMessage[]> {
  const { rows } = await sql<TitledMessage>`
    select m.id, shown.type, shown.data, ${NAMES}, s.name as "siteName"
      from messages m join incidents i on i.id = m.incident_id ${SHOWN} left join sites s on s.id = i.site_id ${OF_ALARM}
     where ${matching(scope, userId, filters)} order by m.id limit ${limit}`.execute(db);
  return rows;
}

function matching(scope: Scope, userId: number, filters: MessageFilters): RawBuilder<SqlBool> {
  const { type, siteId, read, processed, recovered } = filters;
  const conditions: RawBuilder<SqlBool>[] = [visibleTo(scope, userId)];
  if (type !== undefined) conditions.push(sql`shown.type = ${type}`);
  if (siteId !== undefined) conditions.push(sql`i.site_id = ${siteId}`);
  if (read !== undefined) conditions.push(sql`(m.read_at is not null) = ${read}`);
  if (processed !== undefined) conditions.push(sql`(m.processed_at is not null) = ${processed}`);
  if (recovered !== undefined) conditions.push(sql`(i.recovered_at is not null) = ${recovered}`);
  return sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}

/**
 * The numbers of a user's messages that are unread, or not processed. Every open console asks for them again and again,
 * so incidents are read only if the user may not see all of them.
 */
export async function countMessages(
  scope: Scope,
  db: Kysely<Database>,
  userId: number,
): Promise<{ unread: number; untreated: number }> {
  const seesAll = scope.customers === 'all' && scope.sites === 'all';
  const visible = seesAll
    ? sql`messages m where m.user_id = ${userId}`
    : sql`messages m join incidents i on i.id = m.incident_id where ${visibleTo(scope, userId)}`;
  const { rows } = await sql<{ unread: number; untreated: number }>`
    select count(*) filter (where m.read_at is null)::int as unread,
           count(*) filter (where m.processed_at is null)::int as untreated
      from ${visible} and (m.read_at is null or m.processed_at is null)`.execute(db);
  return rows[0] ?? { unread: 0, untreated: 0 };
}

/** What a user marks; undefined changes nothing. */
export interface Marks {
  read: boolean | undefined;
  processed: boolean | undefined;
}

/**
 * Marks messages of a user, all without `ids`, but none that is newer than `until`. Marks keep the time of the first one. Processing a message takes on its
 * incident, so that it is not passed to the substitutes.
 */
export async function markMessages(
  trx: Kysely<Database>,
  userId: number,
  ids: readonly number[] | undefined,
  { read, processed }: Marks,
  until: string | undefined,
): Promise<void> {
  const chosen = ids === undefined ? sql`true` : sql`id = any(${[...ids]}::int[])`;
  // The console knows milliseconds.
  const seen = until === undefined ? sql`true` : sql`date_trunc('milliseconds', updated_at) <= ${until}::timestamptz`;
  const time = (column: 'read_at' | 'processed_at', mark: boolean | undefined) =>
    mark === undefined ? sql.ref(column) : mark ? sql`coalesce(${sql.ref(column)}, now())` : sql`null`;
  await sql`
    with marked as (
      update messages set read_at = ${time('read_at', processed === true ? true : read)},
                          processed_at = ${time('processed_at', processed)}
       where user_id = ${userId} and ${chosen} and ${seen}
      returning incident_id, processed_at
    )
    update incidents i set acknowledged_at = now() from marked
     where i.id = marked.incident_id and marked.processed_at is not null and i.acknowledged_at is null`.execute(trx);
}
