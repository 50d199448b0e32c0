import { type Kysely, sql } from 'kysely';
import type { Database } from './schema.ts';

/** Makes requests with the same key wait for each other until the end of the transaction. */
export async function lockRequest(trx: Kysely<Database>, requestKey: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('request'), hashtext(${requestKey.toLowerCase()}))`.execute(trx);
}
