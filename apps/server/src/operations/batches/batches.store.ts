import type { Precondition, Refused, TransferResult } from '@chargehand/domain';
import { type Kysely, type SqlBool, sql, type Transaction } from 'kysely';
import { naturally } from '../../platform/database/order/natural-order.ts';
import type { Database } from '../../platform/database/schema.ts';
import {
  hasInFlight,
  type LockedExecution,
  type LockedRow,
  lockedExecution,
  MAY_START,
  type QueryClient,
} from '../executions.store.ts';

/** What the batch runner needs: the waiting commands, whether the batch has stopped, and how many may be sent now. */
export async function findBatchState(
  db: Kysely<Database>,
  batchId: number,
): Promise<{ queued: number; stopped: boolean; room: number } | null> {
  const row = await db
    .selectFrom('command_batches')
    .select([
      'queued',
      sql<boolean>`stopped_at is not null`.as('stopped'),
      sql<number>`parallel - in_flight`.as('room'),
    ])
    .where('id', '=', batchId)
    .executeTakeFirst();
  return row ?? null;
}

/** The batches of executions. */
export async function batchesOf(db: Kysely<Database>, executionIds: readonly string[]): Promise<number[]> {
  const { rows } = await sql<{ batch_id: number }>`
    select distinct batch_id from executions
     where id = any(${[...executionIds]}::uuid[]) and batch_id is not null`.execute(db);
  return rows.map((row) => row.batch_id);
}

/** Batches with waiting commands that have stopped or may send more. */
export async function runningBatches(db: Kysely<Database>): Promise<number[]> {
  const rows = await db
    .selectFrom('command_batches')
    .select('id')
    .where('ended_at', 'is', null)
    .where('queued', '>', 0)
    .where(sql<SqlBool>`(stopped_at is not null or in_flight < parallel)`)
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** The next devices of a batch: free, and connected if the batch waits for offline devices. */
export async function devicesWithRoom(db: Kysely<Database>, batchId: number, limit: number): Promise<number[]> {
  const { rows } = await sql<{ device_id: number }>`
    select e.device_id from executions e left join device_states s on s.device_id = e.device_id
     where e.batch_id = ${batchId} and e.state = 'queued' and (e.waits_until is null or coalesce(s.connected, false))
       and ${MAY_START}
       and not ${hasInFlight(sql`e.device_id`)}
     order by e.queued_at, e.id limit ${limit}`.execute(db);
  return rows.map((row) => row.device_id);
}

/**
 * Records the results of at most `limit` executions whose transfers have ended, each once. The counts of their
 * batches include them. Returns the devices.
 */
export async function noteFiles(db: Kysely<Database>, limit: number): Promise<number[]> {
  const { rows } = await sql<{ device_id: number }>`
    with over as (
      select e.id, t.state from executions e join transfers t on t.execution_id = e.id
       where e.file = 'underWay' and t.ended_at is not null
       order by e.id limit ${limit} for update of e skip locked
    )
    update executions e set file = case when over.state in ('failed', 'timedOut') then over.state else 'done' end
      from over where e.id = over.id
    returning e.device_id`.execute(db);
  return rows.map((row) => row.device_id);
}

/** Locks the waiting executions of a batch, always in the same order. */
export async function lockQueuedOf(client: QueryClient, batchId: number): Promise<LockedExecution[]> {
  const { rows } = await client.query<LockedRow>({
    text: `select id, device_id, state, result, reason, late_answer_at
             from executions where batch_id = $1 and state = 'queued' order by id for update`,
    values: [batchId],
  });
  return rows.map(lockedExecution);
}

/** The fields of a new batch. */
export interface NewBatchRecord {
  commandId: number;
  /** the operation that it belongs to; null: it is the first of one */
  operationId: number | null;
  siteId: number;
  customerId: number;
  connector: number;
  parallel: number;
  stopAfter: number | null;
  level: number;
  valueLevel: number;
  queueMinutes: number | null;
  rerunOf: number | null;
}

export async function insertBatch(transaction: Transaction<Database>, batch: NewBatchRecord): Promise<number> {
  const { id } = await transaction
    .insertInto('command_batches')
    .values({
      command_id: batch.commandId,
      group_id: batch.operationId,
      site_id: batch.siteId,
      customer_id: batch.customerId,
      connector: batch.connector,
      parallel: batch.parallel,
      stop_after: batch.stopAfter,
      level: batch.level,
      value_level: batch.valueLevel,
      queue_minutes: batch.queueMinutes,
      rerun_of: batch.rerunOf,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** One device of a new batch: queued, or ended for a known reason. */
export interface NewBatchExecution {
  executionId: string;
  deviceId: number;
  refused: Refused | null;
  precondition: Precondition | null;
}

/** Inserts the executions of a batch in the order in which they are sent. */
export async function insertBatchExecutions(
  transaction: Transaction<Database>,
  batch: {
    batchId: number;
    commandId: number;
    connector: number;
    timeoutMs: number;
    waits: boolean;
    file: TransferResult | null;
    notBefore: Date | null;
    whenIdle: boolean;
  },
  executions: readonly NewBatchExecution[],
): Promise<void> {
  const timeout = sql`make_interval(secs => ${batch.timeoutMs / 1_000})`;
  await sql`
    insert into executions (id, command_id, batch_id, device_id, connector, state, result, reason, refused, precondition, file,
                            queued_at, deadline_at, waits_until, not_before, when_idle, ended_at)
    select n.id, ${batch.commandId}, ${batch.batchId}, n.device_id, ${batch.connector},
           case when n.reason is null then 'queued' else 'ended' end, case when n.reason is null then 1 else 3 end,
           n.reason, n.reason is not null, n.precondition, case when n.reason is null then ${batch.file} end,
           t.at + n.place * interval '1 microsecond', t.at + ${timeout},
           case when ${batch.waits} then t.at + ${timeout} end, ${batch.notBefore}::timestamptz, ${batch.whenIdle},
           case when n.reason is not null then t.at + n.place * interval '1 microsecond' end
      from (select clock_timestamp() as at) t,
           unnest(${executions.map((one) => one.executionId)}::uuid[], ${executions.map((one) => one.deviceId)}::int[],
                  ${executions.map((one) => one.refused)}::text[], ${executions.map((one) => one.precondition)}::text[])
             with ordinality as n (id, device_id, reason, precondition, place)`.execute(transaction);
}

/** Connectors that all of several devices have. */
export async function commonConnectors(db: Kysely<Database>, deviceIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ connector: number }>`
    select connector from (
      select device_id, connector from connectors where device_id = any(${[...deviceIds]}::int[]) and connector > 0
      union
      select d.id, generate_series(1, m.connector_count) from devices d join device_models m on m.id = d.device_model_id
       where d.id = any(${[...deviceIds]}::int[])) known
     group by connector having count(*) = ${deviceIds.length} order by connector`.execute(db);
  return rows.map(({ connector }) => connector);
}

/** A parameter that devices of a model have reported as writable, and how many. */
export interface ReportedKey {
  key: string;
  deviceModelId: number;
  devices: number;
}

/** The parameters that several devices have reported as writable, by model and in natural order. */
export async function reportedKeys(db: Kysely<Database>, deviceIds: readonly number[]): Promise<ReportedKey[]> {
  const { rows } = await sql<ReportedKey>`
    select min(p.key) as key, d.device_model_id::int as "deviceModelId", count(*)::int as devices
      from device_parameters p join devices d on d.id = p.device_id
     where p.device_id = any(${[...deviceIds]}::int[]) and not p.readonly
     group by lower(p.key), d.device_model_id
     order by ${naturally(sql`min(p.key)`)}, d.device_model_id`.execute(db);
  return rows;
}
