import type { BatchDeviceState, Scope } from '@chargehand/domain';
import { type Kysely, type SqlBool, sql, type Transaction } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { withinScope } from '../../platform/database/scope.ts';
import { type ListedExecution, listedExecutions } from '../commands/commands.store.ts';

/** A batch, as it is stored: the devices of one site in an operation. */
export interface StoredBatch {
  id: number;
  operationId: number;
  kind: string;
  controlType: number;
  connector: number;
  params: unknown;
  siteId: number;
  siteName: string;
  customerId: number;
  requestedById: number | null;
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
  queued: number;
  inFlight: number;
  accepted: number;
  succeeded: number;
  failed: number;
  timedOut: number;
  offline: number;
  cancelled: number;
  refused: number;
  same: number;
  stopped: string | null;
  stoppedBy: string | null;
  endedAt: Date | null;
}

/** An operation: its batches that are in a scope, by site, and the number of the others. */
export interface StoredOperation {
  id: number;
  batches: [StoredBatch, ...StoredBatch[]];
  outside: { sites: number; devices: number };
}

const DEVICES = sql<number>`b.queued + b.in_flight + b.succeeded + b.failed + b.timed_out + b.offline + b.cancelled + b.refused`;
const ALREADY = sql`('sameValue', 'firmwareRunning')`;

/** Operations by ID, with those of their batches that are in a scope. */
async function readOperations(scope: Scope, db: Kysely<Database>, ids: readonly number[]): Promise<StoredOperation[]> {
  const rows = await db
    .selectFrom('command_batches as b')
    .innerJoin('commands as c', 'c.id', 'b.command_id')
    .innerJoin('sites as s', 's.id', 'b.site_id')
    .select([
      ...(['b.id', 'b.operation_id as operationId', 'c.kind', 'c.control_type as controlType'] as const),
      ...(['b.connector', 'c.params', 'b.site_id as siteId', 's.name as siteName'] as const),
      ...(['b.customer_id as customerId', 'c.requested_by as requestedById'] as const),
      ...(['c.requested_by_name as requestedBy', 'c.requested_at as requestedAt', 'b.parallel'] as const),
      ...(['b.stop_after as stopAfter', 'b.level', 'b.value_level as valueLevel'] as const),
      sql<boolean>`c.params ? 'value' and exists (
        select from executions e join devices d on d.id = e.device_id join device_models m on m.id = d.device_model_id
          join device_model_versions v on v.device_model_id = m.id and v.version = m.version
         where e.batch_id = b.id and jsonb_path_exists(v.description,
           '$.parameters[*] ? (@.secret == true && @.key == $key)', jsonb_build_object('key', c.params -> 'key')))`.as(
        'secret',
      ),
      ...(['b.queue_minutes as queueMinutes', 'b.rerun_of as rerunOf'] as const),
      ...(['b.queued', 'b.in_flight as inFlight', 'b.succeeded', 'b.failed', 'b.timed_out as timedOut'] as const),
      ...(['b.offline', 'b.cancelled', 'b.refused', 'b.stop_reason as stopped'] as const),
      sql<number>`case when b.in_flight = 0 then 0 else (
        select count(*) from executions e
         where e.batch_id = b.id and (e.state = 'accepted' or e.state = 'ended' and e.file = 'underWay')) end`.as(
        'accepted',
      ),
      sql<number>`case when b.refused = 0 then 0 else (
        select count(*) from executions e where e.batch_id = b.id and e.refused and e.reason in ${ALREADY}) end`.as(
        'same',
      ),
      ...(['b.stopped_by_name as stoppedBy', 'b.ended_at as endedAt'] as const),
      sql<number>`${DEVICES}`.as('devices'),
      sql<boolean>`${withinScope(scope, 'b.customer_id', 'b.site_id')}`.as('visible'),
    ])
    .where('b.operation_id', '=', sql<number>`any(${[...ids]}::int[])`)
    .orderBy('b.id')
    .execute();
  const operations = new Map<number, { batches: StoredBatch[]; outside: StoredOperation['outside'] }>();
  for (const { visible, devices, ...batch } of rows) {
    const { operationId: id } = batch;
    const operation = operations.get(id) ?? { batches: [], outside: { sites: 0, devices: 0 } };
    operations.set(id, operation);
    if (visible) operation.batches.push(batch);
    else {
      operation.outside.sites += 1;
      operation.outside.devices += devices;
    }
  }
  return ids.flatMap((id) => {
    const found = operations.get(id);
    const [first, ...others] = found?.batches ?? [];
    return found && first ? [{ id, batches: [first, ...others], outside: found.outside }] : [];
  });
}

/** The operation with this ID, or with a batch that has it; null if none of its batches is in the scope. */
export async function findOperation(scope: Scope, db: Kysely<Database>, id: number): Promise<StoredOperation | null> {
  const row = await db.selectFrom('command_batches').select('operation_id').where('id', '=', id).executeTakeFirst();
  const [found] = await readOperations(scope, db, [row?.operation_id ?? id]);
  return found ?? null;
}

export interface BatchFilter {
  siteId: number | undefined;
  kind: string | undefined;
  state: 'running' | 'ended' | undefined;
}

/** A page of the operations with a batch in a scope, and their number. */
export async function listOperations(
  scope: Scope,
  db: Kysely<Database>,
  filter: BatchFilter,
  page: { offset: number; limit: number; oldestFirst: boolean },
): Promise<{ items: StoredOperation[]; total: number }> {
  let found = db
    .selectFrom('command_batches as b')
    .innerJoin('commands as c', 'c.id', 'b.command_id')
    .where(withinScope(scope, 'b.customer_id', 'b.site_id'));
  if (filter.siteId !== undefined) found = found.where('b.site_id', '=', filter.siteId);
  if (filter.kind !== undefined) found = found.where('c.kind', '=', filter.kind);
  if (filter.state) {
    const open = sql<SqlBool>`exists (
      select from command_batches o where o.operation_id = b.operation_id and o.ended_at is null
         and ${withinScope(scope, 'o.customer_id', 'o.site_id')})`;
    found = found.where(filter.state === 'running' ? open : sql<SqlBool>`not ${open}`);
  }
  const [ids, { total }] = await Promise.all([
    found
      .select('b.operation_id as id')
      .groupBy('b.operation_id')
      .orderBy('b.operation_id', page.oldestFirst ? 'asc' : 'desc')
      .offset(page.offset)
      .limit(page.limit)
      .execute(),
    found.select(sql<number>`count(distinct b.operation_id)`.as('total')).executeTakeFirstOrThrow(),
  ]);
  const items = await readOperations(
    scope,
    db,
    ids.map(({ id }) => id),
  );
  return { items, total };
}

/** An execution of a batch with its device, if that is still in scope. */
export interface ListedBatchExecution extends ListedExecution {
  deviceId: number | null;
  deviceName: string | null;
  sn: string | null;
  siteName: string | null;
  logId: number | null;
  /** its result; for a command with a file, the result of the transfer, as it is counted */
  outcome: number;
}

const OUTCOME = sql<number>`execution_outcome(executions.state, executions.result, executions.reason, executions.file)`;
/** One of `BATCH_DEVICE_STATES`, by which the counts of a batch are shown. */
const DEVICE_STATE = sql<BatchDeviceState>`
  case batch_count(executions.state, executions.result, executions.reason, executions.refused, executions.file)
    when 'refused' then case when executions.reason in ${ALREADY} then 'same' else 'unable' end
    when 'inFlight' then case when executions.state = 'sent' then 'sent' else 'accepted' end
    else batch_count(executions.state, executions.result, executions.reason, executions.refused, executions.file) end`;

/** A page of the executions of batches, by site, and their number. */
export async function listBatchExecutions(
  scope: Scope,
  db: Kysely<Database>,
  batchIds: readonly number[],
  { state, ...page }: { state: BatchDeviceState | null; offset: number; limit: number; descending: boolean },
): Promise<{ items: ListedBatchExecution[]; total: number }> {
  const direction = page.descending ? 'desc' : 'asc';
  let items = listedExecutions(db)
    .leftJoin('devices', (join) =>
      join
        .onRef('devices.id', '=', 'executions.device_id')
        .on(withinScope(scope, 'devices.customer_id', 'devices.site_id')),
    )
    .leftJoin('sites', 'sites.id', 'devices.site_id')
    .select(['devices.id as deviceId', 'devices.name as deviceName', 'devices.sn', 'sites.name as siteName'])
    .select(
      sql<number | null>`(select l.id from device_logs l join transfers t on t.id = l.transfer_id
        where t.execution_id = executions.id order by l.id desc limit 1)`.as('logId'),
    )
    .select(OUTCOME.as('outcome'))
    .where('executions.batch_id', 'in', [...batchIds]);
  let total = db
    .selectFrom('executions')
    .select((select) => select.fn.countAll<number>().as('total'))
    .where('batch_id', 'in', [...batchIds]);
  if (state) {
    items = items.where(DEVICE_STATE, '=', state);
    total = total.where(DEVICE_STATE, '=', state);
  }
  const [rows, counted] = await Promise.all([
    items
      .orderBy('executions.batch_id', direction)
      .orderBy('executions.queued_at', direction)
      .orderBy('executions.id', direction)
      .offset(page.offset)
      .limit(page.limit)
      .execute(),
    total.executeTakeFirstOrThrow(),
  ]);
  return { items: rows, total: counted.total };
}

/** The devices of batches that are in a scope and still at the site of their batch. */
export async function devicesOfBatches(
  scope: Scope,
  db: Kysely<Database>,
  batchIds: readonly number[],
): Promise<{ deviceId: number; siteId: number }[]> {
  return db
    .selectFrom('executions')
    .innerJoin('devices', 'devices.id', 'executions.device_id')
    .select(['devices.id as deviceId', 'devices.site_id as siteId'])
    .where('executions.batch_id', 'in', [...batchIds])
    .where(withinScope(scope, 'devices.customer_id', 'devices.site_id'))
    .execute();
}

/** Why devices have no success: a device that already had the value or the version has one. */
const FAILED = sql<SqlBool>`${OUTCOME} > 2 and coalesce(executions.reason not in ${ALREADY}, true)`;
/** The reason of a transfer counts only when its command was accepted. */
const TRANSFER_REASON = sql<string | null>`case when executions.result = 2 then transfers.reason end`;

/** The failures of batches by reason, most devices first. */
export async function failuresOf(
  db: Kysely<Database>,
  batchIds: readonly number[],
): Promise<{ outcome: number; reason: string | null; transferReason: string | null; devices: number }[]> {
  return db
    .selectFrom('executions')
    .leftJoin('transfers', 'transfers.execution_id', 'executions.id')
    .select([OUTCOME.as('outcome'), 'executions.reason', TRANSFER_REASON.as('transferReason')])
    .select((select) => select.fn.countAll<number>().as('devices'))
    .where('executions.batch_id', 'in', [...batchIds])
    .where(FAILED)
    .groupBy([OUTCOME, 'executions.reason', TRANSFER_REASON])
    .orderBy('devices', 'desc')
    .orderBy('executions.reason')
    .execute();
}

/**
 * The devices of batches that did not execute the command and are still at their site: all, or those with one reason.
 * Devices that already had the value or the version are left out.
 */
export async function devicesToRetry(
  scope: Scope,
  db: Kysely<Database>,
  batchIds: readonly number[],
  { reason, transferReason }: { reason?: string | undefined; transferReason?: string | undefined },
): Promise<number[]> {
  let query = db
    .selectFrom('executions')
    .innerJoin('command_batches', 'command_batches.id', 'executions.batch_id')
    .innerJoin('devices', (join) =>
      join.onRef('devices.id', '=', 'executions.device_id').onRef('devices.site_id', '=', 'command_batches.site_id'),
    )
    .leftJoin('transfers', 'transfers.execution_id', 'executions.id')
    .select('devices.id')
    .where('executions.batch_id', 'in', [...batchIds])
    .where(FAILED)
    .where(withinScope(scope, 'devices.customer_id', 'devices.site_id'));
  if (transferReason !== undefined) query = query.where(TRANSFER_REASON, '=', transferReason);
  else if (reason !== undefined) query = query.where('executions.reason', '=', reason);
  const rows = await query.orderBy('executions.queued_at').execute();
  return rows.map(({ id }) => id);
}

/** Stops open batches. @returns those that have devices left, and had not stopped */
export async function stopBatches(
  transaction: Transaction<Database>,
  ids: readonly number[],
  userName: string,
): Promise<number[]> {
  const rows = await transaction
    .updateTable('command_batches')
    .set({ stopped_at: sql<Date>`clock_timestamp()`, stop_reason: 'person', stopped_by_name: userName })
    .where('id', 'in', [...ids])
    .where('stopped_at', 'is', null)
    .where('queued', '>', 0)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}
