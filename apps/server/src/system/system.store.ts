import { type JobName, STORED_RUNS, type SystemFigures } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import { storableText } from '../platform/database/storable.ts';

/** A measurement for the charts. */
export interface Sample {
  process: string;
  at: Date;
  figures: SystemFigures;
  /** null: it failed, or is not tested */
  probeMs: number | null;
  probeFailed: boolean;
  mqttProbeMs: number | null;
  mqttProbeFailed: boolean;
}

export async function insertSample(db: Kysely<Database>, sample: Sample): Promise<void> {
  const { process, at, figures, probeMs, probeFailed, mqttProbeMs, mqttProbeFailed } = sample;
  await db
    .insertInto('system_samples')
    .values({
      ...{ process, at, figures: JSON.stringify(figures), probe_ms: probeMs, probe_failed: probeFailed },
      ...{ mqtt_probe_ms: mqttProbeMs, mqtt_probe_failed: mqttProbeFailed },
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function listSamples(db: Kysely<Database>, from: Date): Promise<Omit<Sample, 'process'>[]> {
  const { rows } = await sql<Omit<Sample, 'process'>>`
    select at, figures, probe_ms as "probeMs", probe_failed as "probeFailed",
           mqtt_probe_ms as "mqttProbeMs", mqtt_probe_failed as "mqttProbeFailed"
      from system_samples where at > ${from} order by at`.execute(db);
  return rows;
}

export async function deleteSamples(db: Kysely<Database>, before: Date): Promise<number> {
  const { numAffectedRows } = await sql`delete from system_samples where at < ${before}`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** A run in the history of a job. */
export interface StoredRun {
  process: string;
  job: JobName;
  startedAt: Date;
  durationMs: number;
  error: string | null;
  requestedBy: string | null;
}

const MAX_ERROR = 500;

/** Stores runs, and removes the oldest of the same jobs. */
export async function insertRuns(db: Kysely<Database>, runs: readonly StoredRun[]): Promise<void> {
  if (runs.length === 0) return;
  await db
    .insertInto('job_runs')
    .values(
      runs.map(({ process, job, startedAt, durationMs, error, requestedBy }) => ({
        ...{ process, job, started_at: startedAt, duration_ms: durationMs, requested_by: requestedBy },
        error: error === null ? null : storableText(error, MAX_ERROR),
      })),
    )
    .execute();
  await sql`
    delete from job_runs r
     using unnest(${[...new Set(runs.map(({ job }) => job))]}::text[]) as j (job)
     where r.job = j.job
       and r.id <= (select id from job_runs where job = j.job order by id desc offset ${STORED_RUNS} limit 1)`.execute(
    db,
  );
}

type RunRecord = Omit<StoredRun, 'process' | 'job'>;

const RUN = sql`
  started_at as "startedAt", duration_ms as "durationMs", error, requested_by as "requestedBy"`;

/** The stored runs of a job, newest first. */
export async function listRuns(db: Kysely<Database>, job: JobName): Promise<RunRecord[]> {
  const { rows } = await sql<RunRecord>`
    select ${RUN} from job_runs where job = ${job} order by id desc limit ${STORED_RUNS}`.execute(db);
  return rows;
}

/** The last stored run of each job. */
export async function lastRuns(db: Kysely<Database>): Promise<Map<string, RunRecord>> {
  const { rows } = await sql<RunRecord & { job: string }>`
    select distinct on (job) job, ${RUN} from job_runs order by job, id desc`.execute(db);
  return new Map(rows.map(({ job, ...run }) => [job, run]));
}

/** The days whose deletions the dashboard shows. */
const SHOWN_DELETIONS = 50;

/** The last deletions of data by its age, the latest first. */
export async function listDeletions(db: Kysely<Database>): Promise<{ kind: string; at: Date; count: number }[]> {
  return await db
    .selectFrom('deletions')
    .select(['kind', 'at', 'count'])
    .orderBy('day', 'desc')
    .orderBy('kind', 'desc')
    .limit(SHOWN_DELETIONS)
    .execute();
}

/** Counts for the metrics. */
export async function countFailedMails(db: Kysely<Database>, since: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from outgoing_mails where state = 'failed' and created_at > ${since}`.execute(db);
  return rows[0]?.count ?? 0;
}

export async function countWaitingSends(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from message_sends where state = 'waiting')
         + (select count(*) from webhook_deliveries where next_attempt_at is not null) as count`.execute(db);
  return rows[0]?.count ?? 0;
}

export async function countWaitingCommands(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from executions where state <> 'ended'`.execute(db);
  return rows[0]?.count ?? 0;
}

export async function readDatabaseSize(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`.execute(db);
  return Number(rows[0]?.bytes ?? 0);
}

export async function readObjectsSize(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{
    bytes: number;
  }>`select coalesce(sum(size), 0)::float8 as bytes from stored_objects`.execute(db);
  return Number(rows[0]?.bytes ?? 0);
}

/** The customer whose users see the state of the installation. */
export async function findVendor(db: Kysely<Database>): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`select id from customers where platform_vendor limit 1`.execute(db);
  return rows[0]?.id ?? null;
}
