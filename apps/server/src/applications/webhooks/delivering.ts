import { retryDelivery, type SendAnswer, WEBHOOK_GIVE_UP_SECONDS } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Pool } from 'pg';
import { Webhook } from 'standardwebhooks';
import type { Clock } from '../../platform/clock.ts';
import { listenTo } from '../../platform/database/connections/listen.ts';
import type { Database } from '../../platform/database/schema.ts';
import { type Outbound, OutboundError } from '../../platform/http/outbound/outbound.ts';
import type { Log } from '../../platform/log.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { claimedWork } from '../../platform/work/claimed-work.ts';
import { announce } from '../../ports/notices.ts';
import { eventRights, mayReceive } from '../events/receivers.ts';
import {
  type Attempt,
  type ClaimedDelivery,
  claimDeliveries,
  endAttempt,
  forgetDeliveries,
  giveUp,
  nextDeliveryAt,
} from './deliveries.store.ts';

/** The webhooks to which a process sends at the same time. */
const AT_ONCE = 16;
/** Longer than an attempt may take, so that no delivery is sent twice at the same time. */
const LEASE_SECONDS = 60;
/** The interval of checks, in case a notification was lost. Milliseconds. */
const CHECK_MS = 15_000;
/** The pause before the next claim, as deliveries can be due that another process is about to send. Milliseconds. */
const REST_MS = 250;
const RETENTION_DAYS = 30;
/** How often old deliveries are removed. Milliseconds. */
const FORGET_MS = 60_000;
/** A webhook with more waiting deliveries is disabled. */
const MOST_WAITING = 50_000;

/**
 * Sends events to webhooks, each at least once and always with the same ID. After a killed process, the lease expires and
 * another attempt follows.
 */
export function webhookDelivering(parts: {
  db: Kysely<Database>;
  pool: Pool;
  clock: Clock;
  log: Log;
  outbound: Outbound;
  box: SecretBox;
}) {
  const { db, pool, clock, log, outbound, box } = parts;

  /** Sends a delivery; null if its application must not receive it any more. */
  async function send(delivery: ClaimedDelivery): Promise<SendAnswer | null> {
    const { type, customerId, siteId, application } = delivery;
    const rights = await eventRights(pool, application, clock.now(), type === null ? undefined : [type]);
    if (!rights) return null;
    if (type !== null && customerId !== null && !mayReceive(rights, { type, customerId, siteId })) return null;
    try {
      const { status, text, retryAfter } = await outbound.post(delivery.url, requestOf(delivery));
      const seconds = retryAfter !== undefined && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : 0;
      const accepted = status >= 200 && status < 300;
      return { status, text, accepted, gone: status === 410, retryAfterSeconds: seconds };
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return { status: null, text: error.message, accepted: false, final: error.forbidden };
    }
  }

  /** Standard Webhooks: the signature of each secret, separated by spaces. */
  function requestOf({ messageId, content, secret, previousSecret }: ClaimedDelivery) {
    const now = clock.now();
    const secrets = [secret, previousSecret].filter((one) => one !== null).map(box.open);
    return {
      body: content,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Chargehand-Webhook/1',
        'webhook-id': messageId,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
        'webhook-signature': secrets.map((one) => new Webhook(one).sign(messageId, now, content)).join(' '),
      },
    };
  }

  async function attempt(delivery: ClaimedDelivery): Promise<void> {
    const begun = performance.now();
    const answer = await send(delivery);
    const attempted = { at: clock.now(), duration: Math.round(performance.now() - begun), answer };
    if (!answer) return await end(delivery, { ...attempted, state: 'dropped', retryAt: null });
    if (answer.accepted) return await end(delivery, { ...attempted, state: 'sent', retryAt: null });
    const seconds = retryDelivery(delivery.tries, answer);
    const retryAt = seconds === null ? null : new Date(attempted.at.getTime() + seconds * 1_000);
    // The answer is whatever the receiver wants. In the message it would make each attempt an error of its own.
    log.warn(
      {
        ...{ source: 'webhook', delivery: delivery.id, webhook: delivery.webhookId, retryAt },
        ...{ status: answer.status, answer: answer.text.slice(0, 200) },
      },
      `an event could not be delivered to the webhook of ${delivery.application.name}`,
    );
    await end(delivery, { ...attempted, state: retryAt ? 'waiting' : 'failed', retryAt });
  }

  async function end(delivery: ClaimedDelivery, result: Attempt): Promise<void> {
    const { answer } = result;
    if (!answer || answer.accepted) return await endAttempt(db, delivery, result);
    await db.transaction().execute(async (trx) => {
      await endAttempt(trx, delivery, result);
      const limits = { seconds: WEBHOOK_GIVE_UP_SECONDS, most: MOST_WAITING, gone: answer.gone === true };
      if (!(await giveUp(trx, delivery.webhookId, { now: result.at, ...limits }))) return;
      await announce(trx, {
        ...{ type: 'system', key: `webhookGivenUp ${delivery.webhookId}` },
        ...{ subject: { kind: 'system', id: 'webhookGivenUp' }, customerId: null, siteId: null, deviceId: null },
        data: { event: 'webhookGivenUp', application: delivery.application.name, host: hostOf(delivery.url) },
      });
    });
  }

  const sending = claimedWork({
    atOnce: AT_ONCE,
    claim: (limit) => claimDeliveries(db, clock.now(), limit, LEASE_SECONDS),
    work: (delivery) =>
      attempt(delivery).catch((error: unknown) =>
        log.error({ source: 'webhook', err: error, delivery: delivery.id }, 'an event could not be delivered'),
      ),
  });
  let cancel = () => undefined as unknown;
  let forgetAt = 0;
  const job = clock.repeat(
    async (signal) => {
      await sending.drain(signal);
      if (clock.now().getTime() >= forgetAt) {
        await clock.deleteOld('webhookDeliveries', (now) => forgetDeliveries(db, now, RETENTION_DAYS));
        forgetAt = clock.now().getTime() + FORGET_MS;
      }
      cancel();
      const next = await nextDeliveryAt(db);
      const wait = next === null ? CHECK_MS : next.getTime() - clock.now().getTime();
      if (wait < CHECK_MS) cancel = clock.after(Math.max(REST_MS, wait), job.wake);
    },
    {
      job: 'webhookDelivery',
      everyMs: CHECK_MS,
      log,
      failed: 'events could not be delivered to webhooks; trying again',
    },
  );
  let listening: ReturnType<typeof listenTo> | undefined;
  return {
    start() {
      job.startLater();
      listening = listenTo(pool, 'webhook_deliveries', {
        log,
        onNotification() {
          sending.wake();
          job.wake();
        },
      });
    },
    async stop() {
      await listening?.stop();
      cancel();
      await job.stop();
    },
  };
}

const hostOf = (url: string) => URL.parse(url)?.host ?? '';
