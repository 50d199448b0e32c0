import type { BatchRow } from '@chargehand/contract';
import type { BatchCounts, CommandKind } from '@chargehand/domain';
import type { Tone } from '../../../shared/ui/tags/tag.tsx';

/** Where a batch is shown. */
export function batchPath(id: number): string {
  return `/manage/device/batch/${id}`;
}

/** Kinds that may end a charging session of the devices that get them. */
export const DISTURBING_KINDS: ReadonlySet<CommandKind> = new Set([
  ...(['softReset', 'hardReset', 'disableSystem', 'disableConnector', 'restartCcu'] as const),
]);

/** The results of devices in the order of the bar: succeeded, failed, not sent, waiting. */
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

/** How many devices of a batch wait no more. */
export function doneOf({ counts }: Pick<BatchRow, 'counts'>): number {
  return counts.total - counts.queued - counts.inFlight;
}

/** How many devices a new batch would ask again, as far as the counts tell: those that did not do it. */
export function unsuccessfulOf({ counts }: Pick<BatchRow, 'counts'>): number {
  return doneOf({ counts }) - counts.succeeded;
}
