import type { Program } from '../program.ts';

/** The maximum time that any input may block the event loop. Milliseconds of CPU. */
const LONGEST_STALL_MS = 50;
/** The best of so many attempts counts, because garbage collection and the compiler also take time. */
const ROUNDS = 4;

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
    const measured: number[] = [];
    while (measured.length < ROUNDS && measured.every((ms) => ms >= LONGEST_STALL_MS)) {
      await run();
      measured.push(await program.longestStall());
    }
    const best = Math.min(...measured);
    if (best >= LONGEST_STALL_MS) stalls.push(`${what}: ${Math.round(best)} ms`);
  }
  return stalls;
}
