import type { ExecutionTransfer } from '@chargehand/contract';
import type { Command, CommandKind, Level, Precondition, Scope, StoredParameter } from '@chargehand/domain';
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { naturally } from '../../platform/database/order/natural-order.ts';
import type { Database } from '../../platform/database/schema.ts';
import { withinScope } from '../../platform/database/scope.ts';
import { duringStayInScope } from '../../ports/devices/device-scope.ts';
import { chargingNow } from '../../telemetry/index.ts';
import type { RequestPart } from './requests.store.ts';

/** The facts that decide whether a command may be sent to a device. */
export interface CommandedDevice {
  id: number;
  sn: string;
  name: string;
  customerId: number;
  siteId: number;
  deviceModelId: number;
  modelName: string;
  siteName: string;
  maintenance: boolean;
  connected: boolean;
  /** the WebSocket subprotocol or MQTT protocol; null if it never connected */
  protocol: string | null;
  /** device, site and customer are all enabled */
  enabled: boolean;
  controlLevel: Level;
  parameterReadLevel: Level;
  parameterWriteLevel: Level;
}

/** A device within a scope, or null. */
export async function findCommandedDevice(
  db: Kysely<Database>,
  scope: Scope,
  deviceId: number,
): Promise<CommandedDevice | null> {
  const row = await commandedDevices(db, scope).where('devices.id', '=', deviceId).executeTakeFirst();
  return row ?? null;
}

/** Those of some devices that are within a scope, by SN. */
export async function findCommandedDevices(
  db: Kysely<Database>,
  scope: Scope,
  deviceIds: readonly number[],
): Promise<CommandedDevice[]> {
  return commandedDevices(db, scope)
    .where('devices.id', '=', sql<number>`any(${[...deviceIds]}::int[])`)
    .orderBy(naturally(sql.ref('devices.sn')))
    .orderBy('devices.id')
    .execute();
}

function commandedDevices(db: Kysely<Database>, scope: Scope) {
  return db
    .selectFrom('devices')
    .innerJoin('sites', 'sites.id', 'devices.site_id')
    .innerJoin('customers', 'customers.id', 'devices.customer_id')
    .innerJoin('device_models', 'device_models.id', 'devices.device_model_id')
    .leftJoin('device_states', 'device_states.device_id', 'devices.id')
    .select([
      'devices.id',
      'devices.sn',
      'devices.name',
      'devices.customer_id as customerId',
      'devices.site_id as siteId',
      'devices.device_model_id as deviceModelId',
      'device_models.name as modelName',
      'sites.name as siteName',
      'devices.maintenance',
      'device_states.protocol',
      sql<boolean>`coalesce(device_states.connected, false)`.as('connected'),
      sql<boolean>`devices.enabled and sites.enabled and customers.enabled`.as('enabled'),
      sql<Level>`device_models.control_level`.as('controlLevel'),
      sql<Level>`device_models.parameter_read_level`.as('parameterReadLevel'),
      sql<Level>`device_models.parameter_write_level`.as('parameterWriteLevel'),
    ])
    .where(withinScope(scope, 'devices.customer_id', 'devices.site_id'));
}

/** First keys of the advisory locks for new commands. The numbers are arbitrary. */
const COMMAND_LOCK = 40_001;
const SITE_LOCK = 40_002;

/**
 * Until the end of the transaction, no other transaction adds a command to this device, alone or in a batch of its
 * site.
 */
export async function lockCommandsOf(
  transaction: Transaction<Database>,
  device: { id: number; siteId: number },
): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${SITE_LOCK}::int, ${device.siteId}::int)`.execute(transaction);
  await sql`select pg_advisory_xact_lock(${COMMAND_LOCK}::int, ${device.id}::int)`.execute(transaction);
}

/**
 * Until the end of the transaction, no other transaction adds a command to a device of this site. One lock instead of a
 * thousand: PostgreSQL has room for some thousands in total.
 */
export async function lockCommandsOfSite(transaction: Transaction<Database>, siteId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${SITE_LOCK}::int, ${siteId}::int)`.execute(transaction);
}

/** The condition that a device has a connector: reported, or defined by its model. */
export function isConnectorOf(deviceId: RawBuilder<unknown>, connector: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(
    exists (select from connectors k where k.device_id = ${deviceId} and k.connector = ${connector})
    or exists (select from devices kd join device_models km on km.id = kd.device_model_id
                where kd.id = ${deviceId} and ${connector} between 1 and km.connector_count))`;
}

/** The commands that a device has not finished. Reading back a parameter does not count. */
export async function waitingCommands(db: Kysely<Database>, deviceId: number): Promise<Command[]> {
  const rows = await db
    .selectFrom('executions')
    .innerJoin('commands', 'commands.id', 'executions.command_id')
    .select(['commands.kind', 'commands.params', 'executions.connector'])
    .where('executions.device_id', '=', deviceId)
    .where('executions.state', 'in', ['queued', 'sent', 'accepted'])
    .where('executions.verifies', 'is', null)
    .execute();
  return rows.map((row) => ({
    kind: row.kind as CommandKind,
    connector: row.connector,
    params: row.params as Command['params'],
  }));
}

/** The devices on which a vehicle is charging: at this connector, or with 0 at any. */
export async function devicesCharging(
  db: Kysely<Database>,
  deviceIds: readonly number[],
  connector: number,
): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ id: number }>`
    select d.id from unnest(${[...deviceIds]}::int[]) as d (id)
     where ${chargingNow(sql`d.id`, sql`${connector}::int`)}`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** The charging session in progress at a connector; the newest if several are open; null if there is none. */
export async function openSession(db: Kysely<Database>, deviceId: number, connector: number): Promise<number | null> {
  const row = await db
    .selectFrom('transactions')
    .select('id')
    .where('device_id', '=', deviceId)
    .where('connector', '=', connector)
    .where('stopped_at', 'is', null)
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** The device's identifier of a session in progress, or our number; null if the session has ended. */
export async function sessionName(db: Kysely<Database>, deviceId: number, id: number): Promise<string | null> {
  const row = await db
    .selectFrom('transactions')
    .select(['id', 'external_id'])
    .where('id', '=', id)
    .where('device_id', '=', deviceId)
    .where('stopped_at', 'is', null)
    .executeTakeFirst();
  return row ? (row.external_id ?? String(row.id)) : null;
}

/** The parameters as last reported, by key. */
export async function parametersOf(
  db: Kysely<Database>,
  deviceId: number,
): Promise<(StoredParameter & { readAt: Date })[]> {
  return db
    .selectFrom('device_parameters')
    .select(['key', 'value', 'readonly', 'read_at as readAt'])
    .where('device_id', '=', deviceId)
    .orderBy(naturally(sql.ref('key')))
    .execute();
}

/** Inserts a command and its queued execution. */
export async function insertCommand(
  transaction: Transaction<Database>,
  command: Command & {
    executionId: string;
    deviceId: number;
    controlType: number;
    requestedBy: { userId: number | null; userName: string };
    request?: RequestPart | null;
    /** how long (ms) it may wait in the queue */
    timeoutMs: number;
    /** it waits as long for a device that is offline */
    waits: boolean;
    /** not sent before; null: at once */
    notBefore?: Date | null;
    /** not sent while a vehicle is charging */
    whenIdle?: boolean;
    precondition: Precondition | null;
  },
): Promise<void> {
  const id = await insertCommandRow(transaction, command);
  const deadline = sql<Date>`clock_timestamp() + make_interval(secs => ${command.timeoutMs / 1000})`;
  await transaction
    .insertInto('executions')
    .values({
      id: command.executionId,
      command_id: id,
      device_id: command.deviceId,
      connector: command.connector,
      // The clock, not the start of the transaction: waiting for the lock must not change the order.
      queued_at: sql<Date>`clock_timestamp()`,
      deadline_at: deadline,
      waits_until: command.waits ? deadline : null,
      precondition: command.precondition,
      not_before: command.notBefore ?? null,
      when_idle: command.whenIdle ?? false,
    })
    .execute();
}

/** Records a command and its author. Its executions contain the devices. */
export async function insertCommandRow(
  transaction: Transaction<Database>,
  command: Pick<Command, 'kind' | 'params'> & {
    controlType: number;
    requestedBy: { userId: number | null; userName: string };
    request?: RequestPart | null;
  },
): Promise<number> {
  const { id } = await transaction
    .insertInto('commands')
    .values({
      kind: command.kind,
      control_type: command.controlType,
      params: JSON.stringify(command.params),
      requested_by: command.requestedBy.userId,
      requested_by_name: command.requestedBy.userName,
      request_key: command.request?.key ?? null,
      request_part: command.request?.part ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** The type of a token in the list of a device's customer; null when the list has none with this value. */
export async function listedType(db: Kysely<Database>, deviceId: number, value: string): Promise<string | null> {
  const { rows } = await sql<{ type: string }>`
    select t.type from tokens t join devices d on d.customer_id = t.customer_id
     where d.id = ${deviceId} and t.value_key = lower(${value})`.execute(db);
  return rows[0]?.type ?? null;
}

/** An execution as the list shows it. */
export interface ListedExecution {
  id: string;
  commandId: number;
  kind: string;
  controlType: number;
  connector: number;
  params: unknown;
  state: string;
  result: number;
  reason: string | null;
  detail: string | null;
  requestedBy: string;
  queuedAt: Date;
  sentAt: Date | null;
  deadlineAt: Date;
  endedAt: Date | null;
  lateAnswerAt: Date | null;
  /** the execution that reads back the parameter that was set, if there is one */
  readingState: string | null;
  readingResult: number | null;
  readBack: string | null;
  waitsUntil: Date | null;
  batchId: number | null;
  /** times are text, as in JSON */
  transfer: ExecutionTransfer | null;
}

/** A page of the executions of a device that users requested, and their total number. */
export async function listExecutions(
  scope: Scope,
  db: Kysely<Database>,
  deviceId: number,
  page: { offset: number; limit: number; oldestFirst: boolean },
): Promise<{ items: ListedExecution[]; total: number }> {
  const direction = page.oldestFirst ? 'asc' : 'desc';
  const [items, { total }] = await Promise.all([
    listedExecutions(db)
      .where('executions.device_id', '=', deviceId)
      .where('executions.verifies', 'is', null)
      .where(duringStayInScope(scope, deviceId, 'executions.queued_at'))
      .orderBy('executions.queued_at', direction)
      .orderBy('executions.id', direction)
      .offset(page.offset)
      .limit(page.limit)
      .execute(),
    db
      .selectFrom('executions')
      .select((select) => select.fn.countAll<number>().as('total'))
      .where('device_id', '=', deviceId)
      .where('verifies', 'is', null)
      .where(duringStayInScope(scope, deviceId, 'queued_at'))
      .executeTakeFirstOrThrow(),
  ]);
  return { items, total };
}

/** The current state of one execution. */
export async function readExecution(db: Kysely<Database>, executionId: string): Promise<ListedExecution> {
  return listedExecutions(db).where('executions.id', '=', executionId).executeTakeFirstOrThrow();
}

/** The same; null when it belongs to another device. */
export async function findExecution(
  scope: Scope,
  db: Kysely<Database>,
  deviceId: number,
  executionId: string,
): Promise<ListedExecution | null> {
  const found = listedExecutions(db)
    .where('executions.id', '=', executionId)
    .where(duringStayInScope(scope, deviceId, 'executions.queued_at'));
  return (await found.where('executions.device_id', '=', deviceId).executeTakeFirst()) ?? null;
}

/** The answer of a device to an execution; null when there is none, or an empty one. */
export async function answerOf(db: Kysely<Database>, executionId: string): Promise<unknown> {
  const row = await db.selectFrom('executions').select('answer').where('id', '=', executionId).executeTakeFirst();
  return row?.answer ?? null;
}

const TRANSFER = sql<ExecutionTransfer | null>`(
  select json_build_object('kind', t.kind, 'state', t.state, 'reason', t.reason, 'detail', t.detail, 'size', t.size,
                           'bytes', t.bytes, 'endedAt', t.ended_at)
    from transfers t where t.execution_id = executions.id)`;

/** Executions with their commands, as lists show them. */
export function listedExecutions(db: Kysely<Database>) {
  return db
    .selectFrom('executions')
    .innerJoin('commands', 'commands.id', 'executions.command_id')
    .leftJoin('executions as reading', 'reading.verifies', 'executions.id')
    .select([
      'executions.id',
      'executions.command_id as commandId',
      'commands.kind',
      'commands.control_type as controlType',
      'executions.connector',
      'commands.params',
      'executions.state',
      'executions.result',
      'executions.reason',
      'executions.detail',
      'commands.requested_by_name as requestedBy',
      'executions.queued_at as queuedAt',
      'executions.sent_at as sentAt',
      'executions.deadline_at as deadlineAt',
      'executions.ended_at as endedAt',
      'executions.late_answer_at as lateAnswerAt',
      'reading.state as readingState',
      'reading.result as readingResult',
      'reading.read_back as readBack',
      'executions.waits_until as waitsUntil',
      'executions.batch_id as batchId',
      TRANSFER.as('transfer'),
    ]);
}
