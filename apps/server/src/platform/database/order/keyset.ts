import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { ListPosition } from '../../http/serve/list-queries.ts';

/** The order of a long list: the value, the id that orders equal values, and the type for reading back a position. */
export interface KeysetOrder {
  value: RawBuilder<unknown>;
  id: RawBuilder<unknown>;
  type: RawBuilder<unknown>;
  descending: boolean;
}

/** The rows after a position in an order; all of them when there is none yet. */
export function beyond(order: KeysetOrder, after: ListPosition | null): RawBuilder<SqlBool> {
  if (after === null) return sql<SqlBool>`true`;
  return sql<SqlBool>`(${order.value}, ${order.id}) ${order.descending ? sql`<` : sql`>`}
                      (${after.position}::${order.type}, ${after.id}::bigint)`;
}
