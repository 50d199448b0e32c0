import type {
  Assignments,
  BodyOf,
  Locale,
  MatchingRows,
  peopleEndpoints,
  QueryOf,
  ResultOf,
  UserDetail,
  WithDates,
} from '@chargehand/contract';
import { CUSTOMER_ACCESS, isUserName } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/schema.ts';
import { explained } from '../../platform/database/violations.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import {
  listOrder,
  MATCHING_ROWS_READ,
  matchingRows,
  pageOf,
  searchOf,
} from '../../platform/http/serve/list-queries.ts';
import { requireRevision, revisionOf } from '../../platform/http/serve/revision.ts';
import type { Workbook } from '../../platform/http/serve/serve-workbook.ts';
import { isMailAddress } from '../../platform/mail/mailbox.ts';
import type { Pictures } from '../../ports/pictures.ts';
import type { SealedFields } from '../../ports/sealed-fields.ts';
import { findLinkOf } from '../account/account-links.store.ts';
import { makeLink } from '../account/account-links.ts';
import type { AccountMails } from '../account/account-mails.ts';
import { announceAccount } from '../account/account-notices.ts';
import type { MailLimits } from '../account/mail-limits.ts';
import { chosenPasswordHash, newPassword, noPasswordHash, type PasswordRules } from '../passwords/new-password.ts';
import { roleFor } from '../roles/role-changes.ts';
import { findOwnLimits } from '../roles/roles.store.ts';
import { deleteFactor } from '../second-factor/second-factor.store.ts';
import type { SessionsService } from '../sign-in/sessions.service.ts';
import { type Ending, kickOf } from '../sign-in/sessions.store.ts';
import { EXPLANATIONS } from '../tables.ts';
import { findAssignments, listAssignable, replaceCustomers, replaceSites } from './assignments.store.ts';
import { requireSiteLimitOfUser } from './site-limits.ts';
import { userWorkbook } from './user-export.ts';
import { assignedIds, requireGrants } from './user-grants.ts';
import { detailOf, rowOf } from './user-rows.ts';
import { editableUser, logUser, mayEdit } from './user-rules.ts';
import {
  deleteUser,
  findUser,
  insertUser,
  listUsers,
  selectUsers,
  setPasswordHash,
  setUserEnabled,
  type UserFilters,
  type UserRecord,
  type UserValues,
  updateUser,
} from './users.store.ts';

type Endpoints = typeof peopleEndpoints;
export type UsersService = ReturnType<typeof usersService>;

/** The number of sites and customers that the assignment tree shows at once. A search finds the others. */
const TREE_LIMIT = 200;

export interface UsersParts {
  db: Kysely<Database>;
  sealed: SealedFields;
  rules: PasswordRules;
  sessions: SessionsService;
  mails: AccountMails;
  limits: MailLimits;
  pictures: Pictures;
  clock: Clock;
}

type Invited = Pick<UserRecord, 'id' | 'userName' | 'nickName' | 'locale' | 'email'>;

/**
 * Manages users: only in the caller's scope, and none with more permissions than the caller. Every change is recorded
 * in the action log in the same transaction, without passwords.
 */
export function usersService(parts: UsersParts) {
  const { db, sealed, rules, sessions, mails, limits, pictures, clock } = parts;

  /** Sends the link with which a user chooses their password. @throws {Problem} invitationNeedsEmail */
  const invite = async (trx: Kysely<Database>, user: Invited): Promise<void> => {
    const { id, email } = user;
    if (email === null || !isMailAddress(email)) throw new Problem('invitationNeedsEmail', { field: 'email' });
    const { token, until } = await makeLink(trx, clock, { userId: id, purpose: 'invitation', email });
    await mails.invitation(trx, { ...user, receiver: email }, token, until);
  };

  /**
   * Counts an invitation before it is sent, and before a transaction holds a connection. @throws {Problem}
   * mailsTooOften
   */
  const countInvitationOf = async (
    caller: Caller,
    id: number,
    receiverOf: (user: UserRecord) => string | null | undefined,
  ): Promise<void> => {
    const user = await findUser(caller.scope, db, id);
    const receiver = user?.passwordState === 'invited' ? receiverOf(user) : null;
    // Requests that the transaction refuses are not counted: they change nothing.
    if (user && receiver && (await mayEdit(db, caller, user))) await limits.countInvitation(receiver, caller.userId);
  };

  /** Ends the sessions of a user, in the transaction of the change that requires it. */
  const changeAndSignOut = async <T>(
    caller: Caller,
    id: number,
    ending: Ending,
    work: (trx: Kysely<Database>, user: UserRecord) => Promise<T>,
  ): Promise<{ ended: number; result: T }> => {
    const { ended, result } = await db.transaction().execute(async (trx) => {
      const user = await editableUser(trx, caller, id);
      const done = await sessions.endAll(trx, id, ending);
      return { ended: done, result: await work(trx, user) };
    });
    ended.announce();
    return { ended: ended.count, result };
  };

  /** Makes a user's picture readable for their new customer. */
  const pictureOf = (caller: Caller, user: UserRecord, entered: string | null | undefined, customerId: number) => {
    const current = user.avatar;
    if (entered === undefined || entered === current) return pictures.move(current, customerId);
    return pictures.change(caller, { field: 'avatar', entered, current, customerId });
  };

  return {
    async list(caller: Caller, query: QueryOf<Endpoints['listUsers']>): Promise<ResultOf<Endpoints['listUsers']>> {
      const order = listOrder(query.sort, 'userName');
      const { items, total } = await listUsers(caller.scope, db, filtersOf(query), order, pageOf(query));
      return { items: items.map(rowOf), total };
    },

    /** All matching users, for selecting them. @throws {Problem} selectionTooLarge */
    async select(caller: Caller, query: QueryOf<Endpoints['selectUsers']>): Promise<MatchingRows> {
      return matchingRows(await selectUsers(caller.scope, db, filtersOf(query), MATCHING_ROWS_READ));
    },

    workbook: (caller: Caller, query: QueryOf<Endpoints['exportUsers']>, locale: Locale): Workbook =>
      userWorkbook(db, caller, locale, filtersOf(query), listOrder(query.sort, 'userName')),

    async read(caller: Caller, id: number): Promise<WithDates<UserDetail>> {
      const user = await findUser(caller.scope, db, id);
      if (!user) throw notFound('user');
      const assigned = await findAssignments(caller.scope, db, id);
      const link = await findLinkOf(db, id, 'invitation');
      const invitation = link && { sentAt: link.sentAt, expiresAt: link.expiresAt };
      const revision = revisionOf(valuesOf(user));
      return detailOf(user, { assigned, invitation, revision }, caller, await mayEdit(db, caller, user));
    },

    async create(caller: Caller, body: BodyOf<Endpoints['createUser']>): Promise<{ id: number }> {
      if (!isUserName(body.userName)) throw new Problem('userNameFormat', { field: 'userName' });
      const { email = null } = body;
      if (body.password === undefined && email === null) {
        throw new Problem('invitationNeedsEmail', { field: 'email' });
      }
      const password_state = body.password === undefined ? 'invited' : 'given';
      const password_hash =
        body.password === undefined
          ? await noPasswordHash()
          : await chosenPasswordHash(rules, body.password, [body.userName]);
      const locale = body.locale ?? caller.locale;
      const siteIds = [...new Set(body.siteIds ?? [])];
      // Otherwise a caller with assigned sites would not see the user they created.
      if (caller.scope.sites !== 'all' && siteIds.length === 0)
        throw new Problem('fieldRequired', { field: 'siteIds' });
      if (password_state === 'invited' && email !== null) await limits.countInvitation(email, caller.userId);
      const { id, settle } = await db.transaction().execute(async (trx) => {
        // A caller with a site limit cannot create a user without one by leaving out the field.
        const maxSites =
          body.maxSites === undefined ? (await findOwnLimits(trx, caller.userId)).maxSites : body.maxSites;
        const { customerId } = body;
        const roleId = await roleFor(trx, caller, body);
        if (roleId === undefined) throw new Problem('fieldRequired', { field: 'roleId' });
        await requireGrants(trx, caller, null, { customerId, roleId, maxSites, email, customerIds: [], siteIds });
        const values = {
          user_name: body.userName,
          nick_name: body.nickName?.trim() ?? '',
          email,
          contact: body.contact?.trim() ?? '',
          customer_id: customerId,
          role_id: roleId,
          max_sites: maxSites,
        };
        const newId = await explained(
          insertUser(trx, { ...values, password_hash, password_state, locale }),
          EXPLANATIONS,
        );
        await explained(replaceSites(caller.scope, trx, newId, siteIds), EXPLANATIONS);
        await requireSiteLimitOfUser(trx, newId, 'maxSites');
        const place = { field: 'avatar', current: null, customerId: body.customerId };
        const picture = await pictures.change(caller, { ...place, entered: body.avatar });
        if (picture.key) await updateUser(trx, newId, { avatar: picture.key });
        const made = { id: newId, userName: body.userName, customerId: body.customerId };
        const password = password_state === 'given' ? { password: '••••' } : { invited: email };
        const avatar = picture.key ?? null;
        await logUser(trx, caller, 'new', made, undefined, { ...values, avatar, ...password, siteIds });
        if (password_state === 'invited') {
          await invite(trx, { id: newId, userName: body.userName, nickName: values.nick_name, locale, email });
        }
        return { id: newId, settle: picture.settle };
      });
      await settle();
      return { id };
    },

    async edit(caller: Caller, id: number, body: BodyOf<Endpoints['updateUser']>): Promise<void> {
      if (body.email) await countInvitationOf(caller, id, (user) => (user.email === body.email ? null : body.email));
      const settle = await db.transaction().execute(async (trx) => {
        const user = await editableUser(trx, caller, id);
        const roleId = await roleFor(trx, caller, body);
        const values = changesOf(user, { ...body, ...(roleId === undefined ? {} : { roleId }) });
        const newAvatar = body.avatar !== undefined && body.avatar !== user.avatar;
        if (newAvatar || Object.keys(values).length > 0) requireRevision(body.revision, valuesOf(user));
        const customerId = values.customer_id ?? user.customerId;
        const assigned = assignedIds(await findAssignments(caller.scope, trx, id));
        await requireGrants(
          trx,
          caller,
          { record: user, assigned },
          {
            ...assigned,
            customerId,
            roleId: values.role_id ?? user.roleId,
            maxSites: values.max_sites === undefined ? user.maxSites : values.max_sites,
            email: values.email === undefined ? user.email : values.email,
          },
        );
        const picture = await pictureOf(caller, user, body.avatar, customerId);
        if (picture.key !== undefined) values.avatar = picture.key;
        if (Object.keys(values).length === 0) return picture.settle;
        await explained(updateUser(trx, id, values), EXPLANATIONS);
        if ('role_id' in values || 'customer_id' in values || 'max_sites' in values) {
          await requireSiteLimitOfUser(trx, id, 'maxSites');
        }
        const before = Object.fromEntries(Object.entries(valuesOf(user)).filter(([key]) => key in values));
        await logUser(trx, caller, 'edit', { ...user, customerId }, before, values);
        // The invitation to the previous address becomes invalid with it.
        if (values.email && user.passwordState === 'invited' && user.enabled) {
          await invite(trx, { ...user, nickName: values.nick_name ?? user.nickName, email: values.email });
        }
        return picture.settle;
      });
      sessions.rightsChanged(id);
      await settle();
    },

    async invite(caller: Caller, id: number): Promise<void> {
      await countInvitationOf(caller, id, (user) => user.email);
      await db.transaction().execute(async (trx) => {
        const user = await editableUser(trx, caller, id);
        if (user.passwordState !== 'invited') throw new Problem('notInvited');
        if (!user.enabled) throw new Problem('userDisabled');
        await invite(trx, user);
        await logUser(trx, caller, 'edit', user, undefined, { invited: user.email });
      });
    },

    async enable(caller: Caller, id: number): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const user = await editableUser(trx, caller, id);
        if (user.enabled) return;
        await setUserEnabled(trx, id, true);
        await logUser(trx, caller, 'enable', user, { enabled: false }, { enabled: true });
      });
    },

    async disable(caller: Caller, id: number): Promise<void> {
      await changeAndSignOut(caller, id, { reason: 'authRejected' }, async (trx, user) => {
        if (id === caller.userId) throw new Problem('ownAccount', { field: 'enabled' });
        if (!user.enabled) return;
        await explained(setUserEnabled(trx, id, false), { users_last_root: ['lastRoot', 'enabled'] });
        await logUser(trx, caller, 'disable', user, { enabled: true }, { enabled: false });
      });
    },

    async remove(caller: Caller, id: number): Promise<void> {
      await changeAndSignOut(caller, id, { reason: 'authRejected' }, async (trx, user) => {
        if (id === caller.userId) throw new Problem('ownAccount', { field: 'id' });
        const assigned = await findAssignments(caller.scope, trx, id);
        await explained(deleteUser(trx, id), EXPLANATIONS);
        await logUser(
          trx,
          caller,
          'delete',
          user,
          { user_name: user.userName, ...valuesOf(user), ...assigned },
          undefined,
        );
      });
    },

    async resetPassword(caller: Caller, id: number, answerKey: string): Promise<{ password: string }> {
      const { password, hash } = await newPassword();
      const ending: Ending = { reason: 'replaced', cause: 'password' };
      const { result } = await changeAndSignOut(caller, id, ending, async (trx, user) => {
        if (id === caller.userId) throw new Problem('ownAccount', { field: 'password' });
        await setPasswordHash(trx, id, hash, 'given');
        await announceAccount(trx, id, 'passwordReset');
        await logUser(trx, caller, 'edit', user, { password: '••••' }, { password: '••••' });
        // Only the requesting page can read it, not a proxy in between.
        return await sealed.answer('answerKey', answerKey, password);
      });
      return { password: result };
    },

    async resetSecondFactor(caller: Caller, id: number): Promise<void> {
      await changeAndSignOut(caller, id, { reason: 'replaced' }, async (trx, user) => {
        if (id === caller.userId) throw new Problem('ownAccount', { field: 'secondFactor' });
        if (!(await deleteFactor(trx, id))) throw new Problem('secondFactorOff');
        await logUser(trx, caller, 'edit', user, { secondFactor: true }, { secondFactor: false });
        await announceAccount(trx, id, 'secondFactorOff');
      });
    },

    async signOut(
      caller: Caller,
      id: number,
      { cause, note }: BodyOf<Endpoints['signOutUser']>,
    ): Promise<{ ended: number }> {
      const why = kickOf(cause, note);
      const { ended } = await changeAndSignOut(caller, id, { reason: 'replaced', ...why }, async (trx, user) => {
        await logUser(trx, caller, 'edit', user, undefined, { signedOut: true, ...why });
        await announceAccount(trx, id, 'signedOut');
      });
      return { ended };
    },

    async assignments(caller: Caller, id: number): Promise<Assignments> {
      const assigned = await findAssignments(caller.scope, db, id);
      return { ...assigned, revision: revisionOf(assignedIds(assigned)) };
    },

    async assignable(
      caller: Caller,
      id: number,
      search: string | undefined,
    ): Promise<ResultOf<Endpoints['listAssignable']>> {
      const user = await findUser(caller.scope, db, id);
      if (!user) throw notFound('user');
      const only = user.customerAccess === CUSTOMER_ACCESS.own ? [user.customerId] : 'all';
      const found = await listAssignable(caller.scope, db, only, searchOf(search), TREE_LIMIT);
      const sitesOf = Map.groupBy(found.sites, (site) => site.customerId);
      return {
        customers: found.customers.map(({ id: customerId, name }) => ({
          id: customerId,
          name,
          sites: (sitesOf.get(customerId) ?? []).map((site) => ({ id: site.id, name: site.name })),
        })),
        more: found.more,
      };
    },

    async assign(caller: Caller, id: number, body: BodyOf<Endpoints['setAssignments']>): Promise<void> {
      const siteIds = [...new Set(body.siteIds)];
      const customerIds = [...new Set(body.customerIds)];
      await db.transaction().execute(async (trx) => {
        const user = await editableUser(trx, caller, id);
        const before = assignedIds(await findAssignments(caller.scope, trx, id));
        await requireGrants(trx, caller, { record: user, assigned: before }, { ...user, customerIds, siteIds });
        if (!sameIds(before.customerIds, customerIds) || !sameIds(before.siteIds, siteIds)) {
          requireRevision(body.revision, before);
        }
        await explained(replaceCustomers(caller.scope, trx, id, customerIds), EXPLANATIONS);
        await explained(replaceSites(caller.scope, trx, id, siteIds), EXPLANATIONS);
        await requireSiteLimitOfUser(trx, id, 'customerIds');
        const after = assignedIds(await findAssignments(caller.scope, trx, id));
        if (JSON.stringify(before) !== JSON.stringify(after)) await logUser(trx, caller, 'edit', user, before, after);
      });
      sessions.rightsChanged(id);
    },
  };
}

function filtersOf({ search, customerId, roleId, status }: QueryOf<Endpoints['exportUsers']>): UserFilters {
  const enabled = status === undefined ? undefined : status === 'enabled';
  return { search: searchOf(search), customerId, roleId, enabled };
}

/** The fields of an edit that differ from the stored ones. */
function changesOf(user: UserRecord, body: BodyOf<Endpoints['updateUser']>): Partial<UserValues> {
  const wanted: Record<Exclude<keyof UserValues, 'avatar'>, unknown> = {
    nick_name: body.nickName?.trim(),
    email: body.email,
    contact: body.contact?.trim(),
    customer_id: body.customerId,
    role_id: body.roleId,
    max_sites: body.maxSites,
  };
  const current = valuesOf(user);
  const changed = Object.entries(wanted).filter(
    ([key, value]) => value !== undefined && value !== current[key as keyof UserValues],
  );
  return Object.fromEntries(changed);
}

function valuesOf(user: UserRecord): Omit<UserValues, 'role_id'> & { role_id: number | null } {
  return {
    nick_name: user.nickName,
    avatar: user.avatar,
    email: user.email,
    contact: user.contact,
    customer_id: user.customerId,
    role_id: user.roleId,
    max_sites: user.maxSites,
  };
}

function sameIds(some: readonly number[], others: readonly number[]): boolean {
  const there = new Set(others);
  return some.length === there.size && some.every((id) => there.has(id));
}
