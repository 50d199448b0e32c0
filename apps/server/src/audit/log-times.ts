import { Problem } from '../platform/http/problem.ts';

/** The time range of a log query. @throws Problem `rangeTurned` when it ends before it starts */
export function timesOf(query: { from?: string; to?: string }): { from: Date | undefined; to: Date | undefined } {
  const from = query.from === undefined ? undefined : new Date(query.from);
  const to = query.to === undefined ? undefined : new Date(query.to);
  if (from && to && from >= to) throw new Problem('rangeTurned', { field: 'to' });
  return { from, to };
}
