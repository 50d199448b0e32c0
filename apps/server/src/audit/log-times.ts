import { Problem } from '../platform/http/problem.ts';

/** The time that a log is narrowed to. @throws Problem `rangeTurned` when it ends before it begins */
export function timesOf(query: { from?: string; to?: string }): { from: Date | undefined; to: Date | undefined } {
  const from = query.from === undefined ? undefined : new Date(query.from);
  const to = query.to === undefined ? undefined : new Date(query.to);
  if (from && to && from >= to) throw new Problem('rangeTurned', { field: 'to' });
  return { from, to };
}
