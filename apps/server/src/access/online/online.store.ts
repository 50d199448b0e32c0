import type { Scope } from '@chargehand/domain';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { beyond } from '../../platform/database/order/keyset.ts';
import { naturally } from '../../platform/database/order/natural-order.ts';
import { anywhere } from '../../platform/database/patterns.ts';
import type { Database } from '../../platform/database/schema.ts';
import { visibleUsers } from '../../platform/database/scope.ts';
import type { ListOrder, ListPosition } from '../../platform/http/serve/list-queries.ts';

/** An open session with its user. */
export interface OnlineRecord {
  /** the session's number */
  id: number;
  userId: number;
  userName: string;
  nickName: string;
  customerName: string;
  roleName: string | null;
  root: boolean;
  address: string;
  userAgent: string;
  since: Date;
  lastSeenAt: Date;
  page: string | null;
}

export interface OnlineFilters {
  search?: string | undefined;
  customerId?: number | undefined;
}

export type OnlineOrder = ListOrder<'userName' | 'since' | 'lastSeenAt'>;

/** The column and type of each order. */
const SORTS = {
  userName: { value: naturally(sql`u.user_name`), type: sql`text` },
  since: { value: sql`s.created_at`, type: sql`timestamptz` },
  lastSeenAt: { value: sql`s.last_seen_at`, type: sql`timestamptz` },
} as const;

const COLUMNS = sql`
  s.number as id, u.id as "userId", u.user_name as "userName", u.nick_name as "nickName", c.name as "customerName",
  r.name as "roleName", u.root, s.address, s.user_agent as "userAgent", s.created_at as since,
  s.last_seen_at as "lastSeenAt", s.page`;

const TABLES = sql`
  sessions s join users u on u.id = s.user_id join customers c on c.id = u.customer_id left join roles r on r.id = u.role_id`;

/** One page of the matching open sessions of users in scope, and their number. */
export async function listOnline(
  scope: Scope,
  db: Kysely<Database>,
  filters: OnlineFilters,
  order: OnlineOrder,
  page: { limit: number; offset: number },
): Promise<{ items: OnlineRecord[]; total: number }> {
  const [items, totals] = await Promise.all([
    sql<OnlineRecord>`
      select ${COLUMNS} from ${TABLES} where ${matching(scope, filters)}
       order by ${orderBy(order)} limit ${page.limit} offset ${page.offset}`.execute(db),
    sql<{ total: number }>`
      select count(*) as total from sessions s join users u on u.id = s.user_id
       where ${matching(scope, filters)}`.execute(db),
  ]);
  return { items: items.rows, total: totals.rows[0]?.total ?? 0 };
}

/** The next rows of the same list after a position. */
export async function listOnlineAfter(
  scope: Scope,
  db: Kysely<Database>,
  filters: OnlineFilters,
  order: OnlineOrder,
  after: ListPosition | null,
  limit: number,
): Promise<(OnlineRecord & ListPosition)[]> {
  const keyset = { ...SORTS[order.by], id: sql`s.number`, descending: order.descending };
  const { rows } = await sql<OnlineRecord & ListPosition>`
    select ${COLUMNS}, ${keyset.value}::text as position from ${TABLES}
     where ${matching(scope, filters)} and ${beyond(keyset, after)}
     order by ${orderBy(order)} limit ${limit}`.execute(db);
  return rows;
}

/** The user of a session number, also after its end; null outside the scope. */
export async function findHolder(scope: Scope, db: Kysely<Database>, number: number): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    select u.id from sessions s join users u on u.id = s.user_id
     where s.number = ${number} and ${visibleUsers(scope)}`.execute(db);
  return rows[0]?.id ?? null;
}

function orderBy({ by, descending }: OnlineOrder): RawBuilder<unknown> {
  const direction = descending ? sql`desc` : sql`asc`;
  return sql`${SORTS[by].value} ${direction}, s.number ${direction}`;
}

function matching(scope: Scope, filters: OnlineFilters): RawBuilder<SqlBool> {
  const conditions: RawBuilder<unknown>[] = [sql`s.ended_at is null and s.expires_at > now()`, visibleUsers(scope)];
  if (filters.customerId !== undefined) conditions.push(sql`u.customer_id = ${filters.customerId}`);
  if (filters.search !== undefined) {
    conditions.push(sql`(u.user_name || ' ' || u.nick_name || ' ' || s.address) ilike ${anywhere(filters.search)}`);
  }
  return sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}
