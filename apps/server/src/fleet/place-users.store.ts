import { CUSTOMER_ACCESS, DEVICE_LEVELS, type Scope, SITE_ACCESS } from '@chargehand/domain';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import { withinScope } from '../platform/database/scope.ts';

/** Somebody who belongs to a customer or answers for a site. */
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

/** One page of the users of a customer in scope, by name, and how many there are in all. */
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
 * One page of the users who may edit a site, of those who belong to a customer in scope, by name, and how many there
 * are in all: enabled, not of a read-only customer, their role's customers and sites hold this one, it carries the menu
 * and its level suffices. Root may do so everywhere.
 */
export async function listAdministratorsOfSite(
  scope: Scope,
  db: Kysely<Database>,
  site: { id: number; customerId: number },
  descending: boolean,
  page: Page,
): Promise<{ items: PlaceUserRecord[]; total: number }> {
  const seesCustomer = sql`
    (r.customer_access = ${CUSTOMER_ACCESS.all}
     or (r.customer_access = ${CUSTOMER_ACCESS.own} and u.customer_id = ${site.customerId})
     or (r.customer_access = ${CUSTOMER_ACCESS.assigned}
         and exists (select from user_customers where user_id = u.id and customer_id = ${site.customerId})))`;
  const seesSite = sql`
    (r.site_access = ${SITE_ACCESS.all} or exists (select from user_sites where user_id = u.id and site_id = ${site.id}))`;
  const mayEdit = sql`
    not c.read_only
    and exists (select from role_menus where role_id = r.id and menu_key = 'auth_site_edit')
    and (r.levels->'device'->>'read')::int <= ${DEVICE_LEVELS.read}
    and (r.levels->'device'->>'write')::int <= ${DEVICE_LEVELS.write}`;
  return await listUsers(
    db,
    sql`${withinScope(scope, 'u.customer_id', null)} and u.enabled and c.enabled
        and (u.root or (${seesCustomer} and ${seesSite} and ${mayEdit}))`,
    descending,
    page,
  );
}

/** Users belong to no site, so somebody with assigned sites sees none (domain `inScope`). */
function visible(scope: Scope): RawBuilder<SqlBool> {
  return scope.sites === 'all' ? withinScope(scope, 'u.customer_id', null) : sql<SqlBool>`false`;
}

async function listUsers(
  db: Kysely<Database>,
  which: RawBuilder<unknown>,
  descending: boolean,
  page: Page,
): Promise<{ items: PlaceUserRecord[]; total: number }> {
  const from = sql`
    from users u join customers c on c.id = u.customer_id left join roles r on r.id = u.role_id where ${which}`;
  const direction = descending ? sql`desc` : sql`asc`;
  const [items, totals] = await Promise.all([
    sql<PlaceUserRecord>`
      select u.id, u.user_name as "userName", u.nick_name as "nickName", u.email, r.name as "roleName",
             c.name as "customerName", u.enabled,
             (select max(at) from login_logs where user_id = u.id and type = 0 and succeeded) as "lastSignInAt"
        ${from} order by u.user_name ${direction}, u.id ${direction} limit ${page.limit} offset ${page.offset}`.execute(
      db,
    ),
    sql<{ total: number }>`select count(*) as total ${from}`.execute(db),
  ]);
  return { items: items.rows, total: totals.rows[0]?.total ?? 0 };
}
