import type { Log } from '../log.ts';

export interface ScheduledJob {
  /** Takes a turn at once, or after the one under way; resolves when it is over, failed or not. */
  start(): Promise<void>;
  /** Takes the first turn after a pause. */
  startLater(): void;
  /** Takes a turn now, unless one is under way. */
  wake(): void;
  /** Takes no more turns; one under way finds its signal aborted and is waited for. */
  stop(): Promise<void>;
}

/**
 * Work that is done again and again while the server runs: a turn, a pause of `everyMs`, a turn; never two at once, and
 * one that fails keeps none of the next from trying. With `everyMs` null a turn is taken only when asked for. With `again`, trouble is told once as an error with `failed`, and
 * once with `again` when it is over; without, every turn that fails is told as a warning.
 */
export function scheduledJob(
  run: (signal: AbortSignal) => Promise<unknown>,
  options: { everyMs: number | null; log: Log; failed: string; again?: string },
): ScheduledJob {
  const { everyMs, log, failed, again } = options;
  const ending = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;
  let failing = false;

  async function take(): Promise<void> {
    try {
      await run(ending.signal);
      if (failing && again !== undefined) log.info(again);
      failing = false;
    } catch (error) {
      if (again === undefined) log.warn({ err: error }, failed);
      else if (!failing) log.error({ err: error }, failed);
      failing = true;
    }
  }

  function pause(): void {
    if (ending.signal.aborted || everyMs === null) return;
    timer = setTimeout(wake, everyMs);
    timer.unref();
  }

  function wake(): void {
    if (ending.signal.aborted || running) return;
    clearTimeout(timer);
    running = take().finally(() => {
      running = null;
      pause();
    });
  }

  return {
    async start() {
      await running;
      wake();
      await running;
    },
    startLater: pause,
    wake,
    async stop() {
      ending.abort();
      clearTimeout(timer);
      await running;
    },
  };
}
