import { slowness } from './machine-speed.ts';

/** The maximum time that any input may block the event loop. Milliseconds of CPU on the reference machine. */
export const LONGEST_STALL_MS = 50;
/** The least of so many measurements counts, because garbage collection and the compiler also take time. */
const ROUNDS = 6;

/**
 * Measures how long some work blocks the event loop, again while the result is above the limit: noise makes a measurement
 * longer, never shorter, so a work that stalls does so in every round.
 * @param measure does the work once and resolves with the milliseconds of CPU that its longest turn took
 * @returns the least measurement, in milliseconds of CPU on the reference machine
 */
export async function leastStall(measure: () => Promise<number>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS && least >= LONGEST_STALL_MS; round += 1) {
    const ms = await measure();
    least = Math.min(least, ms < LONGEST_STALL_MS ? ms : ms / slowness());
  }
  return least;
}
