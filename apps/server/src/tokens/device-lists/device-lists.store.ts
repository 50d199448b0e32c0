import type { LIST_STATES } from '@chargehand/contract';
import { type KnownList, LIST_PARAMETERS, type Scope, type TokenPolicy } from '@chargehand/domain';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { naturally } from '../../platform/database/order/natural-order.ts';
import type { Database } from '../../platform/database/schema.ts';
import { idArray, withinScope } from '../../platform/database/scope.ts';
import type { ListOrder } from '../../platform/http/serve/list-queries.ts';
import type { ListEntry } from '../../ports/devices/token-lists.ts';

export type ListState = (typeof LIST_STATES)[number];

/** The policy that applies to a device `d`. */
const POLICY_JOINS = sql`
  left join token_policies pd on pd.device_id = d.id left join token_policies ps on ps.site_id = d.site_id
  left join token_policies pc on pc.customer_id = d.customer_id`;
const POLICY = sql<TokenPolicy | null>`coalesce(pd.policy, ps.policy, pc.policy)`;
/** The tokens that the list of a device should have: those of its site, or none where everyone may charge. */
const PLACE = sql<string>`case when ${POLICY} = 'known' then d.customer_id || '/' || d.site_id else 'empty' end`;

/** Some devices, or all. */
export type Devices = readonly number[] | 'all';

const among = (devices: Devices) =>
  devices === 'all' ? sql<SqlBool>`true` : sql<SqlBool>`d.id = any(${idArray(devices)})`;

/** Adds those devices that need a list: connected charge points where only known tokens are accepted. */
export async function addDevices(db: Kysely<Database>, devices: Devices): Promise<void> {
  await sql`
    insert into device_token_lists (device_id)
    select d.id from device_states s join devices d on d.id = s.device_id ${POLICY_JOINS}
     where ${among(devices)} and s.connected and s.protocol like 'ocpp%' and ${POLICY} = 'known'
       and not exists (select from device_token_lists l where l.device_id = d.id)
    on conflict do nothing`.execute(db);
}

/** How often the version of a list is compared although nothing indicates that it changed. */
const COMPARE = sql`interval '1 day'`;

/** Those devices for which something is to do now, the longest waiting first. */
export async function listDue(db: Kysely<Database>, devices: Devices, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select d.id from device_token_lists l join devices d on d.id = l.device_id
      join device_states s on s.device_id = d.id ${POLICY_JOINS}
      left join token_books b on b.customer_id = d.customer_id
     where ${among(devices)} and s.connected and l.next_at <= now() and d.enabled
       and case when l.execution_id is not null then ${ENDED}
           else l.clear_cache_since is not null
             or s.booted_at > coalesce(l.verified_at, '-infinity')
             or (l.state not in ('unsupported', 'off')
                 and (l.place is not null or ${POLICY} = 'known')
                 and (l.verify or l.place is distinct from ${PLACE} or l.full_cursor is not null
                      or l.revision is null or (${POLICY} = 'known' and l.revision < coalesce(b.revision, 0))
                      or l.state = 'waiting' or l.verified_at < now() - ${COMPARE})) end
     order by l.next_at, l.device_id limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** The command of a list has ended, or is gone. */
const ENDED = sql<SqlBool>`not exists (select from executions e where e.id = l.execution_id and e.state <> 'ended')`;

/** Those commands that ended, also without an answer. */
export async function findEnded(
  db: Kysely<Database>,
  executionIds: readonly string[],
): Promise<{ deviceId: number; executionId: string }[]> {
  if (executionIds.length === 0) return [];
  const { rows } = await sql<{ deviceId: number; executionId: string }>`
    select l.device_id as "deviceId", l.execution_id as "executionId" from device_token_lists l
     where l.execution_id = any(${[...executionIds]}::uuid[]) and ${ENDED}`.execute(db);
  return rows;
}

/** What is known about a device and its list. */
export interface LockedList {
  deviceId: number;
  customerId: number;
  siteId: number;
  connected: boolean;
  /** it booted after its version was read */
  booted: boolean;
  /** its version was not read for long */
  stale: boolean;
  place: string;
  /** of the tokens of the customer */
  revision: number;
  forgotten: number;
  known: KnownList;
  executionId: string | null;
  state: ListState;
  clearCacheSince: Date | null;
  command: ListCommand | null;
}

type Row = Omit<LockedList, 'known'> & {
  version: number;
  listRevision: number | null;
  listPlace: string | null;
  fullRevision: number | null;
  fullCursor: number | null;
  sentVersion: number | null;
  sentCursor: number | null;
  sentMore: boolean | null;
  sentFull: boolean | null;
  verify: boolean;
  failures: number;
};

/** The commit of this transaction does not wait for the disk, which messages of devices wait for. */
export async function commitWithoutFlush(trx: Kysely<Database>): Promise<void> {
  await sql`set local synchronous_commit to off`.execute(trx);
}

/** Locks the list of a device. Null while another process works on it. */
export async function lockList(trx: Kysely<Database>, deviceId: number): Promise<LockedList | null> {
  const { rows } = await sql<Row>`
    select d.id as "deviceId", d.customer_id as "customerId", d.site_id as "siteId", s.connected,
           s.booted_at > coalesce(l.verified_at, '-infinity') as booted,
           coalesce(l.verified_at < now() - ${COMPARE}, false) as stale, ${PLACE} as place,
           coalesce(b.revision, 0) as revision, coalesce(b.forgotten, 0) as forgotten,
           l.execution_id as "executionId", l.state, l.clear_cache_since as "clearCacheSince",
           l.command, l.version,
           l.revision as "listRevision", l.place as "listPlace", l.full_revision as "fullRevision",
           l.full_cursor as "fullCursor", l.sent_version as "sentVersion", l.sent_cursor as "sentCursor",
           l.sent_more as "sentMore", l.sent_full as "sentFull", l.verify, l.failures
      from device_token_lists l join devices d on d.id = l.device_id join device_states s on s.device_id = d.id
      ${POLICY_JOINS} left join token_books b on b.customer_id = d.customer_id
     where l.device_id = ${deviceId} for update of l skip locked`.execute(trx);
  const row = rows[0];
  if (!row) return null;
  const { version, listRevision, listPlace, fullRevision, fullCursor, sentVersion, sentCursor, sentMore, sentFull } =
    row;
  return {
    ...row,
    booted: row.booted ?? false,
    known: {
      ...{ version, revision: listRevision, place: listPlace, verify: row.verify, failures: row.failures },
      full: fullRevision === null ? null : { revision: fullRevision, cursor: fullCursor ?? 0 },
      sent:
        sentVersion === null
          ? null
          : { version: sentVersion, cursor: sentCursor ?? 0, more: sentMore ?? false, full: sentFull ?? false },
    },
  };
}

export type ListCommand = 'clearCache' | 'read' | 'send';

export interface ListChange {
  known?: KnownList;
  executionId?: string | null;
  command?: ListCommand | null;
  state?: ListState;
  detail?: string | null;
  verified?: boolean;
  equal?: { checksum: string; entries: number; leftOut: number };
  /** milliseconds until the next step */
  pauseMs?: number;
  /** begins to clear the cache, or has cleared what was to clear at its begin, or has not */
  clearing?: 'begins' | 'done' | 'failed';
}

export async function writeList(trx: Kysely<Database>, deviceId: number, change: ListChange): Promise<void> {
  const { known, equal, clearing } = change;
  const set: RawBuilder<unknown>[] = [sql`updated_at = now()`];
  if (known) {
    set.push(sql`version = ${known.version}, revision = ${known.revision}, place = ${known.place},
      full_revision = ${known.full?.revision ?? null}, full_cursor = ${known.full?.cursor ?? null},
      sent_version = ${known.sent?.version ?? null}, sent_cursor = ${known.sent?.cursor ?? null},
      sent_more = ${known.sent?.more ?? null}, sent_full = ${known.sent?.full ?? null},
      verify = ${known.verify}, failures = ${known.failures}`);
    // Until it is equal again, what the device has is not known entry by entry.
    if (!equal) set.push(sql`checksum = case when version = ${known.version} then checksum end`);
  }
  if (change.executionId !== undefined) set.push(sql`execution_id = ${change.executionId}::uuid`);
  if (change.command !== undefined) set.push(sql`command = ${change.command}`);
  if (change.state !== undefined) set.push(sql`state = ${change.state}`);
  if (change.detail !== undefined) set.push(sql`detail = ${change.detail}`);
  if (change.verified) set.push(sql`verified_at = clock_timestamp()`);
  if (equal)
    set.push(sql`checksum = ${equal.checksum}, entries = ${equal.entries}, left_out = ${equal.leftOut},
      equal_at = clock_timestamp()`);
  if (change.pauseMs !== undefined)
    set.push(sql`next_at = clock_timestamp() + make_interval(secs => ${change.pauseMs / 1_000})`);
  if (clearing === 'begins') set.push(sql`clearing_since = clear_cache_since`);
  if (clearing === 'done')
    set.push(sql`clear_cache_since = case when clear_cache_since > clearing_since then clear_cache_since end,
      clearing_since = null`);
  if (clearing === 'failed') set.push(sql`clearing_since = null`);
  await sql`update device_token_lists set ${sql.join(set)} where device_id = ${deviceId}`.execute(trx);
}

/** The parameters that tell what a device supports, by key in lower case. */
export async function listParameters(
  trx: Kysely<Database>,
  deviceId: number,
): Promise<ReadonlyMap<string, string | null>> {
  const { rows } = await sql<{ key: string; value: string | null }>`
    select lower(key) as key, value from device_parameters
     where device_id = ${deviceId} and lower(key) = any(${[...LIST_PARAMETERS]}::text[])`.execute(trx);
  return new Map(rows.map(({ key, value }) => [key, value]));
}

/** The customer and site of a place; null for `empty`. */
function placeOf(place: string): { customerId: number; siteId: number } | null {
  const [customerId, siteId] = place.split('/').map(Number);
  return customerId === undefined || siteId === undefined ? null : { customerId, siteId };
}

/** Tokens `t` that belong to the list of a site. Those whose period has not begun are added when it begins. */
function ofPlace({ customerId, siteId }: { customerId: number; siteId: number }): RawBuilder<SqlBool> {
  return sql<SqlBool>`(t.customer_id = ${customerId} and not t.waits and (${atSite(siteId)}))`;
}

function atSite(siteId: number): RawBuilder<SqlBool> {
  return sql<SqlBool>`t.all_sites
    or exists (select from token_sites ts where ts.token_id = t.id and ts.site_id = ${siteId})`;
}

const ENTRY = sql`t.value, t.type, case when t.blocked_at is null then 'Accepted' else 'Blocked' end as status,
  t.group_value as "group", t.valid_until as until`;

interface EntryRow extends Omit<ListEntry, 'until'> {
  cursor: number;
  until: Date | null;
}

const entryOf = ({ cursor: _, until, ...entry }: EntryRow): ListEntry => ({
  ...entry,
  until: until?.toISOString() ?? null,
});

export interface Slice {
  entries: ListEntry[];
  /** the token or the revision of each */
  cursors: number[];
  /** the last one */
  cursor: number;
  more: boolean;
}

/** The next entries of a full list after a token, in the order of the tokens, from the first `atMost` of them. */
export async function fullSlice(
  db: Kysely<Database>,
  place: string,
  after: number,
  limit: number,
  atMost: number | null,
): Promise<Slice> {
  const at = placeOf(place);
  if (!at) return { entries: [], cursors: [], cursor: after, more: false };
  const first = sql`select t.id as cursor, ${ENTRY} from tokens t where ${ofPlace(at)}`;
  // Without a limit of the device, the index leads to the next entries; with one, they are counted from the first one.
  const { rows } = await (atMost === null
    ? sql<EntryRow>`${first} and t.id > ${after} order by t.id limit ${limit + 1}`
    : sql<EntryRow>`select * from (${first} order by t.id limit ${atMost}) first
        where first.cursor > ${after} order by first.cursor limit ${limit + 1}`
  ).execute(db);
  return sliceOf(rows, after, limit);
}

/** The changes after a revision, oldest first: entries that are set, and values that are removed. */
export async function changedSlice(db: Kysely<Database>, place: string, after: number, limit: number): Promise<Slice> {
  const at = placeOf(place);
  if (!at) return { entries: [], cursors: [], cursor: after, more: false };
  const { rows } = await sql<EntryRow>`
    (select t.revision as cursor, t.value, t.type,
            case when t.waits or not (${atSite(at.siteId)}) then null
                 when t.blocked_at is null then 'Accepted' else 'Blocked' end as status,
            t.group_value as "group", t.valid_until as until
       from tokens t where t.customer_id = ${at.customerId} and t.revision > ${after} order by t.revision limit ${limit + 1})
    union all
    (select r.revision, r.value, r.type, null, null, null from removed_tokens r
      where r.customer_id = ${at.customerId} and r.revision > ${after} order by r.revision limit ${limit + 1})
    order by 1 limit ${limit + 1}`.execute(db);
  return sliceOf(rows, after, limit);
}

function sliceOf(rows: readonly EntryRow[], after: number, limit: number): Slice {
  const part = rows.slice(0, limit);
  const cursors = part.map(({ cursor }) => cursor);
  return { entries: part.map(entryOf), cursors, cursor: part.at(-1)?.cursor ?? after, more: rows.length > limit };
}

/** The number of changes after a revision. */
export async function countChanges(db: Kysely<Database>, customerId: number, after: number): Promise<number> {
  const { rows } = await sql<{ changes: number }>`
    select ((select count(*) from tokens t where t.customer_id = ${customerId} and t.revision > ${after})
      + (select count(*) from removed_tokens r where r.customer_id = ${customerId} and r.revision > ${after}))::int
        as changes`.execute(db);
  return rows[0]?.changes ?? 0;
}

/** The number of entries of a place, and the checksum of the first `atMost` of them. */
export async function summaryOf(
  db: Kysely<Database>,
  place: string,
  atMost: number | null,
): Promise<{ total: number; checksum: string }> {
  const at = placeOf(place);
  const { rows } = await sql<{ total: number; checksum: string }>`
    select (select count(*)::int from tokens t where ${at ? ofPlace(at) : sql`false`}) as total,
           left(encode(sha256(convert_to(coalesce(string_agg(
             concat_ws('|', lower(first.value), lower(first.type), first.status, coalesce(first."group", ''),
                       coalesce(extract(epoch from first.until)::text, '')), e'\\n' order by first.cursor), ''),
             'UTF8')), 'hex'), 16) as checksum
      from (select t.id as cursor, ${ENTRY} from tokens t where ${at ? ofPlace(at) : sql`false`}
             order by t.id limit ${atMost}) first`.execute(db);
  return rows[0]!;
}

/** What a command of a device contains: the list as it was planned. */
export interface PlannedMessage {
  command: ListCommand | null;
  version: number | null;
  full: boolean;
  after: number;
  cursor: number;
  place: string | null;
}

export async function findPlanned(
  db: Kysely<Database>,
  deviceId: number,
  executionId: string,
): Promise<PlannedMessage | null> {
  const { rows } = await sql<PlannedMessage>`
    select command, sent_version as version, coalesce(sent_full, false) as full,
           coalesce(case when sent_full then full_cursor else revision end, 0) as after,
           coalesce(sent_cursor, 0) as cursor, place
      from device_token_lists where device_id = ${deviceId} and execution_id = ${executionId}::uuid`.execute(db);
  return rows[0] ?? null;
}

/** Makes a list be compared and sent completely. Returns false without one. */
export async function requireFull(trx: Kysely<Database>, deviceId: number): Promise<boolean> {
  const { rows } = await sql`
    update device_token_lists set revision = null, full_revision = null, full_cursor = null, verify = true, failures = 0,
           state = case when state = 'equal' or state = 'failed' then 'waiting'
                        when state in ('unsupported', 'off') then 'waiting' else state end,
           detail = null, next_at = now()
     where device_id = ${deviceId} returning device_id`.execute(trx);
  return rows.length > 0;
}

/** Tokens whose period has begun: their customers' devices get them now. */
export async function beginPeriods(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ customerId: number; ids: number[] }>`
    select customer_id as "customerId", jsonb_agg(id order by id) as ids from tokens
     where waits and valid_from <= now() group by customer_id`.execute(db);
  for (const { customerId, ids } of rows) {
    await db.transaction().execute(async (trx) => {
      const { rows: book } = await sql<{ revision: number }>`
        insert into token_books as b (customer_id, revision) values (${customerId}, ${ids.length})
        on conflict (customer_id) do update set revision = b.revision + ${ids.length} returning revision`.execute(trx);
      const first = book[0]!.revision - ids.length;
      await sql`
        update tokens t set waits = false, revision = ${first} + n.n::int
          from unnest(${idArray(ids)}) with ordinality as n (id, n)
         where t.id = n.id and t.waits and t.valid_from <= now()`.execute(trx);
    });
  }
  return rows.length;
}

/** Removes what was removed long ago; devices that did not connect since then get the full list. */
export async function forgetRemoved(db: Kysely<Database>, before: Date): Promise<number> {
  const { rows } = await sql<{ customerId: number; revision: number; n: number }>`
    with gone as (delete from removed_tokens where removed_at < ${before} returning customer_id, revision)
    select customer_id as "customerId", max(revision)::int as revision, count(*)::int as n from gone group by customer_id`.execute(
    db,
  );
  for (const { customerId, revision } of rows) {
    await sql`update token_books set forgotten = greatest(forgotten, ${revision}) where customer_id = ${customerId}`.execute(
      db,
    );
  }
  return rows.reduce((sum, { n }) => sum + n, 0);
}

/** The list of a device as the page shows it. */
export interface ShownList {
  deviceId: number;
  sn: string;
  deviceName: string;
  siteId: number;
  siteName: string;
  customerName: string;
  connected: boolean;
  state: ListState;
  version: number;
  checksum: string | null;
  entries: number | null;
  leftOut: number;
  place: string;
  revision: number;
  detail: string | null;
  verifiedAt: Date | null;
  equalAt: Date | null;
  cacheWaits: boolean;
}

export interface ListFilters {
  search?: string | undefined;
  siteId?: number | undefined;
  deviceId?: number | undefined;
  state?: ListState | undefined;
}

/** The lists of devices in scope. */
export async function listLists(
  scope: Scope,
  db: Kysely<Database>,
  filters: ListFilters,
  order: ListOrder<'sn' | 'equalAt'>,
  page: { limit: number; offset: number },
): Promise<{ items: ShownList[]; total: number }> {
  const { search, siteId, deviceId, state } = filters;
  const where = sql`${withinScope(scope, 'd.customer_id', 'd.site_id')}
    ${siteId === undefined ? sql`` : sql`and d.site_id = ${siteId}`}
    ${deviceId === undefined ? sql`` : sql`and d.id = ${deviceId}`}
    ${state === undefined ? sql`` : sql`and l.state = ${state}`}
    ${search === undefined ? sql`` : sql`and (strpos(lower(d.sn), ${search.toLowerCase()}) > 0 or strpos(lower(d.name), ${search.toLowerCase()}) > 0)`}`;
  const direction = order.descending ? sql`desc nulls last` : sql`asc nulls last`;
  const by = order.by === 'sn' ? naturally(sql.ref('d.sn')) : sql`l.equal_at`;
  const [items, totals] = await Promise.all([
    sql<ShownList>`
      select d.id as "deviceId", d.sn, d.name as "deviceName", d.site_id as "siteId", site.name as "siteName",
             c.name as "customerName", coalesce(s.connected, false) as connected, l.state, l.version, l.checksum, l.entries,
             l.left_out as "leftOut", ${PLACE} as place, coalesce(b.revision, 0) as revision, l.detail,
             l.verified_at as "verifiedAt", l.equal_at as "equalAt", l.clear_cache_since is not null as "cacheWaits"
        from device_token_lists l join devices d on d.id = l.device_id join sites site on site.id = d.site_id
        join customers c on c.id = d.customer_id left join device_states s on s.device_id = d.id ${POLICY_JOINS}
        left join token_books b on b.customer_id = d.customer_id
       where ${where} order by ${by} ${direction}, d.id limit ${page.limit} offset ${page.offset}`.execute(db),
    sql<{ total: number }>`
      select count(*)::int as total from device_token_lists l join devices d on d.id = l.device_id where ${where}`.execute(
      db,
    ),
  ]);
  return { items: items.rows, total: totals.rows[0]?.total ?? 0 };
}
