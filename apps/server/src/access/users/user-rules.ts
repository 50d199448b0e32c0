import { holdsMore, mayEditUsers } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import { logAction } from '../../audit/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import type { Operation } from '../../ports/action-log.ts';
import type { AccountState } from '../decision.ts';
import { grantorOf, rightsOf } from '../holding.ts';
import { findRole } from '../roles/roles.store.ts';
import { isAssignedOutside } from './assignments.store.ts';
import { findUser, lockUsers, type UserRecord } from './users.store.ts';

/**
 * The user in scope, locked for this transaction, with no more permissions than the caller.
 * @throws {Problem} notFound, userExceeds, accountDisabled
 */
export async function editableUser(trx: Kysely<Database>, caller: Caller, id: number): Promise<UserRecord> {
  // Both rows in the same order: two users who change each other at once run one after the other, and the second is
  // refused if the first disabled them.
  if (!(await lockUsers(trx, caller.userId, id))) throw new Problem('accountDisabled');
  const user = await findUser(caller.scope, trx, id);
  if (!user) throw notFound('user');
  if (!(await holdsNoMore(trx, caller, user))) throw new Problem('userExceeds');
  return user;
}

/** True when the caller's level and permissions allow changing the user. The route is checked elsewhere. */
export async function mayEdit(db: Kysely<Database>, caller: Caller, user: UserRecord): Promise<boolean> {
  return !caller.readOnly && mayEditUsers(caller.levels) && (await holdsNoMore(db, caller, user));
}

/** Records a change of a user in the action log. `before` and `after` must not contain a password. */
export async function logUser(
  trx: Kysely<Database>,
  caller: Caller,
  operation: Operation,
  user: Pick<UserRecord, 'id' | 'userName' | 'customerId'>,
  before: unknown,
  after: unknown,
): Promise<void> {
  await logAction(trx, caller, {
    operation,
    objectType: 'user',
    objectId: String(user.id),
    objectName: user.userName,
    customerId: user.customerId,
    siteId: null,
    before,
    after,
  });
}

/**
 * True when a user has no permissions that the caller lacks. Otherwise changing the user's password would give the
 * caller these permissions.
 */
export async function holdsNoMore(db: Kysely<Database>, caller: AccountState, user: UserRecord): Promise<boolean> {
  const role = user.roleId === null ? null : await findRole(db, user.roleId);
  if (holdsMore(await grantorOf(db, caller), { ...user, role: role && rightsOf(role) })) return false;
  return caller.root || !(await isAssignedOutside(caller.scope, db, user.id));
}
