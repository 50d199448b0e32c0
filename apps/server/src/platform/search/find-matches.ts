import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/schema.ts';
import { bestMatches, matchesInside, type SearchedTable } from './search-text.ts';

/**
 * Up to `limit` rows that match a search, the best first. `shown` completes a query of the rows: it selects from the
 * matches `found`, with their `id` and `place`. Matches inside words are looked for only when there are too few others.
 */
export async function findMatches<R extends { id: number }>(
  db: Kysely<Database>,
  table: SearchedTable,
  { search, limit, shown }: { search: string; limit: number; shown: RawBuilder<unknown> },
): Promise<R[]> {
  const read = async (matches: RawBuilder<unknown>) => {
    const { rows } = await sql<R>`with found as (${matches}) ${shown} order by found.place`.execute(db);
    return rows;
  };
  const best = await read(bestMatches(table, search, limit));
  const inside = best.length < limit ? matchesInside(table, search, limit) : null;
  if (!inside) return best;
  const known = new Set(best.map(({ id }) => id));
  return [...best, ...(await read(inside)).filter(({ id }) => !known.has(id))].slice(0, limit);
}
