import { randomBytes, randomUUID } from 'node:crypto';
import { CODES, type Locale, type UserInfo, type WithDates } from '@chargehand/contract';
import { isNewSignIn, userNameKey } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import { latestSignIns, logAction, logLogins } from '../../audit/index.ts';
import type { Bus } from '../../platform/bus/bus.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { Problem } from '../../platform/http/problem.ts';
import type { Events } from '../../ports/events.ts';
import type { SealedFields } from '../../ports/sealed-fields.ts';
import { RIGHTS_CHANGED, sessionEnded } from '../../ports/sessions.ts';
import { announceAccount } from '../account/account-notices.ts';
import { hashToken } from '../guard.ts';
import { wrongCode } from '../passwords/own-password.ts';
import { passwordMatches } from '../passwords/passwords.ts';
import { readListViews } from '../preferences/preferences.service.ts';
import { acceptPolicy, currentPolicy } from '../privacy/privacy.store.ts';
import type { SecondFactorCodes } from '../second-factor/second-factor-codes.ts';
import { logUser } from '../users/user-rules.ts';
import type { Captcha } from './captcha.ts';
import { signIns } from './metrics.ts';
import { findMenus, findProfile } from './profiles.store.ts';
import {
  type AccountRow,
  type EndedSession,
  type Ending,
  endExpiredSessions,
  endOlderSessions,
  endSession,
  endSessionsOf,
  findAccount,
  insertSession,
  lockAccount,
  type SessionLimits,
} from './sessions.store.ts';
import type { SignInLimits } from './sign-in-limits.ts';

/** The origin of a request for the sign-in log. */
export interface Origin {
  address: string;
  userAgent: string;
}

/** A sign-in request, with the two fields still encrypted. */
export interface SignIn {
  userName: string;
  password: string;
  /** the code of two-factor authentication, once it was requested */
  code: string | undefined;
  captchaId: string;
  captcha: string | undefined;
}

/** The data of a new session for the browser. */
export interface OpenedSession {
  token: string;
  csrf: string;
}

/** Sessions that a transaction ended, to be published after the commit. */
export interface EndedSessions {
  count: number;
  announce(): void;
}

interface SessionSettings extends SessionLimits {
  sessionsPerUser: number;
  captcha: boolean;
  languageSwitch: boolean;
  mapTiles: UserInfo['settings']['mapTiles'];
}

export interface SessionParts {
  db: Kysely<Database>;
  bus: Bus;
  events: Events;
  captcha: Captcha;
  sealed: SealedFields;
  limits: SignInLimits;
  codes: SecondFactorCodes;
  settings: SessionSettings;
  /** false: mails are stored, not sent */
  mailsDelivered: boolean;
  version: string;
  /** the position in the live stream now */
  livePosition(): string;
}

export type SessionsService = ReturnType<typeof sessionsService>;

/** Signing in and out, and the account data of a signed-in user. */
export function sessionsService(parts: SessionParts) {
  const { db, bus, events, captcha, sealed, limits, codes, settings, mailsDelivered, version, livePosition } = parts;
  const shownSettings = { captcha: settings.captcha, languageSwitch: settings.languageSwitch, version };

  /** Publishes that sessions of an account were opened or ended. Call it after the commit. */
  const changed = (userId: number, customerId: number) => {
    events.publish('user.sessions', { id: userId }, { userId });
    events.publish('customer.sessions', { id: customerId }, { customerId, siteId: null });
  };

  /** Sends live streams the end of their sessions, with the reason. Call it after the commit. */
  const announce = (ended: readonly EndedSession[]) => {
    for (const session of ended) {
      const { end_cause: cause, end_note: note } = session;
      bus.publish(sessionEnded(session.id), { code: endCode(session), ...(cause && { cause, note }) });
      changed(session.user_id, session.customer_id);
    }
  };

  /** Logs a refused sign-in, then refuses it. */
  const reject = async (problem: unknown, userName: string, userId: number | null, origin: Origin): Promise<never> => {
    signIns.inc({ result: 'failed' });
    await logLogins(db, [{ type: 'login', reason: 'authRejected', succeeded: false, userId, userName, ...origin }]);
    throw problem;
  };

  /** Opens a session, ends those it replaces, and logs both, all or nothing. */
  const open = async (account: AccountRow, former: string | undefined, origin: Origin): Promise<OpenedSession> => {
    const session = { id: randomUUID(), token: randomBytes(32).toString('base64url') };
    const csrf = randomBytes(24).toString('base64url');
    const ended = await db.transaction().execute(async (trx) => {
      // The password may have been changed while it was being verified.
      if ((await lockAccount(trx, account.id)) !== account.password_hash) throw new Problem('signedOutElsewhere');
      // A new sign-in in a browser ends the session it had, whichever user's it was.
      const left = former === undefined ? null : await endSession(trx, hashToken(former), 'loggedOut');
      await insertSession(trx, {
        id: session.id,
        tokenHash: hashToken(session.token),
        csrf,
        userId: account.id,
        minutes: settings.sessionMinutes,
        hours: settings.sessionHours,
        ...origin,
      });
      const replaced = await endOlderSessions(trx, account.id, settings.sessionsPerUser);
      const all = [...(left ? [left] : []), ...replaced];
      await announceNewSignIn(trx, account.id, origin);
      await logLogins(trx, [
        { type: 'login', reason: null, succeeded: true, userId: account.id, userName: account.user_name, ...origin },
        ...all.map(asLogout),
      ]);
      return all;
    });
    signIns.inc({ result: 'succeeded' });
    announce(ended);
    changed(account.id, account.customer_id);
    return { token: session.token, csrf };
  };

  /** A recovery code is used without the authenticator app. Its owner should find that in the log. */
  const logRecoveryCode = async (account: AccountRow, { address }: Origin) => {
    await announceAccount(db, account.id, 'recoveryCodeUsed', { address });
    await logAction(
      db,
      { userId: account.id, userName: account.user_name, address },
      {
        operation: 'edit',
        objectType: 'user',
        objectId: String(account.id),
        objectName: account.user_name,
        customerId: account.customer_id,
        siteId: null,
        after: { recoveryCode: 'used' },
      },
    );
  };

  return {
    /**
     * Checks a sign-in and opens a session. `former` is the current token of the browser, if any.
     * @throws {Problem} decryptionFailed, captchaWrong, userNameFormat, addressLocked, accountLocked, credentialsWrong,
     * accountDisabled, secondFactorNeeded, secondFactorWrong
     */
    async signIn(given: SignIn, former: string | undefined, origin: Origin): Promise<OpenedSession> {
      const userName = await sealed
        .open('userName', given.userName)
        .catch((problem) => reject(problem, '', null, origin));
      const key = userNameKey(userName);
      const account = key === null ? null : await findAccount(db, key);
      const refuse = (problem: unknown) => reject(problem, userName, account?.id ?? null, origin);

      const password = await sealed.open('password', given.password).catch(refuse);
      const [sha256hex = '', captchaId] = password.split(/:(.*)/s);
      if (!/^[0-9a-f]{64}$/.test(sha256hex))
        return await refuse(new Problem('decryptionFailed', { field: 'password' }));
      // The id inside the encrypted password binds this ciphertext to this sign-in.
      if (captchaId !== given.captchaId || !(await captcha.redeem(captchaId, given.captcha))) {
        return await refuse(new Problem('captchaWrong', { field: 'captcha' }));
      }
      // No account can have such a name, so there is nothing to verify or count.
      if (key === null) return await refuse(new Problem('userNameFormat', { field: 'userName' }));
      const attempt = await limits.begin(key, origin.address).catch(refuse);
      const matches = await passwordMatches(account?.password_hash ?? null, sha256hex);
      if (!matches || !account) return await refuse(await attempt.failed());
      if (!account.enabled || !account.customer_enabled) {
        await attempt.withdrawn();
        return await refuse(new Problem('accountDisabled'));
      }
      if (await codes.areRequired(account.id)) {
        if (given.code === undefined) {
          // The password was correct: nothing failed, and no session is open yet.
          await attempt.withdrawn();
          throw new Problem('secondFactorNeeded', { field: 'code' });
        }
        const code = await sealed.open('code', given.code).catch(refuse);
        const taken = await codes.take(account.id, code);
        if (taken === null) return await refuse(wrongCode(await attempt.failed()));
        if (taken === 'recovery') await logRecoveryCode(account, origin);
      }
      const opened = await open(account, former, origin);
      // Only now: if the password was changed meanwhile, the sign-in is refused, and its attempt stays counted.
      await attempt.succeeded();
      return opened;
    },

    /** Ends the session of a token. Does nothing for an invalid token. */
    async signOut(token: string): Promise<void> {
      const ended = await db.transaction().execute(async (trx) => {
        const session = await endSession(trx, hashToken(token), 'loggedOut');
        if (session) await logLogins(trx, [asLogout(session)]);
        return session ? [session] : [];
      });
      announce(ended);
    },

    /** Spec §3, user info response; the policy's text in the language of the caller. */
    async describe(caller: Caller): Promise<WithDates<UserInfo>> {
      const profile = await findProfile(db, caller.userId);
      const policy = await currentPolicy(db);
      const chosen = profile.locale_chosen ? profile.locale : null;
      return {
        user: {
          id: caller.userId,
          userName: caller.userName,
          nickName: profile.nick_name,
          avatar: profile.avatar,
          customerId: caller.customerId,
          customerName: profile.customer_name,
          root: caller.root,
          platformVendor: caller.platformVendor,
          readOnly: caller.readOnly,
          locale: profile.locale,
          passwordGiven: !caller.viewer && profile.password_state === 'given',
          secondFactorDue: !caller.viewer && profile.second_factor_due,
        },
        // During an impersonation the console keeps the language of the root account.
        preferences: caller.viewer ? { locale: null, theme: null } : { locale: chosen, theme: profile.theme },
        role: {
          auth: [...caller.keys].sort(),
          menu: await findMenus(db, caller.keys),
          levels: caller.levels,
          allSites: caller.scope.sites === 'all',
        },
        csrfToken: caller.csrf,
        tokenId: caller.sessionId,
        privacy: {
          // Only the viewed user can accept the policy.
          needConfirm: !caller.viewer && policy !== null && profile.accepted_version < policy.version,
          content: policy ? contentOf(policy, chosen ?? caller.locale) : '',
          newPrivacyPolicyVersion: policy?.version ?? null,
        },
        viewing: impersonationOf(caller),
        livePosition: livePosition(),
        settings: { ...shownSettings, mailsDelivered, mapTiles: settings.mapTiles },
        lists: await readListViews(db, caller.userId),
      };
    },

    settings: () => shownSettings,

    /**
     * Notifies live streams that the permissions of a user, or with null of everyone with some role, have changed. Call
     * it after the commit.
     */
    rightsChanged(userId: number | null): void {
      bus.publish(RIGHTS_CHANGED, { userId });
    },

    /**
     * Ends sessions of an account (all, all `but` one, or the `only` one) in a transaction: their next request is
     * refused. Call the returned function after the commit to close the live streams too.
     */
    async endAll(
      trx: Kysely<Database>,
      userId: number,
      ending: Ending,
      which?: { but?: string; only?: number },
    ): Promise<EndedSessions> {
      const ended = await endSessionsOf(trx, userId, ending, which);
      await logLogins(trx, ended.map(asLogout));
      return { count: ended.length, announce: () => announce(ended) };
    },

    /** @throws {Problem} privacyVersionWrong when `version` is not the current policy */
    async acceptPrivacy(caller: Caller, version: number): Promise<void> {
      const policy = await currentPolicy(db);
      if (policy?.version !== version) throw new Problem('privacyVersionWrong', { field: 'version' });
      await db.transaction().execute(async (trx) => {
        if (!(await acceptPolicy(trx, caller.userId, version))) return;
        const { userId: id, userName, customerId } = caller;
        await logUser(trx, caller, 'edit', { id, userName, customerId }, undefined, { privacyPolicy: version });
      });
    },

    /**
     * Ends sessions that expired or whose account was disabled, and logs each, once.
     */
    async sweep(): Promise<void> {
      const ended = await db.transaction().execute(async (trx) => {
        const expired = await endExpiredSessions(trx);
        await logLogins(trx, expired.map(asLogout));
        return expired;
      });
      announce(ended);
    },
  };
}

/** Former sign-ins that a new one is compared with. */
const COMPARED = 50;

/** A user who knows the browsers and networks they use notices a sign-in of somebody else. */
async function announceNewSignIn(trx: Kysely<Database>, userId: number, origin: Origin): Promise<void> {
  const former = (await latestSignIns(trx, userId, COMPARED)).filter(({ succeeded }) => succeeded);
  const origins = former.map(({ address, user_agent: userAgent }) => ({ address, userAgent }));
  if (isNewSignIn(origins, origin)) await announceAccount(trx, userId, 'newSignIn', { address: origin.address });
}

function impersonationOf({ viewer, userName }: Caller): WithDates<UserInfo['viewing']> {
  if (!viewer) return null;
  return {
    userName,
    viewerName: viewer.userName,
    since: viewer.since,
    until: viewer.until,
  };
}

function asLogout(session: EndedSession) {
  return {
    type: 'logout' as const,
    reason: session.end_reason,
    succeeded: true,
    userId: session.user_id,
    userName: session.user_name,
    address: session.address,
    userAgent: session.user_agent,
    cause: session.end_cause,
    note: session.end_note,
  };
}

/** The code of spec §4 that closes the stream of an ended session. */
function endCode(session: EndedSession): number {
  switch (session.end_reason) {
    case 'replaced':
      return CODES.signedOutElsewhere.code;
    case 'networkTimeout':
      return CODES.sessionExpired.code;
    case 'authRejected':
      return CODES.accountDisabled.code;
    default:
      return CODES.notSignedIn.code;
  }
}

function contentOf(policy: { content_en: string; content_zh: string }, locale: Locale): string {
  return locale === 'zh-CN' ? policy.content_zh : policy.content_en;
}
