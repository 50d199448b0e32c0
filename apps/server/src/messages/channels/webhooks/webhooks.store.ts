import type { Locale } from '@chargehand/contract';
import type { MessageType, Scope, SendState, WebhookFilter, WebhookFormat } from '@chargehand/domain';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { naturally } from '../../../platform/database/order/natural-order.ts';
import { anywhere } from '../../../platform/database/patterns.ts';
import type { Database } from '../../../platform/database/schema.ts';
import { withinScope } from '../../../platform/database/scope.ts';

/** What users set. */
export interface WebhookValues {
  name: string;
  webhookUrl: string;
  format: WebhookFormat;
  types: MessageType[];
  siteIds: number[];
  locale: Locale;
  enabled: boolean;
}

/** A webhook in the list, with its latest entry of the send log. */
export interface WebhookRecord extends WebhookValues {
  id: number;
  customerId: number;
  customerName: string;
  sites: { id: number; name: string }[];
  signed: boolean;
  previousSecretUntil: Date | null;
  createdAt: Date;
  lastAt: Date | null;
  lastState: SendState | null;
  lastAnswer: string | null;
}

const VALUES = sql`
  w.name, w.url as "webhookUrl", w.format, w.types, w.site_ids as "siteIds", w.locale, w.enabled`;

/** One page of the webhooks of the customers that a caller sees completely, and their number. */
export async function listWebhooks(
  scope: Scope,
  db: Kysely<Database>,
  query: { search: string | undefined; byName: boolean; descending: boolean; limit: number; offset: number },
): Promise<{ items: WebhookRecord[]; total: number }> {
  const conditions: RawBuilder<SqlBool>[] = [withinScope(scope, 'w.customer_id', null)];
  if (scope.sites !== 'all') conditions.push(sql`false`);
  if (query.search !== undefined) conditions.push(sql`w.name ilike ${anywhere(query.search)}`);
  const matching = sql.join(conditions, sql` and `);
  const direction = query.descending ? sql`desc` : sql`asc`;
  const [items, totals] = await Promise.all([
    sql<WebhookRecord>`
      select w.id, w.customer_id as "customerId", c.name as "customerName", ${VALUES},
             coalesce((select jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name) order by ${naturally(sql`s.name`)})
                         from sites s where s.id = any(w.site_ids) and s.customer_id = w.customer_id), '[]') as sites,
             w.secret is not null as signed,
             case when w.previous_secret_until > now() then w.previous_secret_until end as "previousSecretUntil",
             w.created_at as "createdAt", last.at as "lastAt", last.state as "lastState", last.answer as "lastAnswer"
        from webhooks w join customers c on c.id = w.customer_id
        left join lateral (
          select s.state, (s.log -> -1 ->> 'at')::timestamptz as at, s.log -> -1 ->> 'answer' as answer
            from message_sends s where s.webhook_id = w.id and s.log <> '[]' order by s.id desc limit 1) last on true
       where ${matching}
       order by ${query.byName ? naturally(sql`w.name`) : sql`w.created_at`} ${direction}, w.id ${direction}
       limit ${query.limit} offset ${query.offset}`.execute(db),
    sql<{ total: number }>`select count(*)::int as total from webhooks w where ${matching}`.execute(db),
  ]);
  return { items: items.rows, total: totals.rows[0]?.total ?? 0 };
}

/** The number of webhooks of a customer, whose row is locked until the end of the transaction. */
export async function countWebhooks(trx: Kysely<Database>, customerId: number): Promise<number> {
  await sql`select from customers where id = ${customerId} for update`.execute(trx);
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from webhooks where customer_id = ${customerId}`.execute(trx);
  return rows[0]?.count ?? 0;
}

/** Which of some sites do not belong to a customer. */
export async function sitesOfOthers(
  db: Kysely<Database>,
  customerId: number,
  siteIds: readonly number[],
): Promise<number> {
  const { rows } = await sql<{ others: number }>`
    select count(*)::int as others from unnest(${[...siteIds]}::int[]) as given (site_id)
     where not exists (select from sites s where s.id = given.site_id and s.customer_id = ${customerId})`.execute(db);
  return rows[0]?.others ?? 0;
}

export async function insertWebhook(
  trx: Kysely<Database>,
  customerId: number,
  values: WebhookValues,
  secret: string | null,
): Promise<number> {
  const { name, webhookUrl, format, types, siteIds, locale, enabled } = values;
  const { id } = await trx
    .insertInto('webhooks')
    .values({
      customer_id: customerId,
      name,
      url: webhookUrl,
      format,
      types,
      site_ids: siteIds,
      locale,
      enabled,
      secret,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** `secret` undefined keeps the secret. */
export async function changeWebhook(
  trx: Kysely<Database>,
  id: number,
  values: WebhookValues,
  secret: string | null | undefined,
): Promise<void> {
  const { name, webhookUrl, format, types, siteIds, locale, enabled } = values;
  await trx
    .updateTable('webhooks')
    .set({ name, url: webhookUrl, format, types, site_ids: siteIds, locale, enabled })
    .$if(secret !== undefined, (update) => update.set({ secret: secret ?? null, previous_secret: null }))
    .where('id', '=', id)
    .execute();
}

/** The current secret becomes the previous one until a time. */
export async function replaceSecret(trx: Kysely<Database>, id: number, secret: string, until: Date): Promise<void> {
  await sql`
    update webhooks set previous_secret = secret, previous_secret_until = ${until}, secret = ${secret}
     where id = ${id}`.execute(trx);
}

export async function disableWebhook(db: Kysely<Database>, id: number): Promise<void> {
  await sql`update webhooks set enabled = false where id = ${id}`.execute(db);
}

/** Deletes a webhook. What waits for it is dropped. */
export async function removeWebhook(trx: Kysely<Database>, id: number): Promise<void> {
  await sql`
    update message_sends set state = 'dropped', next_attempt_at = null, leased = false
     where webhook_id = ${id} and next_attempt_at is not null`.execute(trx);
  await sql`delete from webhooks where id = ${id}`.execute(trx);
}

/** A webhook with its encrypted secrets. */
export interface StoredWebhook extends WebhookValues, WebhookFilter {
  id: number;
  siteIds: number[];
  types: MessageType[];
  secret: string | null;
  previousSecret: string | null;
}

const STORED = sql`
  w.id, w.customer_id as "customerId", ${VALUES}, w.secret,
  case when w.previous_secret_until > now() then w.previous_secret end as "previousSecret"`;

export async function findWebhook(db: Kysely<Database>, id: number): Promise<StoredWebhook | undefined> {
  const { rows } = await sql<StoredWebhook>`select ${STORED} from webhooks w where w.id = ${id}`.execute(db);
  return rows[0];
}

/** The enabled webhooks of some customers. */
export async function findWebhooksOf(db: Kysely<Database>, customerIds: readonly number[]): Promise<StoredWebhook[]> {
  const { rows } = await sql<StoredWebhook>`
    select ${STORED} from webhooks w
     where w.customer_id = any(${[...customerIds]}::int[]) and w.enabled order by w.id`.execute(db);
  return rows;
}
