import type { Kysely } from 'kysely';
import type { Database } from '../platform/database/schema.ts';

/**
 * The stored secret with a name. The first caller creates it; of several callers at once, the first one to write
 * creates it.
 */
export async function findOrCreateSecret(
  db: Kysely<Database>,
  name: string,
  make: () => Promise<string>,
): Promise<string> {
  const known = await db.selectFrom('server_secrets').select('value').where('name', '=', name).executeTakeFirst();
  if (known) return known.value;
  await db
    .insertInto('server_secrets')
    .values({ name, value: await make() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { value } = await db
    .selectFrom('server_secrets')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
  return value;
}

/** Every stored secret whose name starts with `prefix`, the newest first. */
export async function listSecrets(db: Kysely<Database>, prefix: string): Promise<{ name: string; value: string }[]> {
  return await db
    .selectFrom('server_secrets')
    .select(['name', 'value'])
    .where('name', 'like', `${prefix}%`)
    .orderBy('created_at', 'desc')
    .orderBy('name')
    .execute();
}
