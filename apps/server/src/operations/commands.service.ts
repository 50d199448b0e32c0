import { randomUUID } from 'node:crypto';
import type { ExecutionRow, NewCommand } from '@chargehand/contract';
import {
  COMMAND_KINDS,
  COMMAND_RULES,
  type Command,
  conflicts,
  deviceRights,
  EXECUTION_RESULTS,
  MAX_WAITING_COMMANDS,
  QUEUE_PATIENCE_MS,
  sameParameterKey,
  settingOf,
  unfitField,
  verificationOf,
} from '@chargehand/domain';
import type { Kysely, Transaction } from 'kysely';
import { logAction } from '../audit/index.ts';
import type { Database } from '../platform/database/schema.ts';
import { notFound, Problem } from '../platform/http/problem.ts';
import type { Caller } from '../ports/caller.ts';
import type { ChangeFeed } from '../ports/changes.ts';
import {
  type CommandedDevice,
  findCommandedDevice,
  findExecution,
  hasConnector,
  insertCommand,
  type ListedExecution,
  listExecutions,
  lockCommandsOf,
  parametersOf,
  readExecution,
  waitingCommands,
  wasSetWithoutAnswer,
} from './commands.store.ts';
import type { Dispatcher } from './dispatcher.ts';
import { type ParameterView, viewParameters } from './parameter-view.ts';

export interface CommandsService {
  /**
   * Records a command and gives it to the device if that is free. Yields the execution as it then stands: in flight,
   * queued behind another, or already ended because the device is offline. Throws the `Problem` that forbids it.
   * @param ahead how many commands of the same request wait before it: it is let in behind them, and waits longer
   */
  send(caller: Caller, deviceId: number, wanted: NewCommand, ahead?: number): Promise<ExecutionRow>;
  /** What was asked of a device. Values of parameters are left out for who may not read parameters. */
  executions(
    caller: Caller,
    deviceId: number,
    page: { page: number; pageSize: number; sort?: string },
  ): Promise<{ items: ExecutionRow[]; total: number }>;
  /** One of them. Throws `notFound` when the device was not asked it. */
  execution(caller: Caller, deviceId: number, executionId: string): Promise<ExecutionRow>;
}

/** What people ask of devices, and what became of it. */
export function commandsService(parts: {
  db: Kysely<Database>;
  dispatcher: Dispatcher;
  changes: ChangeFeed;
}): CommandsService {
  const { db, dispatcher, changes } = parts;
  return {
    async send(caller, deviceId, wanted, ahead = 0) {
      const executionId = await db.transaction().execute(async (transaction) => {
        const device = await visibleDevice(transaction, caller, deviceId);
        const view = await viewParameters(transaction, caller, device);
        requireRight(caller, device, wanted, view);
        const command = commandOf(wanted);
        if (!device.enabled) throw new Problem('deviceDisabled');
        await lockCommandsOf(transaction, deviceId);
        await requireConnector(transaction, deviceId, command.connector);
        await requireRoom(transaction, deviceId, command, ahead);
        return record(transaction, caller, device, await settable(transaction, deviceId, command, view), ahead);
      });
      changes.changed(deviceId, 'executions');
      await dispatcher.wake(deviceId);
      return rowOf(await readExecution(db, executionId), true);
    },

    async executions(caller, deviceId, { page, pageSize, sort }) {
      const device = await visibleDevice(db, caller, deviceId);
      const view = await viewParameters(db, caller, device);
      const { items, total } = await listExecutions(db, deviceId, {
        offset: (page - 1) * pageSize,
        limit: pageSize,
        oldestFirst: sort === 'queuedAt',
      });
      return { items: items.map((item) => rowOf(item, mayReadValue(view, item))), total };
    },

    async execution(caller, deviceId, executionId) {
      const device = await visibleDevice(db, caller, deviceId);
      const found = await findExecution(db, deviceId, executionId);
      if (!found) throw notFound('execution');
      return rowOf(found, mayReadValue(await viewParameters(db, caller, device), found));
    },
  };
}

/** The device with an id, when the caller sees it. @throws Problem `notFound` */
export async function visibleDevice(db: Kysely<Database>, caller: Caller, deviceId: number): Promise<CommandedDevice> {
  const device = await findCommandedDevice(db, caller.scope, deviceId);
  if (!device) throw notFound('device');
  return device;
}

/** The third step of design §5: the level of the caller against that of the item, or of the model where no item is meant. */
function requireRight(caller: Caller, device: CommandedDevice, { kind, key }: NewCommand, view: ParameterView): void {
  const rights = deviceRights(caller.levels, {
    parameterRead: device.parameterReadLevel,
    parameterWrite: device.parameterWriteLevel,
    control: device.controlLevel,
  });
  const suffices = {
    control: rights.control,
    readParameters: key === undefined ? rights.readParameters : view.mayRead(key),
    writeParameters: key === undefined ? rights.setParameters : mayTry(view, key),
  }[COMMAND_RULES[kind].right];
  if (!suffices) throw new Problem('noPermission');
}

/** Who may read what can only be read is told that it is so, and not that they lack a right that nobody has. */
function mayTry(view: ParameterView, key: string): boolean {
  return view.maySet(key) || (view.said(key)?.kind === 'config' && view.mayRead(key));
}

function mayReadValue(view: ParameterView, { params }: ListedExecution): boolean {
  const { key } = params as Command['params'];
  return key === undefined || view.mayRead(key);
}

/** The command that a request stands for, or the problem with its inputs. */
function commandOf({ kind, connector, ...params }: NewCommand): Command {
  const unfit = unfitField(kind, { connector, ...params });
  if (unfit) throw new Problem(unfit.fault === 'missing' ? 'paramMissing' : 'fieldUnknown', { field: unfit.field });
  return { kind, connector: connector ?? 0, params };
}

async function requireConnector(
  transaction: Transaction<Database>,
  deviceId: number,
  connector: number,
): Promise<void> {
  if (connector === 0 || (await hasConnector(transaction, deviceId, connector))) return;
  throw new Problem('connectorUnknown', { field: 'connector', values: { connector } });
}

async function requireRoom(
  transaction: Transaction<Database>,
  deviceId: number,
  command: Command,
  ahead: number,
): Promise<void> {
  const waiting = await waitingCommands(transaction, deviceId);
  if (waiting.length - ahead >= MAX_WAITING_COMMANDS || waiting.some((one) => conflicts(one, command))) {
    throw new Problem('deviceBusy');
  }
}

/** A command that sets a parameter, under the key as the device itself spells it and with the value as its item writes it; any other command as it is. */
async function settable(
  transaction: Transaction<Database>,
  deviceId: number,
  command: Command,
  view: ParameterView,
): Promise<Command> {
  const { key, value } = command.params;
  if (command.kind !== 'setParameter' || key === undefined || value === undefined) return command;
  const stored = await parametersOf(transaction, deviceId);
  const setting = settingOf(stored, view.said(key), key, value);
  if (setting.problem === null) return { ...command, params: { key: setting.key, value: setting.value } };
  const { fault, values } = setting.problem;
  const parameter = stored.find((entry) => sameParameterKey(entry.key, key));
  // A setting that timed out may have been obeyed: what the device holds is then not what it last told.
  if (fault === 'sameValue' && parameter && (await wasSetWithoutAnswer(transaction, deviceId, parameter))) {
    return { ...command, params: { key: setting.key, value } };
  }
  throw new Problem(fault, { field: fault.startsWith('parameter') ? 'key' : 'value', values });
}

async function record(
  transaction: Transaction<Database>,
  caller: Caller,
  device: CommandedDevice,
  command: Command,
  ahead: number,
): Promise<string> {
  const executionId = randomUUID();
  await insertCommand(transaction, {
    ...command,
    executionId,
    deviceId: device.id,
    controlType: COMMAND_KINDS[command.kind],
    requestedBy: caller,
    patienceMs: QUEUE_PATIENCE_MS + ahead * 2 * COMMAND_RULES[command.kind].answerMs,
  });
  await logAction(transaction, caller, {
    operation: 'control',
    objectType: 'device',
    objectId: String(device.id),
    objectName: device.name,
    customerId: device.customerId,
    siteId: device.siteId,
    after: {
      kind: command.kind,
      ...(command.connector === 0 ? {} : { connector: command.connector }),
      ...command.params,
      executionId,
    },
  });
  return executionId;
}

function rowOf(listed: ListedExecution, withValue: boolean): ExecutionRow {
  const { readingState, readingResult, readBack, ...execution } = listed;
  const { value, ...params } = execution.params as Command['params'];
  return {
    ...execution,
    kind: execution.kind as ExecutionRow['kind'],
    params: withValue && value !== undefined ? { ...params, value } : params,
    state: execution.state as ExecutionRow['state'],
    reason: execution.reason as ExecutionRow['reason'],
    queuedAt: execution.queuedAt.toISOString(),
    sentAt: execution.sentAt?.toISOString() ?? null,
    deadlineAt: execution.deadlineAt.toISOString(),
    endedAt: execution.endedAt?.toISOString() ?? null,
    lateAnswerAt: execution.lateAnswerAt?.toISOString() ?? null,
    verification: verified(listed, withValue),
  };
}

function verified(listed: ListedExecution, withValue: boolean): ExecutionRow['verification'] {
  const { readingState, readingResult, readBack } = listed;
  const { value } = listed.params as Command['params'];
  if (readingState === null || value === undefined) return null;
  const read = readingResult === EXECUTION_RESULTS.success ? 'read' : 'failed';
  const state = verificationOf(
    { value, needsRestart: listed.reason === 'rebootRequired' },
    { state: readingState === 'ended' ? read : 'waiting', readBack },
  );
  return { state, value: withValue && (state === 'other' || state === 'afterRestart') ? readBack : null };
}
