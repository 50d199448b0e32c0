import type { MailDetail, MailRow, mailEndpoints, QueryOf, ResultOf, WithDates } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import { logAction } from '../audit/index.ts';
import type { Database } from '../platform/database/schema.ts';
import type { Caller } from '../platform/http/caller.ts';
import { notFound, Problem } from '../platform/http/problem.ts';
import { listOrder, pageOf, searchOf } from '../platform/http/serve/list-queries.ts';
import type { Mailer } from '../platform/mail/mailer.ts';
import { findMail, listMails, type MailRecord } from './mails.store.ts';

type Endpoints = typeof mailEndpoints;
export type MailsService = ReturnType<typeof mailsService>;

/**
 * Mails contain links that give access to accounts, including root accounts, so no other user may read them, whatever
 * their menus.
 */
export function mailsService(parts: { db: Kysely<Database>; mailer: Mailer }) {
  const { db, mailer } = parts;
  const rowOf = (mail: MailRecord): WithDates<MailRow> => {
    const { id, receiver, locale, subject, state, attempts, lastError } = mail;
    return {
      ...{ id, receiver, locale, subject, state, attempts, lastError },
      createdAt: mail.createdAt,
      sentAt: mail.sentAt,
      nextAttemptAt: (mailer.delivers && mail.nextAttemptAt?.toISOString()) || null,
    };
  };
  return {
    async list(query: QueryOf<Endpoints['listMails']>): Promise<ResultOf<Endpoints['listMails']>> {
      const filters = { search: searchOf(query.search), state: query.status };
      const order = listOrder(query.sort, '-createdAt');
      const { items, total } = await listMails(db, filters, order.descending, pageOf(query));
      return { items: items.map(rowOf), total, delivers: mailer.delivers };
    },

    /** Reading a link that still gives access to an account is recorded. */
    async read(caller: Caller, id: number): Promise<WithDates<MailDetail>> {
      const mail = await findMail(db, id);
      if (!mail) throw notFound('mail');
      const secret = mail.secretUntil !== null && mail.secretUntil.getTime() > Date.now();
      if (secret) await logMail(db, caller, mail, { read: true });
      const text = mail.secretUntil !== null && !secret ? null : mail.text;
      return { ...rowOf(mail), text, secretUntil: mail.secretUntil };
    },

    /** @throws {Problem} notFound, mailPurged */
    async sendAgain(caller: Caller, id: number): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const mail = await findMail(trx, id);
        if (!mail) throw notFound('mail');
        if (!(await mailer.sendAgain(trx, id))) throw new Problem('mailPurged');
        await logMail(trx, caller, mail, { sent: 'again' });
      });
    },
  };
}

async function logMail(db: Kysely<Database>, caller: Caller, mail: MailRecord, after: unknown): Promise<void> {
  await logAction(db, caller, {
    operation: 'control',
    objectType: 'mail',
    objectId: String(mail.id),
    objectName: `${mail.receiver}: ${mail.subject}`,
    customerId: null,
    siteId: null,
    after,
  });
}
