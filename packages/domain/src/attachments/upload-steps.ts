/** The states of an upload. */
export const UPLOAD_STATES = [
  'waiting',
  'sending',
  /** stored, and being registered */
  'saving',
  /** the connection is lost: it continues by itself */
  'interrupted',
  'paused',
  /** after a reload: the browser may not read the file until the user allows it or chooses it again */
  'fileMissing',
  'done',
  'failed',
] as const;
export type UploadState = (typeof UPLOAD_STATES)[number];

/** What changes about an upload while it is processed. `P`: why it failed. */
export interface UploadProgress<P> {
  state: UploadState;
  /** bytes */
  sent: number;
  problem: P | null;
  /** the name that the server gave it */
  savedAs: string | null;
}

/** What happens to an upload. `kept`: the bytes that the store has, which are not sent again. */
export type UploadEvent<P> =
  /** it was accepted, or continues with what is stored */
  | { type: 'began' }
  | { type: 'sent'; bytes: number }
  | { type: 'lostConnection'; kept: number }
  | { type: 'failed'; kept: number; problem: P }
  | { type: 'lostFile' }
  /** the store has all of it */
  | { type: 'stored' }
  | { type: 'saved'; name: string }
  | { type: 'paused'; kept: number }
  | { type: 'resumed' }
  | { type: 'gotFile' };

/** In which states an event changes something, and the state after it; null: the same. */
const STEPS: Readonly<Record<UploadEvent<never>['type'], { from: readonly UploadState[]; to: UploadState | null }>> = {
  began: { from: ['waiting', 'interrupted', 'sending'], to: 'sending' },
  sent: { from: ['sending', 'interrupted'], to: null },
  lostConnection: { from: ['waiting', 'sending', 'saving', 'interrupted'], to: 'interrupted' },
  failed: { from: ['waiting', 'sending', 'saving', 'interrupted'], to: 'failed' },
  lostFile: { from: ['waiting', 'sending', 'interrupted'], to: 'fileMissing' },
  stored: { from: ['waiting', 'sending', 'interrupted'], to: 'saving' },
  saved: { from: ['saving'], to: 'done' },
  paused: { from: ['waiting', 'sending', 'interrupted'], to: 'paused' },
  resumed: { from: ['paused', 'failed', 'interrupted'], to: 'waiting' },
  gotFile: { from: ['fileMissing'], to: 'waiting' },
};

/** True when an event changes an upload in this state. What comes too late, such as progress after a pause, does not. */
export function uploadAllows(state: UploadState, event: UploadEvent<never>['type']): boolean {
  return STEPS[event].from.includes(state);
}

/** An upload of `size` bytes after an event; the same object when the event changes nothing. */
export function uploadStep<P, I extends UploadProgress<P> & { size: number }>(item: I, event: UploadEvent<P>): I {
  if (!uploadAllows(item.state, event.type)) return item;
  const state = STEPS[event.type].to ?? item.state;
  switch (event.type) {
    case 'sent':
      return { ...item, sent: Math.min(event.bytes, item.size) };
    case 'lostConnection':
    case 'paused':
      return { ...item, state, sent: event.kept };
    case 'failed':
      return { ...item, state, sent: event.kept, problem: event.problem };
    case 'stored':
      return { ...item, state, sent: item.size, problem: null };
    case 'saved':
      return { ...item, state, sent: item.size, savedAs: event.name };
    case 'lostFile':
      return { ...item, state };
    default:
      return { ...item, state, problem: null };
  }
}

/** Why none of the unfinished uploads proceeds, as far as their states say so; null: one proceeds, or all are finished. */
export type UploadStandstill = 'noConnection' | 'paused' | 'fileMissing';

/** See `UploadStandstill`. `counts`: how many uploads are in which state. */
export function uploadStandstill(counts: Readonly<Partial<Record<UploadState, number>>>): UploadStandstill | null {
  const has = (state: UploadState) => (counts[state] ?? 0) > 0;
  if (has('sending') || has('saving')) return null;
  if (has('interrupted')) return 'noConnection';
  if (has('waiting')) return null;
  if (has('fileMissing')) return 'fileMissing';
  return has('paused') ? 'paused' : null;
}
