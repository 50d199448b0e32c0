import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import {
  accessEndpoints,
  ENDPOINTS,
  LOCALES,
  secondFactorEndpoints,
  systemParameterEndpoints,
} from '@chargehand/contract';
import type { BrandingKey } from '@chargehand/domain';
import { URI } from 'otpauth';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { type HttpReceiver, startHttpReceiver } from '../../testing/messages/test-receivers.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { answerKey, seal } from '../../testing/sign-in.ts';
import { WORLD_PASSWORD } from '../../testing/world.ts';

const { listSystemParameters, setSystemParameter } = systemParameterEndpoints;
const NAMES = { 'en-US': 'North: <b>"Co" & Sons</b>', 'zh-CN': '北方 <i>充电</i>' } as const;
const ESCAPED = {
  'en-US': 'North: &lt;b&gt;&quot;Co&quot; &amp; Sons&lt;/b&gt;',
  'zh-CN': '北方 &lt;i&gt;充电&lt;/i&gt;',
} as const;

let server: TestServer;
let root: Client;
let receiver: HttpReceiver;
beforeAll(async () => {
  receiver = await startHttpReceiver();
  server = await startTestServer({ captcha: false, webhookPrivate: true });
  root = await server.as('root');
  await set('productNameEn', NAMES['en-US']);
  await set('productNameZh', NAMES['zh-CN']);
});
afterAll(async () => {
  await server.stop();
  receiver.stop();
});

async function set(key: BrandingKey, value: string): Promise<void> {
  const { items } = await root.data(listSystemParameters, {});
  const { revision } = items.find((item) => item.key === key)!;
  await root.data(setSystemParameter, { params: { key }, body: { value, revision } });
}

/** A page as a browser without a session gets it. */
async function pageOf(path: string, locale: string, host?: string): Promise<string> {
  const { port } = new URL(server.url);
  const headers = { 'accept-language': locale, ...(host === undefined ? {} : { host: `${host}:${port}` }) };
  const response = await new Promise<Parameters<typeof text>[0]>((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, headers }, resolve).on('error', reject).end();
  });
  return await text(response);
}

test.each(LOCALES)('pages for people without an account have the name in %s, escaped', async (locale) => {
  const device = `${'a'.repeat(26)}.localhost`;
  const pages = [
    await pageOf('/api/unauth/unsubscribe?token=none', locale),
    await pageOf('/api/unauth/unsubscribe/report?f=none', locale),
    await pageOf('/', locale, device),
  ];
  for (const page of pages) {
    expect(page).toContain(ESCAPED[locale]);
    expect(page).not.toContain(NAMES[locale]);
    expect(page).not.toContain('Chargehand');
  }
});

test.each(LOCALES)('the test message of a webhook has the name in %s', async (locale) => {
  const north = await server.as('northAdmin');
  receiver.requests.length = 0;
  const { id } = await north.data(ENDPOINTS.createWebhook, {
    body: {
      ...{ customerId: server.world.customers.north, name: 'Duty', webhookUrl: receiver.url, format: 'slack' },
      ...{ types: [], siteIds: [], locale, enabled: true },
    },
  });
  await north.data(ENDPOINTS.testWebhook, { params: { id } });
  await server.sweep();
  const [{ body } = { body: '{}' }] = receiver.requests;
  const { blocks } = JSON.parse(body) as { blocks: { text: { text: string } }[] };
  expect(blocks[0]?.text.text).toContain(NAMES[locale]);
});

test.each(LOCALES)('authenticator apps get the name as issuer in %s, without a colon', async (locale) => {
  const { publicKey } = await root.data(accessEndpoints.publicKey);
  const { open, ...key } = answerKey(publicKey);
  const body = { currentPassword: seal(publicKey, WORLD_PASSWORD), ...key };
  const who = await server.as('northAdmin', locale);
  const uri = open((await who.data(secondFactorEndpoints.beginSecondFactor, { body })).uri);
  expect(URI.parse(uri).issuer).toBe(NAMES[locale].replace(':', ''));
});
