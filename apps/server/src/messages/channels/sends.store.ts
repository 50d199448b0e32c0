import type { MessageChannel, MessageType, Scope, SendState } from '@chargehand/domain';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { anywhere } from '../../platform/database/patterns.ts';
import type { Database } from '../../platform/database/schema.ts';
import { withinScope } from '../../platform/database/scope.ts';
import { MAY_LEAVE } from '../../platform/work/outgoing-hold.ts';
import { PUSH_ENDED } from './push/push-browsers.ts';

/** What each attempt of a message sends. */
export interface SendContent {
  title: string;
  text: string;
  url: string;
  data: Record<string, unknown>;
}

/** A message that becomes due on a channel. */
export interface NewSend {
  channel: MessageChannel;
  customerId: number;
  userId?: number;
  webhookId?: number;
  subscriptionId?: number;
  mailId?: number;
  receiver: string;
  type: MessageType | null;
  incidentId: number | null;
  content?: SendContent;
  /** null: the outbox sends it */
  dueAt: Date | null;
}

/** Adds messages to the send log, in the transaction of their cause. They are sent after its commit. */
export async function insertSends(trx: Kysely<Database>, sends: readonly NewSend[]): Promise<number[]> {
  if (sends.length === 0) return [];
  const { rows } = await sql<{ id: number }>`
    insert into message_sends (channel, customer_id, user_id, webhook_id, subscription_id, mail_id, receiver, type,
                               incident_id, content, next_attempt_at)
    select channel, "customerId", "userId", "webhookId", "subscriptionId", "mailId", receiver, type, "incidentId",
           content::text, "dueAt"
      from jsonb_to_recordset(${JSON.stringify(sends)}::jsonb) as send (
        channel text, "customerId" int, "userId" int, "webhookId" int, "subscriptionId" int, "mailId" bigint,
        receiver text, type text, "incidentId" int, content jsonb, "dueAt" timestamptz)
    returning id`.execute(trx);
  if (sends.some(({ dueAt }) => dueAt !== null)) await sql`select pg_notify('message_sends', '')`.execute(trx);
  return rows.map(({ id }) => id);
}

/** A push that becomes due. */
export interface PlannedPush {
  userId: number;
  incidentId: number;
  type: MessageType;
  dueAt: Date;
}

/** Pushes to every browser of some users. */
export async function planPushes(trx: Kysely<Database>, pushes: readonly PlannedPush[]): Promise<void> {
  if (pushes.length === 0) return;
  await sql`
    insert into message_sends (channel, customer_id, user_id, subscription_id, receiver, type, incident_id,
                               next_attempt_at)
    select 'push', u.customer_id, u.id, p.id, u.user_name, n.type, n."incidentId", n."dueAt"
      from jsonb_to_recordset(${JSON.stringify(pushes)}::jsonb) as n (
             "userId" int, "incidentId" int, type text, "dueAt" timestamptz)
      join users u on u.id = n."userId" join push_subscriptions p on p.user_id = u.id
     where not ${PUSH_ENDED}`.execute(trx);
  await sql`select pg_notify('message_sends', '')`.execute(trx);
}

/** A claimed message, to send now. */
export interface ClaimedSend {
  id: number;
  messageId: string;
  createdAt: Date;
  userId: number | null;
  webhookId: number | null;
  subscriptionId: number | null;
  type: MessageType | null;
  incidentId: number | null;
  content: SendContent | null;
  /** the number of this attempt; identifies the claim */
  attempts: number;
  /** the number of attempts since it was sent, or sent again */
  tries: number;
}

/**
 * Claims due messages of a channel: the oldest of each receiver to which nothing is being sent. A slow receiver therefore
 * delays nobody else. They are not claimed again until the lease has expired, such as after a kill.
 */
export async function claimSends(
  db: Kysely<Database>,
  channel: 'webhook' | 'push',
  now: Date,
  limit: number,
  leaseSeconds: number,
): Promise<ClaimedSend[]> {
  const receiver = sql.ref(channel === 'webhook' ? 'webhook_id' : 'subscription_id');
  const { rows } = await sql<ClaimedSend>`
    with due as (
      select distinct on (${receiver}) id, next_attempt_at from message_sends
       where channel = ${channel} and next_attempt_at <= ${now} and ${MAY_LEAVE}
         and (${receiver} is null or ${receiver} <> all (array(
           select ${receiver} from message_sends
            where channel = ${channel} and leased and next_attempt_at > ${now} and ${receiver} is not null)))
       order by ${receiver}, id),
    free as (
      select id from message_sends
       where id in (select id from due order by next_attempt_at, id limit ${limit}) and next_attempt_at <= ${now}
       for update skip locked)
    update message_sends s
       set attempts = attempts + 1, tries = tries + 1, leased = true,
           next_attempt_at = ${now}::timestamptz + make_interval(secs => ${leaseSeconds})
      from free where s.id = free.id
    returning s.id, message_id as "messageId", created_at as "createdAt", user_id as "userId",
              webhook_id as "webhookId", subscription_id as "subscriptionId", type, incident_id as "incidentId",
              content::json as content, attempts, tries`.execute(db);
  return rows;
}

/** Stores what every attempt sends. */
export async function storeContent(db: Kysely<Database>, id: number, content: SendContent): Promise<void> {
  await sql`update message_sends set content = ${JSON.stringify(content)} where id = ${id}`.execute(db);
}

/** Drops messages that wait since before a time. */
export async function dropSends(trx: Kysely<Database>, before: Date): Promise<void> {
  await sql`
    update message_sends set state = 'dropped', leased = false, next_attempt_at = null
     where next_attempt_at is not null and created_at <= ${before}`.execute(trx);
}

/** The number of attempts that the send log stores. */
const STORED_ATTEMPTS = 10;

/** Ends an attempt. Changes nothing if the message was claimed again meanwhile. */
export async function endAttempt(
  db: Kysely<Database>,
  send: Pick<ClaimedSend, 'id' | 'attempts'>,
  result: { state: SendState; at: Date; retryAt: Date | null; status: number | null; answer: string },
): Promise<void> {
  const { state, at, retryAt, status, answer } = result;
  const entry = JSON.stringify([{ at: at.toISOString(), status, answer }]);
  await sql`
    update message_sends
       set state = ${state}, leased = false, next_attempt_at = ${retryAt},
           sent_at = case when ${state} = 'sent' then ${at} else sent_at end,
           log = case when jsonb_array_length(log) < ${STORED_ATTEMPTS} then log else log - 0 end || ${entry}::jsonb
     where id = ${send.id} and attempts = ${send.attempts}`.execute(db);
}

/** Lets the other messages of a receiver that failed wait, too. */
export async function restReceiver(
  db: Kysely<Database>,
  { webhookId, subscriptionId }: Pick<ClaimedSend, 'webhookId' | 'subscriptionId'>,
  until: Date,
): Promise<void> {
  await sql`
    update message_sends set next_attempt_at = ${until}
     where (webhook_id = ${webhookId} or subscription_id = ${subscriptionId})
       and not leased and next_attempt_at < ${until}`.execute(db);
}

/**
 * When the next message of a channel can be claimed; null when none waits. The other messages of a receiver that a node
 * is sending to wait for the end of the attempt, or of its lease.
 */
export async function nextSendAt(db: Kysely<Database>, channel: 'webhook' | 'push', now: Date): Promise<Date | null> {
  const receiver = sql.ref(channel === 'webhook' ? 'webhook_id' : 'subscription_id');
  const { rows } = await sql<{ at: Date | null }>`
    select min(next_attempt_at) as at from message_sends
     where channel = ${channel} and next_attempt_at is not null and ${MAY_LEAVE}
       and (leased or ${receiver} is null or ${receiver} <> all (array(
         select ${receiver} from message_sends
          where channel = ${channel} and leased and next_attempt_at > ${now} and ${receiver} is not null)))`.execute(
    db,
  );
  return rows[0]?.at ?? null;
}

/** Removes old entries of the send log. Returns their number. */
export async function forgetSends(db: Kysely<Database>, days: number, now: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from message_sends where created_at < ${now}::timestamptz - make_interval(days => ${days})`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** An entry of the send log. */
export interface SendRecord {
  id: number;
  channel: MessageChannel;
  receiver: string;
  userId: number | null;
  webhookId: number | null;
  type: MessageType | null;
  incidentId: number | null;
  subject: string | null;
  messageId: string;
  state: SendState;
  createdAt: Date;
  sentAt: Date | null;
  nextAttemptAt: Date | null;
  attemptCount: number;
  log: { at: string; status: number | null; answer: string }[];
  mailId: number | null;
  mailError: string | null;
  mailAnswer: string | null;
}

const STATE = sql`case when s.channel = 'email' then
  case m.state when 'sent' then 'sent' when 'waiting' then 'waiting' else 'failed' end else s.state end`;

/** The send log of the customers that a caller sees completely, newest first. */
export async function listSends(
  scope: Scope,
  db: Kysely<Database>,
  filters: { before?: number; channel?: MessageChannel; state?: SendState; type?: MessageType; search?: string },
  limit: number,
): Promise<SendRecord[]> {
  const conditions: RawBuilder<SqlBool>[] = [withinScope(scope, 's.customer_id', null)];
  if (scope.sites !== 'all') conditions.push(sql`false`);
  if (filters.before !== undefined) conditions.push(sql`s.id < ${filters.before}`);
  if (filters.channel !== undefined) conditions.push(sql`s.channel = ${filters.channel}`);
  if (filters.type !== undefined) conditions.push(sql`s.type = ${filters.type}`);
  if (filters.state !== undefined) conditions.push(sql`${STATE} = ${filters.state}`);
  if (filters.search !== undefined) conditions.push(sql`s.receiver ilike ${anywhere(filters.search)}`);
  const { rows } = await sql<SendRecord>`
    select s.id, s.channel, s.receiver, s.user_id as "userId", s.webhook_id as "webhookId", s.type,
           s.incident_id as "incidentId", coalesce(m.subject, s.content::json ->> 'title') as subject,
           coalesce(m.message_id, s.message_id)::text as "messageId", ${STATE} as state, s.created_at as "createdAt",
           coalesce(m.sent_at, s.sent_at) as "sentAt",
           case when s.channel = 'email' then m.next_attempt_at when not s.leased then s.next_attempt_at end as "nextAttemptAt",
           coalesce(m.attempts, s.attempts)::int as "attemptCount", s.log, s.mail_id as "mailId",
           m.last_error as "mailError", m.answer as "mailAnswer"
      from message_sends s left join outgoing_mails m on m.id = s.mail_id
     where ${sql.join(conditions, sql` and `)}
     order by s.id desc limit ${limit}`.execute(db);
  return rows;
}

/** What decides whether a message can be sent again, with its row locked. */
export async function lockSend(
  trx: Kysely<Database>,
  id: number,
): Promise<
  | { channel: MessageChannel; receiver: string; mailId: number | null; reachable: boolean; customerId: number }
  | undefined
> {
  const { rows } = await sql<{
    channel: MessageChannel;
    receiver: string;
    mailId: number | null;
    reachable: boolean;
    customerId: number;
  }>`
    select channel, receiver, mail_id as "mailId", customer_id as "customerId",
           coalesce(mail_id, webhook_id, subscription_id) is not null as reachable
      from message_sends where id = ${id} for update`.execute(trx);
  return rows[0];
}

/** Sends a message again, with as many attempts as the first time. */
export async function restartSend(trx: Kysely<Database>, id: number, now: Date): Promise<void> {
  await sql`
    update message_sends set state = 'waiting', tries = 0, leased = false, next_attempt_at = ${now}
     where id = ${id}`.execute(trx);
  await sql`select pg_notify('message_sends', '')`.execute(trx);
}
