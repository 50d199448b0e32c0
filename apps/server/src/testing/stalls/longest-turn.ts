/**
 * Runs some work and returns the longest turn of the event loop meanwhile, in milliseconds of this thread's processor
 * time: how long other requests would have waited, independent of the load of the machine.
 */
export async function longestTurn<T>(work: () => Promise<T>): Promise<{ result: T; ms: number }> {
  let longest = 0;
  let last = process.threadCpuUsage();
  let next: NodeJS.Immediate;
  const turn = () => {
    const { user, system } = process.threadCpuUsage(last);
    longest = Math.max(longest, (user + system) / 1000);
    last = process.threadCpuUsage();
    next = setImmediate(turn);
  };
  next = setImmediate(turn);
  try {
    const result = await work();
    turn();
    return { result, ms: longest };
  } finally {
    clearImmediate(next);
  }
}
