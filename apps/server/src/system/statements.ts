/** The time of all runs of a statement. */
export interface StatementTime {
  text: string;
  calls: number;
  totalMs: number;
}

const MAX_STATEMENTS = 300;
const MAX_TEXT = 400;
/** Texts up to this length are found as they are: the hash of a constant text is computed once, that of a part each time. */
const MAX_KEY = 10_000;
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
      const key = text.length <= MAX_KEY ? text : text.slice(0, MAX_TEXT);
      const known = times.get(key);
      if (known) {
        known.calls += 1;
        known.totalMs += ms;
        return;
      }
      if (times.size >= MAX_STATEMENTS) {
        const [least] = [...times].reduce((one, other) => (other[1].totalMs < one[1].totalMs ? other : one));
        times.delete(least);
      }
      times.set(key, { text: text.slice(0, MAX_TEXT), calls: 1, totalMs: ms });
    },
    slowest: () =>
      [...times.values()]
        .toSorted((a, b) => b.totalMs - a.totalMs)
        .slice(0, SHOWN)
        .map((one) => ({ ...one, text: one.text.replaceAll(/\s+/g, ' ').trim(), meanMs: one.totalMs / one.calls })),
  };
}
