import type { TransferRow } from '@chargehand/contract';
import type { TransferState } from '@chargehand/domain';
import type { Glyph } from '../tags/status-glyph.tsx';
import type { Tone } from '../tags/tag.tsx';

const UNDER_WAY = { tone: 'firmware-update', glyph: 'half' } as const;

/** How each state is shown: success only where the device proved it, or the file is here. */
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

/** The steps of a transfer in their order; the last one is its success. */
export function stepsOf({ kind }: Pick<TransferRow, 'kind'>): readonly TransferState[] {
  return kind === 'log'
    ? ['requested', 'uploading', 'stored']
    : ['requested', 'downloading', 'downloaded', 'installing', 'installed', 'verified'];
}

/** How many of its steps a transfer has behind it; of one that failed, those that it had reached before. */
export function stepsDone({ kind, state, reports }: Pick<TransferRow, 'kind' | 'state' | 'reports'>): number {
  const steps = stepsOf({ kind });
  const reached = [...reports.map((report) => report.state), state].map((one) =>
    steps.indexOf(one === 'uploaded' ? 'uploading' : one),
  );
  return Math.max(0, ...reached) + 1;
}

/** The transferred share of the file, 0 to 1; null when nobody knows how large it is. */
export function partMoved({ size, bytes }: Pick<TransferRow, 'size' | 'bytes'>): number | null {
  return size === null || size === 0 ? null : Math.min(1, bytes / size);
}
