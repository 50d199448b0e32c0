import { setTimeout as wait } from 'node:timers/promises';
import type { BodyOf, PasswordLink, recoveryEndpoints } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import { logAction } from '../audit/index.ts';
import type { Database } from '../platform/database/schema.ts';
import { Problem } from '../platform/http/problem.ts';
import { isMailAddress } from '../platform/mail/mailbox.ts';
import { findByEmail, findLink, type OpenLink, takeLink } from './account-links.store.ts';
import { makeLink } from './account-links.ts';
import type { AccountMails } from './account-mails.ts';
import type { Captcha } from './captcha.ts';
import { hashToken } from './guard.ts';
import type { MailLimits } from './mail-limits.ts';
import { chosenPasswordHash } from './new-password.ts';
import type { SealedFields } from './sealed-fields.ts';
import type { SessionsService } from './sessions.service.ts';
import { lockAccount } from './sessions.store.ts';
import type { SignInLimits } from './sign-in-limits.ts';
import { setPasswordHash } from './users.store.ts';

/** Every request for a link is answered after the same time, which is longer than any of them takes. Milliseconds. */
const ANSWER_AFTER_MS = 300;

export interface RecoveryParts {
  db: Kysely<Database>;
  captcha: Captcha;
  sealed: SealedFields;
  sessions: SessionsService;
  signIns: SignInLimits;
  mails: AccountMails;
  limits: MailLimits;
}

export type RecoveryService = ReturnType<typeof recoveryService>;

/** Choosing a password by a link that came by mail: because it was forgotten, or to accept an invitation. */
export function recoveryService(parts: RecoveryParts) {
  const { db, captcha, sealed, sessions, signIns, mails, limits } = parts;

  const openLink = async (token: string): Promise<OpenLink & { purpose: PasswordLink['purpose'] }> => {
    const link = await findLink(db, hashToken(token));
    if (!link || link.purpose === 'changeEmail') throw new Problem('linkExpired', { field: 'token' });
    return { ...link, purpose: link.purpose };
  };

  return {
    /**
     * Sends a link to an address that an account has, and nothing to any other. Neither the answer nor its time tells
     * which it was.
     * @throws {Problem} captchaWrong, mailsTooOften
     */
    async sendLink(body: BodyOf<typeof recoveryEndpoints.sendPasswordLink>, address: string): Promise<void> {
      const answering = wait(ANSWER_AFTER_MS);
      if (!(await captcha.redeem(body.captchaId, body.captcha))) {
        throw new Problem('captchaWrong', { field: 'captcha' });
      }
      await limits.count(body.email, address);
      const user = await findByEmail(db, body.email);
      if (user && isMailAddress(user.email)) {
        const { email } = user;
        await db.transaction().execute(async (trx) => {
          const { token, until } = await makeLink(trx, { userId: user.id, purpose: 'resetPassword', email });
          await mails.resetLink(trx, { ...user, receiver: email }, token, until);
        });
      }
      await answering;
    },

    /** @throws {Problem} linkExpired */
    async check(token: string): Promise<PasswordLink> {
      const { purpose, userName, expiresAt } = await openLink(token);
      return { purpose, userName, expiresAt: expiresAt.toISOString() };
    },

    /**
     * Sets the password of the link's account and uses the link up, ends the account's sessions, and forgets its failed
     * sign-ins: who reads its mails is its owner.
     * @throws {Problem} linkExpired, decryptionFailed, passwordWeak
     */
    async choose(token: string, password: string, address: string): Promise<void> {
      const link = await openLink(token);
      const hash = await chosenPasswordHash(sealed, password);
      const ended = await db.transaction().execute(async (trx) => {
        // The account before its link, as everybody takes them who ends links by changing the account.
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
        if (link.purpose === 'resetPassword') await mails.passwordChanged(trx, { ...link, receiver: link.email });
        return all;
      });
      ended.announce();
      await signIns.forgive(link.userName);
    },
  };
}
