import type { CommandInputs, CommandKind, Precondition, Refused, Scope, TransferResult } from '@chargehand/domain';
import { type Kysely, type SqlBool, sql, type Transaction } from 'kysely';
import { naturally } from '../../platform/database/order/natural-order.ts';
import type { Database } from '../../platform/database/schema.ts';
import { withinScope } from '../../platform/database/scope.ts';
import { isConnectorOf, type ListedExecution, listedExecutions } from '../commands/commands.store.ts';
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

/** What a device has in progress, or what prevents the command. */
export interface BatchFacts {
  /** a command is waiting or in progress */
  waiting: { kind: CommandKind; connector: number; params: CommandInputs }[];
  hasConnector: boolean;
  /** it has reported parameters */
  reported: boolean;
  /** the parameter of the command, as last reported */
  parameter: { value: string | null; readonly: boolean; inDoubt: boolean } | null;
}

/** The facts of several devices that a batch command is checked against. */
export async function batchFacts(
  db: Kysely<Database>,
  deviceIds: readonly number[],
  { connector, key }: { connector: number; key: string | undefined },
): Promise<ReadonlyMap<number, BatchFacts>> {
  const { rows } = await sql<BatchFacts & { id: number }>`
    select d.id,
           coalesce((
             select jsonb_agg(jsonb_build_object('kind', c.kind, 'connector', e.connector, 'params', c.params))
               from executions e join commands c on c.id = e.command_id
              where e.device_id = d.id and e.state in ('queued', 'sent', 'accepted') and e.verifies is null
           ), '[]') as waiting,
           ${connector}::int = 0 or ${isConnectorOf(sql`d.id`, sql`${connector}::int`)} as "hasConnector",
           exists (select from device_parameters p where p.device_id = d.id) as reported,
           (select jsonb_build_object('value', p.value, 'readonly', p.readonly, 'inDoubt', exists (
                     select from executions e join commands c on c.id = e.command_id
                      where e.device_id = d.id and c.kind = 'setParameter' and e.result = 4 and e.sent_at > p.read_at
                        and lower(c.params ->> 'key') = lower(p.key)))
              from device_parameters p
             where p.device_id = d.id and lower(p.key) = lower(${key ?? null}::text) limit 1) as parameter
      from unnest(${[...deviceIds]}::int[]) as d (id)`.execute(db);
  return new Map(rows.map(({ id, ...facts }) => [id, facts]));
}

/** The fields of a new batch. */
export interface NewBatchRecord {
  commandId: number;
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

/** Marks batches as created in one step: all refer to the first of them. */
export async function groupBatches(transaction: Transaction<Database>, ids: readonly number[]): Promise<void> {
  await transaction
    .updateTable('command_batches')
    .set({ group_id: ids[0]! })
    .where('id', 'in', [...ids])
    .execute();
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

/** A batch in lists. */
export interface ListedBatch {
  id: number;
  kind: string;
  controlType: number;
  connector: number;
  params: unknown;
  siteId: number;
  siteName: string;
  customerId: number;
  requestedBy: string;
  requestedAt: Date;
  parallel: number;
  stopAfter: number | null;
  level: number;
  valueLevel: number;
  /** a model of its devices marks the parameter as secret */
  secret: boolean;
  queueMinutes: number | null;
  rerunOf: number | null;
  groupId: number | null;
  queued: number;
  inFlight: number;
  succeeded: number;
  failed: number;
  timedOut: number;
  offline: number;
  cancelled: number;
  refused: number;
  stopped: string | null;
  stoppedBy: string | null;
  endedAt: Date | null;
}

function listedBatches(db: Kysely<Database>, scope: Scope) {
  return db
    .selectFrom('command_batches as b')
    .innerJoin('commands as c', 'c.id', 'b.command_id')
    .innerJoin('sites as s', 's.id', 'b.site_id')
    .select([
      ...(['b.id', 'c.kind', 'c.control_type as controlType', 'b.connector', 'c.params'] as const),
      ...(['b.site_id as siteId', 's.name as siteName', 'b.customer_id as customerId'] as const),
      ...(['c.requested_by_name as requestedBy', 'c.requested_at as requestedAt', 'b.parallel'] as const),
      ...(['b.stop_after as stopAfter', 'b.level', 'b.value_level as valueLevel'] as const),
      sql<boolean>`c.params ? 'value' and exists (
        select from executions e join devices d on d.id = e.device_id join device_models m on m.id = d.device_model_id
          join device_model_versions v on v.device_model_id = m.id and v.version = m.version
         where e.batch_id = b.id and jsonb_path_exists(v.description,
           '$.parameters[*] ? (@.secret == true && @.key == $key)', jsonb_build_object('key', c.params -> 'key')))`.as(
        'secret',
      ),
      ...(['b.queue_minutes as queueMinutes', 'b.rerun_of as rerunOf', 'b.group_id as groupId'] as const),
      ...(['b.queued', 'b.in_flight as inFlight', 'b.succeeded', 'b.failed', 'b.timed_out as timedOut'] as const),
      ...(['b.offline', 'b.cancelled', 'b.refused', 'b.stop_reason as stopped'] as const),
      ...(['b.stopped_by_name as stoppedBy', 'b.ended_at as endedAt'] as const),
    ])
    .where(withinScope(scope, 'b.customer_id', 'b.site_id'));
}

export async function findBatch(scope: Scope, db: Kysely<Database>, id: number): Promise<ListedBatch | null> {
  return (await listedBatches(db, scope).where('b.id', '=', id).executeTakeFirst()) ?? null;
}

export interface BatchFilter {
  groupId: number | undefined;
  siteId: number | undefined;
  kind: string | undefined;
  state: 'running' | 'ended' | undefined;
}

/** A page of the batches in a scope, and their number. */
export async function listBatches(
  scope: Scope,
  db: Kysely<Database>,
  filter: BatchFilter,
  page: { offset: number; limit: number; oldestFirst: boolean },
): Promise<{ items: ListedBatch[]; total: number }> {
  let query = listedBatches(db, scope);
  if (filter.siteId !== undefined) query = query.where('b.site_id', '=', filter.siteId);
  if (filter.groupId !== undefined) query = query.where('b.group_id', '=', filter.groupId);
  if (filter.kind !== undefined) query = query.where('c.kind', '=', filter.kind);
  if (filter.state) query = query.where('b.ended_at', filter.state === 'running' ? 'is' : 'is not', null);
  const [items, { total }] = await Promise.all([
    query
      .orderBy('b.id', page.oldestFirst ? 'asc' : 'desc')
      .offset(page.offset)
      .limit(page.limit)
      .execute(),
    query
      .clearSelect()
      .select((select) => select.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow(),
  ]);
  return { items, total };
}

/** An execution of a batch with its device, if that is still in scope. */
export interface ListedBatchExecution extends ListedExecution {
  deviceId: number | null;
  deviceName: string | null;
  sn: string | null;
  /** its result; for a command with a file, the result of the transfer, as it is counted */
  outcome: number;
}

const OUTCOME = sql<number>`execution_outcome(executions.state, executions.result, executions.reason, executions.file)`;

/** A page of the executions of a batch, and their number. */
export async function listBatchExecutions(
  scope: Scope,
  db: Kysely<Database>,
  batchId: number,
  { results, ...page }: { results: number[] | null; offset: number; limit: number; descending: boolean },
): Promise<{ items: ListedBatchExecution[]; total: number }> {
  const direction = page.descending ? 'desc' : 'asc';
  let items = listedExecutions(db)
    .leftJoin('devices', (join) =>
      join
        .onRef('devices.id', '=', 'executions.device_id')
        .on(withinScope(scope, 'devices.customer_id', 'devices.site_id')),
    )
    .select(['devices.id as deviceId', 'devices.name as deviceName', 'devices.sn'])
    .select(OUTCOME.as('outcome'))
    .where('executions.batch_id', '=', batchId);
  let total = db
    .selectFrom('executions')
    .select((select) => select.fn.countAll<number>().as('total'))
    .where('batch_id', '=', batchId);
  if (results) {
    items = items.where(OUTCOME, 'in', results);
    total = total.where(OUTCOME, 'in', results);
  }
  const [rows, counted] = await Promise.all([
    items
      .orderBy('executions.queued_at', direction)
      .orderBy('executions.id', direction)
      .offset(page.offset)
      .limit(page.limit)
      .execute(),
    total.executeTakeFirstOrThrow(),
  ]);
  return { items: rows, total: counted.total };
}

/** Stops an open batch. Returns false if it has ended or stopped already. */
export async function stopBatch(transaction: Transaction<Database>, id: number, userName: string): Promise<boolean> {
  const row = await transaction
    .updateTable('command_batches')
    .set({ stopped_at: sql<Date>`clock_timestamp()`, stop_reason: 'person', stopped_by_name: userName })
    .where('id', '=', id)
    .where('stopped_at', 'is', null)
    .where('queued', '>', 0)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * The devices of a batch that did not execute the command and are still at its site. Devices that already had the value
 * or the version are left out.
 */
export async function devicesToRetry(scope: Scope, db: Kysely<Database>, batchId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('executions')
    .innerJoin('command_batches', 'command_batches.id', 'executions.batch_id')
    .innerJoin('devices', (join) =>
      join.onRef('devices.id', '=', 'executions.device_id').onRef('devices.site_id', '=', 'command_batches.site_id'),
    )
    .select('devices.id')
    .where('executions.batch_id', '=', batchId)
    .where(OUTCOME, '<>', 2)
    .where(sql<SqlBool>`coalesce(executions.reason not in ('sameValue', 'firmwareRunning'), true)`)
    .where(withinScope(scope, 'devices.customer_id', 'devices.site_id'))
    .orderBy('executions.queued_at')
    .execute();
  return rows.map(({ id }) => id);
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

/** Parameters that all of several devices have reported as writable. */
export async function commonParameters(db: Kysely<Database>, deviceIds: readonly number[]): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select min(key) as key from device_parameters where device_id = any(${[...deviceIds]}::int[])
     group by lower(key) having count(*) = ${deviceIds.length} and not bool_or(readonly)
     order by ${naturally(sql`min(key)`)}`.execute(db);
  return rows.map(({ key }) => key);
}
