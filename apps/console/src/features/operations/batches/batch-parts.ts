import type { BatchRow } from '@chargehand/contract';
import type { BatchCounts, CommandKind } from '@chargehand/domain';
import type { Tone } from '../../../shared/ui/tags/tag.tsx';

/** The path of a batch. */
export function batchPath(id: number): string {
  return `/manage/device/batch/${id}`;
}

/** The list of the batches that were created together with a batch, or its own page. */
export function groupPath({ id, groupId }: Pick<BatchRow, 'id' | 'groupId'>): string {
  return groupId === null ? batchPath(id) : `/manage/device/batches?groupId=${groupId}`;
}

/** Commands that may end charging sessions of the devices. */
export const DISTURBING_KINDS: ReadonlySet<CommandKind> = new Set([
  ...(['softReset', 'hardReset', 'disableSystem', 'disableConnector', 'restartCcu'] as const),
]);

/** The results in the order of the bar: succeeded, failed, not sent, waiting. */
export const RESULTS: readonly { result: keyof BatchCounts; tone: Tone; results: string }[] = [
  { result: 'succeeded', tone: 'idle', results: '2' },
  { result: 'failed', tone: 'faulted', results: '3' },
  { result: 'timedOut', tone: 'firmware-update', results: '4' },
  { result: 'offline', tone: 'offline', results: '5' },
  { result: 'refused', tone: 'maintain', results: '3' },
  { result: 'cancelled', tone: 'disabled', results: '3' },
  { result: 'inFlight', tone: 'working', results: '1' },
  { result: 'queued', tone: 'plain', results: '1' },
];

/** The number of devices that have ended. */
export function doneOf({ counts }: Pick<BatchRow, 'counts'>): number {
  return counts.total - counts.queued - counts.inFlight;
}

/** The number of devices that a retry would include, according to the counts: those without success. */
export function unsuccessfulOf({ counts }: Pick<BatchRow, 'counts'>): number {
  return doneOf({ counts }) - counts.succeeded;
}
