import { maskText } from '@chargehand/domain';
import { type Log, watchErrors } from '../platform/log.ts';

/** The number of lines that are kept. */
const KEPT = 1_000;
/** The longest line. Characters. */
const LONGEST = 4_000;

/** Keeps the last warnings and errors of a log. */
export function recentLines(log: Log, now: () => Date): { lines(): readonly string[]; stop(): void } {
  const lines: string[] = [];
  const stop = watchErrors(log, ({ severity, text, values }) => {
    const { err, ...others } = values;
    const error = err instanceof Error ? { error: err.message, stack: err.stack } : {};
    lines.push(written({ at: now(), severity, text, ...others, ...error }));
    if (lines.length > KEPT) lines.shift();
  });
  return { lines: () => lines, stop };
}

const SECRET = /password|authorization|cookie|token|secret/i;

function masked(name: string, value: unknown): unknown {
  if (SECRET.test(name)) return '***';
  return typeof value === 'string' ? maskText(value.slice(0, LONGEST)) : value;
}

/** A line must not fail because of its values. */
function written(line: Record<string, unknown>): string {
  try {
    return JSON.stringify(line, masked).slice(0, LONGEST);
  } catch {
    return JSON.stringify({ at: line.at, severity: line.severity, text: line.text });
  }
}
