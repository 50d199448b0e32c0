import type { TokenPolicy } from '@chargehand/domain';
import type { Pool } from 'pg';

/** What is stored about a presented token. */
export interface FoundFacts {
  n: number;
  customerId: number;
  siteId: number;
  customerPolicy: TokenPolicy | null;
  sitePolicy: TokenPolicy | null;
  devicePolicy: TokenPolicy | null;
  /** null: not in the list of the customer */
  tokenId: number | null;
  type: string | null;
  group: string | null;
  validFrom: Date | null;
  validUntil: Date | null;
  blockedAt: Date | null;
  concurrent: boolean | null;
  atSite: boolean;
  openElsewhere: boolean;
  remoteStart: boolean;
}

/** Remote starts name a token for the session that follows; a device that was offline reports it days later. */
const REMOTE_START_DAYS = 7;

/**
 * What decides about presented tokens, one row for each. Other sessions of a token are those of its customer that are
 * open, at another connector or with another id of the device; the session that a charge point without ids starts
 * replaces the one at its connector.
 */
export async function findFacts(
  pool: Pool,
  requests: readonly { deviceId: number; key: string; connector: number; session: string | null; starts: boolean }[],
): Promise<FoundFacts[]> {
  const { rows } = await pool.query<FoundFacts>({
    name: 'token-facts',
    text: `
      select r.n::int as n, d.customer_id as "customerId", d.site_id as "siteId", pc.policy as "customerPolicy",
             ps.policy as "sitePolicy", pd.policy as "devicePolicy", t.id as "tokenId", t.type, t.group_value as "group",
             t.valid_from as "validFrom", t.valid_until as "validUntil", t.blocked_at as "blockedAt", t.concurrent,
             t.id is not null and (t.all_sites
               or exists (select from token_sites ts where ts.token_id = t.id and ts.site_id = d.site_id)) as "atSite",
             case when r.starts and t.id is not null and not t.concurrent then exists (
               select from transactions x join devices xd on xd.id = x.device_id
                where x.stopped_at is null and lower(x.id_tag) = left(r.key, 64) and xd.customer_id = d.customer_id
                  and case when x.device_id <> r.device then true
                           when r.session is not null then x.external_id is distinct from r.session
                           else x.connector <> r.connector end)
             else false end as "openElsewhere",
             case when coalesce(pd.policy, ps.policy, pc.policy) = 'known' then exists (
               select from executions e join commands c on c.id = e.command_id and c.kind = 'remoteStart'
                where e.device_id = r.device and e.queued_at > now() - interval '${REMOTE_START_DAYS} days'
                  and lower(c.params ->> 'idTag') = r.key)
             else false end as "remoteStart"
        from unnest($1::int[], $2::text[], $3::int[], $4::text[], $5::boolean[])
          with ordinality as r (device, key, connector, session, starts, n)
        join devices d on d.id = r.device
        left join token_policies pd on pd.device_id = d.id
        left join token_policies ps on ps.site_id = d.site_id
        left join token_policies pc on pc.customer_id = d.customer_id
        left join tokens t on t.customer_id = d.customer_id and t.value_key = r.key`,
    values: [
      requests.map(({ deviceId }) => deviceId),
      requests.map(({ key }) => key),
      requests.map(({ connector }) => connector),
      requests.map(({ session }) => session),
      requests.map(({ starts }) => starts),
    ],
  });
  return rows;
}

export interface SeenUnknown {
  siteId: number;
  deviceId: number;
  value: string;
  type: string | null;
  count: number;
  at: Date;
}

/** Counts tokens that were presented and are not known, and removes the oldest ones of a site above the limit. */
export async function storeUnknown(pool: Pool, seen: readonly SeenUnknown[], most: number): Promise<void> {
  await pool.query(
    `insert into unknown_tokens as u (site_id, value, type, device_id, count, first_at, last_at)
     select r.site, r.value, r.type, d.id, r.count, r.at, r.at
       from unnest($1::int[], $2::text[], $3::text[], $4::int[], $5::int[], $6::timestamptz[])
              as r (site, value, type, device, count, at)
       join sites s on s.id = r.site left join devices d on d.id = r.device
     on conflict (site_id, value_key) do update set count = least(u.count::bigint + excluded.count, 2147483647),
       device_id = excluded.device_id, type = coalesce(excluded.type, u.type),
       last_at = greatest(u.last_at, excluded.last_at)`,
    [
      seen.map(({ siteId }) => siteId),
      seen.map(({ value }) => value),
      seen.map(({ type }) => type),
      seen.map(({ deviceId }) => deviceId),
      seen.map(({ count }) => count),
      seen.map(({ at }) => at),
    ],
  );
  await pool.query(
    `delete from unknown_tokens u using (
       select id from (
         select u.id, row_number() over (partition by u.site_id order by u.last_at desc, u.id desc) as rank
           from unknown_tokens u where u.site_id = any($1::int[])) ranked where rank > $2) over_limit
      where u.id = over_limit.id`,
    [[...new Set(seen.map(({ siteId }) => siteId))], most],
  );
}
