import type { DeviceStatus, StatisticWindow } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../platform/database/schema.ts';

/** Time that devices spent in a status during one step of a window, numbered from 0. */
export interface StatusStep {
  step: number;
  status: DeviceStatus;
  /** all of it */
  seconds: number;
  /** the part of it in which no server was running to observe them */
  unseen: number;
}

/**
 * How long the devices of a site were in each status, step by step. The caller has checked that the user sees the site.
 */
export async function readSiteStatuses(
  db: Kysely<Database>,
  siteId: number,
  window: StatisticWindow,
): Promise<StatusStep[]> {
  const from = sql`${new Date(window.from)}::timestamptz`;
  const to = sql`${new Date(window.to)}::timestamptz`;
  const length = sql`make_interval(secs => ${window.stepMs / 1_000}::float8)`;
  const seconds = sql`${window.stepMs / 1_000}::float8`;
  const { rows } = await sql<StatusStep>`
    with gaps as (
      select coalesce(range_agg(tstzrange(began_at, ended_at)), '{}'::tstzmultirange) as unseen from server_gaps
       where ended_at > ${from} and began_at < ${to}
    ), spans as (
      select status, greatest(began_at, ${from}) as b, least(ended_at, ${to}) as e from device_status_spans
       where site_id = ${siteId} and ended_at > ${from} and began_at < ${to}
    ), parts as (
      select step, status, tstzrange(greatest(b, ${from} + step * ${length}), least(e, ${from} + (step + 1) * ${length})) as part
        from spans cross join lateral generate_series(
          floor(extract(epoch from b - ${from}) / ${seconds})::int,
          ceil(extract(epoch from e - ${from}) / ${seconds})::int - 1) as step
    )
    select step, status,
           coalesce(sum(extract(epoch from upper(part) - lower(part))), 0)::float8 as seconds,
           coalesce(sum(case when part && unseen then (
             select sum(extract(epoch from upper(hole) - lower(hole))) from unnest(tstzmultirange(part) * unseen) as hole
           ) end), 0)::float8 as unseen
      from parts, gaps group by step, status`.execute(db);
  return rows;
}
