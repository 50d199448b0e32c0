import type { Served } from './availability.ts';

/** The quantity of the power to vehicles, as OCPP names it. */
export const POWER_KEY = 'Power.Active.Import';

/** The changes of the numbers of devices in a step of time. Seconds are those from a change to the end of the step. */
export interface ServedChanges {
  /** epoch milliseconds, and the length of the step */
  at: number;
  stepMs: number;
  served: number;
  available: number;
  /** each change times the seconds that it lasted until the end of the step */
  servedSeconds: number;
  availableSeconds: number;
}

/**
 * The device time in service and available in each step, in seconds, from the numbers now and the changes before. Only
 * changes are stored, so a site where nothing happens needs no rows. The steps follow each other without gaps, oldest
 * first, and the last one contains `now`.
 */
export function servedTimes(now: number, current: Served, steps: readonly ServedChanges[]): Served[] {
  const times: Served[] = [];
  let after = current;
  for (const step of steps.toReversed()) {
    const before = { served: after.served - step.served, available: after.available - step.available };
    // What a step that is still going on has not reached yet.
    const ahead = Math.max(0, step.at + step.stepMs - now) / 1_000;
    const seconds = step.stepMs / 1_000;
    times.push({
      served: before.served * seconds + step.servedSeconds - after.served * ahead,
      available: before.available * seconds + step.availableSeconds - after.available * ahead,
    });
    after = before;
  }
  return times.reverse();
}

/** From this share of a step on in which no server was running, its availability is unknown. */
const UNSEEN_SHARE = 0.5;

/** True when most of a step was observed. `gaps`: when no server was running; epoch milliseconds. */
export function isObserved(from: number, to: number, gaps: readonly { from: number; to: number }[]): boolean {
  const unseen = gaps.reduce((sum, gap) => sum + Math.max(0, Math.min(gap.to, to) - Math.max(gap.from, from)), 0);
  return to > from && unseen < (to - from) * UNSEEN_SHARE;
}
