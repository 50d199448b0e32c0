import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';

/** The values of a user whose keys have a prefix, by the rest of the key. */
export async function findPreferences(
  db: Kysely<Database>,
  userId: number,
  prefix: string,
): Promise<Record<string, unknown>> {
  const rows = await db
    .selectFrom('user_preferences')
    .select(['key', 'value'])
    .where('user_id', '=', userId)
    .where('key', 'like', `${prefix}%`)
    .execute();
  return Object.fromEntries(rows.map(({ key, value }) => [key.slice(prefix.length), value]));
}

/** Sets a value of a user; null deletes it. */
export async function setPreference(db: Kysely<Database>, userId: number, key: string, value: unknown): Promise<void> {
  if (value === null) {
    await db.deleteFrom('user_preferences').where('user_id', '=', userId).where('key', '=', key).execute();
    return;
  }
  const kept = { value: JSON.stringify(value), updated_at: sql<Date>`now()` };
  await db
    .insertInto('user_preferences')
    .values({ user_id: userId, key, ...kept })
    .onConflict((conflict) => conflict.columns(['user_id', 'key']).doUpdateSet(kept))
    .execute();
}
