import type { JobName } from '@chargehand/domain';
import type { Log } from '../log.ts';
import { workBegins } from './stall-watch.ts';

/** When work is repeated, and what the log says when it fails. */
export interface JobOptions {
  /** its name in the list of jobs */
  job: JobName;
  everyMs: number | null;
  log: Log;
  failed: string;
  again?: string;
}

export interface ScheduledJob {
  /** Runs immediately, or after the current run; resolves when that run has ended, failed or not. */
  start(): Promise<void>;
  /** Starts with a pause before the first run. */
  startLater(): void;
  /** Runs now, unless a run is in progress. */
  wake(): void;
  /** Starts no more runs. The signal of a current run is aborted, and `stop` waits for it. */
  stop(): Promise<void>;
}

/**
 * Work that is repeated while the server is running: a run, a pause of `everyMs`, a run. Never two at once, and a
 * failed run does not prevent the next one. With `everyMs` null it runs only on request. With `again`, a failure is
 * logged once as an error with `failed`, and once with `again` when it is over. Without, every failed run is logged as
 * a warning.
 */
export function scheduledJob(run: (signal: AbortSignal) => Promise<unknown>, options: JobOptions): ScheduledJob {
  const { everyMs, log, failed, again } = options;
  const ending = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;
  let failing = false;

  async function take(): Promise<void> {
    try {
      workBegins('job', `the job ${options.job}`);
      await run(ending.signal);
      if (failing && again !== undefined) log.info(again);
      failing = false;
    } catch (error) {
      if (again === undefined) log.warn({ err: error, source: 'job' }, failed);
      else if (!failing) log.error({ err: error, source: 'job' }, failed);
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
