import { CompiledQuery, type Kysely } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import type { QueryClient } from '../ports/uplink.ts';

/** Adapts a Kysely transaction to run statements that are shared with the storing of device messages. */
export function queryOf(db: Kysely<Database>): QueryClient {
  return { query: (config) => db.executeQuery(CompiledQuery.raw(config.text, config.values)) };
}
