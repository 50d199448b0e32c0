import type { UserDetail, UserRow, WithDates } from '@chargehand/contract';
import { permits } from '@chargehand/domain';
import type { Caller } from '../../platform/http/caller.ts';
import type { Assigned } from './assignments.store.ts';
import type { UserRecord } from './users.store.ts';

/** A user as lists contain them. */
export function rowOf(user: UserRecord): WithDates<UserRow> {
  const { id, userName, nickName, avatar, email, customerId, customerName } = user;
  const { roleId, roleName, root, enabled, sessions, passwordState } = user;
  return {
    ...{ id, userName, nickName, avatar, email, customerId, customerName },
    ...{ roleId, roleName, root, enabled, sessions, passwordState },
    lastSeenAt: user.lastSeenAt,
    createdAt: user.createdAt,
  };
}

/**
 * A user with all that the caller may see. `editable` means that the caller's level and permissions allow changing
 * them.
 */
export function detailOf(
  user: UserRecord,
  more: { assigned: Assigned } & Pick<WithDates<UserDetail>, 'invitation' | 'revision'>,
  caller: Caller,
  editable: boolean,
): WithDates<UserDetail> {
  const { assigned, invitation, revision } = more;
  const { contact, maxSites, locale, customerAccess, siteAccess, secondFactor } = user;
  return {
    ...rowOf(user),
    ...{ contact, maxSites, locale, customerAccess, siteAccess, secondFactor },
    assignedSites: assigned.sites.length,
    assignedCustomers: assigned.customers.length,
    invitation,
    revision,
    may: {
      edit: editable && permits(caller, ['auth_user_edit']),
      assign: editable && permits(caller, ['auth_user_authData']),
    },
  };
}
