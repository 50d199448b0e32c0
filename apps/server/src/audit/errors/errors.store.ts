import {
  type CaughtError,
  compareVersions,
  ERROR_LIMITS,
  type ErrorSource,
  type ErrorState,
  hasReturned,
  type SolvedIn,
} from '@chargehand/domain';
import { type Kysely, type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely';
import { anywhere, beginning } from '../../platform/database/patterns.ts';
import type { Database } from '../../platform/database/schema.ts';
import { storableJson, storableText } from '../../platform/database/storable.ts';
import { OVERFLOW, overflowFingerprint } from './overflow.ts';

/** Causes of one source. Those that pages without a session have reported count separately. */
const MAX_GROUPS = 2_000;
const MAX_ANONYMOUS_GROUPS = 300;
/** Occurrences that are stored of each cause. */
const STORED_OCCURRENCES = 200;
const TREND_DAYS = 7;

/** One time that an error happened. */
export interface Occurrence {
  at: Date;
  version: string;
  requestId: string | null;
  userName: string | null;
  deviceId: number | null;
  path: string | null;
  userAgent: string | null;
  address: string | null;
  message: string;
  details: Readonly<Record<string, string>>;
}

/** What was seen of a cause since the last time it was stored. */
export interface SeenCause extends CaughtError {
  fingerprint: string;
  anonymous: boolean;
  /** the latest version in which it was seen */
  version: string;
  firstAt: Date;
  lastAt: Date;
  count: number;
  /** by the start of the hour, in milliseconds */
  hours: Map<number, number>;
  occurrences: Occurrence[];
}

interface Standing {
  id: number;
  fingerprint: string;
  state: ErrorState;
  stateAt: Date | null;
  solvedVersion: string | null;
  solvedIn: SolvedIn | null;
  lastVersion: string;
}

/**
 * Adds what was seen to the stored causes, in one transaction. A solved error that has returned becomes new. Other
 * processes may store the same causes at the same time: rows are locked in the order of their ids.
 */
export async function storeErrors(db: Kysely<Database>, seen: readonly SeenCause[]): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const causes = new Map((await withinLimits(trx, seen)).map((cause) => [cause.fingerprint, cause]));
    const sorted = [...causes.values()].toSorted((a, b) => (a.fingerprint < b.fingerprint ? -1 : 1));
    await insertCauses(trx, sorted);
    const { rows } = await sql<Standing>`
      select id, fingerprint, state, state_at as "stateAt", solved_version as "solvedVersion",
             solved_in as "solvedIn", last_version as "lastVersion"
        from error_groups
       where fingerprint = any(${[...causes.keys()]}::text[])
       order by id
         for update`.execute(trx);
    const changes = rows.map((standing) => ({ standing, cause: causes.get(standing.fingerprint)! }));
    await countCauses(trx, changes);
    await insertOccurrences(trx, changes);
  });
}

interface Change {
  standing: Standing;
  cause: SeenCause;
}

/** New causes beyond the limits are counted in one cause of their source. */
async function withinLimits(trx: Transaction<Database>, seen: readonly SeenCause[]): Promise<SeenCause[]> {
  const fingerprints = seen.map(({ fingerprint }) => fingerprint);
  const { rows: stored } = await sql<{ fingerprint: string }>`
    select fingerprint from error_groups where fingerprint = any(${fingerprints}::text[])`.execute(trx);
  const known = new Set(stored.map(({ fingerprint }) => fingerprint));
  if (known.size === seen.length) return [...seen];
  const { rows: counts } = await sql<{ source: ErrorSource; anonymous: boolean; count: number }>`
    select source, anonymous, count(*) as count from error_groups group by source, anonymous`.execute(trx);
  const numbers = new Map(counts.map(({ source, anonymous, count }) => [`${source} ${anonymous}`, count]));
  const result = new Map<string, SeenCause>();
  for (const cause of seen) {
    const { source, anonymous } = cause;
    const isNew = !known.has(cause.fingerprint);
    const number = numbers.get(`${source} ${anonymous}`) ?? 0;
    const isFull = isNew && number >= (anonymous ? MAX_ANONYMOUS_GROUPS : MAX_GROUPS);
    if (isNew && !isFull) numbers.set(`${source} ${anonymous}`, number + 1);
    const fingerprint = isFull ? overflowFingerprint(source, anonymous) : cause.fingerprint;
    const counted = isFull ? { ...cause, ...OVERFLOW, fingerprint } : cause;
    const earlier = result.get(fingerprint);
    result.set(fingerprint, earlier ? mergedCauses(earlier, counted) : counted);
  }
  return [...result.values()];
}

/** What was seen of one cause at two times. */
export function mergedCauses(earlier: SeenCause, later: SeenCause): SeenCause {
  const hours = new Map(earlier.hours);
  for (const [hour, count] of later.hours) hours.set(hour, (hours.get(hour) ?? 0) + count);
  return {
    ...earlier,
    anonymous: earlier.anonymous && later.anonymous,
    version: compareVersions(later.version, earlier.version) > 0 ? later.version : earlier.version,
    firstAt: earlier.firstAt < later.firstAt ? earlier.firstAt : later.firstAt,
    lastAt: earlier.lastAt > later.lastAt ? earlier.lastAt : later.lastAt,
    count: earlier.count + later.count,
    hours,
    occurrences: [...earlier.occurrences, ...later.occurrences].slice(-STORED_OCCURRENCES),
  };
}

async function insertCauses(trx: Transaction<Database>, causes: readonly SeenCause[]): Promise<void> {
  const of = <K extends keyof SeenCause>(key: K) => causes.map((cause) => cause[key]);
  const texts = (key: 'name' | 'message' | 'stack') =>
    causes.map((cause) => storableText(cause[key], ERROR_LIMITS.stack));
  await sql`
    insert into error_groups (fingerprint, source, anonymous, name, message, stack, first_at, last_at, first_version,
                              last_version, count)
    select g.fingerprint, g.source, g.anonymous, g.name, g.message, g.stack, g.first_at, g.first_at, g.version,
           g.version, 0
      from unnest(${of('fingerprint')}::text[], ${of('source')}::text[], ${of('anonymous')}::bool[],
                  ${texts('name')}::text[], ${texts('message')}::text[], ${texts('stack')}::text[],
                  ${of('firstAt')}::timestamptz[], ${of('version')}::text[])
        as g (fingerprint, source, anonymous, name, message, stack, first_at, version)
    on conflict (fingerprint) do nothing`.execute(trx);
}

async function countCauses(trx: Transaction<Database>, changes: readonly Change[]): Promise<void> {
  const updates = changes.map(({ standing, cause }) => ({
    id: standing.id,
    count: cause.count,
    lastAt: cause.lastAt,
    version: compareVersions(cause.version, standing.lastVersion) >= 0 ? cause.version : standing.lastVersion,
    returned: hasReturned(standing, { at: cause.lastAt, version: cause.version }),
    anonymous: cause.anonymous,
  }));
  const of = <K extends keyof (typeof updates)[number]>(key: K) => updates.map((update) => update[key]);
  await sql`
    update error_groups g
       set count = g.count + u.count, last_at = greatest(g.last_at, u.last_at), last_version = u.version,
           anonymous = g.anonymous and u.anonymous,
           state = case when u.returned then 'new' else g.state end,
           state_at = case when u.returned then null else g.state_at end,
           state_by = case when u.returned then null else g.state_by end,
           solved_version = case when u.returned then null else g.solved_version end,
           solved_in = case when u.returned then null else g.solved_in end,
           returned_at = case when u.returned then u.last_at else g.returned_at end
      from unnest(${of('id')}::int[], ${of('count')}::bigint[], ${of('lastAt')}::timestamptz[],
                  ${of('version')}::text[], ${of('returned')}::bool[], ${of('anonymous')}::bool[])
        as u (id, count, last_at, version, returned, anonymous)
     where g.id = u.id`.execute(trx);
  const hours = changes.flatMap(({ standing: { id }, cause }) =>
    [...cause.hours].map(([at, count]) => ({ id, at: new Date(at), count })),
  );
  await sql`
    insert into error_hours (group_id, at, count)
    select * from unnest(${hours.map(({ id }) => id)}::int[], ${hours.map(({ at }) => at)}::timestamptz[],
                         ${hours.map(({ count }) => count)}::bigint[])
    on conflict (group_id, at) do update set count = error_hours.count + excluded.count`.execute(trx);
}

async function insertOccurrences(trx: Transaction<Database>, changes: readonly Change[]): Promise<void> {
  const rows = changes.flatMap(({ standing, cause }) =>
    cause.occurrences.map((occurrence) => ({ groupId: standing.id, ...occurrence })),
  );
  if (rows.length === 0) return;
  await sql`
    insert into error_occurrences (group_id, at, version, request_id, user_name, device_id, path, user_agent, address,
                                   message, details)
    select "groupId", at, version, "requestId", "userName", "deviceId", path, "userAgent", address, message, details
      from jsonb_to_recordset(${storableJson(rows)}::jsonb) as o (
        "groupId" int, at timestamptz, version text, "requestId" text, "userName" text, "deviceId" int, path text,
        "userAgent" text, address text, message text, details jsonb)`.execute(trx);
  await sql`
    delete from error_occurrences o
     using unnest(${[...new Set(rows.map(({ groupId }) => groupId))]}::int[]) as g (id)
     where o.group_id = g.id
       and o.id <= (select id from error_occurrences where group_id = g.id
                     order by id desc offset ${STORED_OCCURRENCES} limit 1)`.execute(trx);
}

/** The filters of the error log. Missing fields do not filter. */
export interface ErrorFilter {
  state?: ErrorState | undefined;
  source?: ErrorSource | undefined;
  search?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

export interface ErrorRecord {
  id: number;
  source: ErrorSource;
  name: string;
  message: string;
  stack: string | null;
  state: ErrorState;
  stateAt: Date | null;
  stateBy: string | null;
  solvedIn: SolvedIn | null;
  returnedAt: Date | null;
  firstAt: Date;
  lastAt: Date;
  firstVersion: string;
  lastVersion: string;
  count: number;
}

const ERROR_SORTS = { lastAt: sql`g.last_at`, firstAt: sql`g.first_at`, count: sql`g.count` } as const;

const COLUMNS = sql`
  g.id, g.source, g.name, g.message, g.stack, g.state, g.state_at as "stateAt", g.state_by as "stateBy",
  g.solved_in as "solvedIn", g.returned_at as "returnedAt", g.first_at as "firstAt", g.last_at as "lastAt",
  g.first_version as "firstVersion", g.last_version as "lastVersion", g.count`;

/** One page of the matching causes, and their number. */
export async function listErrors(
  db: Kysely<Database>,
  filter: ErrorFilter,
  order: { by: keyof typeof ERROR_SORTS; descending: boolean },
  page: { limit: number; offset: number },
): Promise<{ items: ErrorRecord[]; total: number }> {
  const matching = sql.join(conditionsOf(filter), sql` and `);
  const direction = order.descending ? sql`desc` : sql`asc`;
  const [items, totals] = await Promise.all([
    sql<ErrorRecord>`
      select ${COLUMNS} from error_groups g where ${matching}
       order by ${ERROR_SORTS[order.by]} ${direction}, g.id ${direction}
       limit ${page.limit} offset ${page.offset}`.execute(db),
    sql<{ total: number }>`select count(*) as total from error_groups g where ${matching}`.execute(db),
  ]);
  return { items: items.rows, total: totals.rows[0]?.total ?? 0 };
}

/** The next causes of an export, by id. */
export async function errorsAfter(
  db: Kysely<Database>,
  filter: ErrorFilter,
  after: number,
  limit: number,
): Promise<ErrorRecord[]> {
  const matching = sql.join([...conditionsOf(filter), sql<SqlBool>`g.id > ${after}`], sql` and `);
  const { rows } = await sql<ErrorRecord>`
    select ${COLUMNS} from error_groups g where ${matching} order by g.id limit ${limit}`.execute(db);
  return rows;
}

export async function findError(db: Kysely<Database>, id: number): Promise<ErrorRecord | null> {
  const { rows } = await sql<ErrorRecord>`select ${COLUMNS} from error_groups g where g.id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/** A cause for a change, locked until the end of the transaction. */
export async function lockError(trx: Transaction<Database>, id: number): Promise<ErrorRecord | null> {
  const { rows } = await sql<ErrorRecord>`
    select ${COLUMNS} from error_groups g where g.id = ${id} for update`.execute(trx);
  return rows[0] ?? null;
}

export interface NewErrorState {
  state: ErrorState;
  by: string;
  at: Date;
  solvedIn: SolvedIn | null;
  solvedVersion: string | null;
}

export async function writeErrorState(trx: Transaction<Database>, id: number, change: NewErrorState): Promise<void> {
  await sql`
    update error_groups
       set state = ${change.state}, state_at = ${change.at}, state_by = ${change.by},
           solved_in = ${change.solvedIn}, solved_version = ${change.solvedVersion}
     where id = ${id}`.execute(trx);
}

/** The hours of the last days in which an error happened. */
export async function hoursOfError(
  db: Kysely<Database>,
  id: number,
  now: Date,
): Promise<{ at: Date; count: number }[]> {
  const { rows } = await sql<{ at: Date; count: number }>`
    select at, count from error_hours
     where group_id = ${id} and at > ${new Date(now.getTime() - TREND_DAYS * 86_400_000)}
     order by at`.execute(db);
  return rows;
}

export interface OccurrenceRecord extends Occurrence {
  id: number;
  deviceSn: string | null;
}

/** The latest occurrences of an error, newest first. */
export async function occurrencesOf(db: Kysely<Database>, id: number, limit: number): Promise<OccurrenceRecord[]> {
  const { rows } = await sql<OccurrenceRecord>`
    select o.id, o.at, o.version, o.request_id as "requestId", o.user_name as "userName", o.device_id as "deviceId",
           d.sn as "deviceSn", o.path, o.user_agent as "userAgent", o.address, o.message, o.details
      from error_occurrences o left join devices d on d.id = o.device_id
     where o.group_id = ${id}
     order by o.id desc
     limit ${limit}`.execute(db);
  return rows;
}

/** Those of the runs, by their start as in the details of an occurrence, whose crash is already stored. */
export async function storedRuns(db: Kysely<Database>, startedAt: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ startedAt: string }>`
    select details ->> 'startedAt' as "startedAt" from error_occurrences
     where details ? 'lastHeartbeat' and details ->> 'startedAt' = any(${startedAt}::text[])`.execute(db);
  return new Set(rows.map((row) => row.startedAt));
}

/** Removes errors that did not happen since `before`, with their occurrences, and what is older of the others. */
export async function deletePastErrors(db: Kysely<Database>, before: Date, limit: number): Promise<number> {
  await sql`delete from error_hours where at < ${before}`.execute(db);
  await sql`
    delete from error_occurrences
     where id in (select id from error_occurrences where at < ${before} limit ${limit})`.execute(db);
  const { numAffectedRows } = await sql`
    delete from error_groups
     where id in (select id from error_groups where last_at < ${before} order by last_at limit ${limit})`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** A part of a request id is long enough to be one: the toasts of errors show eight characters. */
const REQUEST_ID = /^[0-9a-f]{8}[0-9a-f-]{0,28}$/i;

function conditionsOf({ state, source, search, from, to }: ErrorFilter): RawBuilder<SqlBool>[] {
  const found = (text: string) => {
    const inText = sql<SqlBool>`(g.message ilike ${anywhere(text)} or g.name ilike ${anywhere(text)})`;
    if (!REQUEST_ID.test(text)) return inText;
    return sql<SqlBool>`(${inText} or g.id in (
      select group_id from error_occurrences where request_id like ${beginning(text.toLowerCase())}))`;
  };
  return [
    sql<SqlBool>`true`,
    state !== undefined && sql<SqlBool>`g.state = ${state}`,
    source !== undefined && sql<SqlBool>`g.source = ${source}`,
    search !== undefined && found(search),
    from !== undefined && sql<SqlBool>`g.last_at >= ${from}`,
    to !== undefined && sql<SqlBool>`g.last_at < ${to}`,
  ].filter((condition) => condition !== false);
}
