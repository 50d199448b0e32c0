import { BUILT_IN_ROLES, type Levels } from '@chargehand/domain';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { beyond } from '../../platform/database/order/keyset.ts';
import { naturally } from '../../platform/database/order/natural-order.ts';
import { anywhere } from '../../platform/database/patterns.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { ListOrder, ListPosition } from '../../platform/http/serve/list-queries.ts';

/** A role with everything it gives. */
export interface RoleRecord {
  id: number;
  name: string;
  customerAccess: number;
  siteAccess: number;
  remoteAccess: number;
  emailAlarm: boolean;
  /** users must set up two-factor authentication first */
  secondFactor: boolean;
  levels: Levels;
  createdAt: Date;
  keys: string[];
  users: number;
}

/** What a role allows its users to see and do, in addition to its menus. */
export type RoleValues = Pick<
  RoleRecord,
  'customerAccess' | 'siteAccess' | 'remoteAccess' | 'emailAlarm' | 'secondFactor' | 'levels'
>;

const COLUMNS = sql`
  r.id, r.name, r.customer_access as "customerAccess", r.site_access as "siteAccess",
  r.remote_access as "remoteAccess", r.email_alarm as "emailAlarm", r.second_factor as "secondFactor", r.levels, r.created_at as "createdAt",
  array(select menu_key from role_menus where role_id = r.id order by menu_key) as keys,
  (select count(*) from users where role_id = r.id) as users`;

export type RoleOrder = ListOrder<'name' | 'createdAt'>;

const SORTS = {
  name: { value: naturally(sql`r.name`), type: sql`text` },
  createdAt: { value: sql`r.created_at`, type: sql`timestamptz` },
};

/**
 * One page of all roles, and the total number of matches. Roles belong to no customer. The caller has checked the
 * permission to read them.
 */
export async function listRoles(
  db: Kysely<Database>,
  search: string | undefined,
  order: RoleOrder,
  page: { limit: number; offset: number },
): Promise<{ items: RoleRecord[]; total: number }> {
  const [items, totals] = await Promise.all([
    sql<RoleRecord>`
      select ${COLUMNS} from roles r where ${found(search)}
       order by ${inOrder(order)} limit ${page.limit} offset ${page.offset}`.execute(db),
    sql<{ total: number }>`select count(*) as total from roles r where ${found(search)}`.execute(db),
  ]);
  return { items: items.rows, total: totals.rows[0]?.total ?? 0 };
}

/** The next batch of roles after a given one in the same order; from the start when null. */
export async function listRolesAfter(
  db: Kysely<Database>,
  search: string | undefined,
  order: RoleOrder,
  after: ListPosition | null,
  limit: number,
): Promise<(RoleRecord & ListPosition)[]> {
  const keyset = { ...SORTS[order.by], id: sql`r.id`, descending: order.descending };
  const { rows } = await sql<RoleRecord & ListPosition>`
    select ${COLUMNS}, ${keyset.value}::text as position from roles r
     where ${found(search)} and ${beyond(keyset, after)}
     order by ${inOrder(order)} limit ${limit}`.execute(db);
  return rows;
}

/** Every role, by name. */
export async function allRoles(db: Kysely<Database>): Promise<RoleRecord[]> {
  const { rows } =
    await sql<RoleRecord>`select ${COLUMNS} from roles r order by ${naturally(sql`r.name`)}, r.id`.execute(db);
  return rows;
}

/**
 * One role; null when there is none. `lock` locks it until the end of the transaction. The lock is a separate
 * statement, because a statement that waited for another change would still see the previous menus.
 */
export async function findRole(
  db: Kysely<Database>,
  id: number,
  lock: 'none' | 'share' | 'update' = 'none',
): Promise<RoleRecord | null> {
  if (lock !== 'none') {
    const held = lock === 'share' ? sql`for share` : sql`for update`;
    await sql`select from roles where id = ${id} ${held}`.execute(db);
  }
  const { rows } = await sql<RoleRecord>`select ${COLUMNS} from roles r where r.id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/** The id of the role with a name, ignoring case; null when there is none. */
export async function findRoleNamed(db: Kysely<Database>, name: string): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`select id from roles where lower(name) = lower(${name})`.execute(db);
  return rows[0]?.id ?? null;
}

/** The web and SSH access of a user's role (0, none, without a role), and the site limit. */
export async function findOwnLimits(
  db: Kysely<Database>,
  userId: number,
): Promise<{ remoteAccess: number; maxSites: number | null }> {
  const { rows } = await sql<{ remoteAccess: number; maxSites: number | null }>`
    select coalesce(r.remote_access, 0) as "remoteAccess", u.max_sites as "maxSites"
      from users u left join roles r on r.id = u.role_id where u.id = ${userId}`.execute(db);
  return rows[0] ?? { remoteAccess: 0, maxSites: 0 };
}

export async function insertNewRole(trx: Kysely<Database>, name: string, values: RoleValues): Promise<number> {
  const { id } = await trx
    .insertInto('roles')
    .values({ name, ...columnsOf(values) })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function renameRole(trx: Kysely<Database>, id: number, name: string): Promise<void> {
  await trx.updateTable('roles').set({ name }).where('id', '=', id).execute();
}

export async function updateRole(trx: Kysely<Database>, id: number, values: RoleValues): Promise<void> {
  await trx.updateTable('roles').set(columnsOf(values)).where('id', '=', id).execute();
}

/** Sets the menus of a role to exactly these. */
export async function replaceRoleMenus(trx: Kysely<Database>, id: number, keys: readonly string[]): Promise<void> {
  await sql`delete from role_menus where role_id = ${id} and menu_key <> all(${keys}::text[])`.execute(trx);
  await sql`
    insert into role_menus (role_id, menu_key) select ${id}, unnest(${keys}::text[])
        on conflict do nothing`.execute(trx);
}

/** @throws foreign key violation `users_role_id_fkey` while a user has it */
export async function deleteRole(trx: Kysely<Database>, id: number): Promise<void> {
  await trx.deleteFrom('roles').where('id', '=', id).execute();
}

function columnsOf(values: RoleValues) {
  return {
    customer_access: values.customerAccess,
    site_access: values.siteAccess,
    remote_access: values.remoteAccess,
    email_alarm: values.emailAlarm,
    second_factor: values.secondFactor,
    levels: JSON.stringify(values.levels),
  };
}

function found(search: string | undefined): RawBuilder<SqlBool> {
  return search === undefined
    ? sql`true`
    : sql`(r.name ilike ${anywhere(search)} or r.name = any (${namesInChinese(search)}::text[]))`;
}

function inOrder(order: RoleOrder): RawBuilder<unknown> {
  const direction = order.descending ? sql`desc` : sql`asc`;
  return sql`${SORTS[order.by].value} ${direction}, r.id ${direction}`;
}

/** The stored names of the built-in roles whose Chinese name contains a text. */
function namesInChinese(search: string): string[] {
  return Object.entries(BUILT_IN_ROLES).flatMap(([name, chinese]) => (chinese.includes(search.trim()) ? [name] : []));
}
