import { type JobName, STORED_RUNS, type SystemFigures, type SystemQueue } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import { naturally } from '../platform/database/order/natural-order.ts';
import type { Database } from '../platform/database/schema.ts';
import { storableText } from '../platform/database/storable.ts';
import type { NodeLoad } from '../platform/nodes/tables.ts';

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

/** A process with a lease. */
export interface NodeRecord {
  epoch: number;
  name: string;
  version: string;
  roles: string[];
  addresses: string[];
  startedAt: Date;
  renewedSeconds: number;
  load: Partial<NodeLoad>;
}

export async function listNodes(db: Kysely<Database>): Promise<NodeRecord[]> {
  const { rows } = await sql<NodeRecord>`
    select epoch::float8 as epoch, name, version, roles, addresses, started_at as "startedAt", load,
           greatest(0, extract(epoch from clock_timestamp() - renewed_at))::float8 as "renewedSeconds"
      from nodes where ended_at is null order by ${naturally(sql`name`)}`.execute(db);
  return rows;
}

/** Where a job runs that runs in one process. */
export interface PlacedJob {
  job: string;
  process: string;
  epoch: number;
  failingSince: Date | null;
  runningSince: Date | null;
  nextAt: Date | null;
}

export async function listPlacedJobs(db: Kysely<Database>): Promise<PlacedJob[]> {
  const { rows } = await sql<PlacedJob>`
    select l.job, n.name as process, n.epoch::float8 as epoch, l.failing_since as "failingSince",
           l.running_since as "runningSince", l.next_at as "nextAt"
      from job_leases l join nodes n on n.epoch = l.epoch and n.ended_at is null`.execute(db);
  return rows;
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

/** The entries of each queue that has some, and the creation of the oldest. */
export async function findQueues(db: Kysely<Database>): Promise<{ queue: SystemQueue; count: number; oldest: Date }[]> {
  const { rows } = await sql<{ queue: SystemQueue; count: number; oldest: Date | null }>`
    select 'notices' as queue, count(*)::int as count, min(at) as oldest from notices
    union all
    select 'mails', count(*)::int, min(created_at) from outgoing_mails where next_attempt_at is not null
    union all
    select 'messages', count(*)::int, min(created_at) from message_sends where next_attempt_at is not null
    union all
    select 'webhooks', count(*)::int, min(d.created_at) from webhook_deliveries d
      join application_webhooks w on w.id = d.webhook_id and w.enabled where d.next_attempt_at is not null`.execute(db);
  return rows.flatMap(({ queue, count, oldest }) => (oldest === null ? [] : [{ queue, count, oldest }]));
}

/** What waits because the installation was restored; null: nothing is held. */
export async function findHeld(
  db: Kysely<Database>,
): Promise<{ mails: number; messages: number; commands: number } | null> {
  const { rows } = await sql<{ mails: number; messages: number; commands: number }>`
    select (select count(*)::int from outgoing_mails where next_attempt_at is not null) as mails,
           (select count(*)::int from message_sends where next_attempt_at is not null)
           + (select count(*)::int from webhook_deliveries where next_attempt_at is not null) as messages,
           (select count(*)::int from executions where state = 'queued' and queued_at <= h.since) as commands
      from outgoing_holds h`.execute(db);
  return rows[0] ?? null;
}

/**
 * The webhooks and browsers whose messages are repeated, the webhooks whose last message of the last 24 hours was given
 * up, and those of applications that fail; since when, and their failed attempts of the last 24 hours. null: none.
 */
export async function findFailingSends(
  db: Kysely<Database>,
  now: Date,
): Promise<{ receivers: number; since: Date; failures: number } | null> {
  const { rows } = await sql<{ receivers: number; since: Date | null; failures: number }>`
    with day as (select ${now}::timestamptz - interval '24 hours' as start),
    failing as (
      select webhook_id, subscription_id, null::int as application_id, created_at as since, attempts as failures
        from message_sends where next_attempt_at is not null and tries > 0 and not (leased and tries = 1)
      union all
      select f.webhook_id, null, null, f.created_at, f.attempts from message_sends f, day
       where f.created_at > day.start and f.state = 'failed' and f.channel = 'webhook'
         and not exists (
           select from message_sends s where s.webhook_id = f.webhook_id and s.id > f.id and s.state = 'sent')
      union all
      select null, null, w.id, w.failing_since, (
               select coalesce(sum(d.attempts), 0) from webhook_deliveries d
                where d.webhook_id = w.id and d.state <> 'sent' and d.created_at > day.start)
        from application_webhooks w, day
       where w.failing_since is not null and (w.enabled or w.given_up_at is not null))
    select count(distinct (webhook_id, subscription_id, application_id))::int as receivers, min(since) as since,
           sum(failures)::int as failures
      from failing where coalesce(webhook_id, subscription_id, application_id) is not null`.execute(db);
  const { since = null, receivers = 0, failures = 0 } = rows[0] ?? {};
  return since === null ? null : { receivers, since, failures };
}

/** The causes in the error log that nobody has judged, and how often they happened since the start of an hour. */
export async function countNewErrors(db: Kysely<Database>, since: Date): Promise<{ causes: number; count: number }> {
  // Pages without a session can report anything. Jobs, devices, mails and webhooks have problems of their own.
  const { rows } = await sql<{ causes: number; count: number }>`
    select count(distinct g.id)::int as causes, coalesce(sum(h.count), 0)::int as count
      from error_groups g join error_hours h on h.group_id = g.id and h.at >= date_trunc('hour', ${since}::timestamptz)
     where g.last_at > ${since} and g.state = 'new' and not g.anonymous
       and g.source in ('server', 'browser')`.execute(db);
  return rows[0] ?? { causes: 0, count: 0 };
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
