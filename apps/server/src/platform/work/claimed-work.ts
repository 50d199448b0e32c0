/** Work that is claimed from a table, several items at the same time. */
export interface ClaimedWork {
  /** Works until nothing is due. Items that have begun are finished in any case. */
  drain(signal: AbortSignal): Promise<void>;
  /** More may be due: a run looks for it at once, instead of when an item ends. */
  wake(): void;
}

/**
 * `claim` returns at most so many due items, none of which is returned again while it is worked on. An item starts as
 * soon as another one has ended, so that a slow one delays only itself. `work` never rejects.
 */
export function claimedWork<T>(parts: {
  atOnce: number;
  claim: (limit: number) => Promise<readonly T[]>;
  work: (item: T) => Promise<void>;
}): ClaimedWork {
  const { atOnce, claim, work } = parts;
  let woken = Promise.withResolvers<void>();
  return {
    async drain(signal) {
      const running = new Set<Promise<void>>();
      try {
        for (let idle = false; !idle; ) {
          woken = Promise.withResolvers();
          const free = signal.aborted ? 0 : atOnce - running.size;
          const claimed = free === 0 ? [] : await claim(free);
          for (const item of claimed) {
            const one = work(item).finally(() => running.delete(one));
            running.add(one);
          }
          if (running.size === atOnce) await Promise.race(running);
          else if (claimed.length > 0) continue;
          else if (running.size > 0) await Promise.race([...running, woken.promise]);
          else idle = true;
        }
      } finally {
        await Promise.all(running);
      }
    },
    wake: () => woken.resolve(),
  };
}
