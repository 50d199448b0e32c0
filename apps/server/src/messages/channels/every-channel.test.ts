import { ENDPOINTS } from '@chargehand/contract';
import { WEBHOOK_FORMATS, type WebhookFormat } from '@chargehand/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type MailServer, refusal, startMailServer } from '../../testing/mails/mail-server.ts';
import { sweepMessages } from '../../testing/messages/sweep-messages.ts';
import {
  ACCEPTED,
  type HttpReceiver,
  newSubscription,
  startHttpReceiver,
} from '../../testing/messages/test-receivers.ts';
import { isFullRun } from '../../testing/runs/full-run.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

const { createWebhook, listSends, sendAgain, addPushBrowser } = ENDPOINTS;
const ADDRESS = 'duty@example.org';

let server: TestServer;
let post: MailServer;
let http: HttpReceiver;
beforeAll(async () => {
  [post, http] = await Promise.all([startMailServer(), startHttpReceiver()]);
  const smtp = { url: post.url, from: { name: 'Chargehand', address: 'no-reply@example.org' } };
  server = await startTestServer({ captcha: false, webhookPrivate: true, smtp });
});
afterAll(async () => {
  await server.stop();
  await post.stop();
  http.stop();
});

const rows = async (query: string, values: unknown[] = []) =>
  (await server.database.pool.query(query, values)).rows as Record<string, unknown>[];

/** A channel as this suite sees it: how to receive on it, and its receiver on the other side. */
interface Channel {
  name: string;
  channel: 'email' | 'webhook' | 'push';
  /** Lets the administrator of the customer receive on this channel, and on no other. */
  receive(): Promise<unknown>;
  /** Arrived requests or texts, accepted or not. */
  arrived(): number;
  /** What was accepted, with what makes a repetition recognizable. */
  ids(): string[];
  accept(): void;
  /** Refuses for now: another attempt may succeed. */
  refuse(): void;
  hold(until: Promise<void> | null): void;
  /** The last attempt before the channel gives up. */
  lastAttempt: string;
  /** What the send log says about an acceptance, and about the refusal. */
  accepted: { status: number; answer: RegExp };
  refused: RegExp;
}

const overHttp = {
  arrived: () => http.requests.length,
  accept: () => {
    http.answer = ACCEPTED;
  },
  refuse: () => {
    http.answer = { status: 503, text: 'closed for maintenance' };
  },
  hold: (until: Promise<void> | null) => {
    http.hold = until;
  },
  lastAttempt: 'update message_sends set tries = 8',
  accepted: { status: 200, answer: /errcode/ },
  refused: /closed for maintenance/,
};

const webhook = (format: WebhookFormat): Channel => ({
  ...overHttp,
  name: `webhook: ${format}`,
  channel: 'webhook',
  receive: async () =>
    (await server.as('northAdmin')).data(createWebhook, {
      body: {
        ...{ customerId: server.world.customers.north, name: 'Duty', webhookUrl: `${http.url}/hook`, format },
        ...{ types: [], siteIds: [], locale: 'zh-CN', enabled: true },
      },
    }),
  ids: () => http.requests.map(({ headers, body }) => `${String(headers['webhook-id'])} ${body}`),
});

const CHANNELS: readonly Channel[] = [
  {
    name: 'email',
    channel: 'email',
    receive: async () => {
      const { northAdmin } = server.world.users;
      await rows('update users set email = $2 where id = $1', [northAdmin, ADDRESS]);
      await rows(
        `insert into message_settings (user_id, type, in_app, email, push, delayed)
         values ($1, 'fault', true, true, true, false)`,
        [northAdmin],
      );
    },
    arrived: () => post.texts,
    ids: () => post.mails.map(({ email }) => email.messageId ?? ''),
    accept: () => {
      delete post.refuse.text;
    },
    refuse: () => {
      post.refuse.text = refusal(451, 'closed for maintenance');
    },
    hold: (until) => {
      post.hold = until;
    },
    lastAttempt: 'update outgoing_mails set attempts = 11',
    accepted: { status: 250, answer: /^250 / },
    refused: /closed for maintenance/,
  },
  // The formats share everything but their bodies and answers, which `webhook-formats.test.ts` has.
  ...(isFullRun ? WEBHOOK_FORMATS : (['standard', 'dingtalk'] as const)).map(webhook),
  {
    ...overHttp,
    name: 'push',
    channel: 'push',
    receive: async () =>
      (await server.as('northAdmin')).data(addPushBrowser, { body: newSubscription(`${http.url}/push`) }),
    // Each attempt encrypts its content differently; the ID that all of them have is in the log.
    ids: () => http.requests.map(({ path }) => path),
  },
];

beforeEach(async () => {
  await sweepMessages(server);
  await rows(
    `truncate alarms, notices, incidents, messages, message_mails, message_sends, message_settings, webhooks,
       push_subscriptions, outgoing_mails cascade`,
  );
  await rows('update users set email = null');
  post.mails.length = 0;
  post.texts = 0;
  http.requests.length = 0;
});

const raise = () =>
  rows(
    `insert into alarms (device_id, connector, code, kind, level, raised_at, last_at)
     values ($1, 1, 'Fan', 'fault', 'CA', now(), now())`,
    [server.world.devices.northQuay1.id],
  );
/** Lets messages that are due now, and mails that collect several, reach their receivers. */
const deliver = async () => {
  await sweepMessages(server);
  await rows(`update message_mails set due_at = now() - interval '1 ms' where written_at is null`);
  await sweepMessages(server);
};
/** Lets what was refused be tried again now. */
const retry = async () => {
  await rows(
    `update message_sends set next_attempt_at = now() - interval '1 ms' where next_attempt_at is not null and not leased`,
  );
  await rows(
    `update outgoing_mails set next_attempt_at = now() - interval '1 ms' where last_error is not null and next_attempt_at is not null`,
  );
  await rows(`select pg_notify('outgoing_mails', '')`);
  await sweepMessages(server);
};
const log = async () => (await (await server.as('northAdmin')).data(listSends, { query: {} })).items;
const logged = (expected: object) => expect.poll(log, { timeout: 30_000 }).toMatchObject([expected]);

describe.each(CHANNELS.map((one) => [one.name, one] as const))('a message by %s', (_, one) => {
  const { channel } = one;

  test('is delivered once, with the answer of its receiver in the send log', async () => {
    one.accept();
    await one.receive();
    await raise();
    await deliver();
    const { status, answer } = one.accepted;
    const attempts = [{ status, answer: expect.stringMatching(answer) }];
    await logged({ channel, state: 'sent', attemptCount: 1, nextAttemptAt: null, type: 'fault', attempts });
    await deliver();
    await server.restart();
    await deliver();
    await logged({ channel, state: 'sent', attemptCount: 1 });
    expect(one.arrived()).toBe(1);
  });

  test('that is refused waits with the reason, is tried again, and is sent by hand after it was given up', async () => {
    one.refuse();
    await one.receive();
    await raise();
    await deliver();
    const attempts = [{ answer: expect.stringMatching(one.refused) }];
    await logged({ channel, state: 'waiting', attemptCount: 1, nextAttemptAt: expect.any(String), attempts });
    await rows(one.lastAttempt);
    await retry();
    await logged({ channel, state: 'failed', nextAttemptAt: null });
    const [{ id, messageId } = { id: 0, messageId: '' }] = await log();
    const refused = one.arrived();
    one.accept();
    // Nothing happens by itself after it was given up.
    await retry();
    expect(one.arrived()).toBe(refused);
    await (await server.as('northAdmin')).data(sendAgain, { params: { id } });
    await deliver();
    await logged({ id, messageId, channel, state: 'sent' });
    expect(one.arrived()).toBe(refused + 1);
    expect(new Set(one.ids()).size).toBe(1);
  });

  test('whose receiver answers late is not sent twice meanwhile', async () => {
    one.accept();
    const { promise, resolve } = Promise.withResolvers<void>();
    one.hold(promise);
    await one.receive();
    await raise();
    const delivered = deliver();
    await expect.poll(one.arrived, { timeout: 30_000 }).toBe(1);
    await logged({ channel, state: 'waiting' });
    one.hold(null);
    resolve();
    await delivered;
    await logged({ channel, state: 'sent', attemptCount: 1 });
    expect(one.arrived()).toBe(1);
  });
});

test('a receiver that does not answer delays no other receiver', async () => {
  overHttp.accept();
  const { promise, resolve } = Promise.withResolvers<void>();
  const other = await startHttpReceiver();
  try {
    http.hold = promise;
    const north = await server.as('northAdmin');
    for (const webhookUrl of [http.url, other.url]) {
      await north.data(createWebhook, {
        body: {
          ...{ customerId: server.world.customers.north, name: webhookUrl, webhookUrl, format: 'standard' },
          ...{ types: [], siteIds: [], locale: 'en-US', enabled: true },
        },
      });
    }
    await raise();
    const delivered = deliver();
    await expect.poll(() => [http.requests.length, other.requests.length], { timeout: 30_000 }).toEqual([1, 1]);
    await expect
      .poll(async () => (await log()).map(({ state }) => state).sort(), { timeout: 30_000 })
      .toEqual(['sent', 'waiting']);
    http.hold = null;
    resolve();
    await delivered;
  } finally {
    other.stop();
  }
});
