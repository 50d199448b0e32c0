import type { OpenEventType } from '@chargehand/contract';
import type { SendState } from '@chargehand/domain';
import { type Insertable, type Kysely, type RawBuilder, type SqlBool, sql, type Updateable } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';

/** What users set. */
export interface WebhookValues {
  webhookUrl: string;
  description: string;
  events: OpenEventType[];
  enabled: boolean;
}

export interface WebhookRecord extends WebhookValues {
  id: number;
  secret: string;
  createdAt: Date;
  previousSecretUntil: Date | null;
  failingSince: Date | null;
  givenUpAt: Date | null;
}

const COLUMNS = sql`
  w.id, w.url as "webhookUrl", w.description, w.events, w.enabled, w.secret, w.created_at as "createdAt",
  case when w.previous_secret_until > now() then w.previous_secret_until end as "previousSecretUntil",
  w.failing_since as "failingSince", w.given_up_at as "givenUpAt"`;

/** The webhooks of an application, and how many deliveries of each wait. */
export async function listWebhooks(
  db: Kysely<Database>,
  applicationId: number,
): Promise<(WebhookRecord & { waiting: number })[]> {
  const { rows } = await sql<WebhookRecord & { waiting: number }>`
    select ${COLUMNS}, (select count(*)::int from webhook_deliveries d
                         where d.webhook_id = w.id and d.next_attempt_at is not null) as waiting
      from application_webhooks w where w.application_id = ${applicationId} order by w.id`.execute(db);
  return rows;
}

/** Locks a webhook of an application until the end of the transaction. */
export async function lockWebhook(
  trx: Kysely<Database>,
  applicationId: number,
  id: number,
): Promise<WebhookRecord | undefined> {
  const { rows } = await sql<WebhookRecord>`
    select ${COLUMNS} from application_webhooks w
     where w.id = ${id} and w.application_id = ${applicationId} for update`.execute(trx);
  return rows[0];
}

/** Replaces the secret. The previous one signs, too, until a time. */
export async function replaceSecret(trx: Kysely<Database>, id: number, secret: string, until: Date): Promise<void> {
  await sql`
    update application_webhooks set previous_secret = secret, previous_secret_until = ${until}, secret = ${secret}
     where id = ${id}`.execute(trx);
}

export interface DeliveryRecord {
  id: number;
  messageId: string;
  eventType: OpenEventType | null;
  createdAt: Date;
  state: SendState;
  nextAttemptAt: Date | null;
  attemptCount: number;
  attempts: { at: string; status: number | null; duration: number; answer: string }[];
  content: string;
}

/** Deliveries of a webhook, newest first. */
export async function listDeliveries(
  db: Kysely<Database>,
  webhookId: number,
  { before, state, limit }: { before: number | undefined; state: SendState | undefined; limit: number },
): Promise<DeliveryRecord[]> {
  const conditions: RawBuilder<SqlBool>[] = [sql`webhook_id = ${webhookId}`];
  if (before !== undefined) conditions.push(sql`id < ${before}`);
  if (state !== undefined) conditions.push(sql`state = ${state}`);
  const { rows } = await sql<DeliveryRecord>`
    select id, message_id::text as "messageId", type as "eventType", created_at as "createdAt", state,
           case when not leased then next_attempt_at end as "nextAttemptAt", attempts as "attemptCount",
           log as attempts, content
      from webhook_deliveries where ${sql.join(conditions, sql` and `)} order by id desc limit ${limit}`.execute(db);
  return rows;
}

/** Lets deliveries be sent again, except those that are being sent. Returns how many. */
export async function replayDeliveries(
  trx: Kysely<Database>,
  webhookId: number,
  which: { deliveryId: number } | { from: Date; to: Date },
  { now, most }: { now: Date; most: number },
): Promise<number> {
  const chosen =
    'deliveryId' in which
      ? sql`id = ${which.deliveryId}`
      : sql`created_at >= ${which.from} and created_at < ${which.to} and type is not null`;
  const { numAffectedRows } = await sql`
    update webhook_deliveries set state = 'waiting', tries = 0, next_attempt_at = ${now}
     where id = any(array(select id from webhook_deliveries
                           where webhook_id = ${webhookId} and not leased and ${chosen} order by id limit ${most}))`.execute(
    trx,
  );
  await wakeWebhook(trx, webhookId);
  return Number(numAffectedRows ?? 0n);
}

/** Lets a webhook whose receiver was down be tried at once. */
export async function wakeWebhook(trx: Kysely<Database>, webhookId: number): Promise<void> {
  await sql`update application_webhooks set resting_until = null where id = ${webhookId}`.execute(trx);
  await sql`select pg_notify('webhook_deliveries', '')`.execute(trx);
}

/** @returns the ID */
export async function insertWebhook(
  trx: Kysely<Database>,
  values: Insertable<Database['application_webhooks']>,
): Promise<number> {
  return (await trx.insertInto('application_webhooks').values(values).returning('id').executeTakeFirstOrThrow()).id;
}

export async function updateWebhook(
  trx: Kysely<Database>,
  id: number,
  values: Updateable<Database['application_webhooks']>,
): Promise<void> {
  await trx.updateTable('application_webhooks').set(values).where('id', '=', id).execute();
}

export async function deleteWebhook(trx: Kysely<Database>, id: number): Promise<void> {
  await trx.deleteFrom('application_webhooks').where('id', '=', id).execute();
}
