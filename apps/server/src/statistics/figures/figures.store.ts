import type { DeviceStatus, EndedSession, Scope, StatisticStep } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { withinScope } from '../../platform/database/scope.ts';

/** Of what the figures are: everything in scope, or one place of it. */
interface FigurePlace {
  customerId?: number | undefined;
  siteId?: number | undefined;
}

/** Sums of power are shown for this time: several runs of the job. */
const POWER_SHOWN_SECONDS = 120;

const sitesOf = (scope: Scope, { customerId, siteId }: FigurePlace) => sql`
  ${withinScope(scope, 's.customer_id', 's.id')}
  ${customerId === undefined ? sql`` : sql`and s.customer_id = ${customerId}`}
  ${siteId === undefined ? sql`` : sql`and s.id = ${siteId}`}`;

/**
 * The devices in scope in service, available and charging, as far as the figures have come, and the power of those that
 * charge, W; null when none reports it.
 */
export async function readServed(scope: Scope, db: Kysely<Database>, place: FigurePlace) {
  const { rows } = await sql<{ served: number; available: number; charging: number; powerW: number | null }>`
    select coalesce(sum(f.served), 0)::int as served, coalesce(sum(f.available), 0)::int as available,
           coalesce(sum(f.charging), 0)::int as charging, sum(p.power_w) as "powerW"
      from site_figures f join sites s on s.id = f.site_id
      left join site_power p on p.site_id = f.site_id and p.at > now() - make_interval(secs => ${POWER_SHOWN_SECONDS})
     where ${sitesOf(scope, place)}`.execute(db);
  return rows[0]!;
}

export interface StepSums {
  /** epoch milliseconds */
  at: number;
  served: number;
  available: number;
  servedSeconds: number;
  availableSeconds: number;
  energyWh: number;
  sessions: number;
  failed: number;
}

/** The sums of the hours or days in scope from a time on. */
export async function readSteps(
  scope: Scope,
  db: Kysely<Database>,
  place: FigurePlace,
  step: StatisticStep,
  from: number,
): Promise<StepSums[]> {
  const { rows } = await sql<StepSums>`
    select extract(epoch from f.at)::float8 * 1000 as at, sum(f.served)::int as served, sum(f.available)::int as available,
           sum(f.served_seconds) as "servedSeconds", sum(f.available_seconds) as "availableSeconds",
           sum(f.energy_wh)::float8 as "energyWh", sum(f.sessions)::int as sessions, sum(f.failed)::int as failed
      from ${sql.table(step === 'day' ? 'site_figure_days' : 'site_figure_hours')} f join sites s on s.id = f.site_id
     where f.at >= ${new Date(from)} and ${sitesOf(scope, place)}
     group by f.at`.execute(db);
  return rows;
}

/** When no server was running since a time; epoch milliseconds. */
export async function readGaps(db: Kysely<Database>, from: number): Promise<{ from: number; to: number }[]> {
  const { rows } = await sql<{ from: number; to: number }>`
    select extract(epoch from began_at)::float8 * 1000 as from, extract(epoch from ended_at)::float8 * 1000 as to
      from server_gaps where ended_at > ${new Date(from)}`.execute(db);
  return rows;
}

/** The statuses of a device at sites in scope since a time; epoch milliseconds. */
export async function readDeviceSpans(scope: Scope, db: Kysely<Database>, deviceId: number, from: number) {
  const { rows } = await sql<{ status: DeviceStatus; from: number; to: number }>`
    select status, extract(epoch from greatest(began_at, ${new Date(from)}))::float8 * 1000 as from,
           extract(epoch from least(ended_at, now()))::float8 * 1000 as to
      from device_status_spans
     where site_id in (select site_id from device_stays st where st.device_id = ${deviceId}
                         and st.ended_at > ${new Date(from)} and ${withinScope(scope, 'st.customer_id', 'st.site_id')})
       and ended_at > ${new Date(from)} and device_id = ${deviceId} order by began_at`.execute(db);
  return rows;
}

/** The sessions of a device that ended at sites in scope since a time. */
export async function readDeviceSessions(scope: Scope, db: Kysely<Database>, deviceId: number, from: number) {
  const { rows } = await sql<EndedSession & { at: number }>`
    select extract(epoch from figure_time(t))::float8 * 1000 as at, figure_energy(t)::float8 as "energyWh",
           t.stop_reason as "stopReason", t.stop_cause as "stopCause"
      from transactions t
     where t.device_id = ${deviceId} and t.stopped_at >= ${new Date(from)}
       and exists (select from device_stays st where st.device_id = t.device_id and t.stopped_at >= st.began_at
                      and t.stopped_at < st.ended_at and ${withinScope(scope, 'st.customer_id', 'st.site_id')})`.execute(
    db,
  );
  return rows;
}
