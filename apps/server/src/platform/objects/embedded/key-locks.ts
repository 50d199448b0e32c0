/**
 * Runs changes of the same key one after the other, in the order of the calls. Changes of other keys run in parallel.
 */
export function keyLocks() {
  const last = new Map<string, Promise<unknown>>();
  return async <T>(key: string, change: () => Promise<T>): Promise<T> => {
    const before = last.get(key) ?? Promise.resolve();
    const mine = before.then(change, change);
    // The next change runs even if this one fails; the caller of this one receives the error.
    const settled = mine.catch(() => undefined);
    last.set(key, settled);
    try {
      return await mine;
    } finally {
      if (last.get(key) === settled) last.delete(key);
    }
  };
}
