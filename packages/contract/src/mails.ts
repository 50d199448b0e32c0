import { type Static, Type } from 'typebox';
import { LOCALES, MAIL_STATES } from './constants.ts';
import { endpoint } from './endpoint.ts';
import { Exact, Id, IdParams, NullableText, NullableTime, Page, Paging, Time, Words } from './schemas.ts';

export const MailRow = Exact({
  id: Id,
  receiver: Type.String(),
  locale: Words(LOCALES),
  subject: Type.String(),
  state: Words(MAIL_STATES),
  createdAt: Time,
  sentAt: NullableTime,
  attempts: Type.Integer(),
  /** time of the next attempt; null when there is none, or without a mail server */
  nextAttemptAt: NullableTime,
  lastError: NullableText,
});
export type MailRow = Static<typeof MailRow>;

export const MailDetail = Exact({
  ...MailRow.properties,
  /** the text as sent or to be sent; null once its secret link has expired */
  text: NullableText,
  /** when the secret link in the text expires; null when there is no such link */
  secretUntil: NullableTime,
});
export type MailDetail = Static<typeof MailDetail>;

const path = '/api/auth/sys/mails';

export const mailEndpoints = {
  listMails: endpoint({
    id: 'mails.list',
    method: 'GET',
    path,
    policy: { route: { keys: ['auth_system'] }, who: 'root', row: 'shared' },
    effect: 'list',
    summary: 'List outgoing mails, newest first; root only, because mails contain links into accounts',
    nameZh: '查询发件箱',
    query: Exact({
      ...Paging(['createdAt']),
      search: Type.Optional(Type.String({ maxLength: 100 })),
      status: Type.Optional(Words(MAIL_STATES)),
    }),
    answer: Exact({
      ...Page(MailRow).properties,
      /** false: there is no mail server; mails are stored */
      delivers: Type.Boolean(),
    }),
  }),
  readMail: endpoint({
    id: 'mails.read',
    method: 'GET',
    path: `${path}/:id`,
    policy: { route: { keys: ['auth_system'] }, who: 'root', row: 'shared' },
    effect: 'read',
    summary: 'Get an outgoing mail with its text; root only, recorded in the action log',
    nameZh: '查看邮件',
    params: IdParams,
    answer: MailDetail,
  }),
  sendMailAgain: endpoint({
    id: 'mails.sendAgain',
    method: 'POST',
    path: `${path}/:id/send`,
    policy: { route: { keys: ['auth_system'] }, who: 'root', row: 'shared' },
    effect: 'control',
    summary: 'Send a mail again or now; root only',
    nameZh: '重新发送邮件',
    params: IdParams,
    body: Exact({}),
    answer: Type.Null(),
  }),
};
