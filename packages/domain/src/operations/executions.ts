import type { Confirmation } from './commands.ts';
import type { TransferResult } from './transfers.ts';

/** Result of a command on a device (spec §4, control execution result). */
export const EXECUTION_RESULTS = { waiting: 1, success: 2, failure: 3, timeout: 4, offline: 5 } as const;
export type ExecutionResult = keyof typeof EXECUTION_RESULTS;

/**
 * Where an execution stands. `queued`: not yet given to the device; `sent`: given, no answer yet; `accepted`: the device
 * agreed and has not yet reported that it did it; `ended`: its result is final.
 */
export const EXECUTION_STATES = ['queued', 'sent', 'accepted', 'ended'] as const;
export type ExecutionState = (typeof EXECUTION_STATES)[number];

/** Why an execution ended as it did; each has a sentence in both languages in the contract. */
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

/** Reasons that are not the device's own answer. */
const REASONS_WITHOUT_ANSWER = [
  'noAnswer',
  'connectionLost',
  'deviceOffline',
  'deviceDisabled',
  'notSent',
] as const satisfies readonly ExecutionReason[];

/** Why a device is not asked although it was to be: what stood in the way when its turn came. */
export type NotSent =
  | 'deviceOffline'
  | 'deviceDisabled'
  | 'notSupported'
  | 'notSent'
  | 'sessionInProgress'
  | 'maintenanceNeeded'
  | 'noSession'
  | 'passwordInUse';

/** Why a device of a batch is not even queued: known when the batch is asked for. */
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
  /** `confirmedBy`: a yes is only the beginning, the device reports later that it did it */
  | { type: 'answered'; success: boolean; reason: ExecutionReason; confirmedBy?: Confirmation | null }
  /** the device reported what the command was to bring about; it may come before the answer */
  | { type: 'confirmed'; by: Confirmation }
  /** the gateway vouches that nothing was written to the device, so this may follow `sent` */
  | { type: 'notSent'; reason: NotSent }
  /** as `notSent`, because the device is offline, of a command that waits for devices to come back */
  | { type: 'putBack' }
  /** taken back by a person, or with the rest of a batch that stops */
  | { type: 'cancelled'; reason: 'cancelled' | 'batchStopped' }
  /** the gateway knows that no answer comes: the device was silent for too long, or its connection is gone */
  | { type: 'unanswered'; reason: 'noAnswer' | 'connectionLost' }
  /** `kept`: the device is connected and, if it was asked, has been ever since */
  | { type: 'deadlinePassed'; connection: 'kept' | 'lost' };

/** A new execution: queued, result waiting. */
export const NEW_EXECUTION: Execution = { state: 'queued', result: 'waiting', reason: null };

/** An execution that is over as soon as it is asked for. Spec §4 has no result of its own for it: the device did not do it. */
export function refusedExecution(reason: Refused): Execution {
  return { state: 'ended', result: 'failure', reason };
}

/**
 * The execution after an event, or null when the event changes nothing: an ended execution keeps its result whatever
 * arrives later, and one that was sent is never sent again (at most once; design §6). Only the device's own answer is
 * success; a device that was asked and did not answer may have obeyed, so that is a timeout and never `offline`. What
 * was taken back before the device was asked is a failure of its own reason; what the device was asked cannot be. A
 * command that the device carries out later has succeeded only when the device reports it.
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
 * The result for whoever gave the command: of one that moves a file it is what the file comes to, and until then it
 * waits. A device that answered nothing and did it all the same has done it.
 */
export function outcomeOf(execution: Execution, file: TransferResult | null): ExecutionResult {
  if (execution.state !== 'ended' || file === null) return execution.result;
  if (file === 'done') return 'success';
  if (execution.result !== 'success') return execution.result;
  if (file === 'underWay') return 'waiting';
  return file === 'failed' ? 'failure' : 'timeout';
}

/** True when an answer may still be noted beside the result: the execution ended without one. */
export function awaitsLateAnswer(execution: Execution): boolean {
  const withoutAnswer: readonly (ExecutionReason | null)[] = REASONS_WITHOUT_ANSWER;
  return execution.state === 'ended' && withoutAnswer.includes(execution.reason);
}
