import type { RowFacts } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { AccountState } from '../decision.ts';
import { holdingOf, isGrantable } from '../holding.ts';
import { findRole } from '../roles/roles.store.ts';
import { holdsNoMore } from '../users/user-rules.ts';
import { findUser } from '../users/users.store.ts';

/** True if the user of a row, or the role that it is, has a right that the caller lacks. */
export async function exceeds(
  db: Kysely<Database>,
  caller: AccountState,
  { id, userId }: Pick<RowFacts, 'userId'> & { id: number | string },
): Promise<boolean> {
  if (userId !== undefined) {
    const user = await findUser(caller.scope, db, userId);
    return user !== null && !(await holdsNoMore(db, caller, user));
  }
  const role = await findRole(db, Number(id));
  return role !== null && !isGrantable(await holdingOf(db, caller), role);
}
