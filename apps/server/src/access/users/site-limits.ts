import { CUSTOMER_ACCESS, SITE_ACCESS } from '@chargehand/domain';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { Problem } from '../../platform/http/problem.ts';

interface OverLimit {
  name: string;
  max: number;
  /** how many sites the user sees */
  sites: number;
}

/**
 * The site limit also applies to users who see all sites (spec §6). It is checked by every change that lets a user see
 * more: of the user, their customers, or their role. It is not checked when somebody else adds a site, because the limit
 * of one user must not stop others. Assigned sites are checked by the database.
 * @throws {Problem} seenSitesExceed
 */
export async function requireSiteLimitOfUser(trx: Kysely<Database>, userId: number, field: string): Promise<void> {
  const over = await findOverLimit(trx, sql`u.id = ${userId}`);
  if (over) throw new Problem('seenSitesExceed', { field, values: { sites: over.sites, max: over.max } });
}

/** The same for all users of a role. @throws {Problem} roleSitesExceed, which names one of them */
export async function requireSiteLimitsOfRole(trx: Kysely<Database>, roleId: number, field: string): Promise<void> {
  const over = await findOverLimit(trx, sql`u.role_id = ${roleId}`);
  if (over) throw new Problem('roleSitesExceed', { field, values: { ...over } });
}

async function findOverLimit(trx: Kysely<Database>, users: RawBuilder<unknown>): Promise<OverLimit | null> {
  const { rows } = await sql<OverLimit>`
    select u.user_name as name, u.max_sites as max, seen.sites
      from users u
      join roles r on r.id = u.role_id
      cross join lateral (
        select count(*)::int as sites from sites s
         where r.customer_access = ${CUSTOMER_ACCESS.all}
            or (r.customer_access = ${CUSTOMER_ACCESS.own} and s.customer_id = u.customer_id)
            or (r.customer_access = ${CUSTOMER_ACCESS.assigned}
                and s.customer_id in (select customer_id from user_customers where user_id = u.id))
      ) seen
     where ${users} and not u.root and r.site_access = ${SITE_ACCESS.all} and seen.sites > u.max_sites
     order by u.user_name limit 1`.execute(trx);
  return rows[0] ?? null;
}
