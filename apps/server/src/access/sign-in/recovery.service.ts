import type { BodyOf, PasswordLink, recoveryEndpoints, WithDates } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import { logAction } from '../../audit/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/schema.ts';
import { Problem } from '../../platform/http/problem.ts';
import type { Log } from '../../platform/log.ts';
import { isMailAddress } from '../../platform/mail/mailbox.ts';
import { findByEmail, findLink, type OpenLink, takeLink } from '../account/account-links.store.ts';
import { makeLink } from '../account/account-links.ts';
import type { AccountMails } from '../account/account-mails.ts';
import { announceAccount } from '../account/account-notices.ts';
import type { MailLimits } from '../account/mail-limits.ts';
import { hashToken } from '../guard.ts';
import { chosenPasswordHash, type PasswordRules } from '../passwords/new-password.ts';
import { setPasswordHash } from '../users/users.store.ts';
import type { Captcha } from './captcha.ts';
import type { SessionsService } from './sessions.service.ts';
import { lockAccount } from './sessions.store.ts';
import type { SignInLimits } from './sign-in-limits.ts';

/** The maximum number of waiting link requests. More are dropped; each costs a captcha and can be repeated. */
const WAITING_LIMIT = 1_000;

export interface RecoveryParts {
  db: Kysely<Database>;
  captcha: Captcha;
  rules: PasswordRules;
  sessions: SessionsService;
  signIns: SignInLimits;
  mails: AccountMails;
  limits: MailLimits;
  clock: Clock;
  log: Log;
}

export type RecoveryService = ReturnType<typeof recoveryService>;

/** Choosing a password with a link from a mail: for a forgotten password, or to accept an invitation. */
export function recoveryService(parts: RecoveryParts) {
  const { db, captcha, rules, sessions, signIns, mails, limits, clock, log } = parts;

  let waiting = 0;
  let last: Promise<void> = Promise.resolve();

  /** Sends a link to the address of an enabled account. */
  const sendTo = async (address: string): Promise<void> => {
    const user = isMailAddress(address) ? await findByEmail(db, address) : null;
    if (!user || !isMailAddress(user.email)) return;
    const { email } = user;
    await db.transaction().execute(async (trx) => {
      const { token, until } = await makeLink(trx, clock, { userId: user.id, purpose: 'resetPassword', email });
      await mails.resetLink(trx, { ...user, receiver: email }, token, until);
    });
  };

  const openLink = async (token: string): Promise<OpenLink & { purpose: PasswordLink['purpose'] }> => {
    const link = await findLink(db, hashToken(token));
    if (!link || link.purpose === 'changeEmail') throw new Problem('linkExpired', { field: 'token' });
    return { ...link, purpose: link.purpose };
  };

  return {
    /**
     * Sends a link to an address that an account has, and nothing to any other. The call is answered before the address
     * is looked up, so that neither the answer nor its time reveals the difference.
     * @throws {Problem} captchaWrong, mailsTooOften
     */
    async sendLink(body: BodyOf<typeof recoveryEndpoints.sendPasswordLink>, address: string): Promise<void> {
      if (!(await captcha.redeem(body.captchaId, body.captcha))) {
        throw new Problem('captchaWrong', { field: 'captcha' });
      }
      await limits.count(body.email, address);
      if (waiting >= WAITING_LIMIT) {
        log.warn('a request for a password link was dropped: too many are waiting');
        return;
      }
      waiting += 1;
      last = last
        .then(() => sendTo(body.email))
        .catch((error: unknown) => log.error({ err: error }, 'a password link could not be sent'))
        .finally(() => {
          waiting -= 1;
        });
    },

    /** Resolves once every requested link is in the outbox. */
    settled: () => last,

    /** @throws {Problem} linkExpired */
    async check(token: string): Promise<WithDates<PasswordLink>> {
      const { purpose, userName, expiresAt } = await openLink(token);
      return { purpose, userName, expiresAt };
    },

    /**
     * Sets the password of the link's account, uses the link, ends the account's sessions, and resets its failed
     * sign-ins, because reading its mails proves the ownership.
     * @throws {Problem} linkExpired, decryptionFailed, passwordWeak, passwordGuessable
     */
    async choose(token: string, password: string, address: string): Promise<void> {
      const link = await openLink(token);
      const hash = await chosenPasswordHash(rules, password, [link.userName]);
      const ended = await db.transaction().execute(async (trx) => {
        // Locks the account before its link, in the same order as all code that ends links by changing the account.
        await lockAccount(trx, link.userId);
        if (!(await takeLink(trx, hashToken(token)))) throw new Problem('linkExpired', { field: 'token' });
        await setPasswordHash(trx, link.userId, hash, 'own');
        const all = await sessions.endAll(trx, link.userId, { reason: 'replaced', cause: 'password' });
        await logAction(
          trx,
          { userId: link.userId, userName: link.userName, address },
          {
            operation: 'edit',
            objectType: 'user',
            objectId: String(link.userId),
            objectName: link.userName,
            customerId: link.customerId,
            siteId: null,
            before: { password: '••••' },
            after: { password: '••••', link: link.purpose },
          },
        );
        if (link.purpose === 'resetPassword') await announceAccount(trx, link.userId, 'passwordChanged');
        return all;
      });
      ended.announce();
      await signIns.resetFailures(link.userName);
    },
  };
}
