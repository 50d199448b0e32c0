import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';

/** The models that the product has already created. */
export async function shippedKeys(db: Kysely<Database>): Promise<Set<string>> {
  const rows = await db.selectFrom('shipped_definitions').select('key').execute();
  return new Set(rows.map(({ key }) => key));
}

export async function rememberShipped(trx: Kysely<Database>, key: string): Promise<void> {
  await trx.insertInto('shipped_definitions').values({ key }).execute();
}
