import type { Locale } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import type pg from 'pg';
import type { Clock } from '../clock.ts';
import type { Database } from '../database/schema.ts';
import type { Log } from '../log.ts';
import { mailDelivery } from './delivery.ts';
import { layOut, type MailContent } from './layout.ts';
import { isMailAddress, isSubject, type Mailbox } from './mailbox.ts';
import { insertMails, type NewMail, restartMail } from './outbox.store.ts';
import { smtpTransport } from './transport.ts';

/** A mail to one receiver, in their language. */
export interface Mail extends MailContent {
  receiver: string;
  locale: Locale;
  subject: string;
  /** when its secret link expires; the text is removed then */
  secretUntil?: Date;
  /** ends the mails of its type with one POST request, without sign-in (RFC 8058) */
  unsubscribeUrl?: string;
  /** where replies go; without it, nobody reads them */
  replyTo?: string;
}

/** Writes mails and sends them. */
export interface Mailer {
  /** false: mails are only stored, because there is no mail server */
  readonly delivers: boolean;
  /**
   * Adds a mail to the outbox in the transaction of its cause. It is sent after the commit.
   * @returns the id of the mail
   * @throws {Error} when receiver or subject could inject a header: check them with `isMailAddress`
   */
  queue(trx: Kysely<Database>, mail: Mail): Promise<number>;
  /** Lays a mail out for `queueAll`. @throws {Error} as `queue` does */
  write(mail: Mail): NewMail;
  /** Adds mails to the outbox in one statement. Returns their ids in the same order. */
  queueAll(trx: Kysely<Database>, mails: readonly NewMail[]): Promise<number[]>;
  /** Sends a mail again, with the same Message-ID. False: its text was removed. */
  sendAgain(trx: Kysely<Database>, mailId: number): Promise<boolean>;
  /** The name of the product in the language of a mail. */
  productName(locale: Locale): string;
  /** The public address of a page of the console; `path` starts with a slash. */
  urlOf(path: string): string;
  /** Starts the delivery. */
  start(): void;
  stop(): Promise<void>;
}

export interface MailerParts {
  db: Kysely<Database>;
  pool: pg.Pool;
  clock: Clock;
  log: Log;
  smtp: { url: string; from: Mailbox } | undefined;
  /** the public address of the console, without a trailing slash; read when a mail is written */
  publicUrl: () => string;
  /** read when a mail is written; the name in our texts by default */
  productName?: (locale: Locale) => string;
}

export function mailer(parts: MailerParts): Mailer {
  const { db, pool, clock, log, smtp, publicUrl, productName = () => PRODUCT } = parts;
  const write = (mail: Mail) => written(mail, productName(mail.locale));
  let delivery: { stop(): Promise<void> } | null = null;
  return {
    delivers: smtp !== undefined,
    async queue(trx, mail) {
      const [id] = await insertMails(trx, [write(mail)]);
      return id!;
    },
    write,
    queueAll: insertMails,
    sendAgain: restartMail,
    productName,
    urlOf: (path) => publicUrl() + path,
    start() {
      if (!smtp) {
        log.warn(
          'mails are stored, not sent: SMTP_URL is not set; root reads them in the console (System, Outgoing emails)',
        );
      }
      delivery ??= mailDelivery({ db, pool, clock, log, transport: smtp ? smtpTransport(smtp) : null });
    },
    async stop() {
      await delivery?.stop();
    },
  };
}

/** The name of the product in our texts. */
const PRODUCT = 'Chargehand';

/** @throws {Error} when a header could be injected */
function written(mail: Mail, product: string): NewMail {
  const { receiver, locale, subject, secretUntil = null, unsubscribeUrl = null, replyTo = null } = mail;
  if (!isMailAddress(receiver)) throw new Error('A mail needs one plain address as its receiver.');
  if (!isSubject(subject)) throw new Error('The subject of a mail must be one line of text.');
  if (replyTo !== null && !isMailAddress(replyTo)) throw new Error('Replies need one plain address.');
  const named = (text: string) => text.replaceAll(PRODUCT, () => product);
  const content = {
    ...mail,
    ...(mail.link && { link: { ...mail.link, label: named(mail.link.label) } }),
    signature: named(mail.signature),
  };
  return {
    receiver,
    locale,
    subject,
    secretUntil,
    unsubscribeUrl,
    replyTo,
    ...layOut(content, locale),
  };
}
