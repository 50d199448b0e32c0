import type { ALARM_STATES, AlarmCause } from '@chargehand/contract';
import type { AlarmKind, AlarmLevel, AlarmSource, Scope } from '@chargehand/domain';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import { withinScope } from '../platform/database/scope.ts';
import type { ListOrder } from '../platform/http/serve/list-queries.ts';
import { type Position, TIME_OF_MICROS } from './positions.ts';

/** An alarm, as lists show it. */
export interface AlarmRecord {
  id: number;
  deviceId: number;
  deviceName: string;
  deviceSn: string;
  siteId: number;
  siteName: string;
  customerId: number;
  customerName: string;
  deviceModelId: number | null;
  deviceModelName: string | null;
  /** the latest protocol of the device, null when it never connected; it decides how connectors are named */
  protocol: string | null;
  connector: number;
  code: string;
  nameEn: string | null;
  nameZh: string | null;
  kind: AlarmKind;
  level: AlarmLevel;
  info: string | null;
  raisedAt: Date;
  lastAt: Date;
  repeats: number;
  reopened: number;
  suppressed: boolean;
  clearedAt: Date | null;
  acknowledgedAt: Date | null;
  acknowledgedBy: string | null;
  acknowledgedNote: string | null;
  comments: number;
  source: AlarmSource;
  severity: number;
  /** when it was raised, in microseconds since the epoch, as text so that no digit is lost */
  micros: string;
}

/** The filters of alarms. Missing fields do not filter. Times as ISO 8601. */
export interface AlarmFilters {
  customerId?: number | undefined;
  siteId?: number | undefined;
  deviceId?: number | undefined;
  deviceModelId?: number | undefined;
  code?: string | undefined;
  state?: (typeof ALARM_STATES)[number] | undefined;
  kind?: AlarmKind | undefined;
  level?: AlarmLevel | undefined;
  acknowledged?: boolean | undefined;
  suppressed?: boolean | undefined;
  /** raised at or after / before */
  from?: string | undefined;
  to?: string | undefined;
}

const EVERYWHERE: Scope = { customers: 'all', sites: 'all' };

export type AlarmOrder = ListOrder<'raisedAt' | 'level'>;

/** The next batch of matching alarms in scope after a given one in the same order; from the start when null. */
export async function listAlarmsAfter(
  scope: Scope,
  db: Kysely<Database>,
  filters: AlarmFilters,
  order: AlarmOrder,
  after: Position | null,
  limit: number,
): Promise<AlarmRecord[]> {
  const { rows } = await sql<AlarmRecord>`
    ${listed(
      scope,
      sql`
      select * from alarms where ${matching(scope, filters)} and ${beyond(order, after)}
       order by ${orderBy(order, 'alarms')} limit ${limit}`,
    )}
     order by ${orderBy(order, 'a')}`.execute(db);
  return rows;
}

/** The open alarms of some devices. */
export async function listOpenAlarms(db: Kysely<Database>, deviceIds: readonly number[]): Promise<AlarmRecord[]> {
  const { rows } = await sql<AlarmRecord>`
    ${listed(
      EVERYWHERE,
      sql`select * from alarms where device_id = any(${[...deviceIds]}::int[]) and cleared_at is null`,
    )}`.execute(db);
  return rows;
}

/** The given devices that have an open alarm from a former site. */
export async function findMovedWithAlarms(db: Kysely<Database>, deviceIds: readonly number[]): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    select distinct d.id from alarms a join devices d on d.id = a.device_id
     where a.device_id = any(${[...deviceIds]}::int[]) and a.cleared_at is null and a.site_id <> d.site_id`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** One alarm in scope; null when there is none. */
export async function readAlarm(scope: Scope, db: Kysely<Database>, id: number): Promise<AlarmRecord | null> {
  const { rows } = await sql<AlarmRecord>`
    ${listed(scope, sql`select * from alarms where id = ${id} and ${matching(scope, {})}`)}`.execute(db);
  return rows[0] ?? null;
}

/** The alarms with some ids that are in scope. */
export async function findAlarms(scope: Scope, db: Kysely<Database>, ids: readonly number[]): Promise<AlarmRecord[]> {
  const { rows } = await sql<AlarmRecord>`
    ${listed(scope, sql`select * from alarms where id = any(${[...ids]}::bigint[]) and ${matching(scope, {})}`)}
     order by a.id`.execute(db);
  return rows;
}

/** Acknowledges an alarm that is not acknowledged; false when another user was first. */
export async function acknowledgeAlarm(
  db: Kysely<Database>,
  id: number,
  by: { userId: number; userName: string; note: string | null },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('alarms')
    .set({
      acknowledged_at: sql`now()`,
      acknowledged_by: by.userId,
      acknowledged_by_name: by.userName,
      acknowledged_note: by.note,
    })
    .where('id', '=', id)
    .where('acknowledged_at', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** The ids and names of matching alarms in scope, at most `limit`. */
export async function selectAlarms(
  scope: Scope,
  db: Kysely<Database>,
  filters: AlarmFilters,
  limit: number,
): Promise<{ id: number; name: string }[]> {
  const { rows } = await sql<{ id: number; name: string }>`
    select alarms.id, alarms.code || ' · ' || ${nameOfDevice(scope)} as name
      from alarms join devices d on d.id = alarms.device_id
     where ${matching(scope, filters)} order by alarms.id limit ${limit}`.execute(db);
  return rows;
}

/** The rule that raised an alarm; null when no rule did. */
export async function readCause(db: Kysely<Database>, id: number): Promise<AlarmCause | null> {
  const { rows } = await sql<{
    rule: AlarmCause | null;
  }>`select rule - 'print' as rule from alarms where id = ${id}`.execute(db);
  return rows[0]?.rule ?? null;
}

/** The comments on an alarm, oldest first. */
export async function listComments(
  db: Kysely<Database>,
  alarmId: number,
): Promise<{ id: number; at: Date; by: string; text: string }[]> {
  return await db
    .selectFrom('alarm_comments')
    .select(['id', 'at', 'user_name as by', 'text'])
    .where('alarm_id', '=', alarmId)
    .orderBy('id')
    .execute();
}

/** Adds a comment on an alarm and returns its id. */
export async function insertComment(
  db: Kysely<Database>,
  alarmId: number,
  by: { userId: number; userName: string },
  text: string,
): Promise<number> {
  const { id } = await db
    .insertInto('alarm_comments')
    .values({ alarm_id: alarmId, user_id: by.userId, user_name: by.userName, text })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** The condition of a scope and filters on `alarms`. */
export function matching(scope: Scope, filters: AlarmFilters): RawBuilder<SqlBool> {
  const { state, kind, level, acknowledged, suppressed, from, to } = filters;
  const conditions = [withinScope(scope, 'alarms.customer_id', 'alarms.site_id')];
  if (filters.customerId !== undefined) conditions.push(sql`alarms.customer_id = ${filters.customerId}`);
  if (filters.siteId !== undefined) conditions.push(sql`alarms.site_id = ${filters.siteId}`);
  if (filters.deviceId !== undefined) conditions.push(sql`alarms.device_id = ${filters.deviceId}`);
  if (filters.deviceModelId !== undefined) conditions.push(sql`alarms.device_model_id = ${filters.deviceModelId}`);
  if (filters.code !== undefined) conditions.push(sql`alarms.code = ${filters.code}`);
  if (state !== undefined) conditions.push(sql`alarms.cleared_at is ${state === 'open' ? sql`null` : sql`not null`}`);
  if (kind !== undefined) conditions.push(sql`alarms.kind = ${kind}`);
  if (level !== undefined) conditions.push(sql`alarms.level = ${level}`);
  if (acknowledged !== undefined) {
    conditions.push(sql`alarms.acknowledged_at is ${acknowledged ? sql`not null` : sql`null`}`);
  }
  if (suppressed !== undefined) conditions.push(sql`alarms.suppressed = ${suppressed}`);
  if (from !== undefined) conditions.push(sql`alarms.raised_at >= ${from}`);
  if (to !== undefined) conditions.push(sql`alarms.raised_at < ${to}`);
  return sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}

/**
 * The name of device `d`. For a device outside the scope only its SN, because a previous owner must not learn its
 * current name.
 */
export function nameOfDevice(scope: Scope): RawBuilder<string> {
  return sql<string>`case when ${withinScope(scope, 'd.customer_id', 'd.site_id')} then d.name else d.sn end`;
}

/** The name of a code: from its model, else for all models. */
export const NAME_OF_CODE = (code: RawBuilder<unknown>, model: RawBuilder<unknown>) => sql`
  left join lateral (
    select name_en, name_zh from alarm_codes named
     where named.code = ${code} and (named.device_model_id = ${model} or named.device_model_id is null)
     order by named.device_model_id nulls last limit 1
  ) named on true`;

/** The names of the code of alarm `a`, with `NAME_OF_CODE`: of its rule, else of the code. */
export const NAMES_OF_ALARM = {
  en: sql<string | null>`coalesce(a.rule -> 'name' ->> 'en', named.name_en)`,
  zh: sql<string | null>`coalesce(a.rule -> 'name' ->> 'zh', named.name_zh)`,
};

/** The columns of a list, joined only to the few alarms that it shows. */
function listed(scope: Scope, alarms: RawBuilder<unknown>): RawBuilder<AlarmRecord> {
  return sql`
    select a.id, a.device_id as "deviceId", ${nameOfDevice(scope)} as "deviceName", d.sn as "deviceSn", a.site_id as "siteId",
           site.name as "siteName", a.customer_id as "customerId", customer.name as "customerName",
           a.device_model_id as "deviceModelId", model.name as "deviceModelName", a.connector, state.protocol, a.code,
           ${NAMES_OF_ALARM.en} as "nameEn", ${NAMES_OF_ALARM.zh} as "nameZh", a.source, a.kind, a.level, a.info, a.raised_at as "raisedAt",
           a.last_at as "lastAt", a.repeats, a.reopened, a.suppressed, a.cleared_at as "clearedAt",
           a.acknowledged_at as "acknowledgedAt", a.acknowledged_by_name as "acknowledgedBy",
           a.acknowledged_note as "acknowledgedNote", a.severity,
           (select count(*)::int from alarm_comments c where c.alarm_id = a.id) as comments,
           (extract(epoch from a.raised_at) * 1000000)::bigint::text as micros
      from (${alarms}) a
      join devices d on d.id = a.device_id
      left join device_states state on state.device_id = d.id
      join sites site on site.id = a.site_id
      join customers customer on customer.id = a.customer_id
      left join device_models model on model.id = a.device_model_id
      ${NAME_OF_CODE(sql`a.code`, sql`a.device_model_id`)}`;
}

function orderBy({ by, descending }: AlarmOrder, table: string): RawBuilder<unknown> {
  const direction = descending ? sql`desc` : sql`asc`;
  const column = (name: string) => sql`${sql.ref(`${table}.${name}`)} ${direction}`;
  return sql.join([...(by === 'level' ? [column('severity')] : []), column('raised_at'), column('id')]);
}

function beyond({ by, descending }: AlarmOrder, after: Position | null): RawBuilder<SqlBool> {
  if (after === null) return sql<SqlBool>`true`;
  const far = descending ? sql`<` : sql`>`;
  const at = TIME_OF_MICROS(after.micros);
  if (by === 'raisedAt') return sql<SqlBool>`(alarms.raised_at, alarms.id) ${far} (${at}, ${after.id}::bigint)`;
  return sql<SqlBool>`
    (alarms.severity, alarms.raised_at, alarms.id) ${far} (${after.rank}::smallint, ${at}, ${after.id}::bigint)`;
}
