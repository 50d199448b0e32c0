import { randomUUID } from 'node:crypto';
import type { ExecutionRow, NewCommand, OfferedControl } from '@chargehand/contract';
import {
  COMMAND_KINDS,
  COMMAND_RULES,
  type Command,
  type CommandKind,
  conflicts,
  controlOf,
  EXECUTION_RESULTS,
  executionResultOf,
  MAX_WAITING_COMMANDS,
  mayReadTokens,
  meets,
  nextExecution,
  outcomeOf,
  type Precondition,
  QUEUE_TIMEOUT_MS,
  type Scope,
  sameParameterKey,
  settingOf,
  transferOf,
  transferResult,
  unmetPrecondition,
  valueWithoutTokens,
  verificationOf,
} from '@chargehand/domain';
import type { Kysely, Transaction } from 'kysely';
import { logAction } from '../../audit/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import type { Events } from '../../ports/events.ts';
import type { MessageCatalog } from '../../ports/message-catalog.ts';
import type { PlannedTransfers, TransferDesk, TransferRefusal } from '../../ports/transfers.ts';
import type { Dispatcher } from '../dispatcher.ts';
import { lockExecutions, queryOf, writeEnds } from '../executions.store.ts';
import { type ParameterView, viewParameters } from '../parameters/parameter-view.ts';
import {
  answerOf,
  type CommandedDevice,
  devicesCharging,
  findCommandedDevice,
  findExecution,
  hasConnector,
  insertCommand,
  type ListedExecution,
  listExecutions,
  listedType,
  lockCommandsOf,
  openSession,
  parametersOf,
  readExecution,
  waitingCommands,
  wasSetWithoutAnswer,
} from './commands.store.ts';
import {
  commandOf,
  levelsFor,
  preconditionNow,
  preconditionOf,
  requireControl,
  requireNamedParams,
  type Waiting,
  waitingOf,
} from './control-rules.ts';
import { requireEveryParameter, requireMessage } from './messages.service.ts';
import { offeredControls } from './offered-controls.ts';
import { devicePart, executionRequestedWith, type RequestPart } from './requests.store.ts';

export interface CommandsService {
  /**
   * Creates a command and sends it if the device is free. Returns the execution: in progress, queued behind another
   * one, or ended because the device is offline. Throws the `Problem` that prevents it.
   * @param ahead how many commands of the same request wait before it; it is queued behind them and may wait longer
   * @param place which command to this device it is in the request
   */
  send(
    caller: Caller,
    deviceId: number,
    wanted: NewCommand,
    order?: { ahead: number; place: number },
  ): Promise<ExecutionRow>;
  /** Sends a follow-up command for an earlier command. Does nothing if the device is busy. */
  sendFor(deviceId: number, command: Command, by: { userId: number | null; userName: string }): Promise<void>;
  /** The commands sent to a device. Parameter values are left out for callers who may not read parameters. */
  executions(
    caller: Caller,
    deviceId: number,
    page: { page: number; pageSize: number; sort?: string },
  ): Promise<{ items: ExecutionRow[]; total: number }>;
  /** One execution. Throws `notFound` if it belongs to another device. */
  execution(caller: Caller, deviceId: number, executionId: string): Promise<ExecutionRow & { answer: unknown }>;
  /** The controls of a device, and which of them the caller may use. */
  controls(caller: Caller, deviceId: number): Promise<OfferedControl[]>;
  /** Cancels a queued execution. Throws `executionNotQueued` if it was sent or has ended. */
  cancel(caller: Caller, executionId: string): Promise<ExecutionRow>;
}

/** Commands to devices and their results. */
export function commandsService(parts: {
  db: Kysely<Database>;
  dispatcher: Dispatcher;
  events: Events;
  transfers: TransferDesk;
  messages: MessageCatalog;
}): CommandsService {
  const { db, dispatcher, events, transfers, messages } = parts;

  const sendFor: CommandsService['sendFor'] = async (deviceId, command, by) => {
    const added = await db.transaction().execute(async (transaction) => {
      const device = await findCommandedDevice(transaction, EVERYWHERE, deviceId);
      if (!device) return false;
      await lockCommandsOf(transaction, device);
      const waiting = await waitingCommands(transaction, deviceId);
      if (waiting.length >= MAX_WAITING_COMMANDS || waiting.some((one) => conflicts(one, command))) return false;
      await insertCommand(transaction, {
        ...command,
        executionId: randomUUID(),
        deviceId,
        controlType: COMMAND_KINDS[command.kind],
        requestedBy: by,
        timeoutMs: QUEUE_TIMEOUT_MS,
        waits: false,
        precondition: null,
      });
      return true;
    });
    if (!added) return;
    events.publish('device.executions', { id: deviceId });
    await dispatcher.wake(deviceId);
  };

  /** A device that forgot a transfer answers that it is idle, which is evidence against the transfer. */
  async function requestStatus(deviceId: number, kind: CommandKind): Promise<void> {
    const message = await transfers.statusMessage(deviceId, kind);
    if (message) await sendFor(deviceId, { kind: 'triggerMessage', connector: 0, params: { message } }, SYSTEM_USER);
  }

  return {
    async send(caller, deviceId, wanted, { ahead, place } = { ahead: 0, place: 0 }) {
      let busy = false;
      const created = db.transaction().execute(async (transaction) => {
        const device = await visibleDevice(transaction, caller, deviceId);
        const request = devicePart(wanted.requestKey, deviceId, place);
        const sent = request && (await executionRequestedWith(transaction, caller, request));
        if (sent) return sent;
        const view = await viewParameters(transaction, caller, device);
        const control = requireControl(caller, device, view, wanted);
        if (wanted.kind === 'sendMessage') requireEveryParameter(view);
        const command = commandOf(wanted);
        requireNamedParams(command, control);
        if (command.kind === 'sendMessage') requireMessage(messages, device, view, command.params);
        const waiting = waitingOf(wanted);
        if (!device.enabled) throw new Problem('deviceDisabled');
        await lockCommandsOf(transaction, device);
        await requireConnector(transaction, deviceId, command.connector);
        await requirePrecondition(
          transaction,
          device,
          command.connector,
          preconditionNow(preconditionOf(control), waiting),
        );
        await requireRoom(transaction, deviceId, command, ahead);
        const planned =
          transferOf(command.kind) === null
            ? null
            : await transfers.plan(transaction, { deviceIds: [deviceId], kind: command.kind, inputs: command.params });
        const refusal = planned?.refusals.get(deviceId);
        busy = refusal === 'deviceBusy';
        if (planned && refusal) throw transferProblem(refusal, planned.params);
        const id = randomUUID();
        const settled = planned
          ? { ...command, params: planned.params }
          : await sessionOf(transaction, deviceId, id, await settable(transaction, deviceId, command, view));
        await record(transaction, caller, device, settled, {
          executionId: id,
          request,
          ...waiting,
          timeoutMs: waiting.timeoutMs + ahead * 2 * COMMAND_RULES[command.kind].answerMs,
          precondition: preconditionOf(control),
        });
        await planned?.begin([{ executionId: id, deviceId }], caller);
        return id;
      });
      const executionId = await created.catch(async (error) => {
        if (busy) await requestStatus(deviceId, wanted.kind);
        throw error;
      });
      if (transferOf(wanted.kind) !== null) events.publish('device.transfers', { id: deviceId });
      events.publish('device.executions', { id: deviceId });
      await dispatcher.wake(deviceId);
      return rowOf(await readExecution(db, executionId), true, mayReadTokens(caller.levels));
    },

    sendFor,

    async executions(caller, deviceId, { page, pageSize, sort }) {
      const device = await visibleDevice(db, caller, deviceId);
      const view = await viewParameters(db, caller, device);
      const { items, total } = await listExecutions(caller.scope, db, deviceId, {
        offset: (page - 1) * pageSize,
        limit: pageSize,
        oldestFirst: sort === 'queuedAt',
      });
      const tokens = mayReadTokens(caller.levels);
      return { items: items.map((item) => rowOf(item, mayReadValue(caller, device, view, item), tokens)), total };
    },

    async execution(caller, deviceId, executionId) {
      const device = await visibleDevice(db, caller, deviceId);
      const found = await findExecution(caller.scope, db, deviceId, executionId);
      if (!found) throw notFound('execution');
      const reads = mayReadValue(caller, device, await viewParameters(db, caller, device), found);
      const tokens = mayReadTokens(caller.levels);
      const answer = found.kind === 'sendMessage' && reads ? await answerOf(db, executionId) : null;
      return { ...rowOf(found, reads, tokens), answer: tokens ? answer : valueWithoutTokens(answer) };
    },

    async controls(caller, deviceId) {
      const device = await visibleDevice(db, caller, deviceId);
      const view = await viewParameters(db, caller, device);
      const session = (await devicesCharging(db, [deviceId], 0)).has(deviceId);
      return offeredControls(caller, device, view.description, { session, maintenance: device.maintenance });
    },

    async cancel(caller, executionId) {
      const deviceId = await db.transaction().execute(async (transaction) => {
        const client = queryOf(transaction);
        const [execution] = EXECUTION_ID.test(executionId) ? await lockExecutions(client, [executionId]) : [];
        const device = execution && (await findCommandedDevice(transaction, caller.scope, execution.deviceId));
        if (!execution || !device) throw notFound('execution');
        const { kind, params } = await readExecution(transaction, executionId);
        await requireGiver(transaction, caller, device, kind as CommandKind, params as Command['params']);
        const next = nextExecution(execution, { type: 'cancelled', reason: 'cancelled' });
        if (!next) throw new Problem('executionNotQueued');
        await writeEnds(client, [{ executionId, execution: next, at: null, detail: null, answer: null }]);
        await logControl(transaction, caller, device, { kind, cancelled: true, executionId });
        return device.id;
      });
      events.publish('device.executions', { id: deviceId });
      return rowOf(await readExecution(db, executionId), false, mayReadTokens(caller.levels));
    },
  };
}

const SYSTEM_USER = { userId: null, userName: '' };
/** The product itself sees every device. */
const EVERYWHERE: Scope = { customers: 'all', sites: 'all' };
const EXECUTION_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The device with an ID, if the caller sees it. @throws Problem `notFound` */
export async function visibleDevice(db: Kysely<Database>, caller: Caller, deviceId: number): Promise<CommandedDevice> {
  const device = await findCommandedDevice(db, caller.scope, deviceId);
  if (!device) throw notFound('device');
  return device;
}

/** A caller who may send a command may cancel it, even if the model has changed. @throws Problem `noPermission` */
async function requireGiver(
  transaction: Transaction<Database>,
  caller: Caller,
  device: CommandedDevice,
  kind: CommandKind,
  { key }: Command['params'],
): Promise<void> {
  const view = await viewParameters(transaction, caller, device);
  if (key !== undefined && COMMAND_RULES[kind].right === 'writeParameters') {
    if (!view.maySet(key)) throw new Problem('noPermission');
  } else if (!meets(caller.levels, levelsFor(device, kind, controlOf(view.description, kind)))) {
    throw new Problem('noPermission');
  }
}

function transferProblem(refusal: TransferRefusal, { version }: PlannedTransfers['params']): Problem {
  if (refusal === 'deviceBusy') return new Problem('deviceBusy');
  return new Problem('firmwareRunning', { field: 'firmwareId', values: { version: version ?? '' } });
}

function mayReadValue(
  caller: Caller,
  device: CommandedDevice,
  view: ParameterView,
  { kind, params }: ListedExecution,
): boolean {
  // A message and its response may contain the value of any parameter.
  if (kind === 'sendMessage') return meets(caller.levels, levelsFor(device, kind, controlOf(view.description, kind)));
  const { key } = params as Command['params'];
  return key === undefined || (view.mayRead(key) && !view.isSecret(key));
}

async function requireConnector(
  transaction: Transaction<Database>,
  deviceId: number,
  connector: number,
): Promise<void> {
  if (connector === 0 || (await hasConnector(transaction, deviceId, connector))) return;
  throw new Problem('connectorUnknown', { field: 'connector', values: { connector } });
}

/** What prevents a command before it is queued. @throws {Problem} the precondition, and what to do */
async function requirePrecondition(
  transaction: Transaction<Database>,
  device: CommandedDevice,
  connector: number,
  precondition: Precondition | null,
): Promise<void> {
  if (precondition === null) return;
  const session = (await devicesCharging(transaction, [device.id], connector)).has(device.id);
  const unmet = unmetPrecondition(precondition, { session, maintenance: device.maintenance });
  if (unmet) throw new Problem(unmet);
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

/**
 * A command that sets a parameter, with the key as the device spells it and the value in the notation of its item.
 * Other commands are unchanged.
 */
async function settable(
  transaction: Transaction<Database>,
  deviceId: number,
  command: Command,
  view: ParameterView,
): Promise<Command> {
  const { key, value } = command.params;
  if (command.kind !== 'setParameter' || key === undefined || value === undefined) return command;
  const stored = await parametersOf(transaction, deviceId);
  const setting = settingOf(stored, view.describe(key), key, value);
  if (setting.problem === null) return { ...command, params: { key: setting.key, value: setting.value } };
  const { fault, values } = setting.problem;
  const parameter = stored.find((entry) => sameParameterKey(entry.key, key));
  // A setting that timed out may have been executed, so the value may differ from the last report.
  if (fault === 'sameValue' && parameter && (await wasSetWithoutAnswer(transaction, deviceId, parameter))) {
    return { ...command, params: { key: setting.key, value } };
  }
  throw new Problem(fault, { field: fault.startsWith('parameter') ? 'key' : 'value', values });
}

/**
 * A command with its session: a remote start with an identifier, a remote stop with the session in progress at its
 * connector.
 * @throws {Problem} noSession
 */
async function sessionOf(
  transaction: Transaction<Database>,
  deviceId: number,
  executionId: string,
  command: Command,
): Promise<Command> {
  if (command.kind === 'remoteStart') {
    const { idTag } = command.params;
    if (idTag === undefined) return { ...command, params: { idTag: idTagOf(executionId) } };
    const idTokenType = await listedType(transaction, deviceId, idTag);
    return { ...command, params: { ...command.params, ...(idTokenType === null ? {} : { idTokenType }) } };
  }
  if (command.kind !== 'remoteStop') return command;
  const transactionId = await openSession(transaction, deviceId, command.connector);
  if (transactionId === null) throw new Problem('noSession', { field: 'connector' });
  return { ...command, params: { transactionId } };
}

/** An identifier that no other session has, in the 20 characters of OCPP 1.6. */
function idTagOf(executionId: string): string {
  return `CH${executionId.replaceAll('-', '').slice(0, 12).toUpperCase()}`;
}

async function record(
  transaction: Transaction<Database>,
  caller: Caller,
  device: CommandedDevice,
  command: Command,
  waiting: Waiting & { executionId: string; request: RequestPart | null; precondition: Precondition | null },
): Promise<void> {
  const { executionId } = waiting;
  await insertCommand(transaction, {
    ...command,
    deviceId: device.id,
    controlType: COMMAND_KINDS[command.kind],
    requestedBy: caller,
    ...waiting,
  });
  await logControl(transaction, caller, device, {
    kind: command.kind,
    ...(command.connector === 0 ? {} : { connector: command.connector }),
    // The action log has readers who may not read tokens.
    ...valueWithoutTokens(command.params),
    ...(waiting.waits && !waiting.whenIdle ? { queueMinutes: waiting.timeoutMs / 60_000 } : {}),
    executionId,
  });
}

function logControl(transaction: Transaction<Database>, caller: Caller, device: CommandedDevice, after: object) {
  return logAction(transaction, caller, {
    operation: 'control',
    objectType: 'device',
    objectId: String(device.id),
    objectName: device.name,
    customerId: device.customerId,
    siteId: device.siteId,
    after,
  });
}

/**
 * An execution for the API. The parameter value is included only for callers who may read it; tokens are masked for those
 * who may not read them.
 */
export function rowOf(listed: ListedExecution, withValue: boolean, readsTokens: boolean): ExecutionRow {
  const { readingState, readingResult, readBack, waitsUntil, transfer, ...execution } = listed;
  const given = execution.params as Command['params'];
  const { value, payload, ...params } = readsTokens ? given : valueWithoutTokens(given);
  const result = executionResultOf(execution.result);
  const [state, reason] = [execution.state as ExecutionRow['state'], execution.reason as ExecutionRow['reason']];
  const outcome = outcomeOf({ state, result, reason }, transfer && transferResult(transfer));
  return {
    ...execution,
    kind: execution.kind as ExecutionRow['kind'],
    params: withValue ? { ...params, ...(value === undefined ? {} : { value }), ...(payload && { payload }) } : params,
    state,
    // A file that arrived says more than the connection that was lost before the response.
    ...(outcome === 'success' && result !== 'success'
      ? { result: EXECUTION_RESULTS.success, reason: null }
      : { reason }),
    outcome: EXECUTION_RESULTS[outcome],
    transfer: transfer && { ...transfer, endedAt: transfer.endedAt && new Date(transfer.endedAt).toISOString() },
    queuedAt: execution.queuedAt.toISOString(),
    sentAt: execution.sentAt?.toISOString() ?? null,
    deadlineAt: execution.deadlineAt.toISOString(),
    endedAt: execution.endedAt?.toISOString() ?? null,
    lateAnswerAt: execution.lateAnswerAt?.toISOString() ?? null,
    whenOffline: waitsUntil === null ? 'fail' : 'queue',
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
