import { scheduledJob } from './work/scheduled-job.ts';

/** What time it is, and the work that is repeated as time passes. Rooms are given one; tests bring their own. */
export interface Clock {
  now(): Date;
  /** Repeats work as `scheduledJob` does. */
  repeat: typeof scheduledJob;
}

export const systemClock: Clock = { now: () => new Date(), repeat: scheduledJob };

/** The system's clock, but for the time that it shows. */
export function clockAt(now: () => Date): Clock {
  return { ...systemClock, now };
}
