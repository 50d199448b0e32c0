import type { JobName } from '@chargehand/domain';
import type pg from 'pg';
import type { Log } from '../log.ts';
import type { JobState } from '../work/job-register.ts';
import type { Node } from './node.ts';

/** Without a renewal for this time a process runs none of its jobs: another one takes them after 15 seconds. Milliseconds. */
const HOLD_MS = 12_000;

export interface JobLeases {
  /** True if this process may run the job now. The first time it tries to get the lease. */
  acquire(job: JobName): Promise<boolean>;
  /** Aborted when the lease of the job is lost while it runs. */
  signal(job: JobName): AbortSignal;
}

/** The leases of the jobs of this process. Each job has one process at a time, which keeps it while it renews. */
export function jobLeases(parts: {
  node: Node;
  pool: pg.Pool;
  log: Log;
  state: (job: JobName) => JobState | undefined;
}): JobLeases {
  const { node, pool, log, state } = parts;
  const wanted = new Set<JobName>();
  const held = new Map<JobName, AbortController>();
  let renewedAt = Number.NEGATIVE_INFINITY;
  let first: Promise<void> | null = null;
  let unknown: JobName[] = [];

  async function take(client: Pick<pg.Pool, 'query'>, jobs: readonly JobName[]): Promise<Set<string>> {
    const states = jobs.map((job) => state(job));
    const { rows } = await client.query<{ job: string }>(
      `insert into job_leases as l (job, epoch, failing_since, running_since, next_at)
       select job, $2::bigint, failing, running, next
         from unnest($1::text[], $3::timestamptz[], $4::timestamptz[], $5::timestamptz[]) as w (job, failing, running, next)
        order by job
       on conflict (job) do update set epoch = excluded.epoch, renewals = l.renewals + 1,
         failing_since = case when l.epoch = excluded.epoch then excluded.failing_since else l.failing_since end,
         running_since = excluded.running_since, next_at = excluded.next_at
        where l.epoch = excluded.epoch or l.epoch = any($6::bigint[])
           or not exists (select from nodes n where n.epoch = l.epoch and n.ended_at is null)
       returning job`,
      [
        jobs,
        node.epoch,
        states.map((one) => one?.failingSince ?? null),
        states.map((one) => one?.runningSince ?? null),
        states.map((one) => one?.nextAt ?? null),
        node.silentPeers(),
      ],
    );
    return new Set(rows.map(({ job }) => job));
  }

  const keep = (job: JobName) => {
    if (!held.has(job)) held.set(job, new AbortController());
  };

  node.onRenewed(async (client) => {
    if (wanted.size === 0) return;
    const began = performance.now();
    const jobs = [...wanted];
    const taken = await take(client as unknown as pg.Pool, jobs);
    renewedAt = began;
    for (const job of jobs) {
      if (taken.has(job)) keep(job);
      else if (held.has(job)) {
        log.warn({ job }, 'another process runs this job now');
        held.get(job)?.abort();
        held.delete(job);
      }
    }
  });

  /** One statement for all jobs that start together. */
  async function takeUnknown(): Promise<void> {
    await Promise.resolve();
    const jobs = unknown;
    unknown = [];
    first = null;
    const began = performance.now();
    const taken = await take(pool, jobs);
    if (renewedAt === Number.NEGATIVE_INFINITY) renewedAt = began;
    for (const job of jobs) if (taken.has(job)) keep(job);
  }

  return {
    async acquire(job) {
      if (!wanted.has(job)) {
        wanted.add(job);
        unknown.push(job);
        first ??= takeUnknown();
        await first;
      }
      return held.has(job) && node.holds() && (node.alone() || performance.now() - renewedAt < HOLD_MS);
    },
    signal: (job) => held.get(job)?.signal ?? AbortSignal.abort(),
  };
}
