import type { Locale } from '@chargehand/contract';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/schema.ts';
import { MAY_LEAVE } from '../work/outgoing-hold.ts';

/** A mail as it is written to the outbox. */
export interface NewMail {
  receiver: string;
  locale: Locale;
  subject: string;
  text: string;
  html: string;
  /** when the secret link in the text expires; null when it has none */
  secretUntil: Date | null;
  /** ends the mails of its type with one click */
  unsubscribeUrl: string | null;
  replyTo: string | null;
}

/** A claimed mail, to send now. */
export interface ClaimedMail {
  id: number;
  messageId: string;
  receiver: string;
  locale: Locale;
  subject: string;
  text: string;
  html: string;
  createdAt: Date;
  unsubscribeUrl: string | null;
  replyTo: string | null;
  /** the number of this attempt, starting at 1 */
  attempts: number;
}

/** Adds mails to the outbox, and returns their ids in the same order. */
export async function insertMails(trx: Kysely<Database>, mails: readonly NewMail[]): Promise<number[]> {
  if (mails.length === 0) return [];
  const { rows } = await sql<{ id: number }>`
    insert into outgoing_mails (receiver, locale, subject, body_text, body_html, secret_until, unsubscribe_url, reply_to)
    select receiver, locale, subject, text, html, "secretUntil", "unsubscribeUrl", "replyTo"
      from rows from (jsonb_to_recordset(${JSON.stringify(mails)}::jsonb) as (
        receiver text, locale text, subject text, text text, html text, "secretUntil" timestamptz,
        "unsubscribeUrl" text, "replyTo" text)) with ordinality order by ordinality
    returning id`.execute(trx);
  return rows.map(({ id }) => id).sort((a, b) => a - b);
}

/**
 * Claims due mails, the oldest first. They are not claimed again until the lease has expired: mails of a server that was
 * killed are sent after its restart.
 */
export async function claimMails(db: Kysely<Database>, limit: number, leaseSeconds: number): Promise<ClaimedMail[]> {
  const { rows } = await sql<ClaimedMail>`
    update outgoing_mails m
       set attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => ${leaseSeconds})
     where id in (
       select id from outgoing_mails
        where next_attempt_at <= now() and ${MAY_LEAVE} and body_text is not null and (secret_until is null or secret_until > now())
        order by next_attempt_at, id limit ${limit} for update skip locked)
    returning id, message_id as "messageId", receiver, locale, subject, body_text as text, body_html as html,
              created_at as "createdAt", unsubscribe_url as "unsubscribeUrl", reply_to as "replyTo",
              attempts`.execute(db);
  return rows.sort((a, b) => a.id - b.id);
}

/** Changes nothing if the mail was claimed again meanwhile. */
export async function markSent(
  db: Kysely<Database>,
  mail: Pick<ClaimedMail, 'id' | 'attempts'>,
  answer: string,
): Promise<void> {
  await sql`
    update outgoing_mails set sent_at = now(), next_attempt_at = null, last_error = null, answer = ${answer}
     where id = ${mail.id} and attempts = ${mail.attempts}`.execute(db);
}

/** `retrySeconds` is null to give up. */
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

/** Milliseconds until the next mail is due, 0 when one is due; null when none waits. */
export async function nextMailInMs(db: Kysely<Database>): Promise<number | null> {
  const { rows } = await sql<{ ms: number | null }>`
    select greatest(0, extract(epoch from min(next_attempt_at) - now()) * 1000)::float8 as ms
      from outgoing_mails where next_attempt_at is not null and ${MAY_LEAVE}`.execute(db);
  return rows[0]?.ms ?? null;
}

/** Gives up mails that wait since before a time. Root can still send each again. */
export async function giveUpMails(trx: Kysely<Database>, before: Date, reason: string): Promise<void> {
  await sql`
    update outgoing_mails set next_attempt_at = null, last_error = ${reason}
     where next_attempt_at is not null and created_at <= ${before}`.execute(trx);
}

/** Removes the text of mails whose secret link has expired. Unsent ones are never sent. Returns their number. */
export async function purgeSecrets(db: Kysely<Database>, now: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    update outgoing_mails set body_text = null, body_html = null, next_attempt_at = null
     where secret_until <= ${now} and body_text is not null`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** Removes mails older than a number of days before a time, sent or not. Returns their number. */
export async function forgetOldMails(db: Kysely<Database>, days: number, now: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from outgoing_mails where created_at < ${now}::timestamptz - make_interval(days => ${days})`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** Sends a mail again unless its text was removed. */
export async function restartMail(trx: Kysely<Database>, id: number): Promise<boolean> {
  const { rows } = await sql`
    update outgoing_mails set next_attempt_at = now(), sent_at = null, attempts = 0, last_error = null, answer = null
     where id = ${id} and body_text is not null and (secret_until is null or secret_until > now())
    returning pg_notify('outgoing_mails', '')`.execute(trx);
  return rows.length > 0;
}
