import { randomUUID } from 'node:crypto';
import type { ExecutionRow, NewCommand, ParameterRow } from '@chargehand/contract';
import {
  COMMAND_KINDS,
  COMMAND_RULES,
  type Command,
  type CommandKind,
  conflicts,
  deviceRights,
  levelSuffices,
  MAX_WAITING_COMMANDS,
  QUEUE_PATIENCE_MS,
  sameParameterKey,
  settingProblem,
  unfitField,
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

export interface CommandsService {
  /**
   * Records a command and gives it to the device if that is free. Yields the execution as it then stands: in flight,
   * queued behind another, or already ended because the device is offline. Throws the `Problem` that forbids it.
   */
  send(caller: Caller, deviceId: number, wanted: NewCommand): Promise<ExecutionRow>;
  /** What was asked of a device. Values of parameters are left out for who may not read parameters. */
  executions(
    caller: Caller,
    deviceId: number,
    page: { page: number; pageSize: number; sort?: string },
  ): Promise<{ items: ExecutionRow[]; total: number }>;
  /** The parameters of a device as it last told them. */
  parameters(caller: Caller, deviceId: number): Promise<ParameterRow[]>;
}

/** What people ask of devices, and what became of it. */
export function commandsService(parts: {
  db: Kysely<Database>;
  dispatcher: Dispatcher;
  changes: ChangeFeed;
}): CommandsService {
  const { db, dispatcher, changes } = parts;
  return {
    async send(caller, deviceId, wanted) {
      const executionId = await db.transaction().execute(async (transaction) => {
        const device = await visibleDevice(transaction, caller, deviceId);
        requireRight(caller, device, wanted.kind);
        const command = commandOf(wanted);
        if (!device.enabled) throw new Problem('deviceDisabled');
        await lockCommandsOf(transaction, deviceId);
        await requireConnector(transaction, deviceId, command.connector);
        await requireRoom(transaction, deviceId, command);
        return record(transaction, caller, device, await settable(transaction, deviceId, command));
      });
      changes.changed(deviceId, 'executions');
      await dispatcher.wake(deviceId);
      return rowOf(await readExecution(db, executionId), true);
    },

    async executions(caller, deviceId, { page, pageSize, sort }) {
      const device = await visibleDevice(db, caller, deviceId);
      const readable = levelSuffices(caller.levels.params.read, device.parameterReadLevel);
      const { items, total } = await listExecutions(db, deviceId, {
        offset: (page - 1) * pageSize,
        limit: pageSize,
        oldestFirst: sort === 'queuedAt',
      });
      return { items: items.map((item) => rowOf(item, readable)), total };
    },

    async parameters(caller, deviceId) {
      const device = await visibleDevice(db, caller, deviceId);
      requireRight(caller, device, 'refreshParameters');
      const parameters = await parametersOf(db, deviceId);
      return parameters.map((parameter) => ({ ...parameter, readAt: parameter.readAt.toISOString() }));
    },
  };
}

async function visibleDevice(db: Kysely<Database>, caller: Caller, deviceId: number): Promise<CommandedDevice> {
  const device = await findCommandedDevice(db, caller.scope, deviceId);
  if (!device) throw notFound('device');
  return device;
}

/** The third step of design §5: the level of the caller against that of the model. */
function requireRight(caller: Caller, device: CommandedDevice, kind: CommandKind): void {
  const rights = deviceRights(caller.levels, {
    parameterRead: device.parameterReadLevel,
    parameterWrite: device.parameterWriteLevel,
    control: device.controlLevel,
  });
  const suffices = {
    control: rights.control,
    readParameters: rights.readParameters,
    writeParameters: rights.setParameters,
  }[COMMAND_RULES[kind].right];
  if (!suffices) throw new Problem('noPermission');
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

async function requireRoom(transaction: Transaction<Database>, deviceId: number, command: Command): Promise<void> {
  const waiting = await waitingCommands(transaction, deviceId);
  if (waiting.length >= MAX_WAITING_COMMANDS || waiting.some((one) => conflicts(one, command))) {
    throw new Problem('deviceBusy');
  }
}

/** A command that sets a parameter, under the key as the device itself spells it; any other command as it is. */
async function settable(transaction: Transaction<Database>, deviceId: number, command: Command): Promise<Command> {
  const { key, value } = command.params;
  if (command.kind !== 'setParameter' || key === undefined || value === undefined) return command;
  const stored = await parametersOf(transaction, deviceId);
  const problem = settingProblem(stored, key, value);
  const parameter = stored.find((entry) => sameParameterKey(entry.key, key));
  // A setting that timed out may have been obeyed: what the device holds is then not what it last told.
  const inDoubt = problem === 'sameValue' && (await wasSetWithoutAnswer(transaction, deviceId, parameter!));
  if (problem && !inDoubt) {
    throw new Problem(problem, { field: problem === 'sameValue' ? 'value' : 'key', values: { key } });
  }
  return { ...command, params: { key: parameter?.key ?? key, value } };
}

async function record(
  transaction: Transaction<Database>,
  caller: Caller,
  device: CommandedDevice,
  command: Command,
): Promise<string> {
  const executionId = randomUUID();
  await insertCommand(transaction, {
    ...command,
    executionId,
    deviceId: device.id,
    controlType: COMMAND_KINDS[command.kind],
    requestedBy: caller,
    patienceMs: QUEUE_PATIENCE_MS,
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

function rowOf(execution: ListedExecution, withValue: boolean): ExecutionRow {
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
  };
}
