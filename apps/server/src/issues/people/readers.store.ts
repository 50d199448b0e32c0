import { CUSTOMER_ACCESS, type Scope, SITE_ACCESS } from '@chargehand/domain';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { naturally } from '../../platform/database/order/natural-order.ts';
import type { Database } from '../../platform/database/schema.ts';
import { withinScope } from '../../platform/database/scope.ts';
import { containsWords, USER_TEXT } from '../../platform/search/search-text.ts';

/** The place and the participants of an issue. */
export interface IssuePlace {
  /** null: not created yet */
  id: number | null;
  customerId: number;
  siteId: number | null;
}

export interface ReaderRecord {
  id: number;
  name: string;
  userName: string;
}

/**
 * Users who can see an issue and whom the caller may name: those of the customers in the caller's scope, the caller, and those
 * who take part in the issue. Otherwise assigning or mentioning would tell who else exists. Assigned sites limit which issues
 * the caller sees, not the colleagues for them (decision 385).
 */
export async function listReaders(
  db: Kysely<Database>,
  { scope, userId }: { scope: Scope; userId: number },
  issue: IssuePlace,
  which: { ids: readonly number[] } | { search: string | undefined; limit: number },
): Promise<ReaderRecord[]> {
  const wanted =
    'ids' in which
      ? sql<SqlBool>`u.id = any(${[...which.ids]}::int[])`
      : which.search === undefined
        ? sql<SqlBool>`true`
        : containsWords(USER_TEXT, which.search);
  const limit = 'ids' in which ? which.ids.length : which.limit;
  const { rows } = await sql<ReaderRecord>`
    select u.id, coalesce(nullif(u.nick_name, ''), u.user_name) as name, u.user_name as "userName"
      from users u join customers c on c.id = u.customer_id left join roles r on r.id = u.role_id
     where ${wanted} and u.enabled and c.enabled and ${seesIssue(issue)}
       and (${ofCustomers(scope)} or u.id = ${userId} or ${issue.id === null ? sql`false` : takesPart(issue.id)})
     order by ${naturally(sql`u.user_name`)}, u.id limit ${limit}`.execute(db);
  return rows;
}

/** Whether user `u` belongs to a customer in a scope. */
export function ofCustomers(scope: Scope): RawBuilder<SqlBool> {
  return withinScope(scope, 'u.customer_id', null);
}

/** Whether user `u` has written something in an issue, reported it, or works on it. */
function takesPart(issueId: number): RawBuilder<SqlBool> {
  return sql<SqlBool>`
    (exists (select from issue_entries e where e.issue_id = ${issueId} and e.user_id = u.id)
     or exists (select from issues i where i.id = ${issueId} and u.id in (i.assignee_id, i.created_by)))`;
}

/** Whether user `u` with role `r` may read an issue: its place is in their scope, and a menu includes reading issues. */
function seesIssue({ customerId, siteId }: IssuePlace): RawBuilder<SqlBool> {
  const customer = sql`
    (r.customer_access = ${CUSTOMER_ACCESS.all}
     or (r.customer_access = ${CUSTOMER_ACCESS.own} and u.customer_id = ${customerId})
     or (r.customer_access = ${CUSTOMER_ACCESS.assigned}
         and exists (select from user_customers uc where uc.user_id = u.id and uc.customer_id = ${customerId})))`;
  const site =
    siteId === null
      ? sql`r.site_access = ${SITE_ACCESS.all}`
      : sql`(r.site_access = ${SITE_ACCESS.all}
             or exists (select from user_sites us where us.user_id = u.id and us.site_id = ${siteId}))`;
  const route = sql`exists (
    select from menu_interfaces mi join menus m on m.key = mi.menu_key
     where mi.interface_id = 'issues.read'
       and (m.common or exists (select from role_menus rm where rm.role_id = r.id and rm.menu_key = m.key)))`;
  return sql<SqlBool>`(u.root or (${customer} and ${site} and ${route}))`;
}
