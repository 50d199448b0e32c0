import type { BatchRow, ShownBatchCounts } from '@chargehand/contract';
import type { BatchDeviceState, CommandKind } from '@chargehand/domain';
import type { Tone } from '../../../shared/ui/tags/tag.tsx';

/** The page of a command to devices. */
export function batchPath(id: number): string {
  return `/manage/device/batches/${id}`;
}

/** Commands that may end charging sessions of the devices. */
export const DISTURBING_KINDS: ReadonlySet<CommandKind> = new Set([
  ...(['softReset', 'hardReset', 'disableSystem', 'disableConnector', 'restartCcu'] as const),
]);

/** The tones of the states in the bar, which has them in the order of `BATCH_DEVICE_STATES`. */
export const TONES: Record<BatchDeviceState, Tone> = {
  ...{ succeeded: 'idle', same: 'idle', failed: 'faulted', timedOut: 'firmware-update', offline: 'offline' },
  ...{ unable: 'maintain', cancelled: 'disabled', accepted: 'working', sent: 'working', queued: 'plain' },
};

/** The numbers of devices by shown state: accepted is not done, and a device that has the value did not fail. */
export function shownCounts(counts: ShownBatchCounts): Record<BatchDeviceState, number> {
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
