import type { Program } from '../program.ts';

/** Nothing that is sent may keep the event loop busy for longer at a stretch. Milliseconds of CPU. */
const LONGEST_STALL_MS = 50;
/** The best of so many counts: garbage collection and the compiler take their turns, too. */
const ROUNDS = 4;

/** Something that is sent to keep a server busy. */
export interface Attack {
  what: string;
  /** Sends it and resolves when the server has dealt with it. */
  run(): Promise<unknown>;
}

/** Runs attacks against a program with a meter; answers those that kept its event loop busy each time, and for how long. */
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
