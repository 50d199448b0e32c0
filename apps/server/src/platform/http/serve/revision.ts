import { createHash } from 'node:crypto';
import { Problem } from '../problem.ts';

/**
 * A mark of the editable values of a row: the same for the same values, in any order of their keys. A client that
 * changes the row sends the mark of what it read, so that nobody overwrites values they never saw.
 */
export function revisionOf(values: object): string {
  return createHash('sha256')
    .update(JSON.stringify(ordered(values)))
    .digest('base64url')
    .slice(0, 22);
}

/**
 * Checks that a row, locked by the transaction, is as the caller read it. Without a mark there is no check.
 * @throws {Problem} changedMeanwhile
 */
export function requireRevision(seen: string | undefined, values: object): void {
  if (seen !== undefined && seen !== revisionOf(values)) throw new Problem('changedMeanwhile', { field: 'revision' });
}

/** The same value with sorted keys, however the database or a client ordered them. */
export function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]): [string, unknown] => [key, ordered(inner)]);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
