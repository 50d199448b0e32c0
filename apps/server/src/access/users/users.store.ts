import type { Locale, PasswordState } from '@chargehand/contract';
import type { Scope } from '@chargehand/domain';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { beyond } from '../../platform/database/order/keyset.ts';
import { naturally } from '../../platform/database/order/natural-order.ts';
import type { Database } from '../../platform/database/schema.ts';
import { visibleUsers } from '../../platform/database/scope.ts';
import type { ListOrder, ListPosition } from '../../platform/http/serve/list-queries.ts';
import { findMatches } from '../../platform/search/find-matches.ts';
import { containsWords, USER_TEXT } from '../../platform/search/search-text.ts';
import { searchWordsOf } from '../../platform/search/search-words.ts';

/** A user as lists and details show them. */
export interface UserRecord {
  id: number;
  userName: string;
  nickName: string;
  avatar: string | null;
  email: string | null;
  contact: string;
  customerId: number;
  customerName: string;
  /** belongs to the platform vendor */
  vendor: boolean;
  roleId: number | null;
  roleName: string | null;
  customerAccess: number | null;
  siteAccess: number | null;
  root: boolean;
  enabled: boolean;
  passwordState: PasswordState;
  maxSites: number | null;
  /** signing in requires a code */
  secondFactor: boolean;
  locale: 'en-US' | 'zh-CN';
  sessions: number;
  lastSeenAt: Date | null;
  createdAt: Date;
}

export interface UserFilters {
  search?: string | undefined;
  customerId?: number | undefined;
  roleId?: number | undefined;
  enabled?: boolean | undefined;
}

const COLUMNS = sql`
  u.id, u.user_name as "userName", u.nick_name as "nickName", u.avatar, u.email, u.contact, u.customer_id as "customerId",
  c.name as "customerName", c.platform_vendor as vendor, u.role_id as "roleId", r.name as "roleName", r.customer_access as "customerAccess",
  r.site_access as "siteAccess", u.root, u.enabled, u.max_sites as "maxSites", u.locale, u.password_state as "passwordState", u.created_at as "createdAt",
  (select count(*) from sessions s where s.user_id = u.id and s.ended_at is null and s.expires_at > now()) as sessions,
  exists (select from second_factors f where f.user_id = u.id and f.confirmed_at is not null) as "secondFactor",
  (select max(s.last_seen_at) from sessions s where s.user_id = u.id) as "lastSeenAt"`;

const TABLES = sql`users u join customers c on c.id = u.customer_id left join roles r on r.id = u.role_id`;

/** The columns of a list, joined only to the few users that it shows, so that nothing else is read or counted. */
function listed(ids: RawBuilder<unknown>, more: RawBuilder<unknown> = sql``): RawBuilder<unknown> {
  return sql`select ${COLUMNS} ${more} from ${TABLES} join (${ids}) shown on shown.id = u.id`;
}

export type UserOrder = ListOrder<'userName' | 'createdAt'>;

const SORTS = {
  userName: { value: naturally(sql`u.user_name`), type: sql`text` },
  createdAt: { value: sql`u.created_at`, type: sql`timestamptz` },
};

/** One page of the matching users in scope, and the total number of matches. */
export async function listUsers(
  scope: Scope,
  db: Kysely<Database>,
  filters: UserFilters,
  order: UserOrder,
  page: { limit: number; offset: number },
): Promise<{ items: UserRecord[]; total: number }> {
  const [items, totals] = await Promise.all([
    sql<UserRecord>`
      ${listed(sql`
        select u.id from users u where ${matching(scope, filters)}
         order by ${inOrder(order)} limit ${page.limit} offset ${page.offset}`)}
       order by ${inOrder(order)}`.execute(db),
    sql<{ total: number }>`select count(*) as total from users u where ${matching(scope, filters)}`.execute(db),
  ]);
  return { items: items.rows, total: totals.rows[0]?.total ?? 0 };
}

/** The ids and names of matching users in scope, at most `limit`. */
export async function selectUsers(
  scope: Scope,
  db: Kysely<Database>,
  filters: UserFilters,
  limit: number,
): Promise<{ id: number; name: string }[]> {
  const { rows } = await sql<{ id: number; name: string }>`
    select u.id, u.user_name as name from users u where ${matching(scope, filters)}
     order by u.id limit ${limit}`.execute(db);
  return rows;
}

/** The next batch of matching users in scope after a given one in the same order; from the start when null. */
export async function listUsersAfter(
  scope: Scope,
  db: Kysely<Database>,
  filters: UserFilters,
  order: UserOrder,
  after: ListPosition | null,
  limit: number,
): Promise<(UserRecord & ListPosition)[]> {
  const keyset = { ...SORTS[order.by], id: sql`u.id`, descending: order.descending };
  const { rows } = await sql<UserRecord & ListPosition>`
    ${listed(
      sql`select u.id from users u where ${matching(scope, filters)} and ${beyond(keyset, after)}
           order by ${inOrder(order)} limit ${limit}`,
      sql`, ${keyset.value}::text as position`,
    )}
     order by ${inOrder(order)}`.execute(db);
  return rows;
}

/**
 * Locks two users, in the order of their ids, until the end of the transaction; a log entry may still refer to them.
 * False when the first one may no longer act.
 */
export async function lockUsers(trx: Kysely<Database>, first: number, second: number): Promise<boolean> {
  const { rows } = await sql<{ id: number; enabled: boolean }>`
    select id, enabled from users where id = any(${[first, second]}::int[])
     order by id for no key update`.execute(trx);
  return rows.some(({ id, enabled }) => id === first && enabled);
}

/** One user in scope; null when there is none. */
export async function findUser(scope: Scope, db: Kysely<Database>, id: number): Promise<UserRecord | null> {
  const { rows } = await sql<UserRecord>`
    select ${COLUMNS} from ${TABLES} where u.id = ${id} and ${visibleUsers(scope)}`.execute(db);
  return rows[0] ?? null;
}

/** The users in scope that match a search, the best first. */
export async function searchUsers(
  scope: Scope,
  db: Kysely<Database>,
  search: string,
  limit: number,
): Promise<Pick<UserRecord, 'id' | 'userName' | 'nickName' | 'customerName' | 'enabled'>[]> {
  const table = { from: sql`users u`, id: 'u.id', code: 'u.user_name', name: 'u.nick_name', text: USER_TEXT };
  const shown = sql`
    select u.id, u.user_name as "userName", u.nick_name as "nickName", c.name as "customerName", u.enabled
      from found join users u on u.id = found.id join customers c on c.id = u.customer_id`;
  return await findMatches(db, { ...table, visible: visibleUsers(scope) }, { search, limit, shown });
}

/** The fields of a user that can be edited. */
export interface UserValues {
  nick_name: string;
  avatar: string | null;
  email: string | null;
  contact: string;
  customer_id: number;
  role_id: number;
  max_sites: number | null;
}

export async function insertUser(
  trx: Kysely<Database>,
  user: Omit<UserValues, 'avatar'> & {
    user_name: string;
    password_hash: string;
    password_state: PasswordState;
    locale: Locale;
  },
): Promise<number> {
  const { id } = await trx
    .insertInto('users')
    .values({ ...user, ...searchWordsOf(user.nick_name) })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function updateUser(trx: Kysely<Database>, id: number, values: Partial<UserValues>): Promise<void> {
  await trx
    .updateTable('users')
    .set({ ...values, ...searchWordsOf(values.nick_name) })
    .where('id', '=', id)
    .execute();
}

export async function setUserEnabled(trx: Kysely<Database>, id: number, enabled: boolean): Promise<void> {
  await trx.updateTable('users').set({ enabled }).where('id', '=', id).execute();
}

/** Replaces a password. `password_state` is who knows the new one. */
export async function setPasswordHash(
  trx: Kysely<Database>,
  id: number,
  password_hash: string,
  password_state: PasswordState,
): Promise<void> {
  await trx.updateTable('users').set({ password_hash, password_state }).where('id', '=', id).execute();
}

export async function deleteUser(trx: Kysely<Database>, id: number): Promise<void> {
  await trx.deleteFrom('users').where('id', '=', id).execute();
}

function matching(scope: Scope, filters: UserFilters): RawBuilder<SqlBool> {
  const conditions = [visibleUsers(scope)];
  if (filters.customerId !== undefined) conditions.push(sql`u.customer_id = ${filters.customerId}`);
  if (filters.roleId !== undefined) conditions.push(sql`u.role_id = ${filters.roleId}`);
  if (filters.enabled !== undefined) conditions.push(sql`u.enabled = ${filters.enabled}`);
  if (filters.search !== undefined) {
    conditions.push(containsWords(USER_TEXT, filters.search));
  }
  return sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}

function inOrder(order: UserOrder): RawBuilder<unknown> {
  const direction = order.descending ? sql`desc` : sql`asc`;
  return sql`${SORTS[order.by].value} ${direction}, u.id ${direction}`;
}
