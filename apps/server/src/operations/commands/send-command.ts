import { randomUUID } from 'node:crypto';
import type { NewCommand } from '@chargehand/contract';
import {
  COMMAND_KINDS,
  COMMAND_RULES,
  type Command,
  type CommandKind,
  isBusyFor,
  type Precondition,
  QUEUE_TIMEOUT_MS,
  type Refused,
  type Scope,
  transferOf,
  valueWithoutTokens,
} from '@chargehand/domain';
import type { Kysely, Transaction } from 'kysely';
import { logAction } from '../../audit/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import type { Events } from '../../ports/events.ts';
import type { MessageCatalog } from '../../ports/message-catalog.ts';
import type { TransferCalls } from '../../ports/transfers.ts';
import type { Dispatcher } from '../dispatcher.ts';
import { planCommand } from '../plan/plan.service.ts';
import {
  type CommandedDevice,
  findCommandedDevice,
  insertCommand,
  listedType,
  lockCommandsOf,
  openSession,
  waitingCommands,
} from './commands.store.ts';
import { type Waiting, waitingOf } from './control-rules.ts';
import { requireEveryParameter, requireMessage } from './messages.service.ts';
import { devicePart, executionRequestedWith, type RequestPart } from './requests.store.ts';

export interface CommandSender {
  /**
   * Records a command and sends it if the device is free. Returns its execution. Throws the `Problem` that prevents it.
   * @param ahead how many commands of the same request wait before it; it is queued behind them and may wait longer
   * @param place which command to this device it is in the request
   */
  send(caller: Caller, deviceId: number, wanted: NewCommand, order?: { ahead: number; place: number }): Promise<string>;
  /** Sends a follow-up command for an earlier command. Does nothing if the device is busy. */
  sendFor(deviceId: number, command: Command, by: { userId: number | null; userName: string }): Promise<void>;
  /**
   * Requests the status of the transfers that prevent another one: a device that forgot its transfer answers that it is
   * idle, which is evidence against the transfer.
   */
  requestStatus(deviceIds: readonly number[], kind: CommandKind): Promise<void>;
}

/** Sends commands to single devices. */
export function commandSender(parts: {
  db: Kysely<Database>;
  dispatcher: Dispatcher;
  events: Events;
  transfers: TransferCalls;
  messages: MessageCatalog;
}): CommandSender {
  const { db, dispatcher, events, transfers, messages } = parts;

  async function sendFor(...[deviceId, command, by]: Parameters<CommandSender['sendFor']>): Promise<void> {
    const added = await db.transaction().execute(async (transaction) => {
      const device = await findCommandedDevice(transaction, EVERYWHERE, deviceId);
      if (!device) return false;
      await lockCommandsOf(transaction, device);
      if (isBusyFor(command, await waitingCommands(transaction, deviceId))) return false;
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
  }

  async function requestStatus(...[deviceIds, kind]: Parameters<CommandSender['requestStatus']>): Promise<void> {
    for (const deviceId of deviceIds) {
      const message = await transfers.statusMessage(deviceId, kind);
      if (message) await sendFor(deviceId, { kind: 'triggerMessage', connector: 0, params: { message } }, SYSTEM_USER);
    }
  }

  return {
    async send(caller, deviceId, wanted, { ahead, place } = { ahead: 0, place: 0 }) {
      let busy = false;
      const created = db.transaction().execute(async (transaction) => {
        const device = await visibleDevice(transaction, caller, deviceId);
        const request = devicePart(wanted.requestKey, deviceId, place);
        const sent = request && (await executionRequestedWith(transaction, caller, request));
        if (sent) return sent;
        await lockCommandsOf(transaction, device);
        const waiting = waitingOf(wanted);
        const plan = await planCommand(transaction, caller, transfers, {
          ...{ wanted, devices: [device], waiting, batch: false, ahead },
        });
        const { command, files } = plan;
        const [{ view }] = plan.models as [(typeof plan.models)[0]];
        if (command.kind === 'sendMessage') {
          requireEveryParameter(view);
          requireMessage(messages, device, view, command.params);
        }
        const [{ refused, precondition, executionId }] = plan.devices as [(typeof plan.devices)[0]];
        busy = files?.refusals.get(deviceId) === 'deviceBusy';
        if (refused) throw problemOf(refused, command);
        await record(transaction, caller, device, await sessionOf(transaction, deviceId, executionId, command), {
          ...{ executionId, request, precondition, ...waiting },
          timeoutMs: waiting.timeoutMs + ahead * 2 * COMMAND_RULES[command.kind].answerMs,
        });
        await files?.begin([{ executionId, deviceId }], caller);
        return executionId;
      });
      const executionId = await created.catch(async (error) => {
        if (busy) await requestStatus([deviceId], wanted.kind);
        throw error;
      });
      if (transferOf(wanted.kind) !== null) events.publish('device.transfers', { id: deviceId });
      events.publish('device.executions', { id: deviceId });
      await dispatcher.wake(deviceId);
      return executionId;
    },
    sendFor,
    requestStatus,
  };
}

const SYSTEM_USER = { userId: null, userName: '' };
/** The product itself sees every device. */
const EVERYWHERE: Scope = { customers: 'all', sites: 'all' };

/** The device with an ID, if the caller sees it. @throws Problem `notFound` */
export async function visibleDevice(db: Kysely<Database>, caller: Caller, deviceId: number): Promise<CommandedDevice> {
  const device = await findCommandedDevice(db, caller.scope, deviceId);
  if (!device) throw notFound('device');
  return device;
}

/** The answer to a request for one device that cannot take the command. */
function problemOf(
  refused: Refused,
  { connector, params: { key = '', version = '' } }: Command & { params: { version?: string } },
): Problem {
  switch (refused) {
    case 'connectorUnknown':
      return new Problem(refused, { field: 'connector', values: { connector } });
    case 'parameterUnknown':
    case 'parameterReadonly':
      return new Problem(refused, { field: 'key', values: { key } });
    case 'sameValue':
      return new Problem(refused, { field: 'value' });
    case 'firmwareRunning':
      return new Problem(refused, { field: 'firmwareId', values: { version } });
    default:
      return new Problem(refused);
  }
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

/** Logs what was done with a command of one device. */
export function logControl(transaction: Transaction<Database>, caller: Caller, device: CommandedDevice, after: object) {
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
