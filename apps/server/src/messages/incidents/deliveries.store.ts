import { MAIL_PAUSE_MS, type MessageType } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { unnested } from '../../platform/database/unnested.ts';

/** Gives users their message about incidents. A message that they have already is new again. */
export async function storeMessages(
  trx: Kysely<Database>,
  messages: readonly { userId: number; incidentId: number }[],
): Promise<void> {
  if (messages.length === 0) return;
  await sql`
    insert into messages (user_id, incident_id)
    select * from ${unnested(messages, { userId: 'int', incidentId: 'int' })}
    on conflict (user_id, incident_id) do update set updated_at = now(), read_at = null, processed_at = null`.execute(
    trx,
  );
}

/** What a user was notified of about an incident, on any channel. */
export interface Received {
  userId: number;
  incidentId: number;
  /** the last type that reached them */
  type: MessageType;
  /** they were on duty */
  onDuty: boolean;
  /** of which causes, so far or now */
  causes: string[];
}

/** Records which users are notified of incidents. */
export async function storeReceivers(trx: Kysely<Database>, receivers: readonly Received[]): Promise<void> {
  if (receivers.length === 0) return;
  await sql`
    insert into incident_receivers as r (incident_id, user_id, type, on_duty, causes)
    select "incidentId", "userId", type, "onDuty", causes
      from jsonb_to_recordset(${JSON.stringify(receivers)}::jsonb) as n (
        "incidentId" int, "userId" int, type text, "onDuty" boolean, causes text[])
    on conflict (incident_id, user_id) do update set type = excluded.type, on_duty = r.on_duty or excluded.on_duty,
           causes = array(select distinct c from unnest(r.causes || excluded.causes) c)
     where r.type <> excluded.type or r.on_duty < excluded.on_duty or not r.causes @> excluded.causes`.execute(trx);
}

/** What users were notified of about incidents: everybody, or some of them. */
export async function listReceived(
  db: Kysely<Database>,
  incidentIds: readonly number[],
  userIds?: readonly number[],
): Promise<Received[]> {
  const chosen = userIds === undefined ? sql`true` : sql`user_id = any(${[...userIds]}::int[])`;
  const { rows } = await sql<Received>`
    select user_id as "userId", incident_id as "incidentId", type, on_duty as "onDuty", causes
      from incident_receivers
     where incident_id = any(${[...incidentIds]}::int[]) and ${chosen}`.execute(db);
  return rows;
}

/** Finds what a user was notified of about an incident; undefined when they were not. */
export function receivedBy(
  received: readonly Received[],
): (userId: number, incidentId: number) => Received | undefined {
  const found = new Map(received.map((one) => [`${one.userId} ${one.incidentId}`, one]));
  return (userId, incidentId) => found.get(`${userId} ${incidentId}`);
}

/**
 * The users who may see the customers of incidents, and were not notified of them, or not of one of the causes that were
 * announced. `notified`: they know other causes of it.
 */
export async function findUnnotified(
  db: Kysely<Database>,
  joined: readonly { incidentId: number; cause: string; announced: boolean }[],
): Promise<{ userId: number; incidentId: number; cause: string }[]> {
  const { rows } = await sql<{ userId: number; incidentId: number; cause: string }>`
    with chosen as (
      select n."incidentId" as id, i.customer_id, n.cause, n.announced
        from ${unnested(joined, { incidentId: 'int', cause: 'text', announced: 'boolean' })}
               as n ("incidentId", cause, announced)
        join incidents i on i.id = n."incidentId"),
    possible as (
      select c.id, c.cause, c.announced, u.id as user_id
        from chosen c cross join users u left join roles r on r.id = u.role_id
       where u.enabled and (u.root or r.customer_access = 0)
      union
      select c.id, c.cause, c.announced, u.id from chosen c join users u on u.customer_id = c.customer_id
        join roles r on r.id = u.role_id
       where u.enabled and r.customer_access = 1
      union
      select c.id, c.cause, c.announced, u.id from chosen c join user_customers uc on uc.customer_id = c.customer_id
        join users u on u.id = uc.user_id join roles r on r.id = u.role_id
       where u.enabled and r.customer_access = 2)
    select p.user_id as "userId", p.id as "incidentId", p.cause from possible p
     where not exists (
       select from incident_receivers ir
        where ir.incident_id = p.id and ir.user_id = p.user_id
          and (not p.announced or ir.causes @> array[p.cause]))`.execute(db);
  return rows;
}

/** The receivers of incidents. */
export async function findReceivers(db: Kysely<Database>, incidentIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ userId: number }>`
    select distinct user_id as "userId" from messages
     where incident_id = any(${[...incidentIds]}::int[])`.execute(db);
  return rows.map(({ userId }) => userId);
}

/** A mail that becomes due. */
export interface DueMail {
  userId: number;
  /** mails of a thread are combined until they are written */
  thread: string;
  incidentId: number;
  dueAt: Date;
  /** `urgencyOf` what it announces */
  urgency: number;
  /** it announces a critical fault that is new at its site */
  critical: boolean;
}

/**
 * Plans mails. An incident joins the waiting mail of the same user and thread, which is then due at the earlier time.
 * After a mail, the next one of the thread waits for the pause, unless it breaks it (`breaksPause`). A waiting mail that is being written is waited for, so
 * that the next one is planned after it.
 */
export async function planMails(trx: Kysely<Database>, mails: readonly DueMail[], now: Date): Promise<void> {
  if (mails.length === 0) return;
  // In a statement of its own: the next one then sees the times of mails that were written meanwhile.
  await sql`
    select from message_mails
     where written_at is null and (user_id, thread) in (
       select * from ${unnested(mails, { userId: 'int', thread: 'text' })})
     order by id for update`.execute(trx);
  await sql`
    insert into message_mails as m (user_id, thread, incident_ids, urgency, due_at)
    select n.user_id, n.thread, array_agg(distinct n.incident_id), max(n.urgency),
           case when bool_or(n.critical) or max(n.urgency) > coalesce(last.urgency, -1) then min(n.due_at)
                else greatest(min(n.due_at), last.written_at + make_interval(secs => ${MAIL_PAUSE_MS / 1_000})) end
      from ${unnested(mails, { userId: 'int', thread: 'text', incidentId: 'int', dueAt: 'timestamptz', urgency: 'int', critical: 'boolean' })}
             as n (user_id, thread, incident_id, due_at, urgency, critical)
      left join lateral (
        select max(w.written_at) as written_at, max(w.urgency) as urgency from message_mails w
         where w.user_id = n.user_id and w.thread = n.thread
           and w.written_at > ${now}::timestamptz - make_interval(secs => ${MAIL_PAUSE_MS / 1_000})) last on true
     group by n.user_id, n.thread, last.written_at, last.urgency
    on conflict (user_id, thread) where written_at is null do update set
      incident_ids = array(select distinct id from unnest(m.incident_ids || excluded.incident_ids) id order by id),
      urgency = greatest(m.urgency, excluded.urgency), due_at = least(m.due_at, excluded.due_at)`.execute(trx);
}

/** A planned mail. */
export interface PlannedMail {
  id: number;
  userId: number;
  incidentIds: number[];
}

/** Due mails, locked until the end of the transaction; those that another transaction has locked are left out. */
export async function lockDueMails(trx: Kysely<Database>, now: Date, limit: number): Promise<PlannedMail[]> {
  const { rows } = await sql<PlannedMail>`
    select id, user_id as "userId", incident_ids as "incidentIds" from message_mails
     where due_at <= ${now} and written_at is null
     order by due_at limit ${limit} for update skip locked`.execute(trx);
  return rows;
}

/** Records that mails are in the outbox; `mailId` null: the receiver may not or does not want to receive it any more. */
export async function markWritten(
  trx: Kysely<Database>,
  mails: readonly { id: number; mailId: number | null }[],
  now: Date,
): Promise<void> {
  await sql`
    update message_mails m set written_at = ${now}, mail_id = w.mail_id
      from ${unnested(mails, { id: 'int', mailId: 'bigint' })} as w (id, mail_id)
     where m.id = w.id`.execute(trx);
}

/** When the next mail is due; null when none waits. */
export async function nextMailAt(db: Kysely<Database>): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(due_at) as at from message_mails where written_at is null`.execute(db);
  return rows[0]?.at ?? null;
}

/** Removes the records of mails after a number of days. Returns their number. */
export async function forgetMails(db: Kysely<Database>, days: number, now: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from message_mails where created_at < ${now}::timestamptz - make_interval(days => ${days})`.execute(db);
  return Number(numAffectedRows ?? 0);
}
