import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';

/** Lines with one text in a minute. */
const LINES = 20;
const MINUTE_MS = 60_000;

/**
 * Logs what the gateway refuses. Guesses cost their sender nothing and would fill the log, so further ones in a minute
 * are counted, and their number is logged at its end.
 */
export function refusalLog({ log, clock }: { log: Pick<Log, 'warn'>; clock: Clock }) {
  const counts = new Map<string, number>();
  return (facts: object, text: string): void => {
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    if (count <= LINES) log.warn(facts, text);
    if (count > 1) return;
    clock.after(MINUTE_MS, () => {
      const more = (counts.get(text) ?? 0) - LINES;
      counts.delete(text);
      if (more > 0) log.warn({ more }, `${text}, and more in the last minute`);
    });
  };
}
