import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { ListPosition } from '../http/serve/list-queries.ts';

/** What a long list is ordered by: the value, the id that parts equal ones, and the type in which a position is read back. */
export interface KeysetOrder {
  value: RawBuilder<unknown>;
  id: RawBuilder<unknown>;
  type: RawBuilder<unknown>;
  descending: boolean;
}

/** The rows after a position of an order, all of them when there is none yet. */
export function beyond(order: KeysetOrder, after: ListPosition | null): RawBuilder<SqlBool> {
  if (after === null) return sql<SqlBool>`true`;
  return sql<SqlBool>`(${order.value}, ${order.id}) ${order.descending ? sql`<` : sql`>`}
                      (${after.position}::${order.type}, ${after.id}::bigint)`;
}
