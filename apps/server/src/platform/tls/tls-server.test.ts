import { execFile } from 'node:child_process';
import { type EventEmitter, once } from 'node:events';
import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2';
import { connect as connectTcp } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { promisify } from 'node:util';
import { ENDPOINTS } from '@chargehand/contract';
import type { FastifyRequest } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { OPEN_ENFORCER } from '../../testing/contract/open-enforcer.ts';
import { newAuthority } from '../../testing/gateways/signing.ts';
import { serve } from '../http/serve/serve.ts';
import { httpServer } from '../http/server.ts';
import { createLog } from '../log.ts';

const TIME = { wholeMs: 300, windowMs: 300, windowBytes: 100 };
const CALL = { ':method': 'POST', ':path': ENDPOINTS.logout.path, 'content-type': 'application/json' };

let app: Awaited<ReturnType<typeof httpServer>>;
let port: number;
let whenWaiting: (request: FastifyRequest) => Promise<unknown>;
/** the end of the body of the last file, as its reader sees it */
let file: PromiseWithResolvers<string>;
const open = new Set<ClientHttp2Session>();

beforeEach(async () => {
  const { cert, key } = await newAuthority('CN=localhost');
  app = await httpServer({
    ...{ log: createLog('silent'), version: '0', https: { cert, key }, bodyTime: TIME, enforcer: OPEN_ENFORCER },
    guard: async () => null,
  });
  serve(app, ENDPOINTS.logout, async () => null);
  app.get('/host', async (request) => request.headers.host);
  app.get('/wait', (request) => whenWaiting(request));
  app.post('/host', async (request) => request.headers.host);
  await app.register(async (files) => {
    files.removeAllContentTypeParsers();
    files.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined));
    files.put('/file', async (request) => {
      try {
        let bytes = 0;
        for await (const chunk of request.raw) bytes += (chunk as Buffer).length;
        file.resolve(`${bytes} bytes`);
      } catch (error) {
        file.resolve((error as Error).message);
      }
      return {};
    });
  });
  file = Promise.withResolvers();
  port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port);
});
afterEach(async () => {
  for (const session of open) session.destroy();
  open.clear();
  await app.close();
});

/** A connection that has agreed on HTTP/2. */
async function http2(): Promise<ClientHttp2Session> {
  const session = connect(`https://localhost:${port}`, { rejectUnauthorized: false });
  session.on('error', () => undefined);
  open.add(session);
  await once(session, 'connect');
  expect(session.alpnProtocol).toBe('h2');
  return session;
}

async function answerOf(stream: ClientHttp2Stream): Promise<{ status: unknown; headers: object; body: string }> {
  const [headers] = await once(stream, 'response');
  return { status: headers[':status'], headers, body: await text(stream) };
}

/** The end of a connection, with or without an error. */
const closeOf = (connection: EventEmitter) => new Promise((resolve) => connection.once('close', resolve));

test('a request knows its host, and no answer has headers of HTTP/1.1 connections', async () => {
  const { headers, body } = await answerOf((await http2()).request({ ':path': '/host' }));
  expect(body).toBe(`localhost:${port}`);
  expect(headers).not.toHaveProperty('connection');
});

test.each([[['http/1.1']], [undefined]])('a client that offers the protocols %o uses HTTP/1.1', async (protocols) => {
  const socket = connectTls({ port, rejectUnauthorized: false, ...(protocols ? { ALPNProtocols: protocols } : {}) });
  await once(socket, 'secureConnect');
  socket.write('GET /host HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n');
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 .*here$/s);
});

test('requests beyond 100 at once wait; all are answered', async () => {
  const session = await http2();
  const answers = await Promise.all(
    Array.from({ length: 1_000 }, () => answerOf(session.request({ ':path': '/host' }))),
  );
  expect(session.remoteSettings.maxConcurrentStreams).toBe(100);
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
});

test('headers of more than 16 KiB are answered with 431; others on the connection continue', async () => {
  const session = await http2();
  const withHeader = (length: number) =>
    session.request({ ':method': 'POST', ':path': '/host', 'x-long': 'a'.repeat(length) });
  // The body of the request never ends.
  expect((await answerOf(withHeader(17_000))).status).toBe(431);
  const reset = withHeader(64_000);
  reset.end();
  expect((await answerOf(reset)).status).toBe(431);
  expect((await answerOf(session.request({ ':path': '/host' }))).status).toBe(200);
});

test('headers that are too long to read reset their request at once; others on the connection continue', async () => {
  const session = connect(`https://localhost:${port}`, {
    rejectUnauthorized: false,
    maxSendHeaderBlockLength: 200_000,
  });
  open.add(session);
  await once(session, 'remoteSettings');
  const long = session.request({ ':path': '/host', 'x-long': 'a'.repeat(66_000) });
  await expect(once(long, 'response')).rejects.toThrow('NGHTTP2_ENHANCE_YOUR_CALM');
  const many = session.request(Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`x-${i}`, 'a'])));
  await expect(once(many, 'response')).rejects.toThrow('NGHTTP2_ENHANCE_YOUR_CALM');
  expect((await answerOf(session.request({ ':path': '/host' }))).status).toBe(200);
});

test('curl receives 431 when its headers are too long, also for the first request of its connection', async () => {
  const run = promisify(execFile);
  const call = (length: number) =>
    run('curl', [
      ...['-sk', '--http2', '--max-time', '20', '-o', '/dev/null', '-w', '%{http_version} %{http_code}'],
      ...['-H', `x-long: ${'a'.repeat(length)}`, `https://localhost:${port}/host`],
    ]);
  expect((await call(10)).stdout).toBe('2 200');
  expect((await call(17_000)).stdout).toBe('2 431');
});

test('a handler knows that the client of its request has left', async () => {
  const session = await http2();
  const received = Promise.withResolvers<FastifyRequest>();
  whenWaiting = (request) => {
    received.resolve(request);
    return new Promise(() => undefined);
  };
  const waiting = session.request({ ':path': '/wait' });
  const { socket } = (await received.promise).raw;
  expect(socket.destroyed).toBe(false);
  waiting.close(constants.NGHTTP2_CANCEL);
  await expect.poll(() => socket.destroyed).toBe(true);
  expect(session.closed).toBe(false);
});

test('a client that cancels requests in a loop is disconnected', async () => {
  const session = await http2();
  let goaway = 0;
  session.on('goaway', (code) => {
    goaway = code;
  });
  // The server waits for the body of each, so it is still open when it is cancelled.
  const flood = () => {
    if (session.closed || session.destroyed) return;
    const streams = Array.from({ length: 50 }, () => session.request(CALL));
    for (const stream of streams) stream.on('error', () => undefined);
    setImmediate(() => {
      for (const stream of streams) stream.close(constants.NGHTTP2_CANCEL);
      setImmediate(flood);
    });
  };
  flood();
  await closeOf(session);
  expect(goaway).toBe(constants.NGHTTP2_INTERNAL_ERROR);
});

test('an incomplete JSON body without a length is answered with 408; others on the connection continue', async () => {
  const session = await http2();
  const slow = session.request(CALL);
  slow.write('{');
  const other = answerOf(session.request(CALL).end('{}'));
  expect(await answerOf(slow)).toMatchObject({
    status: 408,
    headers: expect.not.objectContaining({ connection: 'close' }),
  });
  expect((await other).status).toBe(200);
});

test('a file that arrives too slowly is ended, also while others on the connection are fast', async () => {
  const session = await http2();
  const slow = session.request({ ':method': 'PUT', ':path': '/file' });
  slow.on('error', () => undefined);
  slow.write('x');
  const busy = setInterval(() => session.request(CALL).end('{}').resume(), 20);
  expect(await file.promise).toBe('Premature close');
  clearInterval(busy);
  expect(session.closed).toBe(false);
});

test('a file is complete at its end, and not when its client breaks off', async () => {
  const session = await http2();
  const broken = session.request({ ':method': 'PUT', ':path': '/file' });
  broken.on('error', () => undefined);
  broken.write('x', () => broken.destroy(new Error('gone')));
  expect(await file.promise).toBe('Premature close');
  file = Promise.withResolvers();
  expect(
    (await answerOf(session.request({ ':method': 'PUT', ':path': '/file' }).end('x'.repeat(300_000)))).status,
  ).toBe(200);
  expect(await file.promise).toBe('300000 bytes');
});

test('a stop ends connections of both versions, with open requests or without a handshake', async () => {
  const session = await http2();
  session
    .request(CALL)
    .on('error', () => undefined)
    .write('{');
  const idle = connectTls({ port, ALPNProtocols: ['http/1.1'], rejectUnauthorized: false });
  const silent = connectTcp(port, '127.0.0.1');
  for (const socket of [idle, silent]) socket.on('error', () => undefined).resume();
  await Promise.all([once(idle, 'secureConnect'), once(silent, 'connect')]);
  const ended = Promise.all([session, idle, silent].map(closeOf));
  await app.close();
  await ended;
});
