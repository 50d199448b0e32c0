import { type AlarmLevel, FAULTED_SHARE, type Scope, type SiteState } from '@chargehand/domain';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { withinScope } from '../../platform/database/scope.ts';

/**
 * The state of each site in scope, by the rule of `siteState` in the domain (a test compares the two): columns `id`,
 * `state`, and the facts behind the state. Devices and open alarms are counted once, only from their indices.
 */
export function siteStates(scope: Scope): RawBuilder<unknown> {
  return sql`
    select site.id, coalesce(d.total, 0) as total, coalesce(d.faulted, 0) as faulted, coalesce(d.offline, 0) as offline,
           coalesce(a.total, 0) as alarms, coalesce(a.worst, 0) as worst,
           case
             when not (site.enabled and customer.enabled) then 'disabled'
             when coalesce(d.total, 0) = 0 then 'empty'
             when greatest(d.faulted, a.critical) > 0
              and greatest(d.faulted, a.critical) >= d.served * ${FAULTED_SHARE}::float8 then 'faulted'
             when d.offline = d.served and d.served > 0 then 'offline'
             when d.offline > 0 or d.faulted > 0 or a.total > 0 then 'attention'
             else 'normal'
           end as state
      from sites site
      join customers customer on customer.id = site.customer_id
      left join (
        select site_id, count(*) as total, count(*) filter (where status <> 'disabled') as served,
               count(*) filter (where status = 'faulted') as faulted, count(*) filter (where status = 'offline') as offline
          from device_status where ${withinScope(scope, 'device_status.customer_id', 'device_status.site_id')} group by site_id
      ) d on d.site_id = site.id
      left join (
        select site_id, count(*) as total, max(case level when 'CA' then 3 when 'MA' then 2 else 1 end) as worst,
               count(distinct device_id) filter (where level = 'CA') as critical
          from alarms
         where cleared_at is null and not suppressed and ${withinScope(scope, 'alarms.customer_id', 'alarms.site_id')}
         group by site_id
      ) a on a.site_id = site.id
     where ${withinScope(scope, 'site.customer_id', 'site.id')}`;
}

/** The condition that a listed site has a state. */
export function inSiteState(scope: Scope, state: SiteState): RawBuilder<SqlBool> {
  return sql<SqlBool>`sites.id in (select s.id from (${siteStates(scope)}) s where s.state = ${state})`;
}

/** A site with a problem, and the problem. */
export interface TroubledSite {
  id: number;
  name: string;
  customerName: string;
  state: SiteState;
  devices: number;
  faulted: number;
  offline: number;
  alarms: number;
  worstLevel: AlarmLevel | null;
  /** when the oldest of its open alarms was raised */
  since: Date | null;
}

const WORST = sql`case s.worst when 3 then 'CA' when 2 then 'MA' when 1 then 'OA' end`;

/** The number of sites in scope in each state, and the sites with a problem, the worst first. */
export async function readSiteStates(
  scope: Scope,
  db: Kysely<Database>,
  limit: number,
): Promise<{ counts: { state: SiteState; total: number }[]; troubled: TroubledSite[] }> {
  const { rows } = await sql<{
    counts: { state: SiteState; total: number }[] | null;
    troubled: (Omit<TroubledSite, 'since'> & { since: string | null })[] | null;
  }>`
    with s as materialized (${siteStates(scope)}),
    worst as (
      select s.*, ${WORST} as level from s where s.state in ('faulted', 'offline', 'attention')
       order by s.worst desc, s.faulted desc, s.offline desc, s.alarms desc, s.id limit ${limit}
    )
    select (select json_agg(c) from (select state, count(*)::int as total from s group by state) c) as counts,
           (select json_agg(json_build_object(
                'id', w.id, 'name', site.name, 'customerName', customer.name, 'state', w.state, 'devices', w.total,
                'faulted', w.faulted, 'offline', w.offline, 'alarms', w.alarms, 'worstLevel', w.level,
                'since', (select min(raised_at) from alarms
                           where site_id = w.id and customer_id = site.customer_id and cleared_at is null and not suppressed))
              order by w.worst desc, w.faulted desc, w.offline desc, w.alarms desc, w.id)
              from worst w join sites site on site.id = w.id join customers customer on customer.id = site.customer_id
           ) as troubled`.execute(db);
  const [row] = rows;
  return {
    counts: row?.counts ?? [],
    troubled: (row?.troubled ?? []).map((site) => ({
      ...site,
      since: site.since === null ? null : new Date(site.since),
    })),
  };
}
