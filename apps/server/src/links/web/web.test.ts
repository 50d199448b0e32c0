import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { type IncomingMessage, request as requestOf, type ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { accessEndpoints, CODES, type LinkActivity, linkEndpoints } from '@chargehand/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import WebSocket from 'ws';
import { type Client, client, openSession } from '../../testing/client.ts';
import { eventually } from '../../testing/eventually.ts';
import { connectPile, type Pile } from '../../testing/gateways/pile.ts';
import { type DevicePages, devicePages } from '../../testing/links/device-pages.ts';
import { type LinkDevice, openLink } from '../../testing/links/link-device.ts';
import { openPageBrowser, type PageBrowser, requestPage } from '../../testing/links/page-browser.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { soon } from '../../testing/within.ts';

const { requestLink, readLink, openPages, listLinkActivity, destroyLink } = linkEndpoints;
const BIG_BYTES = 100 * 1024 * 1024;
const run = promisify(execFile);

let server: TestServer;
let root: Client;
let pile: Pile;
let device: LinkDevice;
let web: DevicePages;
let linkId: number;
let browser: PageBrowser;
let calls = 0;

/** The next control 7. The device accepts those that end links. */
async function nextStart(): ReturnType<Pile['call']> {
  calls += 1;
  const control = await pile.call(calls);
  if (control.payload.messageId === 'startVpn') return control;
  pile.answer(control.id, { status: 'Accepted' });
  return await nextStart();
}

/** Opens a link to the web server of the device. */
async function open(port: number): Promise<void> {
  const { id } = server.world.devices.northQuay1;
  const body = { kind: 'web', reason: 'Test', port } as const;
  ({ id: linkId } = await root.data(requestLink, { params: { id }, body }));
  const control = await nextStart();
  pile.answer(control.id, { status: 'Accepted' });
  device = openLink('ssh', JSON.parse(String(control.payload.data)));
  await eventually(
    () => root.data(readLink, { params: { id: linkId } }),
    ({ state }) => state === 'open',
  );
}

const address = async (person = root) => (await person.data(openPages, { params: { id: linkId }, body: {} })).url;

/** The recorded request with a text, once it has ended. */
const recorded = (text: string): Promise<LinkActivity> =>
  eventually(
    async () => (await root.data(listLinkActivity, { params: { id: linkId }, query: {} })).items,
    (items) => items.some((item) => item.text === text && item.endedAt !== null),
    { what: `the record of ${text}` },
  ).then((items) => items.find((item) => item.text === text)!);

beforeAll(async () => {
  server = await startTestServer({ captcha: false });
  root = client(server.url, await openSession(server.database.db, server.world.users.root));
  web = await devicePages();
  await server.database.pool.query('update device_models set web_support = true');
  pile = await connectPile(server, server.world.devices.northQuay1.sn);
  await open(web.port);
});
beforeEach(async () => {
  browser = await openPageBrowser(await address());
});
afterAll(async () => {
  await device.stop();
  await pile.cut();
  await server.stop();
  await web.close();
});

test('a request reaches the device as its own, and the response the browser', async () => {
  const page = `http://${browser.host}`;
  const { status, body } = await browser.get('/a%20b/%E5%85%85;x=1?q=%00&token=secret', {
    method: 'POST',
    headers: { origin: page, referer: `${page}/form?x`, 'content-type': 'text/plain', 'x-forwarded-for': '1.2.3.4' },
    body: '充电',
  });
  const own = `http://127.0.0.1:${web.port}`;
  const { headers, ...got } = JSON.parse(body);
  expect([status, got]).toEqual([
    200,
    { method: 'POST', url: '/a%20b/%E5%85%85;x=1?q=%00&token=secret', body: '充电' },
  ]);
  expect(headers).toMatchObject({ host: `127.0.0.1:${web.port}`, origin: own, referer: `${own}/form?x` });
  expect(Object.keys(headers)).not.toContain('cookie');
  expect(Object.keys(headers)).not.toContain('x-forwarded-for');
  expect(await recorded('POST /a%20b/%E5%85%85;x=…?q=…&token=…')).toMatchObject({
    ...{ kind: 'request', result: 'done', status: 200, bytesOut: 6, bytesIn: Buffer.byteLength(body) },
  });
});

test('chunked uploads and other methods are passed on', async () => {
  const methods = ['PUT', 'DELETE', 'PATCH'];
  for (const method of methods) {
    const { body } = await browser.get('/upload', {
      method,
      headers: { 'transfer-encoding': 'chunked' },
      body: 'data',
    });
    expect(JSON.parse(body)).toMatchObject({ method, body: 'data' });
  }
  expect(await browser.get('/head', { method: 'HEAD' })).toMatchObject({ status: 200, body: '' });
});

test('curl opens a page, and connections to the device are used again', async () => {
  const before = web.connections();
  const port = String(server.port);
  const { stdout } = await run('curl', [
    ...['-s', '--connect-to', `::127.0.0.1:${port}`, '-H', `Cookie: ${browser.cookie}`],
    ...Array.from({ length: 5 }, (_, index) => `http://${browser.host}/curl/${index}`),
  ]);
  expect(stdout.match(/"url":"\/curl\/\d"/g)).toHaveLength(5);
  expect(web.connections() - before).toBeLessThanOrEqual(1);
});

test('an address opens the pages once, and only for the user of the link', async () => {
  const url = new URL(await address());
  expect(url.hostname).toMatch(/^[a-z2-7]{26}\.localhost$/);
  await openPageBrowser(url.href);
  await expect(openPageBrowser(url.href)).rejects.toThrow('403');
  const guess = await requestPage(server.port, url.host, `${url.pathname}x`);
  expect(guess.status).toBe(403);
  await server.database.pool.query('update roles set remote_access = 1');
  const staff = await server.as('vendorStaff');
  const refused = await staff.call(openPages, { params: { id: linkId }, body: {} });
  expect(refused.code).toBe(CODES.noPermission.code);
});

test('other sites, other browsers and other pages do not reach the device', async () => {
  const before = web.requests.length;
  const page = `http://${browser.host}`;
  const refused = [
    await browser.get('/', { headers: { cookie: undefined } }),
    await browser.get('/', { headers: { cookie: browser.cookie.replace(/.$/, '') } }),
    await browser.get('/', { headers: { 'sec-fetch-site': 'cross-site' } }),
    await browser.get('/', { headers: { 'sec-fetch-site': 'same-site' } }),
    await browser.get('/', { method: 'POST', headers: { origin: 'http://evil.example' } }),
    await browser.get('/', { method: 'POST', headers: { origin: 'null' } }),
    await browser.get('/worker.js', { headers: { 'service-worker': 'script' } }),
  ];
  expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 403));
  expect(refused[0]?.headers['content-security-policy']).toContain("default-src 'none'");
  const zh = await browser.get('/', { headers: { cookie: '', 'accept-language': 'zh-CN' } });
  expect(zh.body).toContain('<html lang="zh-CN">');
  for (const origin of [undefined, 'http://evil.example', server.url]) {
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/`, {
      headers: { host: browser.host, cookie: browser.cookie, ...(origin && { origin }) },
    });
    const status = new Promise((resolve) =>
      socket.on('unexpected-response', (_, { statusCode }) => resolve(statusCode)),
    );
    socket.on('error', () => undefined);
    expect(await soon('the refusal', status)).toBe(403);
  }
  // The console is not served there, and the pages not at the address of the console.
  const lost = await requestPage(server.port, `${'a'.repeat(26)}.localhost:${server.port}`, '/');
  expect([lost.status, lost.headers['clear-site-data']]).toEqual([410, '"cache", "storage"']);
  expect((await requestPage(server.port, `[::1]:${server.port}`, '/api/openapi.json')).status).toBe(200);
  expect(web.requests.length).toBe(before);
  expect(await browser.get('/own', { headers: { origin: page } })).toMatchObject({ status: 200 });
});

test('a WebSocket of the page is passed on and recorded', async () => {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/live?key=1`, {
    headers: { host: browser.host, cookie: browser.cookie, origin: `http://${browser.host}` },
  });
  const messages: string[] = [];
  socket.on('message', (data) => messages.push(String(data)));
  await eventually(
    () => messages,
    ({ length }) => length === 1,
  );
  const own = `127.0.0.1:${web.port}`;
  expect(JSON.parse(messages[0]!)).toEqual({ host: own, origin: `http://${own}`, cookie: null });
  socket.send('充电');
  await eventually(
    () => messages,
    ({ length }) => length === 2,
  );
  expect(messages[1]).toBe('充电');
  socket.close();
  expect(await recorded('GET /live?key=…')).toMatchObject({ result: 'done', status: 101 });
});

test('pages end with the session of their user', async () => {
  const other = client(server.url, await openSession(server.database.db, server.world.users.root));
  const own = await openPageBrowser(await address(other));
  expect((await own.get('/')).status).toBe(200);
  await other.data(accessEndpoints.logout, { body: {} });
  expect((await own.get('/')).status).toBe(403);
  expect((await browser.get('/')).status).toBe(200);
});

/** Opens a page and leaves its response open. */
async function follow(path: string) {
  const [, port] = browser.host.split(':');
  const request = requestOf({
    host: '127.0.0.1',
    port,
    path,
    agent: false,
    headers: { host: browser.host, cookie: browser.cookie },
  });
  request.on('error', () => undefined);
  request.end();
  const [response] = await soon('a response', once(request, 'response'));
  return response as IncomingMessage;
}

/** Runs work at another web server of the device, in a link of its own. */
async function elsewhere(other: DevicePages | { port: number }, work: () => Promise<void>): Promise<void> {
  const former = { linkId, device, browser };
  await open(other.port);
  browser = await openPageBrowser(await address());
  try {
    await work();
  } finally {
    await device.stop();
    await eventually(
      () => root.data(readLink, { params: { id: linkId } }),
      ({ state }) => state === 'ended',
    );
    if ('close' in other) await other.close();
    ({ linkId, device, browser } = former);
  }
}

test('events arrive one by one, and end with the link', async () => {
  let events: ServerResponse | null = null;
  const other = await devicePages((_, response) => {
    events = response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
  });
  await elsewhere(other, async () => {
    const stream = await follow('/events');
    for (const text of ['data: 1\n\n', 'data: 2\n\n']) {
      events?.write(text);
      const [data] = await soon('an event', once(stream, 'data'));
      expect(String(data)).toBe(text);
    }
    const closed = new Promise((resolve) => stream.on('close', resolve));
    stream.on('error', () => undefined);
    await root.data(destroyLink, { params: { id: linkId } });
    await soon('the end of the events', closed);
    expect((await browser.get('/')).status).toBe(410);
    expect(await recorded('GET /events')).toMatchObject({ result: 'cancelled', status: 200, bytesIn: 18 });
  });
});

test('a large download does not fill the memory of the server', async () => {
  let written = 0;
  const other = await devicePages(async (_, response) => {
    const chunk = Buffer.alloc(256 * 1024, 'x');
    while (written < BIG_BYTES) {
      written += chunk.length;
      if (!response.write(chunk)) await once(response, 'drain');
    }
    response.end();
  });
  await elsewhere(other, async () => {
    let received = 0;
    let most = 0;
    for await (const chunk of await follow('/log')) {
      received += chunk.length;
      most = Math.max(most, written - received);
    }
    expect(received).toBe(BIG_BYTES);
    expect(most).toBeLessThan(BIG_BYTES / 4);
    expect(await recorded('GET /log')).toMatchObject({ result: 'done', bytesIn: BIG_BYTES });
  });
});

test('a port that the device refuses has a page that says so', async () => {
  const closed = await devicePages();
  await closed.close();
  await elsewhere({ port: closed.port }, async () => {
    const { status, body } = await browser.get('/');
    expect([status, body]).toEqual([502, expect.stringContaining(`refuses connections on port ${closed.port}`)]);
    expect(await recorded('GET /')).toMatchObject({ result: 'failed', status: null });
  });
});
