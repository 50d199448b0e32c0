import { type RawBuilder, sql } from 'kysely';

type ColumnType = 'int' | 'bigint' | 'text' | 'boolean' | 'timestamptz';

/** Rows as a table in SQL, with an array for each column: `unnest($1::int[], $2::text[])`. */
export function unnested<T>(
  rows: readonly T[],
  columns: { readonly [K in keyof T]?: ColumnType },
): RawBuilder<unknown> {
  const arrays = (Object.entries(columns) as [keyof T, ColumnType][]).map(
    ([name, type]) => sql`${rows.map((row) => row[name])}::${sql.raw(type)}[]`,
  );
  return sql`unnest(${sql.join(arrays)})`;
}
