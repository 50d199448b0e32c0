import type { TokenState } from '@chargehand/contract';
import type { Scope } from '@chargehand/domain';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { naturally } from '../../platform/database/order/natural-order.ts';
import type { Database } from '../../platform/database/schema.ts';
import { idArray, withinScope } from '../../platform/database/scope.ts';
import type { ListOrder, ListPosition } from '../../platform/http/serve/list-queries.ts';

/** A token with its sites. */
export interface TokenRecord {
  id: number;
  customerId: number;
  customerName: string;
  value: string;
  type: string;
  group: string | null;
  holder: string;
  note: string;
  validFrom: Date | null;
  validUntil: Date | null;
  blockedAt: Date | null;
  blockedBy: string | null;
  concurrent: boolean;
  /** it is valid at every site of its customer */
  allSites: boolean;
  createdAt: Date;
  createdBy: string;
  updatedAt: Date;
  sites: { id: number; name: string }[];
}

export interface TokenFilters {
  /** a value in its normal form, or a part of the holder or the note */
  search?: { key: string; text: string } | undefined;
  customerId?: number | undefined;
  siteId?: number | undefined;
  type?: string | undefined;
  state?: TokenState | undefined;
}

export type TokenOrder = ListOrder<'holder' | 'createdAt' | 'validUntil'>;

const ORDERS: Record<TokenOrder['by'], RawBuilder<unknown>> = {
  holder: sql`lower(t.holder)`,
  createdAt: sql`t.created_at`,
  validUntil: sql`t.valid_until`,
};

/** The SQL of what a token is now, as `TokenState`. */
const STATES: Record<TokenState, RawBuilder<SqlBool>> = {
  blocked: sql<SqlBool>`t.blocked_at is not null`,
  expired: sql<SqlBool>`(t.blocked_at is null and t.valid_until <= now())`,
  notYet: sql<SqlBool>`(t.blocked_at is null and t.valid_from > now() and (t.valid_until is null or t.valid_until > now()))`,
  valid: sql<SqlBool>`(t.blocked_at is null and (t.valid_from is null or t.valid_from <= now())
    and (t.valid_until is null or t.valid_until > now()))`,
};

/** Tokens `t` in scope: callers with assigned sites see those that are valid at one of them. */
function inScope({ customers, sites }: Scope): RawBuilder<SqlBool> {
  const byCustomer = withinScope({ customers, sites: 'all' }, 't.customer_id', null);
  if (sites === 'all') return byCustomer;
  const own = idArray(sites);
  return sql<SqlBool>`(${byCustomer}
    and exists (select from sites s where s.customer_id = t.customer_id and s.id = any(${own}))
    and (t.all_sites
         or exists (select from token_sites ts where ts.token_id = t.id and ts.site_id = any(${own}))))`;
}

function matching(scope: Scope, filters: TokenFilters): RawBuilder<SqlBool> {
  const { search, customerId, siteId, type, state } = filters;
  const conditions = [inScope(scope)];
  if (customerId !== undefined) conditions.push(sql<SqlBool>`t.customer_id = ${customerId}`);
  if (siteId !== undefined)
    conditions.push(sql<SqlBool>`(t.customer_id = (select s.customer_id from sites s where s.id = ${siteId})
      and (t.all_sites
           or exists (select from token_sites ts where ts.token_id = t.id and ts.site_id = ${siteId})))`);
  if (type !== undefined) conditions.push(sql<SqlBool>`t.type = ${type}`);
  if (state !== undefined) conditions.push(STATES[state]);
  if (search !== undefined)
    conditions.push(sql<SqlBool>`(t.value_key = ${search.key} or strpos(lower(t.holder), ${search.text}) > 0
      or strpos(lower(t.note), ${search.text}) > 0 or lower(t.group_value) = ${search.key})`);
  return sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}

const COLUMNS = sql`
  t.id, t.customer_id as "customerId", c.name as "customerName", t.value, t.type, t.group_value as "group", t.holder,
  t.note, t.valid_from as "validFrom", t.valid_until as "validUntil", t.blocked_at as "blockedAt",
  t.blocked_by_name as "blockedBy", t.concurrent, t.all_sites as "allSites", t.created_at as "createdAt", t.created_by_name as "createdBy",
  t.updated_at as "updatedAt",
  coalesce((select jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name) order by ${naturally(sql`s.name`)}, s.id)
              from token_sites ts join sites s on s.id = ts.site_id where ts.token_id = t.id), '[]') as sites`;

/** One page of the matching tokens in scope, and their number. */
export async function listTokens(
  scope: Scope,
  db: Kysely<Database>,
  filters: TokenFilters,
  order: TokenOrder,
  page: { limit: number; offset: number },
): Promise<{ items: TokenRecord[]; total: number }> {
  const direction = order.descending ? sql`desc nulls last` : sql`asc nulls last`;
  const where = matching(scope, filters);
  const [items, totals] = await Promise.all([
    sql<TokenRecord>`
      select ${COLUMNS} from tokens t join customers c on c.id = t.customer_id where ${where}
       order by ${ORDERS[order.by]} ${direction}, t.id limit ${page.limit} offset ${page.offset}`.execute(db),
    sql<{ total: number }>`select count(*)::int as total from tokens t where ${where}`.execute(db),
  ]);
  return { items: items.rows, total: totals.rows[0]?.total ?? 0 };
}

/** The next batch of matching tokens in scope, by id. */
export async function listTokensAfter(
  scope: Scope,
  db: Kysely<Database>,
  filters: TokenFilters,
  after: ListPosition | null,
  limit: number,
): Promise<(TokenRecord & ListPosition)[]> {
  const { rows } = await sql<TokenRecord & ListPosition>`
    select ${COLUMNS}, t.id::text as position from tokens t join customers c on c.id = t.customer_id
     where ${matching(scope, filters)} and t.id > ${after?.id ?? 0} order by t.id limit ${limit}`.execute(db);
  return rows;
}

/** A token, whatever its customer: the policy of the endpoint has found it in the scope of the caller. */
export async function findToken(db: Kysely<Database>, id: number): Promise<TokenRecord | null> {
  const { rows } = await sql<TokenRecord>`
    select ${COLUMNS} from tokens t join customers c on c.id = t.customer_id where t.id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/**
 * The next revisions of a customer's tokens: the first one of `count`. Locks them until the end of the transaction, so
 * that a device never misses a change with a smaller revision that is committed later.
 */
export async function takeRevisions(trx: Kysely<Database>, customerId: number, count: number): Promise<number> {
  const { rows } = await sql<{ revision: number }>`
    insert into token_books as b (customer_id, revision) values (${customerId}, ${count})
    on conflict (customer_id) do update set revision = b.revision + ${count} returning revision`.execute(trx);
  return rows[0]!.revision - count + 1;
}

export interface TokenValues {
  value: string;
  type: string;
  group_value: string | null;
  holder: string;
  note: string;
  valid_from: Date | null;
  valid_until: Date | null;
  blocked_at: Date | null;
  blocked_by_name: string | null;
  concurrent: boolean;
}

/** Adds a token; a value that the customer has violates the index `tokens_value`. */
export async function insertToken(
  trx: Kysely<Database>,
  customerId: number,
  values: TokenValues,
  by: string,
): Promise<number> {
  const revision = await takeRevisions(trx, customerId, 1);
  const { id } = await trx
    .insertInto('tokens')
    .values({ ...values, customer_id: customerId, revision, waits: waitsOf(values), created_by_name: by })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Changes a token. Its former value must be removed from devices. */
export async function updateToken(
  trx: Kysely<Database>,
  before: Pick<TokenRecord, 'id' | 'customerId' | 'value' | 'type'>,
  values: TokenValues,
): Promise<void> {
  const isOther =
    before.value.toLowerCase() !== values.value.toLowerCase() ||
    before.type.toLowerCase() !== values.type.toLowerCase();
  const revision = await takeRevisions(trx, before.customerId, 2);
  if (isOther) await insertRemoved(trx, before.customerId, [before], revision);
  await trx
    .updateTable('tokens')
    .set({ ...values, waits: waitsOf(values), revision: revision + 1, updated_at: sql<Date>`now()` })
    .where('id', '=', before.id)
    .execute();
}

export async function deleteToken(
  trx: Kysely<Database>,
  token: Pick<TokenRecord, 'id' | 'customerId' | 'value' | 'type'>,
): Promise<void> {
  await insertRemoved(trx, token.customerId, [token], await takeRevisions(trx, token.customerId, 1));
  await trx.deleteFrom('tokens').where('id', '=', token.id).execute();
}

/** Notes values that devices must remove, with revisions from the first one. */
export async function insertRemoved(
  trx: Kysely<Database>,
  customerId: number,
  tokens: readonly Pick<TokenRecord, 'value' | 'type'>[],
  firstRevision: number,
): Promise<void> {
  if (tokens.length === 0) return;
  const rows = tokens.map(({ value, type }, index) => ({
    ...{ customer_id: customerId, revision: firstRevision + index, value, type },
  }));
  await trx.insertInto('removed_tokens').values(rows).execute();
}

function waitsOf({ valid_from }: Pick<TokenValues, 'valid_from'>): boolean {
  return valid_from !== null && valid_from.getTime() > Date.now();
}

/** Sets the sites of a token; none: all sites. */
export async function writeSites(trx: Kysely<Database>, tokenId: number, siteIds: readonly number[]): Promise<void> {
  await trx.deleteFrom('token_sites').where('token_id', '=', tokenId).execute();
  await trx
    .updateTable('tokens')
    .set({ all_sites: siteIds.length === 0 })
    .where('id', '=', tokenId)
    .execute();
  if (siteIds.length === 0) return;
  await trx
    .insertInto('token_sites')
    .values(siteIds.map((site_id) => ({ token_id: tokenId, site_id })))
    .execute();
}

/** How many of these sites belong to other customers or do not exist. */
export async function foreignSites(
  trx: Kysely<Database>,
  customerId: number,
  siteIds: readonly number[],
): Promise<number> {
  if (siteIds.length === 0) return 0;
  const { rows } = await sql<{ own: number }>`
    select count(*)::int as own from sites where customer_id = ${customerId} and id = any(${idArray(siteIds)})`.execute(
    trx,
  );
  return siteIds.length - (rows[0]?.own ?? 0);
}

export async function countTokens(trx: Kysely<Database>, customerId: number): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total from tokens where customer_id = ${customerId}`.execute(trx);
  return rows[0]?.total ?? 0;
}

/** Locks a token after the revisions of its customer, in the order of an import, so that the two cannot deadlock. */
export async function lockToken(trx: Kysely<Database>, id: number): Promise<boolean> {
  await sql`
    select 1 from token_books b where b.customer_id = (select t.customer_id from tokens t where t.id = ${id})
       for update`.execute(trx);
  const { rows } = await sql`select 1 from tokens where id = ${id} for update`.execute(trx);
  return rows.length > 0;
}

/** Devices of a customer must forget what they cached about a token that was blocked or removed. */
export async function requireClearCaches(trx: Kysely<Database>, customerId: number): Promise<void> {
  await sql`
    insert into device_token_lists as l (device_id, clear_cache_since)
    select d.id, clock_timestamp() from devices d join device_states s on s.device_id = d.id
      left join token_policies pd on pd.device_id = d.id left join token_policies ps on ps.site_id = d.site_id
      left join token_policies pc on pc.customer_id = d.customer_id
     where d.customer_id = ${customerId} and s.protocol like 'ocpp%'
       and coalesce(pd.policy, ps.policy, pc.policy) = 'known'
    on conflict (device_id) do update set clear_cache_since = excluded.clear_cache_since,
      next_at = least(l.next_at, now())`.execute(trx);
}

/** A token that was presented and is not known. */
export interface UnknownRecord {
  id: number;
  siteId: number;
  siteName: string;
  customerId: number;
  customerName: string;
  value: string;
  type: string | null;
  deviceId: number | null;
  deviceName: string | null;
  count: number;
  firstAt: Date;
  lastAt: Date;
}

const UNKNOWN = sql`
  select u.id, u.site_id as "siteId", s.name as "siteName", s.customer_id as "customerId", c.name as "customerName",
         u.value, u.type, u.device_id as "deviceId", d.name as "deviceName", u.count, u.first_at as "firstAt",
         u.last_at as "lastAt"
    from unknown_tokens u join sites s on s.id = u.site_id join customers c on c.id = s.customer_id
    left join devices d on d.id = u.device_id and d.site_id = u.site_id`;

/** Presented tokens in scope that no list has. */
export async function listUnknown(
  scope: Scope,
  db: Kysely<Database>,
  { siteId, customerId }: { siteId?: number | undefined; customerId?: number | undefined },
  order: ListOrder<'lastAt' | 'count'>,
  page: { limit: number; offset: number },
): Promise<{ items: UnknownRecord[]; total: number }> {
  const where = sql`${withinScope(scope, 's.customer_id', 's.id')}
    ${siteId === undefined ? sql`` : sql`and u.site_id = ${siteId}`}
    ${customerId === undefined ? sql`` : sql`and s.customer_id = ${customerId}`}
    and not exists (select from tokens t where t.customer_id = s.customer_id and t.value_key = u.value_key)`;
  const by = order.by === 'count' ? sql`u.count` : sql`u.last_at`;
  const direction = order.descending ? sql`desc` : sql`asc`;
  const [items, totals] = await Promise.all([
    sql<UnknownRecord>`${UNKNOWN} where ${where}
      order by ${by} ${direction}, u.id limit ${page.limit} offset ${page.offset}`.execute(db),
    sql<{ total: number }>`select count(*)::int as total from unknown_tokens u join sites s on s.id = u.site_id
      where ${where}`.execute(db),
  ]);
  return { items: items.rows, total: totals.rows[0]?.total ?? 0 };
}

export async function findUnknown(db: Kysely<Database>, id: number): Promise<UnknownRecord | null> {
  const { rows } = await sql<UnknownRecord>`${UNKNOWN} where u.id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/** Removes a value from the unknown tokens of all sites of a customer. */
export async function forgetUnknown(trx: Kysely<Database>, customerId: number, value: string): Promise<void> {
  await sql`
    delete from unknown_tokens u using sites s
     where s.id = u.site_id and s.customer_id = ${customerId} and u.value_key = lower(${value})`.execute(trx);
}
