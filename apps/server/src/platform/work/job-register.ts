import { type JobName, type JobRun, runsOnce } from '@chargehand/domain';
import type { Clock } from '../clock.ts';

/** The subject on which processes pass on that there is work for a job. */
export const JOB_WOKEN = 'job.woken';

declare module '../bus/bus.ts' {
  interface BusMessages {
    'job.woken': { job: JobName };
  }
}

/** A run that has ended. */
export interface EndedRun extends JobRun {
  startedAt: Date;
}

/** The state of a job in this process. */
export type JobState = Pick<RegisteredJob, 'runningSince' | 'failingSince' | 'nextAt'>;

/** Decides which process runs a job that runs once. */
export interface JobPlacement {
  acquire(job: JobName): Promise<boolean>;
  signal(job: JobName): AbortSignal;
  /** Another process runs the job: it learns that there is work. */
  passOn(job: JobName): void;
}

/** A job of this process. */
export interface RegisteredJob {
  job: JobName;
  /** null: it runs only on request */
  everyMs: number | null;
  /** the text of its log line after a failure */
  failed: string;
  /** start of the current run; null between runs */
  runningSince: Date | null;
  last: EndedRun | null;
  /** the end of the first failure since the last success */
  failingSince: Date | null;
  nextAt: Date | null;
}

export interface JobRegister {
  /** A clock whose repeated work is in the register. */
  watch(clock: Clock): Clock;
  /** The jobs that were started, in the order of their construction. */
  list(): RegisteredJob[];
  /** Runs a job now. @returns false when it is running or is not a job of this process */
  run(job: JobName): boolean;
  /** The state of a job in this process; undefined: it is not one of its jobs. */
  state(job: JobName): JobState | undefined;
  /** There is work for a job, if it runs here: not counted as requested by a user. */
  wake(job: JobName): void;
  /** where jobs run that run once; null: here */
  placement: JobPlacement | null;
  /** called after each run, with the run before it */
  onRun: ((job: RegisteredJob, run: EndedRun, previous: EndedRun | null) => void) | null;
}

interface Entry extends RegisteredJob {
  started: boolean;
  manual: boolean;
  wake(): void;
  woken: boolean;
}

/** The scheduled work of a process: what runs when, and how the last run ended. */
export function jobRegister(): JobRegister {
  const entries = new Map<JobName, Entry>();

  const register: JobRegister = {
    onRun: null,
    placement: null,
    state: (job) => entries.get(job),
    wake(job) {
      const entry = entries.get(job);
      if (entry?.started) entry.wake();
    },
    watch: (clock) => ({
      ...clock,
      repeat(run, options) {
        const { job: name, everyMs, failed } = options;
        const entry: Entry = {
          ...{
            job: name,
            everyMs,
            failed,
            runningSince: null,
            last: null,
            failingSince: null,
            nextAt: null,
            started: false,
            manual: false,
            woken: false,
          },
          wake: () => undefined,
        };
        entries.set(name, entry);
        const job = clock.repeat(async (ending) => {
          const { placement } = register;
          const isShared = placement !== null && runsOnce(name);
          const { woken } = entry;
          entry.woken = false;
          if (isShared && !(await placement.acquire(name))) {
            entry.manual = false;
            entry.nextAt = null;
            if (woken) placement.passOn(name);
            return undefined;
          }
          const signal = isShared ? AbortSignal.any([ending, placement.signal(name)]) : ending;
          const startedAt = clock.now();
          const began = performance.now();
          entry.runningSince = startedAt;
          const end = (error: string | null) => {
            const ended = { startedAt, durationMs: performance.now() - began, error, manual: entry.manual };
            const previous = entry.last;
            entry.last = ended;
            entry.failingSince = error === null ? null : (entry.failingSince ?? clock.now());
            entry.runningSince = null;
            entry.manual = false;
            entry.nextAt = everyMs === null ? null : new Date(clock.now().getTime() + everyMs);
            register.onRun?.(entry, ended, previous);
          };
          try {
            const result = await run(signal);
            end(null);
            return result;
          } catch (error) {
            end(error instanceof Error ? error.message : String(error));
            throw error;
          }
        }, options);
        entry.wake = job.wake;
        const startLater = () => {
          entry.started = true;
          entry.nextAt ??= everyMs === null ? null : new Date(clock.now().getTime() + everyMs);
          job.startLater();
        };
        return {
          start() {
            entry.started = true;
            return job.start();
          },
          startLater,
          wake() {
            entry.started = true;
            entry.woken = true;
            job.wake();
          },
          async stop() {
            await job.stop();
            if (entries.get(name) === entry) entries.delete(name);
          },
        };
      },
    }),
    list: () =>
      [...entries.values()]
        .filter(({ started }) => started)
        .map(({ started: _, manual: __, wake: ___, woken: ____, ...job }) => job),
    run(name) {
      const entry = entries.get(name);
      if (!entry?.started || entry.runningSince !== null) return false;
      entry.manual = true;
      entry.wake();
      return true;
    },
  };
  return register;
}
