import type { BUILT_IN_ROLES } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';

/** An arbitrary number that no other lock uses. */
const START_LOCK = 4_213_772_001;

/** Until the end of the transaction, no other process seeds or synchronizes. */
export async function lockFirstStart(trx: Kysely<Database>): Promise<void> {
  await sql`select pg_advisory_xact_lock(${START_LOCK})`.execute(trx);
}

/** True before the first account exists. */
export async function hasNoUsers(trx: Kysely<Database>): Promise<boolean> {
  return (await trx.selectFrom('users').select('id').limit(1).executeTakeFirst()) === undefined;
}

/** The ID of the platform vendor. Creates it if there is none. */
export async function platformVendor(trx: Kysely<Database>, code: string, name: string): Promise<number> {
  const known = await trx.selectFrom('customers').select('id').where('platform_vendor', '=', true).executeTakeFirst();
  if (known) return known.id;
  const made = await trx
    .insertInto('customers')
    .values({ code, name, platform_vendor: true })
    .returning('id')
    .executeTakeFirstOrThrow();
  return made.id;
}

export async function insertRoot(
  trx: Kysely<Database>,
  user: { userName: string; nickName: string; passwordHash: string; customerId: number },
): Promise<void> {
  await trx
    .insertInto('users')
    .values({
      user_name: user.userName,
      nick_name: user.nickName,
      password_hash: user.passwordHash,
      customer_id: user.customerId,
      role_id: null,
      email: null,
      root: true,
    })
    .execute();
}

export interface RoleFacts {
  name: keyof typeof BUILT_IN_ROLES;
  customerAccess: number;
  siteAccess: number;
  remoteAccess: number;
  levels: object;
  menus: readonly string[];
}

/** Adds a role with its menus, unless a role with this name exists. */
export async function insertRole(trx: Kysely<Database>, role: RoleFacts): Promise<void> {
  const made = await trx
    .insertInto('roles')
    .values({
      name: role.name,
      customer_access: role.customerAccess,
      site_access: role.siteAccess,
      remote_access: role.remoteAccess,
      levels: JSON.stringify(role.levels),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!made || role.menus.length === 0) return;
  await trx
    .insertInto('role_menus')
    .values(role.menus.map((menu_key) => ({ role_id: made.id, menu_key })))
    .execute();
}
