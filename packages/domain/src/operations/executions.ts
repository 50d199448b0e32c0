import { COMMAND_RULES, type CommandInputs, type CommandKind, type Confirmation } from './commands.ts';
import type { OfflinePolicy } from './controls.ts';
import type { TransferResult, TransferState } from './tasks/transfers.ts';

/** Result of a command on a device (spec §4, control execution result). */
export const EXECUTION_RESULTS = { waiting: 1, success: 2, failure: 3, timeout: 4, offline: 5 } as const;
export type ExecutionResult = keyof typeof EXECUTION_RESULTS;

/** The name of a result of spec §4. @throws {RangeError} if the number is unknown */
export function executionResultOf(number: number): ExecutionResult {
  const found = Object.entries(EXECUTION_RESULTS).find(([, one]) => one === number);
  if (!found) throw new RangeError(`There is no execution result ${number}.`);
  return found[0] as ExecutionResult;
}

/**
 * The state of an execution. `queued`: not sent yet; `sent`: sent, no response yet; `accepted`: accepted by the device,
 * which has not reported the completion yet; `ended`: the result is final.
 */
export const EXECUTION_STATES = ['queued', 'sent', 'accepted', 'ended'] as const;
export type ExecutionState = (typeof EXECUTION_STATES)[number];

/** Why an execution ended. Each reason has a text in both languages in the contract. */
export const EXECUTION_REASONS = [
  'accepted',
  'rebootRequired',
  'scheduled',
  'reporting',
  'rejected',
  'notSupported',
  'callError',
  'badAnswer',
  'noAnswer',
  'deviceOffline',
  'connectionLost',
  'deviceDisabled',
  'notSent',
  'notIdle',
  'unknownKey',
  'unknownVendor',
  'unknownMessage',
  'acceptedCanceled',
  'invalidCertificate',
  'revokedCertificate',
  'signedNotSupported',
  'cancelled',
  'batchStopped',
  'sessionInProgress',
  'maintenanceNeeded',
  'deviceBusy',
  'sameValue',
  'firmwareRunning',
  'connectorUnknown',
  'parameterUnknown',
  'parameterReadonly',
  'transactionStarted',
  'transactionEnded',
  'messageReceived',
  'restarted',
  'availabilityChanged',
  'linkOpened',
  'notConfirmed',
  'noSession',
  'unlocked',
  'unlockFailed',
  'passwordInUse',
  'answered',
  'otherStatus',
  'controlNotOffered',
  'noPermission',
  'batchIncapable',
] as const;
export type ExecutionReason = (typeof EXECUTION_REASONS)[number];

/** Reasons other than the device's own response. */
const REASONS_WITHOUT_ANSWER = [
  'noAnswer',
  'connectionLost',
  'deviceOffline',
  'deviceDisabled',
  'notSent',
  'notIdle',
] as const satisfies readonly ExecutionReason[];

/** Why a command was not sent when it was due. */
export type NotSent =
  | 'deviceOffline'
  | 'deviceDisabled'
  | 'notSupported'
  | 'notSent'
  | 'sessionInProgress'
  | 'maintenanceNeeded'
  | 'noSession'
  | 'passwordInUse';

/** Why the command is not even queued for a device of a batch; known when the batch is created. */
export type Refused = Extract<
  ExecutionReason,
  | 'deviceDisabled'
  | 'deviceBusy'
  | 'sameValue'
  | 'firmwareRunning'
  | 'connectorUnknown'
  | 'parameterUnknown'
  | 'parameterReadonly'
  | 'sessionInProgress'
  | 'maintenanceNeeded'
  | 'controlNotOffered'
  | 'noPermission'
  | 'batchIncapable'
>;

export interface Execution {
  state: ExecutionState;
  result: ExecutionResult;
  reason: ExecutionReason | null;
}

export type ExecutionEvent =
  | { type: 'sent' }
  /** `confirmedBy`: accepting is only the first step; the device reports the completion later */
  | { type: 'answered'; success: boolean; reason: ExecutionReason; confirmedBy?: Confirmation | null }
  /** the device accepted and sends the answer in messages of its own, such as a report in parts */
  | { type: 'working' }
  /** the device reported the effect of the command; the report may arrive before the response */
  | { type: 'confirmed'; by: Confirmation }
  /** the gateway guarantees that nothing was written to the device, so this may follow `sent` */
  | { type: 'notSent'; reason: NotSent }
  /** like `notSent` because the device is offline, for a command that waits until the device reconnects */
  | { type: 'putBack' }
  /** cancelled by a user, or with the remaining devices of a stopped batch */
  | { type: 'cancelled'; reason: 'cancelled' | 'batchStopped' }
  /** the gateway knows that no response will come: the device was silent for too long, or its connection was lost */
  | { type: 'unanswered'; reason: 'noAnswer' | 'connectionLost' }
  /**
   * `kept`: the device is connected and, if the command was sent, has been connected ever since; `whenIdle`: the
   * command waited until the device was idle
   */
  | { type: 'deadlinePassed'; connection: 'kept' | 'lost'; whenIdle?: boolean };

/** A new execution: queued, result waiting. */
export const NEW_EXECUTION: Execution = { state: 'queued', result: 'waiting', reason: null };

/** An execution that ends when it is created. Spec §4 has no separate result for it, so it is a failure. */
export function refusedExecution(reason: Refused): Execution {
  return { state: 'ended', result: 'failure', reason };
}

/**
 * The execution after an event, or null when the event changes nothing. An ended execution keeps its result, and a sent
 * command is never sent again (at most once; design §6). Only the device's own response is a success. A device that
 * received the command and did not respond may have executed it, so the result is a timeout and never `offline`. A
 * command that was cancelled before it was sent is a failure with its own reason; a sent command cannot be cancelled. A
 * command that the device carries out later succeeds only when the device reports the completion. A response that cannot
 * be read says nothing about a link: the connection of the device decides.
 */
export function nextExecution(execution: Execution, event: ExecutionEvent): Execution | null {
  if (execution.state === 'ended') return null;
  switch (event.type) {
    case 'sent':
      return execution.state === 'queued' ? { state: 'sent', result: 'waiting', reason: null } : null;
    case 'answered':
      if (!awaitsAnswer(execution)) return null;
      if (event.confirmedBy === 'linkOpened' && event.reason === 'badAnswer')
        return { state: 'accepted', result: 'waiting', reason: 'badAnswer' };
      if (event.success && event.confirmedBy)
        return { state: 'accepted', result: 'waiting', reason: event.reason === 'scheduled' ? 'scheduled' : null };
      return { state: 'ended', result: event.success ? 'success' : 'failure', reason: event.reason };
    case 'working':
      return awaitsAnswer(execution) ? { state: 'accepted', result: 'waiting', reason: 'reporting' } : null;
    case 'confirmed':
      return execution.state === 'queued' ? null : { state: 'ended', result: 'success', reason: event.by };
    case 'notSent':
      if (execution.state === 'accepted') return null;
      return { state: 'ended', result: event.reason === 'deviceOffline' ? 'offline' : 'failure', reason: event.reason };
    case 'putBack':
      return execution.state === 'sent' ? NEW_EXECUTION : null;
    case 'cancelled':
      return execution.state === 'queued' ? { state: 'ended', result: 'failure', reason: event.reason } : null;
    case 'unanswered':
      return awaitsAnswer(execution) ? { state: 'ended', result: 'timeout', reason: event.reason } : null;
    case 'deadlinePassed':
      if (awaitsAnswer(execution))
        return {
          state: 'ended',
          result: 'timeout',
          reason: event.connection === 'kept' ? 'noAnswer' : 'connectionLost',
        };
      if (execution.reason === 'badAnswer') return { state: 'ended', result: 'failure', reason: 'badAnswer' };
      if (execution.state === 'accepted') return { state: 'ended', result: 'timeout', reason: 'notConfirmed' };
      return event.connection === 'kept'
        ? { state: 'ended', result: 'failure', reason: event.whenIdle ? 'notIdle' : 'notSent' }
        : { state: 'ended', result: 'offline', reason: 'deviceOffline' };
  }
}

/**
 * The device was sent the command and its own answer is the result. Without a call in flight (`reporting`), other
 * commands are sent meanwhile.
 */
function awaitsAnswer({ state, reason }: Execution): boolean {
  return state === 'sent' || (state === 'accepted' && reason === 'reporting');
}

/**
 * The result for the user who sent the command. For a file transfer it is the result of the transfer, and `waiting`
 * until then. If the device did not respond but completed the transfer, the result is a success.
 */
export function outcomeOf(execution: Execution, file: TransferResult | null): ExecutionResult {
  if (execution.state !== 'ended' || file === null) return execution.result;
  if (file === 'done') return 'success';
  // A response that cannot be read says nothing about the file: the transfer decides.
  if (execution.result !== 'success' && execution.reason !== 'badAnswer') return execution.result;
  if (file === 'underWay') return 'waiting';
  return file === 'failed' ? 'failure' : 'timeout';
}

/** The state of an execution as users see it: its progress while it waits, then its result. */
export const DISPLAY_STATES = ['queued', 'sent', 'accepted', 'success', 'failure', 'timeout', 'offline'] as const;
export type DisplayState = (typeof DISPLAY_STATES)[number];

/**
 * The state of an execution as users see it. A file transfer is `accepted` from the response until the file has
 * arrived.
 */
export function displayStateOf(state: ExecutionState, outcome: ExecutionResult): DisplayState {
  if (outcome !== 'waiting') return outcome;
  return state === 'ended' ? 'accepted' : state;
}

/**
 * What an execution is doing now, in more detail than its display state. `transfer`: see the state of its transfer; `ended`:
 * see the reason; `restarting`: the device has disconnected and not reconnected yet.
 */
export type Stage =
  | 'queued'
  | 'waitsForDevice'
  | 'waitsForTime'
  | 'waitsForIdle'
  | 'sent'
  | 'scheduled'
  | 'reporting'
  | 'restarting'
  | Confirmation
  | 'transfer'
  | 'ended';

/**
 * The stage of an execution.
 * @param transfer of its file; null if it transfers none
 * @param connected whether its device is connected; null if unknown
 */
export function stageOf(
  execution: Execution & {
    kind: CommandKind;
    whenOffline: OfflinePolicy;
    params: Pick<CommandInputs, 'start' | 'startAt'>;
  },
  transfer: { state: TransferState } | null,
  connected: boolean | null,
  now: Date,
): Stage {
  const { state, result, reason, kind } = execution;
  switch (state) {
    case 'queued': {
      const { start = 'now', startAt } = execution.params;
      if (startAt !== undefined && Date.parse(startAt) > now.getTime()) return 'waitsForTime';
      if (start !== 'now' && connected !== false) return 'waitsForIdle';
      return execution.whenOffline === 'queue' ? 'waitsForDevice' : 'queued';
    }
    case 'sent':
      return 'sent';
    case 'accepted': {
      const by = COMMAND_RULES[kind].confirmation?.by ?? 'messageReceived';
      if (by === 'restarted' && connected === false) return 'restarting';
      return reason === 'scheduled' || reason === 'reporting' ? reason : by;
    }
    case 'ended':
      // A device that did not respond may still download the file.
      return transfer !== null && (result === 'success' || !['requested', 'failed'].includes(transfer.state))
        ? 'transfer'
        : 'ended';
  }
}

/** True when a response can still be stored next to the result: the execution ended without one. */
export function awaitsLateAnswer(execution: Execution): boolean {
  const withoutAnswer: readonly (ExecutionReason | null)[] = REASONS_WITHOUT_ANSWER;
  return execution.state === 'ended' && withoutAnswer.includes(execution.reason);
}
