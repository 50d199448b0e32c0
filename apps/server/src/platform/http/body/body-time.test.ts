import type { AddressInfo } from 'node:net';
import { connect, type Socket } from 'node:net';
import { ENDPOINTS } from '@chargehand/contract';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { OPEN_ENFORCER } from '../../../testing/contract/open-enforcer.ts';
import { serve } from '../serve/serve.ts';
import { httpServer } from '../server.ts';

const TIME = { wholeMs: 300, windowMs: 300, windowBytes: 100 };
const { path } = ENDPOINTS.login;

let app: Awaited<ReturnType<typeof httpServer>>;
let received: number;
let logged: string;
beforeEach(async () => {
  received = 0;
  logged = '';
  const write = (line: string) => {
    logged += line;
  };
  app = await httpServer({
    ...{ log: pino({ level: 'info' }, { write }), version: '0', https: null, bodyTime: TIME },
    enforcer: OPEN_ENFORCER,
    guard: async () => null,
  });
  serve(app, ENDPOINTS.logout, async () => null);
  serve(app, ENDPOINTS.login, async () => {
    throw new Error('no body may get here');
  });
  await app.register(async (files) => {
    files.removeAllContentTypeParsers();
    files.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined));
    files.put('/file', async (request) => {
      for await (const chunk of request.raw) received += (chunk as Buffer).length;
      return { received };
    });
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
});
afterEach(() => app.close());

/** Opens a connection, sends the head of a request with a body of a given length, and collects the answer. */
function begin(head: string, length: number): { socket: Socket; answer: Promise<string> } {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  let text = '';
  const answer = new Promise<string>((resolve) => {
    socket.on('data', (chunk) => {
      text += String(chunk);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text));
  });
  socket.write(`${head} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`);
  return { socket, answer };
}

test('an incomplete JSON body is answered with 408 and a message, and its connection is closed', async () => {
  const { socket, answer } = begin(`POST ${path}`, 100);
  const drip = setInterval(() => socket.write(' '), 20);
  const text = await answer;
  clearInterval(drip);
  expect(text).toMatch(/^HTTP\/1\.1 408 /);
  expect(text).toContain('The request took too long to arrive: at most 1 s.');
});

test('a body that is refused because of its length leaves nothing behind after its timeout', async () => {
  const { answer } = begin(`POST ${path}`, 100_000_000);
  expect(await answer).toMatch(/^HTTP\/1\.1 413 /);
  // The timeout of that body is over before the timeout of this one.
  expect(await begin(`POST ${path}`, 100).answer).toMatch(/^HTTP\/1\.1 408 /);
});

test('a connection that breaks within a body does not affect the server', async () => {
  const { socket, answer } = begin(`POST ${path}`, 100);
  socket.write('{"a":');
  socket.destroy();
  await answer;
  const response = await fetch(`${app.listeningOrigin}${ENDPOINTS.logout.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  expect(response.status).toBe(200);
});

test('an upload without progress is disconnected; one with progress may take long', async () => {
  const stopped = begin('PUT /file?s=secret-of-a-link', 1_000_000);
  stopped.socket.write('x'.repeat(5_000));
  expect(await stopped.answer).toBe('');
  expect(logged).toContain('"path":"/file"');
  expect(logged).not.toContain('secret-of-a-link');

  received = 0;
  const slow = begin('PUT /file', 10_000);
  // Several windows in total, each with enough bytes.
  let sent = 0;
  const drip = setInterval(() => {
    slow.socket.write('x'.repeat(500));
    sent += 500;
    if (sent === 10_000) clearInterval(drip);
  }, 100);
  await expect.poll(() => received).toBe(10_000);
  slow.socket.end();
  expect(await slow.answer).toMatch(/^HTTP\/1\.1 200 /);
});

test('a request that is answered before its body has arrived is forgotten when its connection ends', async () => {
  const refused = begin('POST /nothing', 100_000_000);
  refused.socket.once('data', () => refused.socket.destroy());
  expect(await refused.answer).toMatch(/^HTTP\/1\.1 413 /);
  // Its window is over before that of this request.
  expect(await begin('PUT /file', 100).answer).toBe('');
  expect(logged).toContain('"path":"/file","address"');
  expect(logged).not.toContain('"path":"/nothing"');
});
