import { CUSTOMER_ACCESS, DEVICE_LEVELS, type Scope, SITE_ACCESS } from '@chargehand/domain';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { naturally } from '../../platform/database/order/natural-order.ts';
import type { Database } from '../../platform/database/schema.ts';
import { visibleUsers, withinScope } from '../../platform/database/scope.ts';
import { containsWords, USER_TEXT } from '../../platform/search/search-text.ts';

/** A user of a customer or of a site. */
export interface PlaceUserRecord {
  id: number;
  userName: string;
  nickName: string;
  email: string | null;
  roleName: string | null;
  customerName: string;
  enabled: boolean;
  lastSignInAt: Date | null;
}

interface Page {
  limit: number;
  offset: number;
}

/** One page of the users of a customer in scope, by name, and the total number. */
export async function listUsersOfCustomer(
  scope: Scope,
  db: Kysely<Database>,
  customerId: number,
  descending: boolean,
  page: Page,
): Promise<{ items: PlaceUserRecord[]; total: number }> {
  return await listUsers(db, sql`u.customer_id = ${customerId} and ${visible(scope)}`, descending, page);
}

/**
 * One page of the users who may edit a site, among those that the caller sees, by name, and the total number. They are
 * enabled and not of a read-only customer; the customers and sites of their role include this one; the role has the
 * menu and a sufficient level. Root accounts may edit everywhere.
 */
export async function listAdministratorsOfSite(
  scope: Scope,
  db: Kysely<Database>,
  site: { id: number; customerId: number },
  descending: boolean,
  page: Page,
): Promise<{ items: PlaceUserRecord[]; total: number }> {
  const mayEdit = sql`
    not c.read_only
    and exists (select from role_menus where role_id = r.id and menu_key = 'auth_site_edit')
    and (r.levels->'device'->>'read')::int <= ${DEVICE_LEVELS.read}
    and (r.levels->'device'->>'write')::int <= ${DEVICE_LEVELS.write}`;
  return await listUsers(
    db,
    sql`${visibleUsers(scope)} and u.enabled and c.enabled
        and (u.root or (${seesSite(site)} and ${mayEdit}))`,
    descending,
    page,
  );
}

export interface ReceiverRecord extends PlaceUserRecord {
  reachable: boolean;
}

/**
 * One page of the notification recipients of a site (`receivers`), or of users who could become recipients
 * (`candidates`), among those that the caller sees, by name, and the total number: users of the site's customer and of
 * the platform vendor whose role gives access to the site now.
 */
export async function listReceiversOfSite(
  scope: Scope,
  db: Kysely<Database>,
  which: 'receivers' | 'candidates',
  site: { id: number; customerId: number },
  search: string | undefined,
  descending: boolean,
  page: Page,
): Promise<{ items: ReceiverRecord[]; total: number }> {
  const chosen = sql`exists (select from site_receivers where site_id = ${site.id} and user_id = u.id)`;
  const found = search === undefined ? sql`true` : containsWords(USER_TEXT, search);
  return await listUsers<ReceiverRecord>(
    db,
    sql`${visibleUsers(scope)} and ${mayReceive(site)} and ${found}
        and ${which === 'receivers' ? chosen : sql`not ${chosen}`}`,
    descending,
    page,
    sql`, u.enabled and c.enabled and u.email is not null as reachable`,
  );
}

/**
 * Adds a user in scope as a notification recipient of a site if they may be one. Returns their name; null when they may
 * not.
 */
export async function insertReceiver(
  scope: Scope,
  db: Kysely<Database>,
  site: { id: number; customerId: number },
  userId: number,
): Promise<{ userName: string; added: boolean } | null> {
  const { rows } = await sql<{ userName: string; added: boolean }>`
    with wanted as (
      select u.id, u.user_name from users u join customers c on c.id = u.customer_id left join roles r on r.id = u.role_id
       where u.id = ${userId} and ${visibleUsers(scope)} and ${mayReceive(site)}
    ), added as (
      insert into site_receivers (site_id, user_id) select ${site.id}, id from wanted on conflict do nothing returning user_id
    )
    select user_name as "userName", exists (select from added) as added from wanted`.execute(db);
  return rows[0] ?? null;
}

/**
 * Removes a user in scope from the notification recipients of a site. Returns their name; null when they were not one.
 */
export async function deleteReceiver(
  scope: Scope,
  db: Kysely<Database>,
  siteId: number,
  userId: number,
): Promise<string | null> {
  const { rows } = await sql<{ user_name: string }>`
    delete from site_receivers r using users u
     where r.site_id = ${siteId} and r.user_id = ${userId} and u.id = r.user_id
       and ${visibleUsers(scope)}
    returning u.user_name`.execute(db);
  return rows[0]?.user_name ?? null;
}

/** Whether user `u` of customer `c` with role `r` may be a notification recipient of a site. */
function mayReceive(site: { id: number; customerId: number }): RawBuilder<SqlBool> {
  return sql<SqlBool>`
    ((u.customer_id = ${site.customerId} or c.platform_vendor) and (u.root or ${seesSite(site)}))`;
}

/**
 * Whether role `r` gives a user access to a site: both its customer and the site itself must be included (domain
 * `scopeOf`).
 */
function seesSite(site: { id: number; customerId: number }): RawBuilder<SqlBool> {
  return sql<SqlBool>`
    (r.customer_access = ${CUSTOMER_ACCESS.all}
     or (r.customer_access = ${CUSTOMER_ACCESS.own} and u.customer_id = ${site.customerId})
     or (r.customer_access = ${CUSTOMER_ACCESS.assigned}
         and exists (select from user_customers where user_id = u.id and customer_id = ${site.customerId})))
    and (r.site_access = ${SITE_ACCESS.all}
         or exists (select from user_sites where user_id = u.id and site_id = ${site.id}))`;
}

/** Users belong to no site, so a user with assigned sites sees none (domain `inScope`). */
function visible(scope: Scope): RawBuilder<SqlBool> {
  return scope.sites === 'all' ? withinScope(scope, 'u.customer_id', null) : sql<SqlBool>`false`;
}

async function listUsers<R extends PlaceUserRecord = PlaceUserRecord>(
  db: Kysely<Database>,
  which: RawBuilder<unknown>,
  descending: boolean,
  page: Page,
  more: RawBuilder<unknown> = sql``,
): Promise<{ items: R[]; total: number }> {
  const from = sql`
    from users u join customers c on c.id = u.customer_id left join roles r on r.id = u.role_id where ${which}`;
  const direction = descending ? sql`desc` : sql`asc`;
  const [items, totals] = await Promise.all([
    sql<R>`
      select u.id, u.user_name as "userName", u.nick_name as "nickName", u.email, r.name as "roleName",
             c.name as "customerName", u.enabled,
             (select max(at) from login_logs where user_id = u.id and type = 0 and succeeded) as "lastSignInAt" ${more}
        ${from} order by ${naturally(sql`u.user_name`)} ${direction}, u.id ${direction} limit ${page.limit} offset ${page.offset}`.execute(
      db,
    ),
    sql<{ total: number }>`select count(*) as total ${from}`.execute(db),
  ]);
  return { items: items.rows, total: totals.rows[0]?.total ?? 0 };
}
