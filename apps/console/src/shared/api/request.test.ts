import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRequester, type Requester, SILENT_PATHS } from './request.ts';

type Handler = (request: IncomingMessage & { text: string }, response: ServerResponse) => void;

let server: Server;
let origin: string;
let handle: Handler;
let seen: (IncomingMessage & { text: string })[];
let toasts: string[];
let ends: unknown[];
let logs: string[];
let page: string;

beforeEach(async () => {
  seen = [];
  toasts = [];
  ends = [];
  logs = [];
  page = '/manage/device/list';
  handle = (_request, response) => answer(response, { code: 0, message: '', data: { ok: true } });
  server = createServer((request, response) => {
    let text = '';
    request.on('data', (part) => {
      text += part;
    });
    request.on('end', () => {
      const whole = Object.assign(request, { text });
      seen.push(whole);
      handle(whole, response);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
});

function requester(timeoutMs?: number, at = origin): Requester {
  return createRequester(
    at,
    {
      locale: () => 'zh-CN',
      cookies: () => 'a=b; x-csrf=token%201; c=d',
      page: () => page,
      words: {
        notFound: () => 'com_api_error_404',
        serverError: (requestId) => (requestId === null ? 'com_error_500' : `com_error_500 ${requestId}`),
        network: () => 'com_error_net',
        resultUnknown: () => 'resultUnknown',
        system: () => 'System error!',
      },
      impersonatedUser: () => '7',
      identityChanged: () => logs.push('identity changed'),
      showError: (message) => toasts.push(message),
      sessionEnded: (end) => ends.push(end),
      privacyWaits: () => logs.push('privacy waits'),
      log: (message) => logs.push(message),
    },
    timeoutMs,
  );
}

function answer(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

const get = (url: string, more = {}) => ({ method: 'GET', url, ...more });

describe('the key of a change', () => {
  const change = { method: 'POST', url: '/api/auth/sys/x', body: { name: 'a' } };
  const keys = () => seen.map(({ headers }) => headers['idempotency-key']);

  it('is new for each change, and missing for a read', async () => {
    const client = requester();
    await client.json(change);
    await client.json(change);
    await client.json(get('/api/auth/sys/x'));
    const [first, second, read] = keys();
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(second).not.toBe(first);
    expect(read).toBeUndefined();
  });

  it.each([
    ['the connection broke', (response: ServerResponse) => response.destroy(), 'resultUnknown'],
    ['a gateway did not wait', (response: ServerResponse) => answer(response, {}, 504), 'System error!'],
  ])('stays the same when it is sent again because %s', async (_why, fail, message) => {
    const client = requester();
    handle = (_request, response) => fail(response);
    await expect(client.json(change)).rejects.toMatchObject({ message });
    handle = (_request, response) => answer(response, { code: 0, message: '', data: null });
    await client.json(change);
    await client.json(change);
    const [lost, again, next] = keys();
    expect(again).toBe(lost);
    expect(next).not.toBe(lost);
  });
});

describe('the impersonated user', () => {
  it('is sent with every call, and updated when the server reports another one', async () => {
    handle = (_request, response) => answer(response, { code: 10172, message: 'over', data: null });
    await expect(requester().json(get('/api/auth/sys/x', { quiet: true }))).rejects.toMatchObject({ code: 10172 });
    expect(seen[0]?.headers['x-impersonation']).toBe('7');
    expect(logs).toEqual(['identity changed']);
  });
});

describe('a request', () => {
  it('contains the language, and for writes the CSRF token of the cookie and the body', async () => {
    await requester().json({ method: 'POST', url: '/api/auth/sys/x', body: { a: 1 } });
    expect(seen[0]?.headers).toMatchObject({
      'accept-language': 'zh-CN',
      'content-type': 'application/json',
      'x-csrf': 'token 1',
    });
    expect(seen[0]?.text).toBe('{"a":1}');
  });

  it('contains the console page that sends it, and no path outside the console', async () => {
    await requester().json(get('/api/auth/sys/x'));
    page = '/login';
    await requester().json(get('/api/auth/sys/x?again'));
    expect(seen.map(({ headers }) => headers['x-page'])).toEqual(['/manage/device/list', undefined]);
  });

  it('contains neither token nor body for reads', async () => {
    await requester().json(get('/api/auth/sys/x?page=1'));
    expect(seen[0]?.headers['x-csrf']).toBeUndefined();
    expect(seen[0]?.text).toBe('');
    expect(seen[0]?.url).toBe('/api/auth/sys/x?page=1');
  });
});

describe('a request that the page sent before the scripts were loaded', () => {
  const call = { method: 'POST', url: '/api/unauth/info', body: {} };
  const envelope = (data: unknown) => new Response(JSON.stringify({ code: 0, message: '', data }));

  it('is not sent again, and its response is used only once', async () => {
    globalThis.chargehandEarly = { of: 'POST /api/unauth/info', response: Promise.resolve(envelope('early')) };
    await expect(requester().json(call)).resolves.toBe('early');
    await expect(requester().json(call)).resolves.toEqual({ ok: true });
    expect(seen).toHaveLength(1);
  });

  it('is not used by other requests', async () => {
    globalThis.chargehandEarly = { of: 'POST /api/unauth/info', response: Promise.resolve(envelope('early')) };
    await requester().json(get('/api/auth/sys/x'));
    expect(seen).toHaveLength(1);
    globalThis.chargehandEarly = undefined;
  });

  it('fails like any other when no response arrives in time', async () => {
    globalThis.chargehandEarly = { of: 'POST /api/unauth/info', response: new Promise(() => undefined) };
    await expect(requester(50).json(call)).rejects.toMatchObject({ kind: 'network' });
  });
});

describe('a response', () => {
  it('gives the data of the envelope when its code is 0', async () => {
    expect(await requester().json(get('/api/x'))).toEqual({ ok: true });
    expect(toasts).toEqual([]);
  });

  it('shows a pending privacy policy, without a toast', async () => {
    handle = (_request, response) => answer(response, { code: 10107, message: 'first', data: null });
    await expect(requester().json(get('/api/auth/sys/x'))).rejects.toMatchObject({ kind: 'permission', code: 10107 });
    expect({ logs, toasts }).toEqual({ logs: ['privacy waits'], toasts: [] });
  });

  it.each([20001, 20002, 20003, 20004])('ends the session at code %d, without a toast', async (code) => {
    handle = (_request, response) => answer(response, { code, message: 'over', data: null });
    await expect(requester().json(get('/api/auth/sys/x?y=1'))).rejects.toMatchObject({ kind: 'session', code });
    expect(ends).toEqual([{ code, message: 'over', path: '/api/auth/sys/x' }]);
    expect(toasts).toEqual([]);
  });

  it('logs 20013 and shows no toast', async () => {
    handle = (_request, response) => answer(response, { code: 20013, message: 'no', data: null });
    await expect(requester().json(get('/api/auth/sys/x'))).rejects.toMatchObject({ kind: 'permission' });
    expect(toasts).toEqual([]);
    expect(logs).toEqual(['No permission']);
  });

  it('shows the message of any other code and contains the invalid field', async () => {
    handle = (_request, response) =>
      answer(response, { code: 10202, message: 'The SN exists.', data: null, field: 'sn' });
    await expect(requester().json({ method: 'POST', url: '/api/x' })).rejects.toMatchObject({
      kind: 'business',
      code: 10202,
      field: 'sn',
    });
    expect(toasts).toEqual(['The SN exists.']);
  });

  it.each(SILENT_PATHS)('shows no toast for %s', async (url) => {
    handle = (_request, response) => answer(response, { code: 10101, message: 'wrong', data: null });
    await expect(requester().json({ method: 'POST', url })).rejects.toMatchObject({ message: 'wrong' });
    expect(toasts).toEqual([]);
  });

  it('shows no toast for a quiet call', async () => {
    handle = (_request, response) => answer(response, { code: 10101, message: 'wrong', data: null });
    await expect(requester().json(get('/api/x', { quiet: true }))).rejects.toThrow('wrong');
    expect(toasts).toEqual([]);
  });

  it.each([
    [404, 'com_api_error_404'],
    [500, 'com_error_500'],
    [429, 'Slow down.'],
  ])('with status %d becomes %s', async (status, message) => {
    handle = (_request, response) => answer(response, { code: 10004, message: 'Slow down.', data: null }, status);
    await expect(requester().json(get('/api/x'))).rejects.toMatchObject({ kind: 'http', status, message });
    expect(toasts).toEqual([message]);
  });

  it('with status 500 names the request, so that its line in the log can be found', async () => {
    handle = (_request, response) => {
      response.setHeader('x-request-id', 'r-1');
      answer(response, { code: 10002, message: 'System error.', data: null }, 500);
    };
    await expect(requester().json(get('/api/x'))).rejects.toMatchObject({ message: 'com_error_500 r-1' });
  });

  it.each([502, 200])('with status %d and no envelope shows "System error!"', async (status) => {
    handle = (_request, response) => response.writeHead(status).end('<html>proxy</html>');
    await expect(requester().json(get('/api/x'))).rejects.toMatchObject({ kind: 'http', message: 'System error!' });
    expect(toasts).toEqual(['System error!']);
  });

  it('is a file when one is requested, and an error when the server sends an envelope', async () => {
    handle = (_request, response) =>
      response.writeHead(200, { 'content-type': 'application/octet-stream' }).end('bytes');
    expect(await (await requester().file(get('/api/export'))).body.text()).toBe('bytes');
    handle = (_request, response) => answer(response, { code: 10005, message: 'Too much.', data: null });
    await expect(requester().file(get('/api/export'))).rejects.toMatchObject({
      kind: 'business',
      message: 'Too much.',
    });
  });
});

describe('a failed connection', () => {
  it('is reported once, not for every call, until it works again', async () => {
    const calls = requester();
    handle = (_request, response) => response.destroy();
    await expect(calls.json(get('/api/a'))).rejects.toMatchObject({ kind: 'network', message: 'com_error_net' });
    await expect(calls.json(get('/api/b'))).rejects.toMatchObject({ kind: 'network' });
    expect(toasts).toEqual(['com_error_net']);
    handle = (_request, response) => answer(response, { code: 0, message: '', data: null });
    await calls.json(get('/api/a'));
    handle = (_request, response) => response.destroy();
    await expect(calls.json(get('/api/a'))).rejects.toThrow();
    expect(toasts).toEqual(['com_error_net', 'com_error_net']);
  });

  it('is reported when the response exceeds the timeout', async () => {
    handle = () => undefined;
    await expect(requester(50).json(get('/api/slow'))).rejects.toMatchObject({
      kind: 'network',
      message: 'com_error_net',
    });
  });
});

describe('an identical call in flight', () => {
  /** Holds every response until the test releases it. */
  function hold() {
    const waiting: ServerResponse[] = [];
    const { promise: first, resolve: arrived } = Promise.withResolvers<void>();
    handle = (_request, response) => {
      waiting.push(response);
      if (waiting.length === 1) arrived();
      else answer(response, { code: 0, message: '', data: waiting.length });
    };
    return { waiting, first };
  }

  it('is cancelled when a new one is sent, silently', async () => {
    const { waiting, first } = hold();
    const calls = requester();
    const older = calls.json({ method: 'POST', url: '/api/x', body: { a: 1 } });
    const failed = expect(older).rejects.toMatchObject({ kind: 'cancelled', message: 'cancelled' });
    await first;
    const gone = new Promise((closed) => waiting[0]?.on('close', closed));
    expect(await calls.json({ method: 'POST', url: '/api/x', body: { a: 1 } })).toBe(2);
    await failed;
    await gone;
    expect(toasts).toEqual([]);
  });

  it('passes the newer response to the query whose call was replaced', async () => {
    const { first } = hold();
    const calls = requester();
    const older = calls.json(get('/api/x', { signal: new AbortController().signal }));
    await first;
    const newer = calls.json(get('/api/x', { signal: new AbortController().signal }));
    expect(await Promise.all([older, newer])).toEqual([2, 2]);
  });

  it('is not cancelled when anything differs', async () => {
    const { waiting, first } = hold();
    const calls = requester();
    const older = calls.json({ method: 'POST', url: '/api/x', body: { a: 1 } });
    await first;
    await calls.json({ method: 'POST', url: '/api/x', body: { a: 2 } });
    await calls.json({ method: 'PUT', url: '/api/x', body: { a: 1 } });
    await calls.json({ method: 'POST', url: '/api/x?b=1', body: { a: 1 } });
    const held = waiting[0];
    if (held) answer(held, { code: 0, message: '', data: 'mine' });
    expect(await older).toBe('mine');
  });

  it('is silent when its caller cancels it', async () => {
    const { first } = hold();
    const caller = new AbortController();
    const call = requester().json(get('/api/x', { signal: caller.signal }));
    const failed = expect(call).rejects.toMatchObject({ kind: 'cancelled' });
    await first;
    caller.abort();
    await failed;
    expect(toasts).toEqual([]);
  });
});
