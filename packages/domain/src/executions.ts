import type { TransferFate } from './transfers.ts';

/** Fate of a command on a device (spec §4, control execution result). */
export const EXECUTION_RESULTS = { waiting: 1, success: 2, failure: 3, timeout: 4, offline: 5 } as const;
export type ExecutionResult = keyof typeof EXECUTION_RESULTS;

/** Where an execution stands. `queued`: not yet given to the device; `sent`: given, no answer yet; `ended`: its result is final. */
export const EXECUTION_STATES = ['queued', 'sent', 'ended'] as const;
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
export type Unasked =
  | 'deviceOffline'
  | 'deviceDisabled'
  | 'notSupported'
  | 'notSent'
  | 'sessionInProgress'
  | 'maintenanceNeeded';

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
  | { type: 'answered'; success: boolean; reason: ExecutionReason }
  /** the gateway vouches that nothing was written to the device, so this may follow `sent` */
  | { type: 'notSent'; reason: Unasked }
  /** as `notSent`, because the device is offline, of a command that waits for devices to come back */
  | { type: 'putBack' }
  /** taken back by a person, or with the rest of a batch that stops */
  | { type: 'cancelled'; reason: 'cancelled' | 'batchStopped' }
  /** `kept`: the device is connected and, if it was asked, has been ever since */
  | { type: 'deadlinePassed'; line: 'kept' | 'lost' };

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
 * was taken back before the device was asked is a failure of its own reason; what the device was asked cannot be.
 */
export function nextExecution(execution: Execution, event: ExecutionEvent): Execution | null {
  if (execution.state === 'ended') return null;
  switch (event.type) {
    case 'sent':
      return execution.state === 'queued' ? { state: 'sent', result: 'waiting', reason: null } : null;
    case 'answered':
      return execution.state === 'sent'
        ? { state: 'ended', result: event.success ? 'success' : 'failure', reason: event.reason }
        : null;
    case 'notSent':
      return { state: 'ended', result: event.reason === 'deviceOffline' ? 'offline' : 'failure', reason: event.reason };
    case 'putBack':
      return execution.state === 'sent' ? NEW_EXECUTION : null;
    case 'cancelled':
      return execution.state === 'queued' ? { state: 'ended', result: 'failure', reason: event.reason } : null;
    case 'deadlinePassed':
      if (execution.state === 'sent')
        return { state: 'ended', result: 'timeout', reason: event.line === 'kept' ? 'noAnswer' : 'connectionLost' };
      return event.line === 'kept'
        ? { state: 'ended', result: 'failure', reason: 'notSent' }
        : { state: 'ended', result: 'offline', reason: 'deviceOffline' };
  }
}

/**
 * The result for whoever gave the command: of one that moves a file it is what the file comes to, and until then it
 * waits. A device that answered nothing and did it all the same has done it.
 */
export function outcomeOf(execution: Execution, file: TransferFate | null): ExecutionResult {
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
