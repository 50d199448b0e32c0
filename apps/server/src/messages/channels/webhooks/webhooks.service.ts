import { randomBytes } from 'node:crypto';
import {
  type BodyOf,
  type channelEndpoints,
  fillText,
  type Locale,
  type QueryOf,
  type ResultOf,
  type WebhookRow,
  type WithDates,
} from '@chargehand/contract';
import { SIGNED_BY_RECEIVER } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import { logAction } from '../../../audit/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/schema.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { isAllowedUrl, type Outbound } from '../../../platform/http/outbound/outbound.ts';
import { notFound, Problem } from '../../../platform/http/problem.ts';
import { listOrder, pageOf, searchOf } from '../../../platform/http/serve/list-queries.ts';
import type { SecretBox } from '../../../platform/secret-box.ts';
import type { Operation } from '../../../ports/action-log.ts';
import { insertSends } from '../sends.store.ts';
import { webhookSecretOf } from './webhook-formats.ts';
import {
  changeWebhook,
  countWebhooks,
  findWebhook,
  insertWebhook,
  listWebhooks,
  removeWebhook,
  replaceSecret,
  sitesOfOthers,
  type WebhookRecord,
  type WebhookValues,
} from './webhooks.store.ts';

type Endpoints = typeof channelEndpoints;
export type WebhooksService = ReturnType<typeof webhooksService>;

const MOST_WEBHOOKS = 50;
/** How long the previous secret signs, too. Milliseconds. */
const BOTH_SECRETS_MS = 86_400_000;

const TEST = {
  'en-US': { title: 'Test message from {product}', text: 'This webhook works.' },
  'zh-CN': { title: '来自 {product} 的测试消息', text: '此 Webhook 工作正常。' },
} as const;

/** The webhooks of customers. */
export function webhooksService(parts: {
  db: Kysely<Database>;
  clock: Clock;
  outbound: Outbound;
  box: SecretBox;
  urlOf: (path: string) => string;
  /** the name of the product in a language */
  productName: (locale: Locale) => string;
}) {
  const { db, clock, outbound, box, urlOf, productName } = parts;

  /** What is wrong with the values of a webhook, as far as it can be known now. The address is checked again when sending. */
  async function check(trx: Kysely<Database>, customerId: number, values: WebhookValues): Promise<void> {
    const url = URL.parse(values.webhookUrl);
    if (!url || !isAllowedUrl(url, outbound.allowsPrivate)) throw new Problem('webhookUrl', { field: 'webhookUrl' });
    if (await outbound.isPrivate(url)) {
      throw new Problem('webhookPrivate', { field: 'webhookUrl' });
    }
    if (values.siteIds.length > 0 && (await sitesOfOthers(trx, customerId, values.siteIds)) > 0) {
      throw new Problem('webhookSites', { field: 'siteIds' });
    }
  }

  /** Chat programs give out their secret; the others get one from here. Slack, Teams and WeCom have none. */
  function firstSecret(format: WebhookValues['format'], given: string | undefined): string | null {
    if (SIGNED_BY_RECEIVER.includes(format)) return given?.trim() || null;
    return format === 'standard' ? webhookSecretOf(randomBytes(32)) : null;
  }

  const log = (
    trx: Kysely<Database>,
    caller: Caller,
    operation: Operation,
    webhook: { id: number; name: string; customerId: number },
    { before, after }: { before?: unknown; after?: unknown },
  ) =>
    logAction(trx, caller, {
      operation,
      objectType: 'webhook',
      objectId: String(webhook.id),
      objectName: webhook.name,
      customerId: webhook.customerId,
      siteId: null,
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
    });

  const found = async (trx: Kysely<Database>, id: number) => {
    const webhook = await findWebhook(trx, id);
    if (!webhook) throw notFound('webhook');
    return webhook;
  };

  return {
    async list(
      caller: Caller,
      query: QueryOf<Endpoints['listWebhooks']>,
    ): Promise<ResultOf<Endpoints['listWebhooks']>> {
      const order = listOrder(query.sort, 'name');
      const { items, total } = await listWebhooks(caller.scope, db, {
        search: searchOf(query.search),
        byName: order.by === 'name',
        descending: order.descending,
        ...pageOf(query),
      });
      return { items: items.map(rowOf), total };
    },

    async create(
      caller: Caller,
      { customerId, secret: given, ...values }: BodyOf<Endpoints['createWebhook']>,
    ): Promise<ResultOf<Endpoints['createWebhook']>> {
      return await db.transaction().execute(async (trx) => {
        await check(trx, customerId, values);
        if ((await countWebhooks(trx, customerId)) >= MOST_WEBHOOKS) {
          throw new Problem('tooManyWebhooks', { values: { limit: MOST_WEBHOOKS } });
        }
        const secret = firstSecret(values.format, given);
        const id = await insertWebhook(trx, customerId, values, secret === null ? null : box.close(secret));
        await log(trx, caller, 'new', { id, name: values.name, customerId }, { after: values });
        return { id, secret: values.format === 'standard' ? secret : null };
      });
    },

    async update(caller: Caller, id: number, body: BodyOf<Endpoints['updateWebhook']>): Promise<null> {
      const { secret: given, ...values } = body;
      await db.transaction().execute(async (trx) => {
        const before = await found(trx, id);
        await check(trx, before.customerId, values);
        await changeWebhook(trx, id, values, nextSecret(before, values, given));
        await log(
          trx,
          caller,
          'edit',
          { id, name: values.name, customerId: before.customerId },
          {
            ...{ before: valuesOf(before), after: values },
          },
        );
      });
      return null;
    },

    async remove(caller: Caller, id: number): Promise<null> {
      await db.transaction().execute(async (trx) => {
        const webhook = await found(trx, id);
        await removeWebhook(trx, id);
        await log(trx, caller, 'delete', webhook, { before: valuesOf(webhook) });
      });
      return null;
    },

    async rotate(caller: Caller, id: number): Promise<ResultOf<Endpoints['rotateWebhookSecret']>> {
      return await db.transaction().execute(async (trx) => {
        const webhook = await found(trx, id);
        if (webhook.format !== 'standard') return { id, secret: null };
        const secret = webhookSecretOf(randomBytes(32));
        await replaceSecret(trx, id, box.close(secret), new Date(clock.now().getTime() + BOTH_SECRETS_MS));
        await log(trx, caller, 'edit', webhook, { after: { signature: 'replaced' } });
        return { id, secret };
      });
    },

    /** @returns the entry of the send log */
    async test(caller: Caller, id: number): Promise<ResultOf<Endpoints['testWebhook']>> {
      return await db.transaction().execute(async (trx) => {
        const { name, customerId, locale } = await found(trx, id);
        const title = fillText(TEST[locale].title, { product: productName(locale) });
        const content = { ...TEST[locale], title, url: urlOf('/manage/message/channels'), data: { event: 'test' } };
        const [send] = await insertSends(trx, [
          {
            ...{ channel: 'webhook', customerId, webhookId: id, receiver: name, type: null, incidentId: null, content },
            dueAt: clock.now(),
          },
        ]);
        await log(trx, caller, 'control', { id, name, customerId }, { after: { test: true } });
        return { id: send! };
      });
    },
  };

  /** A webhook that becomes standard gets a secret; one that stops being it loses it; an empty text removes one. */
  function nextSecret(
    before: WebhookValues,
    values: WebhookValues,
    given: string | undefined,
  ): string | null | undefined {
    const isGiven = SIGNED_BY_RECEIVER.includes(values.format) && given !== undefined;
    if (before.format === values.format && !isGiven) return undefined;
    const secret = firstSecret(values.format, given);
    return secret === null ? null : box.close(secret);
  }
}

/** What the action log says about a webhook: what its form contains. */
function valuesOf({ name, webhookUrl, format, types, siteIds, locale, enabled }: WebhookValues): WebhookValues {
  return { name, webhookUrl, format, types, siteIds, locale, enabled };
}

/** Old rows may name sites of other customers, which their readers must not learn of: `sites` leaves them out. */
function rowOf(webhook: WebhookRecord): WithDates<WebhookRow> {
  return { ...webhook, siteIds: webhook.sites.map(({ id }) => id) };
}
