import type { TransferRow } from '@chargehand/contract';
import type { TransferState } from '@chargehand/domain';
import type { Glyph } from '../tags/status-glyph.tsx';
import type { Tone } from '../tags/tag.tsx';

const UNDER_WAY = { tone: 'firmware-update', glyph: 'half' } as const;

/** How each state is shown: as success only if the device has proved it, or the file is stored. */
export const STATE_LOOKS: Record<TransferState, { tone: Tone; glyph: Glyph }> = {
  requested: { tone: 'working', glyph: 'clock' },
  downloading: UNDER_WAY,
  downloaded: UNDER_WAY,
  installing: UNDER_WAY,
  installed: UNDER_WAY,
  uploading: UNDER_WAY,
  uploaded: UNDER_WAY,
  verified: { tone: 'idle', glyph: 'check' },
  stored: { tone: 'idle', glyph: 'check' },
  failed: { tone: 'faulted', glyph: 'cross' },
  timedOut: { tone: 'firmware-update', glyph: 'clock' },
};

/** The steps of a transfer in order; the last one is its success. */
export function stepsOf({ kind }: Pick<TransferRow, 'kind'>): readonly TransferState[] {
  return kind === 'log'
    ? ['requested', 'uploading', 'stored']
    : ['requested', 'downloading', 'downloaded', 'installing', 'installed', 'verified'];
}

/** The number of completed steps of a transfer; for a failed one, those completed before. */
export function stepsDone({ kind, state, reports }: Pick<TransferRow, 'kind' | 'state' | 'reports'>): number {
  const steps = stepsOf({ kind });
  const reached = [...reports.map((report) => report.state), state].map((one) =>
    steps.indexOf(one === 'uploaded' ? 'uploading' : one),
  );
  return Math.max(0, ...reached) + 1;
}

/** The transferred share of the file, 0 to 1; null when its size is unknown. */
export function partMoved({ size, bytes }: Pick<TransferRow, 'size' | 'bytes'>): number | null {
  return size === null || size === 0 ? null : Math.min(1, bytes / size);
}
