import {
  type Command,
  type CommandKind,
  EXECUTION_RESULTS,
  type Level,
  type Scope,
  type StoredParameter,
} from '@chargehand/domain';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import { withinScope } from '../platform/database/scope.ts';

/** What decides whether somebody may ask something of a device. */
export interface CommandedDevice {
  id: number;
  sn: string;
  name: string;
  customerId: number;
  siteId: number;
  deviceModelId: number;
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
  const row = await db
    .selectFrom('devices')
    .innerJoin('sites', 'sites.id', 'devices.site_id')
    .innerJoin('customers', 'customers.id', 'devices.customer_id')
    .innerJoin('device_models', 'device_models.id', 'devices.device_model_id')
    .select([
      'devices.id',
      'devices.sn',
      'devices.name',
      'devices.customer_id as customerId',
      'devices.site_id as siteId',
      'devices.device_model_id as deviceModelId',
      sql<boolean>`devices.enabled and sites.enabled and customers.enabled`.as('enabled'),
      sql<Level>`device_models.control_level`.as('controlLevel'),
      sql<Level>`device_models.parameter_read_level`.as('parameterReadLevel'),
      sql<Level>`device_models.parameter_write_level`.as('parameterWriteLevel'),
    ])
    .where('devices.id', '=', deviceId)
    .where(withinScope(scope, 'devices.customer_id', 'devices.site_id'))
    .executeTakeFirst();
  return row ?? null;
}

/** First key of the advisory locks under which new commands of one device are weighed one after the other; any number of our own. */
const COMMAND_LOCK = 40_001;

/** Until the end of the transaction nobody else adds a command to this device. */
export async function lockCommandsOf(transaction: Transaction<Database>, deviceId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${COMMAND_LOCK}::int, ${deviceId}::int)`.execute(transaction);
}

/** True when the device has told of this connector. */
export async function hasConnector(db: Kysely<Database>, deviceId: number, connector: number): Promise<boolean> {
  const row = await db
    .selectFrom('connectors')
    .select('connector')
    .where('device_id', '=', deviceId)
    .where('connector', '=', connector)
    .executeTakeFirst();
  return row !== undefined;
}

/** What a device still has to do or to answer at somebody's wish; reading back what was set stands in nobody's way. */
export async function waitingCommands(db: Kysely<Database>, deviceId: number): Promise<Command[]> {
  const rows = await db
    .selectFrom('executions')
    .innerJoin('commands', 'commands.id', 'executions.command_id')
    .select(['commands.kind', 'commands.params', 'executions.connector'])
    .where('executions.device_id', '=', deviceId)
    .where('executions.state', 'in', ['queued', 'sent'])
    .where('executions.verifies', 'is', null)
    .execute();
  return rows.map((row) => ({
    kind: row.kind as CommandKind,
    connector: row.connector,
    params: row.params as Command['params'],
  }));
}

/** The parameters as the device last told them, by key. */
export async function parametersOf(
  db: Kysely<Database>,
  deviceId: number,
): Promise<(StoredParameter & { readAt: Date })[]> {
  return db
    .selectFrom('device_parameters')
    .select(['key', 'value', 'readonly', 'read_at as readAt'])
    .where('device_id', '=', deviceId)
    .orderBy('key')
    .execute();
}

/** True when the device was asked to set a parameter since it last told it, and the answer never came in time. */
export async function wasSetWithoutAnswer(
  db: Kysely<Database>,
  deviceId: number,
  parameter: { key: string; readAt: Date },
): Promise<boolean> {
  const row = await db
    .selectFrom('executions')
    .innerJoin('commands', 'commands.id', 'executions.command_id')
    .select('executions.id')
    .where('executions.device_id', '=', deviceId)
    .where('commands.kind', '=', 'setParameter')
    .where('executions.result', '=', EXECUTION_RESULTS.timeout)
    .where('executions.sent_at', '>', parameter.readAt)
    .where(sql`lower(commands.params ->> 'key')`, '=', parameter.key.toLowerCase())
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Records a command and its queued execution. */
export async function insertCommand(
  transaction: Transaction<Database>,
  command: Command & {
    executionId: string;
    deviceId: number;
    controlType: number;
    requestedBy: { userId: number; userName: string };
    /** how long (ms) it may wait for its turn */
    patienceMs: number;
  },
): Promise<void> {
  const { id } = await transaction
    .insertInto('commands')
    .values({
      kind: command.kind,
      control_type: command.controlType,
      params: JSON.stringify(command.params),
      requested_by: command.requestedBy.userId,
      requested_by_name: command.requestedBy.userName,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await transaction
    .insertInto('executions')
    .values({
      id: command.executionId,
      command_id: id,
      device_id: command.deviceId,
      connector: command.connector,
      // the clock and not the transaction's start: waiting for the lock must not turn the order round
      queued_at: sql<Date>`clock_timestamp()`,
      deadline_at: sql<Date>`clock_timestamp() + make_interval(secs => ${command.patienceMs / 1000})`,
    })
    .execute();
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
  /** what reads back the parameter that was set, where something does */
  readingState: string | null;
  readingResult: number | null;
  readBack: string | null;
}

/** A page of the executions of a device that somebody asked for, and how many there are. */
export async function listExecutions(
  db: Kysely<Database>,
  deviceId: number,
  page: { offset: number; limit: number; oldestFirst: boolean },
): Promise<{ items: ListedExecution[]; total: number }> {
  const direction = page.oldestFirst ? 'asc' : 'desc';
  const [items, { total }] = await Promise.all([
    listedExecutions(db)
      .where('executions.device_id', '=', deviceId)
      .where('executions.verifies', 'is', null)
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
      .executeTakeFirstOrThrow(),
  ]);
  return { items, total };
}

/** One execution, as it stands now. */
export async function readExecution(db: Kysely<Database>, executionId: string): Promise<ListedExecution> {
  return listedExecutions(db).where('executions.id', '=', executionId).executeTakeFirstOrThrow();
}

/** The same, null when the device was not asked it. */
export async function findExecution(
  db: Kysely<Database>,
  deviceId: number,
  executionId: string,
): Promise<ListedExecution | null> {
  const found = listedExecutions(db).where('executions.id', '=', executionId);
  return (await found.where('executions.device_id', '=', deviceId).executeTakeFirst()) ?? null;
}

function listedExecutions(db: Kysely<Database>) {
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
    ]);
}
