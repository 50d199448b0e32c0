/** The time of all runs of a statement. */
export interface StatementTime {
  text: string;
  calls: number;
  totalMs: number;
}

const MAX_STATEMENTS = 300;
const MAX_TEXT = 400;
const SHOWN = 10;

export interface StatementTimes {
  add(text: string, ms: number): void;
  /** those that took the most time together */
  slowest(): (StatementTime & { meanMs: number })[];
}

/** Measures statements by their text, without values. Beyond the limit, the one with the least time is forgotten. */
export function statementTimes(): StatementTimes {
  const times = new Map<string, StatementTime>();
  return {
    add(text, ms) {
      const key = text.slice(0, MAX_TEXT);
      const known = times.get(key);
      if (known) {
        known.calls += 1;
        known.totalMs += ms;
        return;
      }
      if (times.size >= MAX_STATEMENTS) {
        const least = [...times.values()].reduce((one, other) => (other.totalMs < one.totalMs ? other : one));
        times.delete(least.text);
      }
      times.set(key, { text: key, calls: 1, totalMs: ms });
    },
    slowest: () =>
      [...times.values()]
        .toSorted((a, b) => b.totalMs - a.totalMs)
        .slice(0, SHOWN)
        .map((one) => ({ ...one, text: one.text.replaceAll(/\s+/g, ' ').trim(), meanMs: one.totalMs / one.calls })),
  };
}
