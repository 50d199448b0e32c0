import type { Locale } from '@chargehand/contract';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/schema.ts';

/** A mail as it is written to the outbox. */
export interface NewMail {
  receiver: string;
  locale: Locale;
  subject: string;
  text: string;
  html: string;
  /** when the secret link in the text ends; null when it carries none */
  secretUntil: Date | null;
}

/** A mail that this node is to send now. */
export interface ClaimedMail {
  id: number;
  messageId: string;
  receiver: string;
  locale: Locale;
  subject: string;
  text: string;
  html: string;
  createdAt: Date;
  /** which attempt this is, the first being 1 */
  attempts: number;
}

export async function insertMail(trx: Kysely<Database>, mail: NewMail): Promise<void> {
  await trx
    .insertInto('outgoing_mails')
    .values({
      receiver: mail.receiver,
      locale: mail.locale,
      subject: mail.subject,
      body_text: mail.text,
      body_html: mail.html,
      secret_until: mail.secretUntil,
    })
    .execute();
}

/**
 * Takes mails that are due, the oldest first. Nobody else is given them before the lease has run out; a node that dies
 * meanwhile thus leaves them to another.
 */
export async function claimMails(db: Kysely<Database>, limit: number, leaseSeconds: number): Promise<ClaimedMail[]> {
  const { rows } = await sql<ClaimedMail>`
    update outgoing_mails m
       set attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => ${leaseSeconds})
     where id in (
       select id from outgoing_mails
        where next_attempt_at <= now() and body_text is not null and (secret_until is null or secret_until > now())
        order by next_attempt_at, id limit ${limit} for update skip locked)
    returning id, message_id as "messageId", receiver, locale, subject, body_text as text, body_html as html,
              created_at as "createdAt", attempts`.execute(db);
  return rows.sort((a, b) => a.id - b.id);
}

/** A claim that another node has taken over meanwhile changes nothing. */
export async function markSent(db: Kysely<Database>, mail: Pick<ClaimedMail, 'id' | 'attempts'>): Promise<void> {
  await sql`
    update outgoing_mails set sent_at = now(), next_attempt_at = null, last_error = null
     where id = ${mail.id} and attempts = ${mail.attempts}`.execute(db);
}

/** `retrySeconds` is null when it is given up. */
export async function markFailed(
  db: Kysely<Database>,
  mail: Pick<ClaimedMail, 'id' | 'attempts'>,
  error: string,
  retrySeconds: number | null,
): Promise<void> {
  await sql`
    update outgoing_mails
       set last_error = ${error}, next_attempt_at = now() + make_interval(secs => ${retrySeconds}::float8)
     where id = ${mail.id} and attempts = ${mail.attempts}`.execute(db);
}

/** Milliseconds until the next mail is due, 0 when one is; null when none waits. */
export async function nextMailInMs(db: Kysely<Database>): Promise<number | null> {
  const { rows } = await sql<{ ms: number | null }>`
    select greatest(0, extract(epoch from min(next_attempt_at) - now()) * 1000)::float8 as ms
      from outgoing_mails where next_attempt_at is not null`.execute(db);
  return rows[0]?.ms ?? null;
}

/** Takes the text of mails whose secret link has ended; what was not sent by then never is. */
export async function purgeSecrets(db: Kysely<Database>): Promise<void> {
  await sql`
    update outgoing_mails set body_text = null, body_html = null, next_attempt_at = null
     where secret_until <= now() and body_text is not null`.execute(db);
}

/** Removes mails older than so many days, sent or not. */
export async function forgetOldMails(db: Kysely<Database>, days: number): Promise<void> {
  await sql`delete from outgoing_mails where created_at < now() - make_interval(days => ${days})`.execute(db);
}
