import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import {
  type AddressInfo,
  connect,
  createServer as createNetServer,
  type Server as NetServer,
  type Socket,
} from 'node:net';
import type { Duplex } from 'node:stream';
import { afterEach, expect, test } from 'vitest';
import { type SteppedClock, steppedClock } from '../../testing/clock.ts';
import { eventually } from '../../testing/eventually.ts';
import { type DevicePages, devicePages } from '../../testing/links/device-pages.ts';
import { requestPage } from '../../testing/links/page-browser.ts';
import { LONGEST_STALL_MS } from '../../testing/stalls/least-stall.ts';
import { longestTurn } from '../../testing/stalls/longest-turn.ts';
import { trustedCertificate } from '../../testing/trusted-certificate.ts';
import { deviceProxy, type PageUser } from './device-proxy.ts';

const ORIGIN = 'http://label.localhost';
const closings: (() => unknown)[] = [];
const records: string[] = [];
let clock: SteppedClock;
let user: PageUser;

afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
  records.length = 0;
});

/** A proxy to a device, without a tunnel. `port` is the one that the device names, `to` the real one. */
async function serve({ port, to = port }: { port: number; to?: number }): Promise<number> {
  clock = steppedClock();
  user = { locale: 'en-US', running: new Set() };
  const proxy = deviceProxy({
    ...{ linkId: 1, port, clock, productName: () => '<Charge>' },
    connect: async () => {
      const socket = connect(to, '127.0.0.1');
      await once(socket, 'connect');
      return socket as Duplex;
    },
    activity: {
      begin: (_link, _kind, text) => ({
        end: (result, { status = null } = {}) => void records.push(`${text} ${result} ${status}`),
      }),
    },
  });
  const server: Server = createServer((request, response) => proxy.forward(request, response, user, ORIGIN));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closings.push(() => {
    server.closeAllConnections();
    server.close();
    proxy.close();
  });
  return (server.address() as AddressInfo).port;
}

async function device(answer?: RequestListener): Promise<DevicePages> {
  const pages = await devicePages(answer);
  closings.push(pages.close);
  return pages;
}

/** A device that sends bytes whatever it receives. */
async function rawDevice(bytes: string | Buffer | null): Promise<number> {
  const sockets: Socket[] = [];
  const server: NetServer = createNetServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => {
      if (bytes !== null) socket.end(bytes);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closings.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const get = (port: number, path = '/') => requestPage(port, 'label.localhost', path);

test('a device that does not answer gets a minute', async () => {
  const port = await serve({ port: await rawDevice(null) });
  const answer = get(port);
  await eventually(
    () => user.running.size,
    (size) => size === 1,
  );
  await clock.advance(60_000);
  expect(await answer).toMatchObject({ status: 504, body: expect.stringContaining('does not respond') });
  expect(records).toEqual(['GET / failed null']);
});

test.each([
  ['garbage', Buffer.from([0xff, 0x00, 0x16, 0x03, 0x01])],
  ['another protocol', 'SSH-2.0-dropbear\r\n'],
  ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
  ['too many headers', `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}\r\n\r\n`],
  ['a protocol that was not asked for', 'HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'],
])('a device that sends %s gives a clear page', async (_, bytes) => {
  const { status, body } = await get(await serve({ port: await rawDevice(bytes) }));
  expect([status, body]).toEqual([502, expect.stringContaining('no valid response')]);
  expect(records).toEqual(['GET / failed null']);
});

test('no response of a device blocks the server', async () => {
  const texts = ['A', '\t;', ' ', '0;url=', 'mailto:@@@', ',', '%2', '"'].map((part) =>
    part.repeat(60_000 / part.length),
  );
  const names = [
    'Refresh',
    'Location',
    'Content-Security-Policy',
    'Set-Cookie',
    'Link',
    'Content-Type',
    'Cache-Control',
  ];
  const answers = names.flatMap((name) =>
    texts.map((text) => `HTTP/1.1 200 OK\r\n${name}: ${text}\r\nContent-Length: 1\r\n\r\na`),
  );
  const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
  answers.push(`${chunked}${'1\r\na\r\n'.repeat(50_000)}0\r\n\r\n`, `${chunked}1;${'x='.repeat(500_000)}\r\n`);
  answers.push(`HTTP/1.1 200 OK\r\n${'Set-Cookie: a=b\r\n'.repeat(1_900)}Content-Length: 0\r\n\r\n`);
  answers.push('HTTP/1.1 100 Continue\r\n\r\n'.repeat(20_000));
  const stalls: string[] = [];
  for (const bytes of answers) {
    const port = await serve({ port: await rawDevice(bytes) });
    const { ms } = await longestTurn(() => get(port).catch(() => null));
    if (ms >= LONGEST_STALL_MS) stalls.push(`${bytes.slice(0, 60)}: ${Math.round(ms)} ms`);
  }
  expect(stalls).toEqual([]);
});

test('a response that breaks off ends the response to the browser', async () => {
  const port = await serve({ port: await rawDevice('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab') });
  await expect(get(port)).rejects.toThrow('aborted');
  expect(records).toEqual(['GET / failed 200']);
});

test('a request on a connection that the device has closed is sent again', async () => {
  let count = 0;
  const { port: to } = await device((request, response) => {
    count += 1;
    if (count === 2) request.socket.destroy();
    else response.end('ok');
  });
  const port = await serve({ port: to });
  expect((await get(port)).body).toBe('ok');
  expect((await get(port)).body).toBe('ok');
  expect(count).toBe(3);
});

test('more requests than a link may have at once are refused', async () => {
  const port = await serve({ port: await rawDevice(null) });
  const open = Array.from({ length: 64 }, () => get(port));
  await eventually(
    () => user.running.size,
    (size) => size === 64,
  );
  expect(await get(port)).toMatchObject({ status: 503, headers: { 'retry-after': '2' } });
  for (const stop of [...user.running]) stop();
  expect((await Promise.all(open)).map(({ status }) => status)).toEqual(open.map(() => 410));
});

test('cookies of the device stay on the server', async () => {
  const { port: to, requests } = await device((_, response) => {
    response.setHeader('set-cookie', [
      'sid=1; Path=/; HttpOnly; Domain=192.168.1.9',
      'lang=zh; Path=/admin; SameSite=None; Secure',
      '__Host-a=b; Secure; Path=/',
    ]);
    response.end();
  });
  const port = await serve({ port: to });
  const { headers } = await requestPage(port, 'label.localhost', '/', { headers: { cookie: 'x-auth-token=1' } });
  expect(headers['set-cookie']).toBeUndefined();
  await get(port, '/admin/x');
  expect(requests.map((request) => request.headers.cookie)).toEqual([undefined, 'lang=zh; sid=1; __Host-a=b']);
});

test('a page that needs HTTPS is reached with its own certificate', async () => {
  const tls = await trustedCertificate();
  const pages = await devicePages(undefined, { tls });
  closings.push(pages.close);
  const port = await serve({ port: 443, to: pages.port });
  expect((await get(port, '/secure')).body).toContain('"host":"127.0.0.1"');
  const plain = await device();
  expect((await get(await serve({ port: 443, to: plain.port }))).status).toBe(502);
});

test('a redirect to another port of the device names it', async () => {
  const { port: to } = await device((_, response) =>
    response.writeHead(301, { location: 'https://192.168.1.9/' }).end(),
  );
  const { status, body } = await get(await serve({ port: to }));
  expect([status, body]).toEqual([502, expect.stringContaining('Request a link with port 443')]);
});

test('connections are used again, and closed when they are idle', async () => {
  const pages = await device((_, response) => response.setHeader('set-cookie', 'a=1').end('ok'));
  const port = await serve({ port: pages.port });
  for (const path of ['/1', '/2', '/3']) expect((await get(port, path)).body).toBe('ok');
  expect([pages.requests.length, pages.connections()]).toEqual([3, 1]);
  await clock.advance(15_000);
  await get(port);
  expect(pages.connections()).toBe(2);
});
