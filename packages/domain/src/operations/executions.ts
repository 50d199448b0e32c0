import type { Confirmation } from './commands.ts';
import type { TransferResult } from './transfers.ts';

/** Result of a command on a device (spec §4, control execution result). */
export const EXECUTION_RESULTS = { waiting: 1, success: 2, failure: 3, timeout: 4, offline: 5 } as const;
export type ExecutionResult = keyof typeof EXECUTION_RESULTS;

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
  'rejected',
  'notSupported',
  'callError',
  'badAnswer',
  'noAnswer',
  'deviceOffline',
  'connectionLost',
  'deviceDisabled',
  'notSent',
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
  'notConfirmed',
  'noSession',
  'unlocked',
  'unlockFailed',
  'passwordInUse',
  'answered',
  'otherStatus',
] as const;
export type ExecutionReason = (typeof EXECUTION_REASONS)[number];

/** Reasons other than the device's own response. */
const REASONS_WITHOUT_ANSWER = [
  'noAnswer',
  'connectionLost',
  'deviceOffline',
  'deviceDisabled',
  'notSent',
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
  /** `kept`: the device is connected and, if the command was sent, has been connected ever since */
  | { type: 'deadlinePassed'; connection: 'kept' | 'lost' };

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
 * command that the device carries out later succeeds only when the device reports the completion.
 */
export function nextExecution(execution: Execution, event: ExecutionEvent): Execution | null {
  if (execution.state === 'ended') return null;
  switch (event.type) {
    case 'sent':
      return execution.state === 'queued' ? { state: 'sent', result: 'waiting', reason: null } : null;
    case 'answered':
      if (execution.state !== 'sent') return null;
      if (event.success && event.confirmedBy) return { state: 'accepted', result: 'waiting', reason: null };
      return { state: 'ended', result: event.success ? 'success' : 'failure', reason: event.reason };
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
      return execution.state === 'sent' ? { state: 'ended', result: 'timeout', reason: event.reason } : null;
    case 'deadlinePassed':
      if (execution.state === 'accepted') return { state: 'ended', result: 'timeout', reason: 'notConfirmed' };
      if (execution.state === 'sent')
        return {
          state: 'ended',
          result: 'timeout',
          reason: event.connection === 'kept' ? 'noAnswer' : 'connectionLost',
        };
      return event.connection === 'kept'
        ? { state: 'ended', result: 'failure', reason: 'notSent' }
        : { state: 'ended', result: 'offline', reason: 'deviceOffline' };
  }
}

/**
 * The result for the user who sent the command. For a file transfer it is the result of the transfer, and `waiting`
 * until then. If the device did not respond but completed the transfer, the result is a success.
 */
export function outcomeOf(execution: Execution, file: TransferResult | null): ExecutionResult {
  if (execution.state !== 'ended' || file === null) return execution.result;
  if (file === 'done') return 'success';
  if (execution.result !== 'success') return execution.result;
  if (file === 'underWay') return 'waiting';
  return file === 'failed' ? 'failure' : 'timeout';
}

/** True when a response can still be stored next to the result: the execution ended without one. */
export function awaitsLateAnswer(execution: Execution): boolean {
  const withoutAnswer: readonly (ExecutionReason | null)[] = REASONS_WITHOUT_ANSWER;
  return execution.state === 'ended' && withoutAnswer.includes(execution.reason);
}
