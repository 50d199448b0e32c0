import { randomBytes } from 'node:crypto';
import type { applicationWebhookEndpoints, BodyOf, QueryOf, ResultOf } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import type { Pool } from 'pg';
import { logAction } from '../../audit/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { isAllowedUrl, type Outbound } from '../../platform/http/outbound/outbound.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { announce } from '../../ports/notices.ts';
import { type ApplicationRecord, findApplication, lockApplication } from '../applications.store.ts';
import { eventRights } from '../events/receivers.ts';
import { insertDeliveries } from './deliveries.store.ts';
import {
  deleteWebhook,
  insertWebhook,
  listDeliveries,
  listWebhooks,
  lockWebhook,
  replaceSecret,
  replayDeliveries,
  updateWebhook,
  type WebhookRecord,
  type WebhookValues,
  wakeWebhook,
} from './webhooks.store.ts';

type Endpoints = typeof applicationWebhookEndpoints;
export type ApplicationWebhooks = ReturnType<typeof applicationWebhooks>;

const MOST_WEBHOOKS = 10;
const MOST_REPLAYED = 10_000;
/** How long the previous secret signs, too. Milliseconds. */
const BOTH_SECRETS_MS = 86_400_000;

/** The webhooks of applications and their delivery log. */
export function applicationWebhooks(parts: {
  db: Kysely<Database>;
  pool: Pool;
  clock: Clock;
  outbound: Outbound;
  box: SecretBox;
}) {
  const { db, pool, clock, outbound, box } = parts;

  /** What is wrong with an address, as far as it can be known now. Each attempt checks what it resolves to. */
  async function checkUrl(text: string): Promise<void> {
    const url = URL.parse(text);
    if (!url || !isAllowedUrl(url, outbound.allowsPrivate)) {
      throw new Problem('applicationWebhookUrl', { field: 'webhookUrl' });
    }
    if (await outbound.isPrivate(url)) {
      throw new Problem('applicationWebhookPrivate', { field: 'webhookUrl' });
    }
  }

  const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

  /** Changes a webhook, with an entry in the action log of its application. */
  async function change<T>(
    caller: Caller,
    { id, webhookId }: { id: number; webhookId: number },
    work: (
      trx: Kysely<Database>,
      webhook: WebhookRecord,
    ) => Promise<{ answer: T; before?: Record<string, unknown>; after?: Record<string, unknown> }>,
  ): Promise<T> {
    return await db.transaction().execute(async (trx) => {
      const application = await locked(trx, id);
      const webhook = await lockWebhook(trx, id, webhookId);
      if (!webhook) throw notFound('webhook');
      const { answer, before, after } = await work(trx, webhook);
      if (before || after) await log(trx, caller, application, { before, after });
      return answer;
    });
  }

  async function locked(trx: Kysely<Database>, id: number): Promise<ApplicationRecord> {
    const application = await lockApplication(trx, id);
    if (!application) throw notFound('application');
    return application;
  }

  const log = (
    trx: Kysely<Database>,
    caller: Caller,
    { id, name, customerId }: ApplicationRecord,
    { before, after }: { before?: Record<string, unknown> | undefined; after?: Record<string, unknown> | undefined },
  ) =>
    logAction(trx, caller, {
      ...{ operation: 'edit', objectType: 'application', objectId: String(id), objectName: name },
      ...{ customerId, siteId: null },
      ...(before ? { before } : {}),
      ...(after ? { after } : {}),
    });

  const columnsOf = ({ webhookUrl, description, events, enabled }: WebhookValues) => ({
    ...{ url: webhookUrl, description: description.trim(), events, enabled },
  });
  const loggedOf = ({ webhookUrl, description, events, enabled }: WebhookValues) => ({
    webhook: { webhookUrl, description, events, enabled },
  });

  return {
    async list(id: number): Promise<ResultOf<Endpoints['listApplicationWebhooks']>> {
      const application = await findApplication(db, id);
      if (!application) throw notFound('application');
      const rights = await eventRights(pool, application, clock.now());
      const webhooks = await listWebhooks(db, id);
      return {
        items: webhooks.map(({ secret: _, ...webhook }) => ({
          ...webhook,
          unreachable: webhook.events.filter((type) => !rights?.types.has(type)),
        })),
      };
    },

    async create(
      caller: Caller,
      id: number,
      body: BodyOf<Endpoints['createApplicationWebhook']>,
    ): Promise<ResultOf<Endpoints['createApplicationWebhook']>> {
      await checkUrl(body.webhookUrl);
      return await db.transaction().execute(async (trx) => {
        const application = await locked(trx, id);
        const { length } = await listWebhooks(trx, id);
        if (length >= MOST_WEBHOOKS) {
          throw new Problem('tooManyApplicationWebhooks', { values: { limit: MOST_WEBHOOKS } });
        }
        const secret = newSecret();
        const webhookId = await insertWebhook(trx, {
          ...columnsOf(body),
          ...{ application_id: id, secret: box.close(secret) },
        });
        await log(trx, caller, application, { after: loggedOf(body) });
        return { id: webhookId, secret };
      });
    },

    async update(
      caller: Caller,
      params: { id: number; webhookId: number },
      body: BodyOf<Endpoints['updateApplicationWebhook']>,
    ): Promise<null> {
      await checkUrl(body.webhookUrl);
      return await change(caller, params, async (trx, webhook) => {
        const again = body.enabled && !webhook.enabled;
        await updateWebhook(trx, webhook.id, {
          ...columnsOf(body),
          ...(again ? { failing_since: null, resting_until: null, given_up_at: null } : {}),
        });
        if (again && webhook.givenUpAt) {
          await announce(trx, {
            ...{ type: 'system', key: `webhookGivenUp ${webhook.id}`, ended: true },
            ...{ subject: { kind: 'system', id: 'webhookGivenUp' }, customerId: null, siteId: null, deviceId: null },
            data: { event: 'webhookGivenUp' },
          });
        }
        return { answer: null, before: loggedOf(webhook), after: loggedOf(body) };
      });
    },

    async remove(caller: Caller, params: { id: number; webhookId: number }): Promise<null> {
      return await change(caller, params, async (trx, webhook) => {
        await deleteWebhook(trx, webhook.id);
        return { answer: null, before: loggedOf(webhook) };
      });
    },

    async rotate(
      caller: Caller,
      params: { id: number; webhookId: number },
    ): Promise<ResultOf<Endpoints['rotateApplicationWebhookSecret']>> {
      return await change(caller, params, async (trx, { id }) => {
        const secret = newSecret();
        await replaceSecret(trx, id, box.close(secret), new Date(clock.now().getTime() + BOTH_SECRETS_MS));
        return { answer: { id, secret }, after: { signature: 'added' } };
      });
    },

    async test(
      caller: Caller,
      params: { id: number; webhookId: number },
    ): Promise<ResultOf<Endpoints['testApplicationWebhook']>> {
      return await change(caller, params, async (trx, webhook) => {
        if (!webhook.enabled) throw new Problem('applicationWebhookDisabled');
        const now = clock.now();
        const content = JSON.stringify({ type: 'test', timestamp: now, data: { message: 'This webhook works.' } });
        const none = { type: null, customerId: null, siteId: null };
        await wakeWebhook(trx, webhook.id);
        const [id = 0] = await insertDeliveries(trx, [{ webhookId: webhook.id, content, ...none }], now);
        return { answer: { id }, after: { webhook: { webhookUrl: webhook.webhookUrl, test: true } } };
      });
    },

    async deliveries(
      { id, webhookId }: { id: number; webhookId: number },
      { before, deliveryState, limit }: QueryOf<Endpoints['listWebhookDeliveries']>,
    ): Promise<ResultOf<Endpoints['listWebhookDeliveries']>> {
      if (!(await listWebhooks(db, id)).some((one) => one.id === webhookId)) throw notFound('webhook');
      const rows = await listDeliveries(db, webhookId, { before, state: deliveryState, limit });
      return {
        items: rows,
        next: rows.length === limit ? (rows.at(-1)?.id ?? null) : null,
      };
    },

    async replay(
      caller: Caller,
      params: { id: number; webhookId: number },
      { deliveryId, from, to }: BodyOf<Endpoints['replayWebhookDeliveries']>,
    ): Promise<ResultOf<Endpoints['replayWebhookDeliveries']>> {
      if (deliveryId === undefined && from === undefined) throw new Problem('fieldRequired', { field: 'from' });
      if (deliveryId === undefined && to === undefined) throw new Problem('fieldRequired', { field: 'to' });
      const range = { from: new Date(from ?? 0), to: new Date(to ?? 0) };
      return await change(caller, params, async (trx, webhook) => {
        if (!webhook.enabled) throw new Problem('applicationWebhookDisabled');
        const limits = { now: clock.now(), most: MOST_REPLAYED };
        const count = await replayDeliveries(
          trx,
          webhook.id,
          deliveryId === undefined ? range : { deliveryId },
          limits,
        );
        return { answer: { count }, after: { webhook: { webhookUrl: webhook.webhookUrl, replayed: count } } };
      });
    },
  };
}
