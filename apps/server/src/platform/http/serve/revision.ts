import { createHash } from 'node:crypto';
import { Problem } from '../problem.ts';

/**
 * A mark of what people may change of a row: the same for the same values, whatever order their keys have. Somebody who
 * changes the row gives the mark of what they saw, so that nobody overwrites what they never read.
 */
export function revisionOf(values: object): string {
  return createHash('sha256')
    .update(JSON.stringify(ordered(values)))
    .digest('base64url')
    .slice(0, 22);
}

/**
 * Makes sure that a row, held by the transaction, is as the caller saw it; a caller who gave no mark decides blindly.
 * @throws {Problem} changedMeanwhile
 */
export function requireRevision(seen: string | undefined, values: object): void {
  if (seen !== undefined && seen !== revisionOf(values)) throw new Problem('changedMeanwhile', { field: 'revision' });
}

/** The same value with its keys in one order, however the database or a client ordered them. */
export function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]): [string, unknown] => [key, ordered(inner)]);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
