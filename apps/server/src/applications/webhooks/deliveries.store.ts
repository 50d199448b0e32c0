import type { OpenEventType } from '@chargehand/contract';
import { isReceiverDown, type SendAnswer, type SendState } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { MAY_LEAVE } from '../../platform/work/outgoing-hold.ts';
import type { CallingApplication } from '../requests/callers.store.ts';

type Receiver = Pick<CallingApplication, 'id' | 'enabled' | 'expiresAt' | 'userId' | 'allowedOperations'>;

const RECEIVER = sql`
  a.id, a.enabled, a.expires_at as "expiresAt", a.user_id as "userId", a.allowed_operations as "allowedOperations"`;

/** Applications with the webhooks that are enabled. */
export async function findWebhookReceivers(
  db: Kysely<Database>,
): Promise<(Receiver & { webhooks: { id: number; events: OpenEventType[] }[] })[]> {
  const { rows } = await sql<Receiver & { webhooks: { id: number; events: OpenEventType[] }[] }>`
    select ${RECEIVER}, jsonb_agg(jsonb_build_object('id', w.id, 'events', w.events) order by w.id) as webhooks
      from applications a join application_webhooks w on w.application_id = a.id
     where w.enabled and a.enabled group by a.id`.execute(db);
  return rows;
}

/** A delivery that becomes due. A test has no type. */
export interface NewDelivery {
  webhookId: number;
  type: string | null;
  customerId: number | null;
  siteId: number | null;
  content: string;
}

/** Adds deliveries. They are sent after the commit. Webhooks that were deleted or disabled meanwhile are left out. */
export async function insertDeliveries(
  trx: Kysely<Database>,
  deliveries: readonly NewDelivery[],
  dueAt: Date,
): Promise<number[]> {
  if (deliveries.length === 0) return [];
  const { rows } = await sql<{ id: number }>`
    insert into webhook_deliveries (webhook_id, type, customer_id, site_id, content, next_attempt_at)
    select w.id, n.type, n."customerId", n."siteId", n.content, ${dueAt}::timestamptz
      from rows from (jsonb_to_recordset(${JSON.stringify(deliveries)}::jsonb) as (
             "webhookId" int, type text, "customerId" int, "siteId" int, content text))
             with ordinality as n ("webhookId", type, "customerId", "siteId", content, o)
      join application_webhooks w on w.id = n."webhookId" and w.enabled
     order by n.o
    returning id`.execute(trx);
  await sql`select pg_notify('webhook_deliveries', '')`.execute(trx);
  return rows.map(({ id }) => id);
}

/** A claimed delivery with its webhook and application. */
export interface ClaimedDelivery {
  id: number;
  messageId: string;
  webhookId: number;
  type: OpenEventType | null;
  customerId: number | null;
  siteId: number | null;
  content: string;
  /** the number of this attempt; identifies the claim */
  attempts: number;
  /** the number of attempts since it was created or replayed */
  tries: number;
  url: string;
  secret: string;
  previousSecret: string | null;
  application: Receiver & { name: string };
}

/**
 * Claims due deliveries: the oldest of each webhook to which no process is sending. They are not claimed again until the
 * lease has expired, such as after a kill.
 */
export async function claimDeliveries(
  db: Kysely<Database>,
  now: Date,
  limit: number,
  leaseSeconds: number,
): Promise<ClaimedDelivery[]> {
  const { rows } = await sql<Omit<ClaimedDelivery, 'application'> & Receiver & { name: string; applicationId: number }>`
    with due as (
      select d.id from application_webhooks w cross join lateral (
        select id, next_attempt_at from webhook_deliveries
         where webhook_id = w.id and next_attempt_at <= ${now} order by id limit 1) d
       where ${MAY_LEAVE} and w.enabled and (w.resting_until is null or w.resting_until <= ${now}) and not exists (
         select from webhook_deliveries b
          where b.webhook_id = w.id and b.next_attempt_at > ${now} and b.leased)
       order by d.next_attempt_at, d.id limit ${limit}),
    free as (
      select id from webhook_deliveries where id in (select id from due) and next_attempt_at <= ${now}
       for update skip locked),
    claimed as (
      update webhook_deliveries d
         set attempts = attempts + 1, tries = tries + 1, leased = true,
             first_try_at = coalesce(first_try_at, ${now}),
             next_attempt_at = ${now}::timestamptz + make_interval(secs => ${leaseSeconds})
        from free where d.id = free.id
      returning d.*)
    select d.id, d.message_id as "messageId", d.webhook_id as "webhookId", d.type, d.customer_id as "customerId",
           d.site_id as "siteId", d.content, d.attempts, d.tries, w.url, w.secret,
           case when w.previous_secret_until > ${now} then w.previous_secret end as "previousSecret",
           a.id as "applicationId", a.name, a.enabled, a.expires_at as "expiresAt", a.user_id as "userId",
           a.allowed_operations as "allowedOperations"
      from claimed d join application_webhooks w on w.id = d.webhook_id
      join applications a on a.id = w.application_id`.execute(db);
  return rows.map(({ applicationId, name, enabled, expiresAt, userId, allowedOperations, ...delivery }) => ({
    ...delivery,
    application: { id: applicationId, name, enabled, expiresAt, userId, allowedOperations },
  }));
}

/** Drops deliveries that wait since before a time. */
export async function dropDeliveries(trx: Kysely<Database>, before: Date): Promise<void> {
  await sql`
    update webhook_deliveries set state = 'dropped', leased = false, next_attempt_at = null
     where next_attempt_at is not null and created_at <= ${before}`.execute(trx);
}

/** The number of attempts that the delivery log stores. */
const STORED_ATTEMPTS = 12;

/** The result of an attempt; without an answer when the delivery must not be sent any more. */
export interface Attempt {
  state: SendState;
  at: Date;
  retryAt: Date | null;
  duration: number;
  answer: SendAnswer | null;
}

/**
 * Ends an attempt. Changes nothing if the delivery was claimed again meanwhile. While the receiver is down, its other
 * deliveries wait, too, so that they arrive in order. An accepted delivery needs one statement and no transaction.
 */
export async function endAttempt(
  trx: Kysely<Database>,
  { id, webhookId, attempts }: Pick<ClaimedDelivery, 'id' | 'webhookId' | 'attempts'>,
  { state, at, retryAt, duration, answer }: Attempt,
): Promise<void> {
  const entry = answer
    ? [{ at: at.toISOString(), status: answer.status, duration, answer: answer.text.replaceAll('\0', '') }]
    : [];
  const { rows } = await sql<{ ended: boolean }>`
    with ended as (
      update webhook_deliveries
         set state = ${state}, leased = false, next_attempt_at = ${retryAt},
             sent_at = case when ${state} = 'sent' then ${at} else sent_at end,
             log = case when jsonb_array_length(log) < ${STORED_ATTEMPTS} then log else log - 0 end
                   || ${JSON.stringify(entry)}::jsonb
       where id = ${id} and attempts = ${attempts}
      returning webhook_id),
    works as (
      update application_webhooks set failing_since = null, resting_until = null
       where ${answer?.accepted === true} and id = (select webhook_id from ended)
         and (failing_since is not null or resting_until is not null))
    select true as ended from ended`.execute(trx);
  if (rows.length === 0 || !answer || answer.accepted) return;
  await sql`
    update application_webhooks set failing_since = ${at} where id = ${webhookId} and failing_since is null`.execute(
    trx,
  );
  if (retryAt && isReceiverDown(answer)) {
    await sql`update application_webhooks set resting_until = ${retryAt} where id = ${webhookId}`.execute(trx);
  }
}

/**
 * Disables a webhook that has failed for too long, and gives up what waits for it. More waiting deliveries than `most`
 * count, too.
 * @returns false if it has not
 */
export async function giveUp(
  trx: Kysely<Database>,
  webhookId: number,
  { now, seconds, most, gone }: { now: Date; seconds: number; most: number; gone: boolean },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update application_webhooks set enabled = false, given_up_at = ${now}
     where id = ${webhookId} and enabled
       and (${gone} or failing_since <= ${now}::timestamptz - make_interval(secs => ${seconds})
            or (select count(*) from webhook_deliveries
                 where webhook_id = ${webhookId} and next_attempt_at is not null) > ${most})`.execute(trx);
  if (numAffectedRows === 0n) return false;
  await sql`
    update webhook_deliveries set state = 'failed', next_attempt_at = null
     where webhook_id = ${webhookId} and next_attempt_at is not null and not leased`.execute(trx);
  return true;
}

/** When the next delivery can be claimed; null when none waits. */
export async function nextDeliveryAt(db: Kysely<Database>): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(greatest(d.next_attempt_at, w.resting_until)) as at from application_webhooks w cross join lateral (
      select min(next_attempt_at) as next_attempt_at from webhook_deliveries
       where webhook_id = w.id and next_attempt_at is not null) d
     where ${MAY_LEAVE} and w.enabled and d.next_attempt_at is not null`.execute(db);
  return rows[0]?.at ?? null;
}

/** Removes old entries of the delivery log. Returns their number. */
export async function forgetDeliveries(db: Kysely<Database>, now: Date, days: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from webhook_deliveries where id = any(array(
      select id from webhook_deliveries
       where created_at < ${now}::timestamptz - make_interval(days => ${days}) limit 5000))`.execute(db);
  return Number(numAffectedRows ?? 0);
}
