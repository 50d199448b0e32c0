import { type Clock, systemClock } from '../platform/clock.ts';
import type { ScheduledJob } from '../platform/work/scheduled-job.ts';

/** A clock that shows the real time, but repeats nothing until a test says so. */
export interface ManualClock extends Clock {
  /** Takes one whole turn of all repeated work, one after the other. */
  sweep(): Promise<void>;
}

export function manualClock(): ManualClock {
  const jobs = new Set<ScheduledJob>();
  return {
    ...systemClock,
    repeat(turn, options) {
      const turns = systemClock.repeat(turn, { ...options, everyMs: null });
      const job: ScheduledJob = {
        ...turns,
        async stop() {
          jobs.delete(job);
          await turns.stop();
        },
      };
      jobs.add(job);
      return job;
    },
    async sweep() {
      for (const job of jobs) await job.start();
    },
  };
}
