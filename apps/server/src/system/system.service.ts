import type { JobRow, JobRunRow, ProbeRun, ResultOf, systemEndpoints, WithDates } from '@chargehand/contract';
import {
  DELETION_KINDS,
  type DeletionDecision,
  isKeptRun,
  JOB_NAMES,
  type JobName,
  type ProbeWay,
  type SystemFacts,
  type SystemFigures,
  type SystemProblem,
  systemProblems,
} from '@chargehand/domain';
import type { Kysely, Transaction } from 'kysely';
import { Gauge, type Registry } from 'prom-client';
import { logAction } from '../audit/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/schema.ts';
import type { Caller } from '../platform/http/caller.ts';
import { notFound, Problem } from '../platform/http/problem.ts';
import type { EndedRun, JobRegister } from '../platform/work/job-register.ts';
import { releaseOutgoing } from '../platform/work/outgoing-hold.ts';
import type { Events } from '../ports/events.ts';
import { figuresOf, type Reading, readMetrics } from './figures/figures.ts';
import { PROBE_EVERY_MS } from './probe/probe.ts';
import type { StatementTimes } from './statements.ts';
import {
  countNewErrors,
  deleteSamples,
  findFailingSends,
  findHeld,
  findQueues,
  findVendor,
  insertRuns,
  insertSample,
  lastRuns,
  listDeletions,
  listNodes,
  listPlacedJobs,
  listRuns,
  listSamples,
  type StoredRun,
} from './system.store.ts';

type Endpoints = typeof systemEndpoints;
export type SystemService = ReturnType<typeof systemService>;

export interface SystemServiceParts {
  db: Kysely<Database>;
  clock: Clock;
  events: Events;
  registry: Registry;
  jobs: JobRegister;
  statements: StatementTimes;
  /** what prevents storing, in a language */
  storage(locale: Caller['locale']): string[];
  /** the last decision about what is old enough to be deleted */
  deletion(): DeletionDecision | null;
  /** the end of the last backup that succeeded, and why the last one failed; null: there is none */
  lastBackup(): Promise<{ succeededAt: Date | null; error: string | null }>;
  /** gives up what waits to be sent since before a time, after a restore */
  discardOutgoing(trx: Transaction<Database>, before: Date): Promise<void>;
  process: { name: string; epoch: number; version: string };
  /** the time that a run of the probe may take; null: there is no probe */
  probeLimitMs: number | null;
  /** the protocols that this process tests now */
  probeWays(): readonly ProbeWay[];
}

export const MEASURE_EVERY_MS = 10_000;
const SAMPLE_MS = 60_000;
const HISTORY_MS = 6 * 3_600_000;
const CERTIFICATE = 'chargehand_certificate_expiry_timestamp_seconds:';
/** Errors that are older are only in the error log. */
const ERRORS_MS = 3_600_000;
/** The longest reason in the text of a problem. */
const MAX_REASON = 300;
/** Runs that wait to be stored while the database is away. */
const MAX_WAITING = 200;

/** The state of this process and of the installation, measured every ten seconds, and the scheduled work. */
export function systemService(parts: SystemServiceParts) {
  const { db, clock, events, registry, jobs } = parts;
  const gauge = new Gauge({
    name: 'chargehand_problems',
    help: 'Problems of the installation, as on the dashboard of the system. Checked every ten seconds.',
    labelNames: ['severity'] as const,
    registers: [registry],
  });
  let latest: { at: Date; reading: Reading; figures: SystemFigures } | null = null;
  let sampledAt = 0;
  let trimmedAt = 0;
  const probes: Record<ProbeWay, WithDates<ProbeRun> | null> = { ocpp: null, mqtt: null };
  let waiting: StoredRun[] = [];
  const requestedBy = new Map<JobName, string>();

  const runOf = (job: JobName, run: EndedRun): StoredRun => ({
    ...{ process: parts.process.name, job, startedAt: run.startedAt, durationMs: run.durationMs, error: run.error },
    requestedBy: run.manual ? (requestedBy.get(job) ?? null) : null,
  });
  jobs.onRun = ({ job, everyMs }, run, previous) => {
    if (isKeptRun(everyMs, run, previous)) waiting = [...waiting, runOf(job, run)].slice(-MAX_WAITING);
    if (run.manual) {
      requestedBy.delete(job);
      // Without the database, the next round stores and announces it.
      void storeRuns()
        .then(announce)
        .catch(() => undefined);
    }
  };

  let vendorId: number | null = null;
  /** Tells the consoles of the vendor that something changed. */
  async function announce(): Promise<void> {
    vendorId ??= await findVendor(db);
    if (vendorId !== null) events.publish('system.changed', { id: 0 }, { customerId: vendorId, siteId: null });
  }

  async function storeRuns(): Promise<void> {
    const runs = waiting;
    waiting = [];
    try {
      await insertRuns(db, runs);
    } catch (error) {
      waiting = [...runs, ...waiting].slice(-MAX_WAITING);
      throw error;
    }
  }

  async function measure() {
    const reading = await readMetrics(registry, performance.now());
    latest = { at: clock.now(), reading, figures: figuresOf(reading, latest?.reading ?? null) };
    return latest;
  }

  /** What runs every ten seconds: measures, stores one measurement a minute, and says so. */
  async function round(): Promise<void> {
    const { at, figures } = await measure();
    await gather();
    await announce();
    await storeRuns();
    if (at.getTime() - sampledAt < SAMPLE_MS) return;
    sampledAt = at.getTime();
    const failed = (run: WithDates<ProbeRun> | null) => run !== null && run.step !== null;
    await insertSample(db, {
      ...{ process: parts.process.name, at, figures },
      ...{ probeMs: probes.ocpp?.ms ?? null, probeFailed: failed(probes.ocpp) },
      ...{ mqttProbeMs: probes.mqtt?.ms ?? null, mqttProbeFailed: failed(probes.mqtt) },
    });
    if (at.getTime() - trimmedAt < HISTORY_MS / 6) return;
    trimmedAt = at.getTime();
    await clock.deleteOld('systemFigures', (now) => deleteSamples(db, new Date(now.getTime() - HISTORY_MS)));
  }

  let known: SystemFacts | null = null;

  async function gather(): Promise<SystemFacts> {
    const { figures, reading } = latest ?? (await measure());
    const certificates = [...reading.gauges]
      .filter(([name]) => name.startsWith(CERTIFICATE))
      .map(([name, seconds]) => ({
        certificate: name.slice(CERTIFICATE.length),
        validTo: new Date(seconds * 1_000),
      }));
    const now = clock.now();
    const backup = await parts.lastBackup();
    const others = (await listPlacedJobs(db)).filter(({ epoch }) => epoch !== parts.process.epoch);
    const [queues, held, failingSends, errors] = await Promise.all([
      findQueues(db),
      findHeld(db),
      findFailingSends(db, now),
      countNewErrors(db, new Date(now.getTime() - ERRORS_MS)),
    ]);
    known = {
      ...{
        now,
        figures,
        certificates,
        queues,
        held,
        failingSends,
        errors,
        jobs: [...jobs.list(), ...others],
        storage: [],
      },
      probes: parts.probeWays().flatMap((way) => {
        const run = probes[way];
        if (run === null) return [];
        return run.step === null ? { way, step: null, ms: run.ms ?? 0 } : { way, step: run.step, ms: null };
      }),
      probeLimitMs: parts.probeLimitMs ?? 0,
      ...{ lastBackupAt: backup.succeededAt, backupError: backup.error?.slice(0, MAX_REASON) ?? null },
      deletion: parts.deletion(),
    };
    for (const severity of ['error', 'warning'] as const)
      gauge.set({ severity }, problemsOf(known, 'en-US').filter((one) => one.severity === severity).length);
    return known;
  }

  /** The only list of problems: of the dashboard, the header, the messages, the metric and `/readyz`. */
  function problemsOf(facts: SystemFacts, locale: Caller['locale']): SystemProblem[] {
    return systemProblems({ ...facts, storage: parts.storage(locale) });
  }

  return {
    announce,
    round,
    /** The problems as they were found at most ten seconds ago; none before the first measurement. */
    problems: (locale: Caller['locale']) => (known === null ? [] : problemsOf(known, locale)),
    problemsNow: async (locale: Caller['locale']) => problemsOf(await gather(), locale),
    /** Keeps the result of the probe. A change between success and failure is announced at once. */
    async probed(way: ProbeWay, run: WithDates<ProbeRun>): Promise<void> {
      const changed = (probes[way]?.step ?? null) !== run.step;
      probes[way] = run;
      if (changed) await announce();
    },

    async read(locale: Caller['locale']): Promise<ResultOf<Endpoints['readSystem']>> {
      const { at, figures } = latest ?? (await measure());
      const problems = problemsOf(await gather(), locale);
      const deletions = await listDeletions(db);
      const nodes = await listNodes(db);
      const isOwn = ({ epoch }: { epoch: number }) => epoch === parts.process.epoch;
      return {
        ...{ at, problems, figures, statements: parts.statements.slowest() },
        deletions: deletions.flatMap(({ kind: name, at: last, count }) => {
          const kind = DELETION_KINDS.find((one) => one === name);
          return kind === undefined ? [] : [{ kind, at: last, count }];
        }),
        processes: nodes
          .toSorted((a, b) => Number(isOwn(b)) - Number(isOwn(a)))
          .map((one) => ({
            ...{ name: one.name, version: one.version, roles: one.roles, addresses: one.addresses },
            node: isOwn(one) ? process.versions.node : null,
            ...{ startedAt: one.startedAt, renewedSeconds: one.renewedSeconds },
            ...{ devices: one.load.connections ?? 0, streams: one.load.streams ?? 0 },
            memoryBytes: one.load.memoryBytes ?? 0,
            replica: one.load.replica ?? null,
          })),
        probe: {
          ...{ limitMs: parts.probeLimitMs ?? 0, everySeconds: PROBE_EVERY_MS / 1_000 },
          ways: parts.probeWays().map((way) => ({ way, last: probes[way] })),
        },
      };
    },

    async countProblems(): Promise<ResultOf<Endpoints['countSystemProblems']>> {
      const problems = problemsOf(known ?? (await gather()), 'en-US');
      const errors = problems.filter(({ severity }) => severity === 'error').length;
      return { errors, warnings: problems.length - errors };
    },

    async history(): Promise<ResultOf<Endpoints['readSystemHistory']>> {
      const samples = await listSamples(db, new Date(clock.now().getTime() - HISTORY_MS));
      return {
        points: samples.map(({ figures, ...probed }) => {
          const { messagesPerSecond = null, storedMs = null, memoryBytes = null, eventLoopMs = null } = figures;
          return {
            ...{ ...probed, messagesPerSecond, storedMs, memoryBytes, eventLoopMs },
          };
        }),
      };
    },

    async jobs(): Promise<ResultOf<Endpoints['listJobs']>> {
      const stored = await lastRuns(db);
      const placed = new Map((await listPlacedJobs(db)).map((one) => [one.job, one]));
      return {
        items: jobs.list().map(({ job, everyMs, failed, ...own }): WithDates<JobRow> => {
          const place = placed.get(job);
          // What other processes know of their jobs.
          const isOther = place !== undefined && place.epoch !== parts.process.epoch;
          const { runningSince, nextAt } = isOther ? place : own;
          const run = isOther || own.last === null ? stored.get(job) : runOf(job, own.last);
          return {
            process: place?.process ?? null,
            ...{ job, everySeconds: everyMs === null ? null : everyMs / 1_000, errorSearch: failed.slice(0, 100) },
            runningSince,
            nextAt,
            last: run ? lastRun(run) : null,
          };
        }),
      };
    },

    /** @throws {Problem} notFound */
    async jobRuns(name: string): Promise<ResultOf<Endpoints['listJobRuns']>> {
      const job = jobNamed(name);
      return { items: await listRuns(db, job) };
    },

    /** @throws {Problem} outgoingNotHeld */
    async releaseOutgoing(caller: Caller, discard: boolean): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const since = await releaseOutgoing(trx);
        if (since === null) throw new Problem('outgoingNotHeld');
        if (discard) await parts.discardOutgoing(trx, since);
        await logAction(trx, caller, {
          ...{
            operation: 'control',
            objectType: 'outgoing',
            objectId: 'outgoing',
            objectName: 'outgoing',
            customerId: null,
            siteId: null,
          },
          after: { discard, heldSince: since.toISOString() },
        });
      });
      await gather();
      await announce();
    },

    /** @throws {Problem} notFound, jobUnknown, jobRuns */
    async runJob(caller: Caller, name: string): Promise<void> {
      const job = jobNamed(name);
      const known = jobs.list().find((one) => one.job === job);
      const place = (await listPlacedJobs(db)).find((one) => one.job === job);
      const isOther = place !== undefined && place.epoch !== parts.process.epoch;
      if (!known && !isOther) throw new Problem('jobUnknown');
      if ((isOther ? place : known)?.runningSince) throw new Problem('jobRuns');
      await logAction(db, caller, {
        ...{ operation: 'control', objectType: 'job', objectId: job, objectName: job, customerId: null, siteId: null },
        after: { job },
      });
      // The process that runs it stores this as one of its own runs.
      if (isOther) return jobs.placement?.passOn(job);
      requestedBy.set(job, caller.userName);
      if (!jobs.run(job)) throw new Problem('jobRuns');
    },
  };
}

function jobNamed(name: string): JobName {
  const job = JOB_NAMES.find((one) => one === name);
  if (job === undefined) throw notFound('job');
  return job;
}

/** What a list shows of a run. */
function lastRun({
  startedAt,
  durationMs,
  error,
  requestedBy,
}: Omit<StoredRun, 'process' | 'job'>): WithDates<JobRunRow> {
  return { startedAt, durationMs, error, requestedBy };
}
