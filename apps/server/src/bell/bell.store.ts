import { type Kysely, sql } from 'kysely';
import type { Database } from '../platform/database/schema.ts';

/** When a user last opened the bell; null: never. */
export async function findOpening(db: Kysely<Database>, userId: number): Promise<Date | null> {
  const row = await db.selectFrom('bell_openings').select('opened_at').where('user_id', '=', userId).executeTakeFirst();
  return row?.opened_at ?? null;
}

/** Records that a user opens the bell now, by the clock of the database, and returns the time. */
export async function storeOpening(db: Kysely<Database>, userId: number): Promise<Date> {
  const now = { opened_at: sql<Date>`now()` };
  const { opened_at: at } = await db
    .insertInto('bell_openings')
    .values({ user_id: userId, ...now })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(now))
    .returning('opened_at')
    .executeTakeFirstOrThrow();
  return at;
}
