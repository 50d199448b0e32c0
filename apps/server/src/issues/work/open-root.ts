import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { AnnouncedIssue } from './issue-notices.ts';

/**
 * SQL: the issue that an issue `i` was merged into in the end, or the issue itself, if that is open; otherwise no row.
 * To be joined as `cross join`.
 */
export const OPEN_ROOT = sql`
  lateral (
    with recursive up as (
      select i.id, i.merged_into, 0 as depth
      union all
      select n.id, n.merged_into, up.depth + 1 from up join issues n on n.id = up.merged_into where up.depth < 50
    )
    select r.id, r.number, r.customer_id, r.site_id from up join issues r on r.id = up.id
     where r.merged_into is null and r.status <> 'closed'
  ) root`;

/** The id of the open issue that an issue was merged into, or its own; null when that one is closed. */
export async function openRootOf(trx: Kysely<Database>, id: number): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    select root.id from issues i cross join ${OPEN_ROOT} where i.id = ${id}`.execute(trx);
  return rows[0]?.id ?? null;
}

/** Locks an issue that is not closed; null when it is. */
export async function lockUnclosed(trx: Kysely<Database>, id: number): Promise<AnnouncedIssue | null> {
  const { rows } = await sql<AnnouncedIssue>`
    select id, issue_key(customer_id, number) as key, title, customer_id as "customerId", site_id as "siteId", device_id as "deviceId"
      from issues where id = ${id} and status <> 'closed' for no key update`.execute(trx);
  return rows[0] ?? null;
}
