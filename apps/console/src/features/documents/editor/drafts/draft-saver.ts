import { DRAFT_SAVE_MS } from '@chargehand/domain';

/** What the author sees about their draft. */
export interface DraftState {
  /** `none`: the server has everything; `failed`: the last attempt to save failed, and nothing was saved since */
  changes: 'none' | 'unsaved' | 'saving' | 'failed';
  /** when the server last stored the draft; null when it has none of this visit */
  savedAt: string | null;
  /** why saving failed */
  problem: string | null;
}

interface Options {
  /** Stores the current text on the server. @throws Error with a message for the author */
  save(options: { keepalive: boolean }): Promise<{ savedAt: string }>;
  onState(state: DraftState): void;
  /** when the server stored the draft with which the editor starts; null without one */
  savedAt: string | null;
}

export type DraftSaver = ReturnType<typeof draftSaver>;

/**
 * Saves a draft every 30 seconds (spec §9) while there are changes, and at once on request. One request is sent at a
 * time, so that an older text never replaces a newer one.
 */
export function draftSaver({ save, onState, savedAt: stored }: Options) {
  let state: DraftState = { changes: 'none', savedAt: stored, problem: null };
  let changes = 0;
  let saved = 0;
  let running: Promise<boolean> | null = null;
  let timer: ReturnType<typeof setInterval> | undefined;

  function set(next: Partial<DraftState>): void {
    state = { ...state, ...next };
    onState(state);
  }

  async function run(keepalive: boolean): Promise<boolean> {
    const version = changes;
    set({ changes: 'saving' });
    try {
      const { savedAt } = await save({ keepalive });
      saved = Math.max(saved, version);
      set({ changes: changes === saved ? 'none' : 'unsaved', savedAt, problem: null });
    } catch (error) {
      set({ changes: 'failed', problem: (error as Error).message });
    }
    running = null;
    return changes === saved;
  }

  /** Saves now if there are changes. @returns whether the server has everything */
  async function flush(options: { keepalive?: boolean } = {}): Promise<boolean> {
    if (running) await running;
    if (changes === saved) return true;
    running ??= run(options.keepalive ?? false);
    return await running;
  }

  return {
    /** Called after each change of the text. */
    changed(): void {
      changes += 1;
      if (state.changes !== 'saving' && state.changes !== 'unsaved') set({ changes: 'unsaved' });
    },
    flush,
    /** The text was published: there is nothing to save. */
    published(): void {
      saved = changes;
      set({ changes: 'none', savedAt: null, problem: null });
    },
    /** The number of changes so far, to recognize changes that were made during a request. */
    changes: () => changes,
    start(): void {
      timer = setInterval(() => void flush(), DRAFT_SAVE_MS);
    },
    stop(): void {
      clearInterval(timer);
    },
  };
}
