import { type RawBuilder, sql } from 'kysely';
import type { Pool } from 'pg';

/**
 * A name, SN, code or key as lists sort it: numbers in it by value, Chinese by pinyin, like `compareNaturally` of the
 * domain. Comparisons for equality and searches use the plain column.
 */
export function naturally(column: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(${column} collate natural_sort)`;
}

/**
 * Rebuilds the indexes in natural order if the Unicode library of the database server was updated since they were
 * built: it may sort differently, and they would return rows in the wrong order. Returns the number of indexes.
 */
export async function refreshNaturalOrder(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ oid: number }>(
    `select oid from pg_collation where oid = 'natural_sort'::regcollation
        and collversion is distinct from pg_collation_actual_version(oid)`,
  );
  const collation = rows[0];
  if (!collation) return 0;
  const indexes = await pool.query<{ name: string }>(
    'select indexrelid::regclass::text as name from pg_index where $1::oid = any(indcollation) order by 1',
    [collation.oid],
  );
  const client = await pool.connect();
  try {
    await client.query('set statement_timeout = 0');
    for (const { name } of indexes.rows) await client.query(`reindex index ${name}`);
    await client.query('alter collation natural_sort refresh version');
  } finally {
    client.release(true);
  }
  return indexes.rows.length;
}

/** A warning if the database server cannot sort naturally because it was built without ICU; null otherwise. */
export async function naturalOrderWarning(pool: Pool): Promise<string | null> {
  const { rows } = await pool.query<{ provider: string }>(
    `select collprovider as provider from pg_collation where oid = 'natural_sort'::regcollation`,
  );
  return rows[0]?.provider === 'i'
    ? null
    : 'The database server was built without ICU: lists are sorted by character code, 10 before 2';
}
