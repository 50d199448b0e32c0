/**
 * Collects calls while an earlier batch is in progress, and makes them as one. The first call does not wait. `run` answers
 * in the order of its inputs; when it fails, all calls of the batch do.
 *
 * @param most the largest batch
 */
export function batched<T, R>(
  most: number,
  run: (inputs: readonly T[]) => Promise<readonly PromiseSettledResult<R>[]>,
): (input: T) => Promise<R> {
  const waiting: { input: T; result: PromiseWithResolvers<R> }[] = [];
  let running = false;

  async function work(): Promise<void> {
    running = true;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, most);
      try {
        const results = await run(batch.map(({ input }) => input));
        for (const [index, { result }] of batch.entries()) {
          const settled = results[index];
          if (settled?.status === 'fulfilled') result.resolve(settled.value);
          else result.reject(settled?.reason ?? new Error('A call of a batch has no result'));
        }
      } catch (error) {
        for (const { result } of batch) result.reject(error);
      }
    }
    running = false;
  }

  return (input) => {
    const result = Promise.withResolvers<R>();
    waiting.push({ input, result });
    if (!running) void work();
    return result.promise;
  };
}
