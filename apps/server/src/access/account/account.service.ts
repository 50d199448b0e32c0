import type { Account, accountEndpoints, BodyOf, OwnSession, WithDates } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import { latestSignIns } from '../../audit/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import type { SealedFields } from '../../ports/sealed-fields.ts';
import { chosenPassword, type PasswordRules, sha256Hex } from '../passwords/new-password.ts';
import { wrongPassword } from '../passwords/own-password.ts';
import { passwordMatches } from '../passwords/passwords.ts';
import type { EndedSessions, SessionsService } from '../sign-in/sessions.service.ts';
import { type Ending, lockAccount } from '../sign-in/sessions.store.ts';
import type { SignInLimits } from '../sign-in/sign-in-limits.ts';
import { logUser } from '../users/user-rules.ts';
import { setPasswordHash } from '../users/users.store.ts';
import { type AccountRecord, findOwnAccount, findOwnSessions, updateOwnAccount } from './account.store.ts';
import { announceAccount } from './account-notices.ts';

type Endpoints = typeof accountEndpoints;
export type AccountService = ReturnType<typeof accountService>;

/** The number of sign-ins on the account page: enough to notice an unknown one. */
const LATEST_SIGN_INS = 10;

interface AccountParts {
  db: Kysely<Database>;
  sealed: SealedFields;
  rules: PasswordRules;
  sessions: SessionsService;
  limits: SignInLimits;
}

/** The account of the caller, whatever their scope. Every change is in the action log. */
export function accountService({ db, sealed, rules, sessions, limits }: AccountParts) {
  /** Changes fields of the caller and logs the differences. */
  const change = async (caller: Caller, changes: Partial<Record<keyof AccountRecord, unknown>>): Promise<void> => {
    await db.transaction().execute(async (trx) => {
      const account = await ownAccount(trx, caller);
      const changed = Object.entries(changes).filter(
        ([key, value]) => value !== undefined && value !== account[key as keyof AccountRecord],
      );
      if (changed.length === 0) return;
      const values = Object.fromEntries(changed);
      await updateOwnAccount(trx, caller.userId, values);
      const before = Object.fromEntries(changed.map(([key]) => [key, account[key as keyof AccountRecord]]));
      await logUser(trx, caller, 'edit', subjectOf(caller), before, values);
    });
  };

  /** Ends the other sessions of the caller, and logs it if there were any. */
  const endOthers = async (caller: Caller, only?: number): Promise<number> => {
    const ending: Ending = { reason: 'replaced', cause: 'owner' };
    const ended = await db.transaction().execute(async (trx) => {
      const which = { but: caller.sessionId, ...(only === undefined ? {} : { only }) };
      const done = await sessions.endAll(trx, caller.userId, ending, which);
      if (done.count > 0) await logUser(trx, caller, 'edit', subjectOf(caller), undefined, { signedOut: done.count });
      return done;
    });
    ended.announce();
    return ended.count;
  };

  return {
    async read(caller: Caller): Promise<WithDates<Account>> {
      const { locale: _, locale_chosen: __, theme: ___, ...account } = await ownAccount(db, caller);
      const signIns = await latestSignIns(db, caller.userId, LATEST_SIGN_INS);
      return {
        id: caller.userId,
        userName: caller.userName,
        nickName: account.nick_name,
        contact: account.contact,
        email: account.email,
        customerName: account.customer_name,
        roleName: account.role_name,
        root: caller.root,
        customerAccess: account.customer_access,
        siteAccess: account.site_access,
        createdAt: account.created_at,
        signIns: signIns.map(({ id, at, succeeded, address, user_agent }) => ({
          ...{ id, at, succeeded, address },
          userAgent: user_agent,
        })),
      };
    },

    async edit(caller: Caller, body: BodyOf<Endpoints['updateAccount']>): Promise<void> {
      await change(caller, { nick_name: body.nickName?.trim(), contact: body.contact?.trim() });
    },

    /** Stores the preferences of the caller for all browsers. A chosen language overrides that of the browser. */
    async prefer(caller: Caller, { locale, theme }: BodyOf<Endpoints['setPreferences']>): Promise<void> {
      await change(caller, { locale, theme, locale_chosen: locale === undefined ? undefined : true });
    },

    /**
     * Changes the caller's password and ends their other sessions. Wrong current passwords count as failed sign-ins.
     * @throws {Problem} decryptionFailed, passwordWeak, passwordGuessable, passwordSame, currentPasswordWrong,
     * accountLocked, addressLocked
     */
    async changePassword(caller: Caller, body: BodyOf<Endpoints['changePassword']>): Promise<{ ended: number }> {
      const current = await sealed.open('currentPassword', body.currentPassword);
      const chosen = await chosenPassword(rules, body.password, [caller.userName]);
      const attempt = await limits.begin(caller.userName, caller.address);
      const { password_hash: kept } = await ownAccount(db, caller);
      if (!(await passwordMatches(kept, sha256Hex(current)))) throw wrongPassword(await attempt.failed());
      if (chosen.password === current) {
        await attempt.withdrawn();
        throw new Problem('passwordSame', { field: 'password' });
      }
      const hash = await chosen.hash();
      const ended = await db.transaction().execute(async (trx) => {
        // Another change may have come first, so that the verified password is no longer the current one.
        if ((await lockAccount(trx, caller.userId)) !== kept) return null;
        await setPasswordHash(trx, caller.userId, hash, 'own');
        await announceAccount(trx, caller.userId, 'passwordChanged');
        const ending: Ending = { reason: 'replaced', cause: 'password' };
        const done: EndedSessions = await sessions.endAll(trx, caller.userId, ending, { but: caller.sessionId });
        await logUser(trx, caller, 'edit', subjectOf(caller), { password: '••••' }, { password: '••••' });
        return done;
      });
      if (ended === null) throw wrongPassword(await attempt.failed());
      await attempt.succeeded();
      ended.announce();
      return { ended: ended.count };
    },

    async sessions(caller: Caller): Promise<{ items: WithDates<OwnSession>[] }> {
      const rows = await findOwnSessions(db, caller.userId);
      const items = rows.map((row) => ({
        id: row.number,
        address: row.address,
        userAgent: row.user_agent,
        since: row.created_at,
        lastSeenAt: row.last_seen_at,
        current: row.id === caller.sessionId,
      }));
      return { items: [...items.filter(({ current }) => current), ...items.filter(({ current }) => !current)] };
    },

    /**
     * Ends another session of the caller.
     * @throws {Problem} notFound for the current session and for sessions of other users
     */
    async endSession(caller: Caller, id: number): Promise<void> {
      if ((await endOthers(caller, id)) === 0) throw notFound('session');
    },

    async endOtherSessions(caller: Caller): Promise<{ ended: number }> {
      return { ended: await endOthers(caller) };
    },
  };
}

/** The row of the caller. @throws {Problem} accountDisabled if it was deleted during the request */
async function ownAccount(db: Kysely<Database>, caller: Caller): Promise<AccountRecord> {
  const account = await findOwnAccount(db, caller.userId);
  if (!account) throw new Problem('accountDisabled');
  return account;
}

function subjectOf(caller: Caller) {
  return { id: caller.userId, userName: caller.userName, customerId: caller.customerId };
}
