/** So many addresses are remembered; the oldest are forgotten first. */
const MOST_ADDRESSES = 10_000;

/** Counts failed sign-ins by address: credentials cannot be guessed, but nobody is to try at length. */
export function failureCounter(limit: number, windowMs: number) {
  const failures = new Map<string, { count: number; until: number }>();
  return {
    isShut(address: string, now = Date.now()): boolean {
      const known = failures.get(address);
      return known !== undefined && known.until > now && known.count >= limit;
    },
    note(address: string, now = Date.now()): void {
      const known = failures.get(address);
      const count = known && known.until > now ? known.count + 1 : 1;
      failures.delete(address);
      failures.set(address, { count, until: now + windowMs });
      const [oldest] = failures.keys();
      if (failures.size > MOST_ADDRESSES && oldest !== undefined) failures.delete(oldest);
    },
  };
}
export type FailureCounter = ReturnType<typeof failureCounter>;
