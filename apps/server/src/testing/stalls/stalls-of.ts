import type { Program } from '../program.ts';
import { LONGEST_STALL_MS, leastStall } from './least-stall.ts';

/** An input that is meant to keep a server busy. */
export interface Attack {
  what: string;
  /** Sends it and resolves when the server has processed it. */
  run(): Promise<unknown>;
}

/**
 * Runs attacks against a program with a meter. Returns those that blocked its event loop each time, and for how long.
 */
export async function stallsOf(program: Program, attacks: Iterable<Attack>): Promise<string[]> {
  const stalls: string[] = [];
  for (const { what, run } of attacks) {
    await program.longestStall();
    const least = await leastStall(async () => {
      await run();
      return program.longestStall();
    });
    if (least >= LONGEST_STALL_MS) stalls.push(`${what}: ${Math.round(least)} ms`);
  }
  return stalls;
}
