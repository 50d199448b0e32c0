import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { RegionCodes } from './regions.ts';

/** SQL that is true when the rows of a table are in a region, on any level of detail. */
export function inRegion(table: 'sites' | 'customers', region: RegionCodes): RawBuilder<SqlBool> {
  const parts = (['country', 'province', 'city'] as const)
    .filter((part) => region[part] !== null)
    .map((part) => sql`${sql.ref(`${table}.${part}`)} = ${region[part]}`);
  return sql<SqlBool>`(${sql.join(parts, sql` and `)})`;
}
