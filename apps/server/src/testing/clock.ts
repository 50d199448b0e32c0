import type { JobName } from '@chargehand/domain';
import { type Cancel, type Clock, systemClock } from '../platform/clock.ts';
import type { ScheduledJob } from '../platform/work/scheduled-job.ts';

/** A clock with the real time that repeats work only when a test requests it. */
export interface ManualClock extends Clock {
  /**
   * Runs repeated work once, one after the other: all of it, or only the given jobs, which takes much less time. Throws when
   * no work has such a name.
   */
  sweep(...only: readonly JobName[]): Promise<void>;
  /** Runs the work that is due within `ms` milliseconds now. The time itself does not change. */
  elapse(ms: number): void;
}

/** @param realUpTo longer waits end only with `elapse`, however slow the machine is. Milliseconds */
export function manualClock({ realUpTo = Number.POSITIVE_INFINITY } = {}): ManualClock {
  const jobs = new Map<ScheduledJob, JobName>();
  const due = new Set<{ ms: number; run(): void }>();
  return {
    ...systemClock,
    after(ms, work) {
      const run = () => {
        cancel();
        work();
      };
      const cancelTimer = ms > realUpTo ? () => undefined : systemClock.after(ms, run);
      const cancel = () => {
        due.delete(one);
        cancelTimer();
      };
      const one = { ms, run };
      due.add(one);
      return cancel;
    },
    elapse(ms) {
      for (const one of [...due]) if (one.ms <= ms && due.has(one)) one.run();
    },
    repeat(turn, options) {
      const turns = systemClock.repeat(turn, { ...options, everyMs: null });
      const job: ScheduledJob = {
        ...turns,
        async stop() {
          jobs.delete(job);
          await turns.stop();
        },
      };
      jobs.set(job, options.job);
      return job;
    },
    async sweep(...only) {
      const known = new Set(jobs.values());
      for (const name of only) if (!known.has(name)) throw new Error(`No job has the name ${name}.`);
      for (const [job, name] of jobs) if (only.length === 0 || only.includes(name)) await job.start();
    },
  };
}

/** A clock that stands still until a test moves it. */
export interface SteppedClock extends Clock {
  /** Advances the time by `ms` milliseconds: runs the work that is due in them, in order, each at its time. */
  advance(ms: number): Promise<void>;
  /**
   * Advances the time by `ms` milliseconds at once, as after suspending a machine: then runs the work that is due, each
   * once.
   */
  skip(ms: number): Promise<void>;
}

export function steppedClock(start = new Date()): SteppedClock {
  let now = start.getTime();
  const due = new Set<{ at: number; work: () => void | Promise<void> }>();
  const schedule = (ms: number, work: () => void | Promise<void>): Cancel => {
    const one = { at: now + ms, work };
    due.add(one);
    return () => due.delete(one);
  };
  const dueBy = (end: number) =>
    [...due].filter(({ at }) => at <= end).reduce((first, one) => (one.at < first.at ? one : first));
  return {
    now: () => new Date(now),
    after: schedule,
    async deleteOld(_, work) {
      await work(new Date(now));
    },
    repeat(turn, options) {
      const { everyMs } = options;
      const turns = systemClock.repeat(turn, { ...options, everyMs: null });
      let cancel: Cancel = () => undefined;
      let stopped = false;
      const startLater = () => {
        cancel();
        if (everyMs !== null && !stopped) cancel = schedule(everyMs, start);
      };
      const start = async () => {
        await turns.start();
        startLater();
      };
      return {
        start,
        startLater,
        wake: () => void start(),
        async stop() {
          stopped = true;
          cancel();
          await turns.stop();
        },
      };
    },
    async advance(ms) {
      const end = now + ms;
      while ([...due].some(({ at }) => at <= end)) {
        const next = dueBy(end);
        due.delete(next);
        now = Math.max(now, next.at);
        await next.work();
      }
      now = end;
    },
    async skip(ms) {
      now += ms;
      for (const one of [...due].filter(({ at }) => at <= now)) {
        due.delete(one);
        await one.work();
      }
    },
  };
}
