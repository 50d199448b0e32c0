import type { Clock } from '../clock.ts';

/** Time without work, compared with the time of work: a share of a twentieth to half. */
const LONGEST_REST = 19;
const SHORTEST_REST = 1;
/** The shortest pause while more urgent work waits. Milliseconds. */
const LATE_REST_MS = 10_000;

interface Pace {
  /** Does some work, and rests afterwards. */
  rested<T>(work: () => Promise<T>): Promise<T>;
  /** One of the pieces is done. */
  done(): void;
}

/**
 * Spreads work that is not urgent over the time until its next run: it rests so long that all pieces are done by then,
 * within the limits above. Little work takes a small share of the time, and a backlog up to half.
 * @param isLate true while more urgent work waits: the pauses are longer then
 */
export function paced(
  clock: Clock,
  signal: AbortSignal,
  { everyMs, pieces, isLate }: { everyMs: number; pieces: number; isLate: () => boolean },
): Pace {
  const deadline = performance.now() + everyMs;
  let left = pieces;
  let ended = 0;
  let workedMs = 0;
  return {
    async rested(work) {
      const start = performance.now();
      const result = await work();
      const ms = performance.now() - start;
      workedMs += ms;
      const ahead = (workedMs / Math.max(1, ended)) * left;
      const rest = (deadline - performance.now() - ahead) / Math.max(1, ahead);
      const pauseMs = ms * Math.min(LONGEST_REST, Math.max(SHORTEST_REST, rest));
      await pause(clock, isLate() ? Math.max(pauseMs, LATE_REST_MS) : pauseMs, signal);
      return result;
    },
    done() {
      left -= 1;
      ended += 1;
    },
  };
}

/** Resolves after `ms` milliseconds, or when the signal is aborted. */
function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const cancel = clock.after(ms, resolve);
  const stop = () => resolve();
  signal.addEventListener('abort', stop);
  return promise.finally(() => {
    cancel();
    signal.removeEventListener('abort', stop);
  });
}

/**
 * Sorts pieces by a hash of their IDs that is different in each process. Processes that work on the same list begin with
 * different pieces, and find those that others have done already as done.
 */
export function inOwnOrder<T>(pieces: readonly T[], idOf: (piece: T) => number, salt: number): T[] {
  const hashed = pieces.map((piece) => ({ piece, hash: mixed(mixed(idOf(piece)) ^ salt) }));
  return hashed.sort((one, other) => one.hash - other.hash).map(({ piece }) => piece);
}

/** The finalizer of MurmurHash3 (32 bits). */
function mixed(value: number): number {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
