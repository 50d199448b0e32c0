import { COMMAND_RULES, type CommandKind, QUEUE_TIMEOUT_MS } from './commands.ts';
import { MAX_QUEUE_MINUTES } from './controls.ts';
import { type Execution, outcomeOf } from './executions.ts';
import { TRANSFER_TURN_MS, type TransferResult, transferOf } from './transfers.ts';

/**
 * How many devices of a batch are asked at a time unless somebody says otherwise: enough that a thousand are done within
 * the hour even if every one is silent, few enough that a mistake is seen before it has reached a whole site.
 */
export const DEFAULT_BATCH_PARALLEL = 20;

/** What became of the devices of a batch, counted. `refused`: known not to work when the batch was asked for. */
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

/** Why the rest of a batch was not asked any more. */
export const BATCH_STOPS = ['failures', 'person'] as const;
export type BatchStop = (typeof BATCH_STOPS)[number];

export interface Batch {
  /** how many devices are asked at a time */
  parallel: number;
  /** after so many failures the rest is not asked; null: never */
  stopAfter: number | null;
  stopped: BatchStop | null;
  counts: BatchCounts;
}

/** An execution as a batch sees it: with what becomes of the file that it moves. */
export interface BatchExecution extends Execution {
  /** null, or nothing, where it moves none */
  file?: TransferResult | null;
}

/** Reasons of executions that were taken back before their devices were asked. */
const TAKEN_BACK = new Set<Execution['reason']>(['cancelled', 'batchStopped']);

/** Under which count an execution of a batch falls: in flight until its file has arrived, too. */
export function countOf(execution: BatchExecution, refused = false): keyof BatchCounts {
  if (refused) return 'refused';
  if (execution.state === 'queued') return 'queued';
  if (TAKEN_BACK.has(execution.reason)) return 'cancelled';
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
 * The batch after one of its executions has changed, or null when that must not be: no more devices are asked at a time
 * than it allows, and none once it has stopped. It stops by itself with the failure that reaches its limit; devices that
 * were refused at once, or taken back, are no failures of the batch.
 */
export function nextBatch(batch: Batch, before: BatchExecution, after: BatchExecution): Batch | null {
  const [from, to] = [countOf(before), countOf(after)];
  const counts = { ...batch.counts, [from]: batch.counts[from] - 1 };
  counts[to] += 1;
  if (to === 'inFlight' && from !== 'inFlight' && (batch.stopped || counts.inFlight > batch.parallel)) return null;
  const limit = batch.stopAfter !== null && failuresOf(counts) >= batch.stopAfter;
  return { ...batch, counts, stopped: batch.stopped ?? (limit ? 'failures' : null) };
}

/** What counts towards the limit at which a batch stops: the devices that were to do it and did not. */
export function failuresOf(counts: BatchCounts): number {
  return counts.failed + counts.timedOut + counts.offline;
}

/** True when nothing of a batch waits any more. */
export function batchIsOver(counts: BatchCounts): boolean {
  return counts.queued === 0 && counts.inFlight === 0;
}

/** Nothing waits longer than what waits for its device. */
const LONGEST_MS = MAX_QUEUE_MINUTES * 60_000;

/**
 * How long a batch takes, in milliseconds, until its last device has had its turn: at the very most, with every device
 * before it silent and this one busy with something else; where files move as a rule, because how long one takes nobody
 * knows. Never more than seven days.
 */
export function batchSpanMs(kind: CommandKind, devices: number, parallel: number): number {
  const { answerMs } = COMMAND_RULES[kind];
  const turnMs = transferOf(kind) === null ? answerMs : TRANSFER_TURN_MS;
  return Math.min(Math.ceil(devices / parallel) * turnMs + QUEUE_TIMEOUT_MS, LONGEST_MS);
}

/**
 * How long the commands of a batch wait for their turn, in milliseconds, so that none ends for want of one: as long as
 * the batch can take. An upgrade keeps its turn until the vehicle has gone: whoever comes after it has seven days.
 */
export function batchTimeoutMs(kind: CommandKind, devices: number, parallel: number): number {
  return transferOf(kind) === null ? batchSpanMs(kind, devices, parallel) : LONGEST_MS;
}
