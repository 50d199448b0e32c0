import type { Scope } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import { idArray, withinScope } from '../platform/database/scope.ts';

/**
 * The customers of which a scope contains any row. A user with assigned sites sees customers only through these sites.
 */
export async function customersSeen(db: Kysely<Database>, scope: Scope): Promise<'all' | readonly number[]> {
  if (scope.sites === 'all') return scope.customers;
  const { rows } = await sql<{ id: number }>`
    select distinct customer_id as id from sites
     where sites.id = any(${idArray(scope.sites)}) and ${withinScope(scope, 'sites.customer_id', 'sites.id')}
     order by 1`.execute(db);
  return rows.map(({ id }) => id);
}

/** The given keys that no row refers to. */
export async function unusedKeys(db: Kysely<Database>, keys: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select key from unnest(${[...keys]}::text[]) as requested (key)
     where not exists (select from customers where logo = key)
       and not exists (select from sites where image = key)
       and not exists (select from users where avatar = key)
       and not exists (select from device_images where device_images.key = requested.key)
       and not exists (select from device_models where image_key = key)
       and not exists (select from device_models where icon_key = key)`.execute(db);
  return rows.map(({ key }) => key);
}

/** The picture of a user, whose row is locked until the end of the transaction. */
export async function lockAvatar(trx: Kysely<Database>, userId: number): Promise<string | null> {
  const user = trx.selectFrom('users').select('avatar').where('id', '=', userId).forUpdate();
  return (await user.executeTakeFirstOrThrow()).avatar;
}

export async function setAvatar(trx: Kysely<Database>, userId: number, avatar: string | null): Promise<void> {
  await trx.updateTable('users').set({ avatar }).where('id', '=', userId).execute();
}
