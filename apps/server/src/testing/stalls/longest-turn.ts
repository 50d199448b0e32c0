import { leastStall } from './least-stall.ts';

/**
 * Runs some work that can be repeated and returns its last result and its longest turn of the event loop, in milliseconds
 * of this thread's processor time: how long other requests would have waited, independent of the load of the machine.
 */
export async function longestTurn<T>(work: () => Promise<T>): Promise<{ result: T; ms: number }> {
  let result!: T;
  const ms = await leastStall(async () => {
    let longest = 0;
    let last = process.threadCpuUsage();
    let next: NodeJS.Immediate;
    const measure = () => {
      const { user, system } = process.threadCpuUsage(last);
      longest = Math.max(longest, (user + system) / 1000);
      last = process.threadCpuUsage();
    };
    const turn = () => {
      measure();
      next = setImmediate(turn);
    };
    next = setImmediate(turn);
    try {
      result = await work();
      // Not `turn`, which would go on after the test.
      measure();
      return longest;
    } finally {
      clearImmediate(next);
    }
  });
  return { result, ms };
}
