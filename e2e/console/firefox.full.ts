import { CSRF_COOKIE, TOKEN_COOKIE } from '@chargehand/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSession } from '../../apps/server/src/testing/client.ts';
import { requireFirefox } from '../../scripts/debian.mjs';
import { type FirefoxPage, startFirefox } from '../harness/firefox.ts';
import { product } from '../harness/product.ts';

const chargehand = product();
let firefox: FirefoxPage;
beforeAll(async () => {
  firefox = await startFirefox(requireFirefox());
});
afterAll(() => firefox?.close());

/** The page shows a text within an element. */
const shows = (text: string, selector = 'body') =>
  firefox.until(
    `[...document.querySelectorAll(${JSON.stringify(selector)})].some((one) => one.textContent.includes(${JSON.stringify(text)}))`,
  );

test('Firefox shows the page for sign-in, Home, the list of devices and a device, without an error', async () => {
  const { server, url } = chargehand;
  await firefox.open(url);
  await firefox.until(`document.querySelector('input[type=password]') !== null`);
  const session = await openSession(server.database.db, server.world.users.northAdmin);
  for (const [name, value] of [
    [TOKEN_COOKIE, session.token],
    [CSRF_COOKIE, session.csrf],
  ] as const) {
    const cookie = { name, value: { type: 'string', value }, domain: '127.0.0.1', path: '/' };
    await firefox.send('storage.setCookie', { cookie });
  }
  const { id, sn } = server.world.devices.northQuay1;
  await firefox.open(url);
  await firefox.until(`document.querySelector('main h1, main h2') !== null`);
  await firefox.open(`${url}/manage/device/list`);
  await shows(sn, 'main table');
  await firefox.open(`${url}/manage/device/detail/${id}`);
  await shows(sn, 'main');
  expect(firefox.errors).toEqual([]);
});
