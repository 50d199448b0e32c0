import {
  accessEndpoints,
  CODES,
  linkEndpoints,
  publicShareEndpoints,
  shareEndpoints,
  streamEndpoints,
} from '@chargehand/contract';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import WebSocket from 'ws';
import { type Client, client, openSession } from '../../testing/client.ts';
import { type EventStream, openStream } from '../../testing/event-stream.ts';
import { eventually } from '../../testing/eventually.ts';
import { connectPile, type Pile } from '../../testing/gateways/pile.ts';
import { type DevicePages, devicePages } from '../../testing/links/device-pages.ts';
import { type LinkDevice, openLink } from '../../testing/links/link-device.ts';
import { openPageBrowser, type PageBrowser, requestPage } from '../../testing/links/page-browser.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

const { requestLink, readLink, openPages, listLinkActivity, destroyLink } = linkEndpoints;
const { invitePageGuest, listPageGuests, changeGuest, removeGuest } = linkEndpoints;

let server: TestServer;
let host: Client;
let pile: Pile;
let web: DevicePages;
let linkId: number;
/** the console of the host */
let console: EventStream;
const devices: LinkDevice[] = [];
const sockets: WebSocket[] = [];
let calls = 0;

async function nextStart(): ReturnType<Pile['call']> {
  calls += 1;
  const control = await pile.call(calls);
  if (control.payload.messageId === 'startVpn') return control;
  pile.answer(control.id, { status: 'Accepted' });
  return await nextStart();
}

/** Opens a link to the web server of the device. */
async function open(): Promise<number> {
  const body = { kind: 'web', reason: 'Test', port: web.port } as const;
  const { id } = await host.data(requestLink, { params: { id: server.world.devices.northQuay1.id }, body });
  const control = await nextStart();
  pile.answer(control.id, { status: 'Accepted' });
  devices.push(openLink('ssh', JSON.parse(String(control.payload.data))));
  await eventually(
    () => host.data(readLink, { params: { id } }),
    ({ state }) => state === 'open',
  );
  return id;
}

beforeAll(async () => {
  server = await startTestServer({ captcha: false });
  host = client(server.url, await openSession(server.database.db, server.world.users.root));
  web = await devicePages((request, response) => {
    if (request.url === '/login') response.setHeader('set-cookie', 'sid=1; Path=/');
    const override = request.headers['x-http-method-override'];
    response.end(JSON.stringify({ cookie: request.headers.cookie ?? null, override: override ?? null }));
  });
  await server.database.pool.query('update device_models set web_support = true');
  await server.database.pool.query('update roles set remote_access = 1');
  pile = await connectPile(server, server.world.devices.northQuay1.sn);
  linkId = await open();
  console = await openStream(host, streamEndpoints.stream.path);
  expect(console.response.status).toBe(200);
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.terminate();
  const { items } = await host.data(shareEndpoints.listShares, { query: { kind: 'page' } });
  for (const { id } of items) await host.data(shareEndpoints.destroyShare, { params: { id } });
});
afterAll(async () => {
  for (const device of devices) await device.stop();
  await pile.cut();
  await server.stop();
  await web.close();
});

const address = async (person = host) => (await person.data(openPages, { params: { id: linkId }, body: {} })).url;

/** Calls a public endpoint as a visitor. */
async function visit(path: string, cookie: string, body: object) {
  const headers = { 'content-type': 'application/json', cookie };
  const response = await fetch(`${server.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const given = (response.headers.getSetCookie()[0] ?? '').split(';')[0]!;
  return { given, ...((await response.json()) as { code: number; data: { url: string } }) };
}

async function invite(more: { interactive?: boolean; hostSession?: boolean } = {}, person = host) {
  const body = { interactive: false, hostSession: false, minutes: 5, ...more };
  const share = await person.data(invitePageGuest, { params: { id: linkId }, body });
  const s = share.token;
  return {
    share,
    enter: async () =>
      (await visit(publicShareEndpoints.enterShareCode.path, '', { s, accessCode: share.code! })).given,
    join: (cookie: string, more: object = {}) =>
      visit(publicShareEndpoints.joinPage.path, cookie, { s, visitorName: '王工', recorded: true, ...more }),
  };
}

async function guest(more: { interactive?: boolean; hostSession?: boolean } = {}, person = host) {
  const invited = await invite(more, person);
  const cookie = await invited.enter();
  const { data } = await invited.join(cookie);
  return { ...invited, cookie, url: data.url, browser: await openPageBrowser(data.url) };
}

/** The requests of guests that have ended, newest first. */
const ofGuests = async () => {
  const { items } = await host.data(listLinkActivity, { params: { id: linkId }, query: {} });
  return items.flatMap((item) => (item.guest && item.endedAt ? [`${item.guest} ${item.text} ${item.result}`] : []));
};

function connect(browser: PageBrowser) {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/live`, {
    headers: { host: browser.host, cookie: browser.cookie, origin: `http://${browser.host}` },
  });
  sockets.push(socket);
  const messages: string[] = [];
  socket.on('message', (data) => messages.push(String(data)));
  socket.on('error', () => undefined);
  return { socket, messages };
}

test('a guest reads with cookies of their own, and nothing else reaches the device', async () => {
  const own = await openPageBrowser(await address());
  await own.get('/login');
  const { browser } = await guest();
  const read = async (from: PageBrowser, more = {}) => JSON.parse((await from.get('/', more)).body);
  expect([(await read(own)).cookie, (await read(browser)).cookie]).toEqual(['sid=1', null]);
  const before = web.requests.length;
  const refused = [
    await browser.get('/settings?name=1', { method: 'POST', body: 'x' }),
    await browser.get('/settings', { method: 'DELETE' }),
    await browser.get('/settings', { method: 'OPTIONS' }),
    await browser.get('/settings', { headers: { 'content-length': '1' }, body: 'x' }),
  ];
  expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
  expect(refused[0]?.body).toContain('You can only read');
  expect(web.requests.length).toBe(before);
  expect((await read(browser, { headers: { 'x-http-method-override': 'DELETE' } })).override).toBeNull();
  await eventually(ofGuests, (all) => all.includes('王工 POST /settings?name=… refused'));
  expect(await ofGuests()).toContain('王工 GET / done');
  const shared = await guest({ hostSession: true });
  expect((await read(shared.browser)).cookie).toBe('sid=1');
});

test('a guest with the permission makes changes until the user takes it back, and only receives messages then', async () => {
  const { browser, share } = await guest({ interactive: true });
  expect((await browser.get('/settings', { method: 'POST', body: 'x' })).status).toBe(200);
  const { socket, messages } = connect(browser);
  const received = (count: number) =>
    eventually(
      () => messages.length,
      (length) => length === count,
    );
  await received(1);
  socket.send('on');
  await received(2);
  const params = { id: linkId, guestId: share.id };
  await host.data(changeGuest, { params, body: { interactive: false } });
  const { items } = await host.data(listPageGuests, { params: { id: linkId } });
  expect(items).toEqual([{ id: share.id, name: '王工', interactive: false, hostSession: false }]);
  socket.send('evil');
  const ponged = new Promise((resolve) => socket.on('pong', resolve));
  await host.data(changeGuest, { params, body: { interactive: true } });
  // The server reads in order, so what was sent before has been dropped.
  socket.ping();
  await ponged;
  expect(messages).toHaveLength(2);
  expect((await browser.get('/settings', { method: 'POST', body: 'x' })).status).toBe(200);
  const staff = client(server.url, await openSession(server.database.db, server.world.users.vendorStaff));
  const other = await staff.call(changeGuest, { params, body: { interactive: true } });
  expect(other.code).toBe(CODES.guestNotOwn.code);
  const body = { interactive: true, hostSession: true, minutes: 5 };
  expect((await staff.call(invitePageGuest, { params: { id: linkId }, body })).code).toBe(CODES.guestNotOwn.code);
});

test('an invitation needs the code and consent, and is for one browser and this link', async () => {
  const { join, cookie, url, browser, enter } = await guest();
  await expect(openPageBrowser(url)).rejects.toThrow('403');
  expect((await join('')).code).toBe(CODES.shareCodeNeeded.code);
  expect((await join(cookie, { recorded: false })).code).not.toBe(0);
  expect((await join(cookie, { visitorName: ' ' })).code).toBe(CODES.fieldRequired.code);
  expect((await join(await enter())).code).toBe(CODES.guestTaken.code);
  const api = await fetch(`${server.url}/api/auth/sys/links`, { headers: { cookie: `${cookie}; ${browser.cookie}` } });
  expect(await api.json()).toMatchObject({ code: CODES.notSignedIn.code });
  const former = linkId;
  linkId = await open();
  const other = new URL(await address());
  linkId = former;
  const own = { headers: { cookie: browser.cookie, 'sec-fetch-site': 'same-origin' } };
  expect((await requestPage(server.port, other.host, '/', own)).status).toBe(403);
  const code = new URL((await join(cookie)).data.url).pathname;
  expect((await requestPage(server.port, other.host, code, own)).status).toBe(403);
  for (let count = 1; count < 5; count += 1) await invite();
  const full = await host.call(invitePageGuest, {
    ...{ params: { id: linkId }, body: { interactive: false, hostSession: false, minutes: 5 } },
  });
  expect(full.code).toBe(CODES.guestsFull.code);
});

test('the user ends the access of a guest: open connections too, and an address that was not used', async () => {
  const { browser, share, join, cookie } = await guest();
  const { socket, messages } = connect(browser);
  await eventually(
    () => messages,
    ({ length }) => length === 1,
  );
  const closed = new Promise((resolve) => socket.on('close', resolve));
  const unused = (await join(cookie)).data.url;
  await host.data(removeGuest, { params: { id: linkId, guestId: share.id } });
  await closed;
  const over = await browser.get('/');
  expect([over.status, over.body]).toEqual([410, expect.stringContaining('Your access has ended')]);
  await expect(openPageBrowser(unused)).rejects.toThrow('403');
  expect((await join(cookie)).code).toBe(CODES.shareDestroyed.code);
  const joined = `select 1 from action_logs where after->>'guestLeft' = '王工' and user_id is null`;
  await eventually(
    async () => (await server.database.pool.query(joined)).rowCount,
    (count) => (count ?? 0) > 0,
  );
});

test('guests leave when the user signs out, and so does an address that was not used', async () => {
  const other = client(server.url, await openSession(server.database.db, server.world.users.root));
  const { browser } = await guest({}, other);
  const unused = await address(other);
  await other.data(accessEndpoints.logout, { body: {} });
  await eventually(
    () => browser.get('/'),
    ({ status }) => status === 410,
  );
  await expect(openPageBrowser(unused)).rejects.toThrow('403');
});

test('guests leave when the link ends', async () => {
  linkId = await open();
  const { browser, join, cookie } = await guest();
  await host.data(destroyLink, { params: { id: linkId } });
  await eventually(
    () => browser.get('/'),
    ({ status, body }) => status === 410 && body.includes('The link to the device has ended'),
  );
  expect((await join(cookie)).code).not.toBe(0);
});

/** Runs the checks of the server as after some minutes. */
async function after(minutes: number): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 61_000 });
  await server.sweep().finally(() => vi.useRealTimers());
}

test('guests leave when the user is away for a minute, and stay while their console or the pages are open', async () => {
  linkId = await open();
  const { browser, join, cookie } = await guest({ interactive: true });
  await after(1);
  const stays = await browser.get('/', { method: 'POST', body: 'x' });
  expect([stays.status, stays.body]).toEqual([200, expect.stringContaining('cookie')]);
  await console.close();
  const away = await eventually(
    () => browser.get('/', { method: 'POST', body: 'x' }),
    ({ status }) => status === 403,
  );
  expect(away.body).toContain('The host has lost the connection');
  expect((await browser.get('/')).status).toBe(200);
  const own = await openPageBrowser(await address());
  await own.get('/');
  expect((await browser.get('/', { method: 'POST', body: 'x' })).status).toBe(200);
  await after(2);
  expect((await browser.get('/')).status).toBe(410);
  expect((await join(cookie)).code).not.toBe(0);
});
