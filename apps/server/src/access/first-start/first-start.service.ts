import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { inventPassword } from '../passwords/generated-password.ts';
import { hashPassword } from '../passwords/passwords.ts';
import { publishPolicy } from '../privacy/privacy.store.ts';
import { PRIVACY_POLICY } from '../privacy/privacy-policy.ts';
import { FIRST_ROLES } from '../roles/first-roles.ts';
import { hasNoUsers, insertRole, insertRoot, platformVendor } from './first-start.store.ts';

/** The first account: a root account of the platform vendor. */
export const FIRST_USER = 'administrator';

/**
 * Seeds a database without accounts: platform vendor, root account, roles, privacy policy. Does nothing later.
 * @param given the first password that an operator chose; already checked
 * @returns the first password if it was generated
 */
export async function seedFirstStart(trx: Kysely<Database>, given: string | undefined): Promise<string | null> {
  await publishPolicy(trx, PRIVACY_POLICY);
  if (!(await hasNoUsers(trx))) return null;
  const password = given ?? inventPassword();
  const sha256hex = createHash('sha256').update(password).digest('hex');
  await insertRoot(trx, {
    userName: FIRST_USER,
    nickName: 'Administrator',
    passwordHash: await hashPassword(sha256hex),
    customerId: await platformVendor(trx, 'platform', 'Platform'),
  });
  for (const role of FIRST_ROLES) await insertRole(trx, role);
  return given === undefined ? password : null;
}
