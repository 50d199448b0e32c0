/** The keys of one query. */
const AT_ONCE = 1_000;

/**
 * Queries many keys at a time: keys that are requested while a query is running go into the next one, so that thousands
 * of concurrent callers cost a few queries, one after the other. Rejects with the error of `loadAll`.
 */
export function batching<V, K = number>(loadAll: (keys: readonly K[]) => Promise<Map<K, V>>) {
  const waiting = new Map<K, PromiseWithResolvers<V | undefined>>();
  let asking = false;

  const load = async () => {
    asking = true;
    // Combines everything of this turn of the event loop.
    await Promise.resolve();
    while (waiting.size > 0) {
      const some = [...waiting].slice(0, AT_ONCE);
      for (const [key] of some) waiting.delete(key);
      try {
        const known = await loadAll(some.map(([key]) => key));
        for (const [key, { resolve }] of some) resolve(known.get(key));
      } catch (error) {
        for (const [, { reject }] of some) reject(error);
      }
    }
    asking = false;
  };

  return (key: K): Promise<V | undefined> => {
    const known = waiting.get(key) ?? Promise.withResolvers<V | undefined>();
    waiting.set(key, known);
    if (!asking) void load();
    return known.promise;
  };
}
