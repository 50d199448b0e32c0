import type { BatchRow, ShownBatchCounts } from '@chargehand/contract';
import type { CommandKind } from '@chargehand/domain';
import type { Tone } from '../../../shared/ui/tags/tag.tsx';

/** The page of a command to devices. */
export function batchPath(id: number): string {
  return `/manage/device/batches/${id}`;
}

/** Commands that may end charging sessions of the devices. */
export const DISTURBING_KINDS: ReadonlySet<CommandKind> = new Set([
  ...(['softReset', 'hardReset', 'disableSystem', 'disableConnector', 'restartCcu'] as const),
]);

/**
 * The states of devices in the order of the bar: done, without success, not sent, in progress, waiting. `results` is the
 * filter of the list that contains them.
 */
export const RESULTS = [
  { result: 'succeeded', tone: 'idle', results: '2' },
  { result: 'same', tone: 'idle', results: '3' },
  { result: 'failed', tone: 'faulted', results: '3' },
  { result: 'timedOut', tone: 'firmware-update', results: '4' },
  { result: 'offline', tone: 'offline', results: '5' },
  { result: 'unable', tone: 'maintain', results: '3' },
  { result: 'cancelled', tone: 'disabled', results: '3' },
  { result: 'accepted', tone: 'working', results: '1' },
  { result: 'sent', tone: 'working', results: '1' },
  { result: 'queued', tone: 'plain', results: '1' },
] as const satisfies readonly { result: string; tone: Tone; results: string }[];
export type ShownResult = (typeof RESULTS)[number]['result'];

/** The numbers of devices by shown state: accepted is not done, and a device that has the value did not fail. */
export function shownCounts(counts: ShownBatchCounts): Record<ShownResult, number> {
  const { inFlight, accepted, refused, same, queued, succeeded, failed, timedOut, offline, cancelled } = counts;
  return {
    ...{ queued, succeeded, failed, timedOut, offline, cancelled, accepted, same },
    ...{ sent: inFlight - accepted, unable: refused - same },
  };
}

/** The number of devices that have ended. */
export function doneOf({ counts }: Pick<BatchRow, 'counts'>): number {
  return counts.total - counts.queued - counts.inFlight;
}

/** The number of devices that are as the command wants them: it succeeded, or they already were. */
export function fineOf({ counts }: Pick<BatchRow, 'counts'>): number {
  return counts.succeeded + counts.same;
}

/** The number of devices that a retry would include, according to the counts. */
export function unsuccessfulOf({ counts }: Pick<BatchRow, 'counts'>): number {
  return doneOf({ counts }) - fineOf({ counts });
}
