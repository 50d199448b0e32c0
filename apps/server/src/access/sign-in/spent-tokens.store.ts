import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';

/**
 * Marks a one-time value as used. False when it was used before: of any number of concurrent calls exactly one returns
 * true.
 */
export async function spend(db: Kysely<Database>, token: string, expiresAt: Date): Promise<boolean> {
  const inserted = await db
    .insertInto('spent_tokens')
    .values({ token, expires_at: expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .returning('token')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Removes used values that have expired anyway. */
export async function forgetExpiredTokens(db: Kysely<Database>): Promise<void> {
  await sql`delete from spent_tokens where expires_at < now() - interval '1 minute'`.execute(db);
}
