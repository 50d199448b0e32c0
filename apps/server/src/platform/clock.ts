import type { DeletionKind } from '@chargehand/domain';
import { scheduledJob } from './work/scheduled-job.ts';

/** The current time, and timers. Modules receive a clock; tests provide their own. */
export interface Clock {
  now(): Date;
  /** Repeats work as `scheduledJob` does. */
  repeat: typeof scheduledJob;
  /** Runs work once, `ms` milliseconds from now, unless it is cancelled. Does not keep the process running. */
  after(ms: number, work: () => void): Cancel;
  /**
   * Deletes stored facts by their age. Every such deletion goes through here: `work` gets the time that ages are counted
   * from, and returns how many it deleted. The server's clock does not call it while that time is not certain
   * (`deletionGuard`).
   */
  deleteOld(what: DeletionKind, work: (now: Date) => Promise<number>): Promise<void>;
}

/** Cancels work that has not run yet; otherwise does nothing. */
export type Cancel = () => void;

export const systemClock: Clock = {
  now: () => new Date(),
  repeat: scheduledJob,
  after(ms, work) {
    const timer = setTimeout(work, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
  async deleteOld(_, work) {
    await work(this.now());
  },
};

/** Resolves when `work` has resolved, or after `ms` milliseconds without it. Rejects when `work` rejects before. */
export async function settled(work: Promise<unknown>, clock: Clock, ms: number): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const cancel = clock.after(ms, resolve);
  try {
    await Promise.race([work, late]);
  } finally {
    cancel();
  }
}

/** Resolves after `ms` milliseconds. */
export function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(ms, resolve);
  });
}

/** The system's clock, with a different time. */
export function clockAt(now: () => Date): Clock {
  return { ...systemClock, now };
}
