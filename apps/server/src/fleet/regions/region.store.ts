import type { RegionCodes } from '@chargehand/domain';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';

/** SQL that is true when the rows of a table are in a region, on any level of detail. */
export function inRegion(table: 'sites' | 'customers', region: RegionCodes): RawBuilder<SqlBool> {
  const parts = (['country', 'province', 'city'] as const)
    .filter((part) => region[part] !== null)
    .map((part) => sql`${sql.ref(`${table}.${part}`)} = ${region[part]}`);
  return sql<SqlBool>`(${sql.join(parts, sql` and `)})`;
}

/** The numbers of customers and sites in a region of any level, each up to a limit. */
export async function countPlacesInRegion(
  db: Kysely<Database>,
  code: string,
  limit: number,
): Promise<{ customers: number; sites: number }> {
  const counted = (table: 'sites' | 'customers') => sql`(
    select count(*)::int
      from (select from ${sql.table(table)} where ${code} in (country, province, city) limit ${limit}) found)`;
  const { rows } = await sql<{ customers: number; sites: number }>`
    select ${counted('customers')} as customers, ${counted('sites')} as sites`.execute(db);
  return rows[0] ?? { customers: 0, sites: 0 };
}
