import type { TokenPolicy } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import { naturally } from '../../platform/database/order/natural-order.ts';
import type { Database } from '../../platform/database/schema.ts';

export type PolicyPlace = 'customer' | 'site' | 'device';

/** The place of a policy: its name, what contains it, and the policies around it. */
export interface PlacePolicies {
  name: string;
  customerId: number;
  siteId: number | null;
  customer: TokenPolicy | null;
  site: TokenPolicy | null;
  device: TokenPolicy | null;
  setAt: Date | null;
  setBy: string | null;
}

const PLACES = {
  customer: sql`select c.id, c.name, c.id as customer_id, null::int as site_id, null::int as device_id from customers c`,
  site: sql`select s.id, s.name, s.customer_id, s.id as site_id, null::int as device_id from sites s`,
  device: sql`select d.id, d.name, d.customer_id, d.site_id, d.id as device_id from devices d`,
} as const;

/** The policies that are set for a place and for what contains it. */
export async function findPlacePolicies(
  db: Kysely<Database>,
  place: PolicyPlace,
  id: number,
): Promise<PlacePolicies | null> {
  const { rows } = await sql<PlacePolicies>`
    select p.name, p.customer_id as "customerId", p.site_id as "siteId", pc.policy as customer, ps.policy as site,
           pd.policy as device, own.set_at as "setAt", own.set_by_name as "setBy"
      from (${PLACES[place]}) p
      left join token_policies pc on pc.customer_id = p.customer_id
      left join token_policies ps on ps.site_id = p.site_id
      left join token_policies pd on pd.device_id = p.device_id
      left join token_policies own on own.${sql.ref(`${place}_id`)} = p.id
     where p.id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/** The tokens that are valid now at a place. */
export async function countValidTokens(
  db: Kysely<Database>,
  customerId: number,
  siteId: number | null,
): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total from tokens t
     where t.customer_id = ${customerId} and t.blocked_at is null and (t.valid_from is null or t.valid_from <= now())
       and (t.valid_until is null or t.valid_until > now())
       and (${siteId}::int is null or t.all_sites
            or exists (select from token_sites ts where ts.token_id = t.id and ts.site_id = ${siteId}))`.execute(db);
  return rows[0]?.total ?? 0;
}

/** Exceptions that are shown; a place with more is read by its sites. */
const MOST_EXCEPTIONS = 100;

/** Sites and devices below a place with a policy of their own. */
export async function listExceptions(
  db: Kysely<Database>,
  place: PolicyPlace,
  id: number,
  sites: 'all' | readonly number[],
): Promise<{ level: 'site' | 'device'; id: number; name: string; policy: TokenPolicy }[]> {
  if (place === 'device') return [];
  const visible = sites === 'all' ? null : [...sites];
  const ofSite = place === 'customer' ? sql`s.customer_id = ${id}` : sql`false`;
  const ofDevice = place === 'customer' ? sql`d.customer_id = ${id}` : sql`d.site_id = ${id}`;
  const { rows } = await sql<{ level: 'site' | 'device'; id: number; name: string; policy: TokenPolicy }>`
    (select 'site' as level, s.id, s.name, p.policy from sites s join token_policies p on p.site_id = s.id
      where ${ofSite} and (${visible}::int[] is null or s.id = any(${visible}::int[])) order by ${naturally(sql`s.name`)} limit ${MOST_EXCEPTIONS})
    union all
    (select 'device', d.id, d.name, p.policy from token_policies p join devices d on d.id = p.device_id
      where ${ofDevice} and (${visible}::int[] is null or d.site_id = any(${visible}::int[]))
      order by ${naturally(sql`d.name`)} limit ${MOST_EXCEPTIONS})`.execute(db);
  return rows;
}

/** Sets the policy of a place; null removes it. */
export async function writePolicy(
  trx: Kysely<Database>,
  place: PolicyPlace,
  id: number,
  policy: TokenPolicy | null,
  by: string,
): Promise<void> {
  const column = `${place}_id` as const;
  await trx.deleteFrom('token_policies').where(column, '=', id).execute();
  if (policy === null) return;
  const nowhere = { customer_id: null, site_id: null, device_id: null };
  await trx
    .insertInto('token_policies')
    .values({ ...nowhere, [column]: id, policy, set_by_name: by })
    .execute();
}
