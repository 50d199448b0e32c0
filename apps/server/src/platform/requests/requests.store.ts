import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/schema.ts';

/** How long a key is kept. Clients repeat a request within minutes; a day covers a laptop that was closed meanwhile. */
const KEPT = sql`interval '1 day'`;

/** The request with a key; undefined while nothing of it has been committed. */
export async function findRequest(
  db: Kysely<Database>,
  keyHash: Buffer,
): Promise<{ fingerprint: Buffer; answer: string | null } | undefined> {
  return await db
    .selectFrom('request_keys')
    .select(['fingerprint', 'answer'])
    .where('key_hash', '=', keyHash)
    .executeTakeFirst();
}

/** Stores the answer of a request that has ended. */
export async function storeAnswer(
  db: Kysely<Database>,
  key: { hash: Buffer; fingerprint: Buffer },
  answer: string | null,
): Promise<void> {
  await db
    .insertInto('request_keys')
    .values({ key_hash: key.hash, fingerprint: key.fingerprint, answer })
    .onConflict((conflict) => conflict.column('key_hash').doUpdateSet({ answer }))
    .execute();
}

/** Removes the key of a request that was refused: nothing of it is to be repeated. */
export async function forgetRequest(db: Kysely<Database>, keyHash: Buffer): Promise<void> {
  await db.deleteFrom('request_keys').where('key_hash', '=', keyHash).execute();
}

/** Removes keys that are older than a day by the clock of the database. Returns how many. */
export async function removeOldKeys(db: Kysely<Database>): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('request_keys')
    .where('created_at', '<', sql<Date>`now() - ${KEPT}`)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
