import { CompiledQuery, type Kysely } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import type { QueryClient } from '../ports/uplink.ts';

/** A transaction of Kysely as what runs statements that are shared with the storing of what devices say. */
export function queryOf(db: Kysely<Database>): QueryClient {
  return { query: (config) => db.executeQuery(CompiledQuery.raw(config.text, config.values)) };
}
