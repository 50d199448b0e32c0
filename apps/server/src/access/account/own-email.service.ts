import type { BodyOf, OwnEmail, recoveryEndpoints, WithDates } from '@chargehand/contract';
import { foldCase } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import { logAction } from '../../audit/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/schema.ts';
import { explained } from '../../platform/database/violations.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { Problem } from '../../platform/http/problem.ts';
import { isMailAddress } from '../../platform/mail/mailbox.ts';
import type { SealedFields } from '../../ports/sealed-fields.ts';
import { hashToken } from '../guard.ts';
import { requireOwnPassword } from '../passwords/own-password.ts';
import { findAddressee } from '../sign-in/profiles.store.ts';
import { lockAccount } from '../sign-in/sessions.store.ts';
import type { SignInLimits } from '../sign-in/sign-in-limits.ts';
import { EXPLANATIONS } from '../tables.ts';
import { updateUser } from '../users/users.store.ts';
import { dropLink, findLink, findLinkOf, takeLink } from './account-links.store.ts';
import { makeLink } from './account-links.ts';
import type { AccountMails } from './account-mails.ts';
import { announceAccount } from './account-notices.ts';
import type { MailLimits } from './mail-limits.ts';

export interface OwnEmailParts {
  db: Kysely<Database>;
  sealed: SealedFields;
  signIns: SignInLimits;
  mails: AccountMails;
  limits: MailLimits;
  clock: Clock;
}

export type OwnEmailService = ReturnType<typeof ownEmailService>;

/** Changes the email address of the caller. The new address counts after it is confirmed. */
export function ownEmailService(parts: OwnEmailParts) {
  const { db, sealed, signIns, mails, limits, clock } = parts;

  return {
    async read(caller: Caller): Promise<WithDates<OwnEmail>> {
      const { email } = await findAddressee(db, caller.userId);
      const link = await findLinkOf(db, caller.userId, 'changeEmail');
      const waits = link !== null && link.expiresAt > clock.now();
      return { email, pending: waits ? { email: link.email, expiresAt: link.expiresAt } : null };
    },

    /**
     * Sends a link to the new address and a notice to the current one. Whether another account has the address is only
     * reported to its reader, on confirmation.
     * @throws {Problem} emailSame, currentPasswordWrong, accountLocked, addressLocked, mailsTooOften
     */
    async change(caller: Caller, body: BodyOf<typeof recoveryEndpoints.changeOwnEmail>): Promise<void> {
      const { email } = body;
      const user = await findAddressee(db, caller.userId);
      if (user.email !== null && foldCase(user.email) === foldCase(email))
        throw new Problem('emailSame', { field: 'email' });
      // An email address can reset the password, so the caller must enter the current password.
      await requireOwnPassword({ db, sealed, limits: signIns }, caller, body.currentPassword);
      await limits.count(email, caller.address);
      await db.transaction().execute(async (trx) => {
        const { token, until } = await makeLink(trx, clock, { userId: caller.userId, purpose: 'changeEmail', email });
        await mails.emailLink(trx, { ...user, receiver: email }, token, until);
        if (user.email !== null && isMailAddress(user.email)) {
          await mails.emailNotice(trx, { ...user, receiver: user.email }, email);
        }
        await log(trx, caller, { email: user.email }, { email: user.email, wanted: email });
      });
    },

    async keep(caller: Caller): Promise<void> {
      await db.transaction().execute(async (trx) => {
        if (await dropLink(trx, caller.userId, 'changeEmail'))
          await log(trx, caller, { wanted: '…' }, { wanted: null });
      });
    },

    /** Needs no session: the mail may be read on another machine. @throws {Problem} linkExpired, userEmailExists */
    async confirm(token: string, address: string): Promise<{ email: string }> {
      const tokenHash = hashToken(token);
      const link = await findLink(db, tokenHash);
      if (link?.purpose !== 'changeEmail') throw new Problem('linkExpired', { field: 'token' });
      const { userId, userName, customerId, email } = link;
      await db.transaction().execute(async (trx) => {
        await lockAccount(trx, userId);
        const { email: former } = await findAddressee(trx, userId);
        if (!(await takeLink(trx, tokenHash))) throw new Problem('linkExpired', { field: 'token' });
        await explained(updateUser(trx, userId, { email }), EXPLANATIONS);
        await log(trx, { userId, userName, customerId, address }, { email: former }, { email });
        await announceAccount(trx, userId, 'emailChanged');
      });
      return { email };
    },
  };
}

async function log(
  trx: Kysely<Database>,
  who: Pick<Caller, 'userId' | 'userName' | 'customerId' | 'address'>,
  before: unknown,
  after: unknown,
): Promise<void> {
  await logAction(trx, who, {
    operation: 'edit',
    objectType: 'user',
    objectId: String(who.userId),
    objectName: who.userName,
    customerId: who.customerId,
    siteId: null,
    before,
    after,
  });
}
