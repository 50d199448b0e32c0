import { COMMAND_RULES, type CommandKind, QUEUE_TIMEOUT_MS } from './commands.ts';
import { MAX_QUEUE_MINUTES } from './controls.ts';
import { type Execution, outcomeOf } from './executions.ts';
import { TRANSFER_TURN_MS, type TransferResult, transferOf } from './tasks/transfers.ts';

/**
 * The default number of devices of a batch that receive the command at a time: enough that a thousand silent devices
 * finish within an hour, few enough to notice a mistake before it reaches a whole site.
 */
export const DEFAULT_BATCH_PARALLEL = 20;

/** Maximum number of sites whose devices receive a command in one step: each site has its own batch. */
export const MAX_BATCH_SITES = 50;

/** The numbers of devices of a batch by state. `refused`: rejected when the batch was created. */
export interface BatchCounts {
  queued: number;
  inFlight: number;
  succeeded: number;
  failed: number;
  timedOut: number;
  offline: number;
  cancelled: number;
  refused: number;
}

/**
 * The states of a device that the page of a batch shows and filters by. They divide `BatchCounts`: a device in flight was
 * sent the command or has accepted it; one that was rejected already had the value (`same`), or is unable to take it.
 */
export const BATCH_DEVICE_STATES = [
  ...(['succeeded', 'same', 'failed', 'timedOut', 'offline', 'unable', 'cancelled'] as const),
  ...(['accepted', 'sent', 'queued'] as const),
] as const;
export type BatchDeviceState = (typeof BATCH_DEVICE_STATES)[number];

/** Why the remaining devices of a batch were not sent the command. */
export const BATCH_STOPS = ['failures', 'person'] as const;
export type BatchStop = (typeof BATCH_STOPS)[number];

export interface Batch {
  /** how many devices receive the command at a time */
  parallel: number;
  /** stop after this many failures; null: never */
  stopAfter: number | null;
  stopped: BatchStop | null;
  counts: BatchCounts;
}

/** An execution of a batch, with the result of its file transfer. */
export interface BatchExecution extends Execution {
  /** null or omitted when it transfers no file */
  file?: TransferResult | null;
}

/** Reasons of executions that were cancelled before the command was sent. */
const CANCELLED_REASONS = new Set<Execution['reason']>(['cancelled', 'batchStopped']);

/** The state under which an execution of a batch is counted. It stays in flight until its file has arrived. */
export function countOf(execution: BatchExecution, refused = false): keyof BatchCounts {
  if (refused) return 'refused';
  if (execution.state === 'queued') return 'queued';
  if (CANCELLED_REASONS.has(execution.reason)) return 'cancelled';
  switch (outcomeOf(execution, execution.file ?? null)) {
    case 'waiting':
      return 'inFlight';
    case 'success':
      return 'succeeded';
    case 'timeout':
      return 'timedOut';
    case 'offline':
      return 'offline';
    default:
      return 'failed';
  }
}

/**
 * The batch after one of its executions changed, or null when the change is not allowed: the command is sent to no more
 * devices at a time than the batch allows, and to none after it has stopped. A batch stops by itself at the failure
 * that reaches its limit. Devices that were rejected at creation or cancelled are not failures.
 */
export function nextBatch(batch: Batch, before: BatchExecution, after: BatchExecution): Batch | null {
  const [from, to] = [countOf(before), countOf(after)];
  const counts = { ...batch.counts, [from]: batch.counts[from] - 1 };
  counts[to] += 1;
  if (to === 'inFlight' && from !== 'inFlight' && (batch.stopped || counts.inFlight > batch.parallel)) return null;
  const limit = batch.stopAfter !== null && failuresOf(counts) >= batch.stopAfter;
  return { ...batch, counts, stopped: batch.stopped ?? (limit ? 'failures' : null) };
}

/** The failures that count towards the limit of a batch: devices that should have executed the command and did not. */
export function failuresOf(counts: BatchCounts): number {
  return counts.failed + counts.timedOut + counts.offline;
}

/** True when no device of a batch is queued or in flight. */
export function batchIsOver(counts: BatchCounts): boolean {
  return counts.queued === 0 && counts.inFlight === 0;
}

/** The longest time that a command waits for its device. */
const LONGEST_MS = MAX_QUEUE_MINUTES * 60_000;

/**
 * How long a batch can take, in milliseconds, until the last device receives its command: the maximum, if every
 * previous device is silent and this one is busy with another command. For file transfers the usual time, because their
 * duration is unknown. Never more than seven days.
 */
export function batchSpanMs(kind: CommandKind, devices: number, parallel: number): number {
  const { answerMs } = COMMAND_RULES[kind];
  const turnMs = transferOf(kind) === null ? answerMs + confirmedMs(kind) : TRANSFER_TURN_MS;
  return Math.min(Math.ceil(devices / parallel) * turnMs + QUEUE_TIMEOUT_MS, LONGEST_MS);
}

/**
 * How long the commands of a batch wait to be sent, in milliseconds: as long as the batch can take, so that no command
 * times out while it waits. Some commands wait until the vehicle has left, so commands after them get seven days.
 */
export function batchTimeoutMs(kind: CommandKind, devices: number, parallel: number): number {
  const bounded = transferOf(kind) === null && COMMAND_RULES[kind].confirmation === null;
  return bounded ? batchSpanMs(kind, devices, parallel) : LONGEST_MS;
}

/** The usual time of a device of a batch between its response and the report of its result. */
const CONFIRMED_MS = 2 * 60_000;

function confirmedMs(kind: CommandKind): number {
  const { confirmation } = COMMAND_RULES[kind];
  return confirmation === null || confirmation.onlyScheduled ? 0 : Math.min(confirmation.withinMs, CONFIRMED_MS);
}
