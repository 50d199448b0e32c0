import { type DeviceStatus, type EndedSession, serviceOf, sessionOutcome } from '@chargehand/domain';
import type { Pool, PoolClient } from 'pg';
import { transaction } from './transaction.ts';

/** A stored change of what figures count. */
interface Change {
  site: number;
  /** epoch milliseconds */
  at: number;
  status: DeviceStatus | null;
  ended: EndedSession | null;
  change: number;
  energy: number;
}

/** The sums of some changes of a site in one step. */
interface FigureStep {
  site: number;
  at: number;
  served: number;
  available: number;
  servedSeconds: number;
  availableSeconds: number;
  energy: number;
  sessions: number;
  failed: number;
}

const STEPS = { site_figure_hours: 'hour', site_figure_days: 'day' } as const;

/** The start of the step that a time belongs to, and its length; epoch milliseconds. */
type StepOf = (step: 'hour' | 'day', at: number) => { at: number; stepMs: number };

/**
 * Adds the oldest changes, at most `limit`, to the figures, and removes them in the same transaction. Changes add up in
 * any order, so several processes may do it at once, and none of them waits for another's rows.
 * @returns the number of changes
 */
export async function addChanges(pool: Pool, stepOf: StepOf, limit: number): Promise<number> {
  return await transaction(pool, async (client) => {
    const { rows } = await client.query<Change>({
      name: 'figures_take',
      text: `with taken as (select id from figure_changes order by id limit $1 for update skip locked)
        delete from figure_changes c using taken where c.id = taken.id
        returning c.site_id as site, extract(epoch from c.at)::float8 * 1000 as at, c.status, c.ended, c.change,
                  c.energy_wh::float8 as energy`,
      values: [limit],
    });
    if (rows.length > 0) await store(client, rows, stepOf);
    return rows.length;
  });
}

async function store(client: PoolClient, changes: readonly Change[], stepOf: StepOf): Promise<void> {
  const now = new Map<number, { site: number; served: number; available: number; charging: number }>();
  for (const { site, status, change } of changes) {
    if (status === null) continue;
    const sums = now.get(site) ?? { site, served: 0, available: 0, charging: 0 };
    const service = serviceOf(status);
    if (service !== 'none') sums.served += change;
    if (service === 'available') sums.available += change;
    if (status === 'working') sums.charging += change;
    now.set(site, sums);
  }
  // In the order of sites: two processes that change the same rows wait for each other in one direction only.
  const sites = [...now.values()].filter((one) => one.served || one.available || one.charging);
  await client.query({
    name: 'figures_sites',
    text: `insert into site_figures as f (site_id, served, available, charging)
      select site, served, available, charging
        from jsonb_to_recordset($1::jsonb) as r (site int, served int, available int, charging int) order by site
      on conflict (site_id) do update set served = f.served + excluded.served,
        available = f.available + excluded.available, charging = f.charging + excluded.charging`,
    values: [JSON.stringify(sites)],
  });
  for (const [table, step] of Object.entries(STEPS)) {
    await client.query({
      name: `figures_${step}`,
      text: `insert into ${table} as f (site_id, at, served, available, served_seconds, available_seconds, energy_wh, sessions, failed)
        select site, to_timestamp(at / 1000), served, available, "servedSeconds", "availableSeconds", energy, sessions, failed
          from jsonb_to_recordset($1::jsonb) as r (site int, at float8, served int, available int, "servedSeconds" float8, "availableSeconds" float8, energy bigint, sessions int, failed int) order by at, site
        on conflict (at, site_id) do update set served = f.served + excluded.served,
          available = f.available + excluded.available, served_seconds = f.served_seconds + excluded.served_seconds,
          available_seconds = f.available_seconds + excluded.available_seconds,
          energy_wh = f.energy_wh + excluded.energy_wh, sessions = f.sessions + excluded.sessions,
          failed = f.failed + excluded.failed`,
      values: [JSON.stringify(stepsOf(changes, (at) => stepOf(step, at)))],
    });
  }
}

/** The sums of changes by site and step. */
function stepsOf(changes: readonly Change[], stepOf: (at: number) => { at: number; stepMs: number }): FigureStep[] {
  const steps = new Map<string, FigureStep>();
  let step = { at: 0, stepMs: 0 };
  for (const { site, at, status, ended, change, energy } of changes) {
    // Most changes are in the step of the one before, and finding a step takes time.
    if (at < step.at || at >= step.at + step.stepMs) step = stepOf(at);
    const key = `${site} ${step.at}`;
    const sums = steps.get(key) ?? {
      ...{ site, at: step.at, served: 0, available: 0, servedSeconds: 0, availableSeconds: 0 },
      ...{ energy: 0, sessions: 0, failed: 0 },
    };
    const lasts = (change * (step.at + step.stepMs - at)) / 1_000;
    const service = status === null ? 'none' : serviceOf(status);
    if (service !== 'none') {
      sums.served += change;
      sums.servedSeconds += lasts;
    }
    if (service === 'available') {
      sums.available += change;
      sums.availableSeconds += lasts;
    }
    sums.energy += energy;
    const outcome = ended === null ? 'refused' : sessionOutcome(ended);
    if (outcome !== 'refused') sums.sessions += change;
    if (outcome === 'failed') sums.failed += change;
    steps.set(key, sums);
  }
  return [...steps.values()];
}

/** Removes hours and days that are older than figures need; returns how many. */
export async function forgetFigures(pool: Pool, before: { hours: Date; days: Date }): Promise<number> {
  const hours = await pool.query('delete from site_figure_hours where at < $1', [before.hours]);
  const days = await pool.query('delete from site_figure_days where at < $1', [before.days]);
  return (hours.rowCount ?? 0) + (days.rowCount ?? 0);
}
