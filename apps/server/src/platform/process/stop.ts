import { settled, systemClock } from '../clock.ts';
import type { Log } from '../log.ts';

/** The maximum time (ms) between duplicates of one signal: a terminal and npm both send one for Ctrl-C. */
const DOUBLES = 2_000;

/**
 * Calls `stop` once, when the process should end: on SIGINT (Ctrl-C), SIGTERM, SIGHUP in a terminal (it was closed), or
 * when the launcher that started it ended. A second request later exits immediately. Without a terminal, SIGHUP calls
 * `reload`, as for other services.
 */
export function onStopRequest(stop: (reason: string) => void, reload: () => void): void {
  let requestedAt: number | undefined;
  const request = (reason: string) => {
    if (requestedAt === undefined) {
      requestedAt = Date.now();
      stop(reason);
    } else if (Date.now() - requestedAt > DOUBLES) {
      process.exit(1);
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, request);
  const hasTerminal = process.stdin.isTTY || process.stdout.isTTY;
  process.on('SIGHUP', hasTerminal ? request : reload);
  if (process.connected) process.once('disconnect', () => request('the launcher ended'));
}

/** A step of the shutdown. */
export type StopStep = () => unknown;

/** The time for all steps together, and the minimum time for each remaining step after it is over. Milliseconds. */
const STOP_MS = 6_500;
const LAST_STEP_MS = 500;
/** Service managers kill processes that have not ended after ten seconds or more. */
const EXIT_MS = 9_500;

/**
 * Runs the steps in reverse order. A step that does not end in time, because it waits for an unavailable service, is
 * skipped.
 */
export async function takeBack(undo: StopStep[], log: Log): Promise<void> {
  setTimeout(() => {
    log.error('not stopped in time');
    process.exit(1);
  }, EXIT_MS).unref();
  const deadline = performance.now() + STOP_MS;
  for (const step of undo.reverse()) {
    const limit = Math.max(LAST_STEP_MS, deadline - performance.now());
    let isOver = false;
    const work = Promise.resolve(step()).finally(() => {
      isOver = true;
    });
    await settled(work, systemClock, limit);
    if (!isOver) log.warn('a service did not respond while the server stopped');
  }
}
