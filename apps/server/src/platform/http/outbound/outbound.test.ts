import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Outbound, OutboundError, outbound, type ResolveAll } from './outbound.ts';
import { isPublicAddress } from './public-addresses.ts';

let server: Server;
let port: number;
let requests = 0;
beforeAll(async () => {
  server = createServer((request, response) => {
    requests += 1;
    if (request.url === '/silent') return;
    if (request.url === '/redirect') {
      response.writeHead(302, { location: `http://127.0.0.1:${port}/` }).end();
      return;
    }
    if (request.url === '/endless') {
      const write = () => {
        while (!response.destroyed && response.write('x'.repeat(1_000)));
        if (!response.destroyed) response.once('drain', write);
      };
      write();
      return;
    }
    response.writeHead(503, { 'retry-after': '7' }).end('busy');
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const empty = { headers: {}, body: '{}' };
const failure = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(OutboundError);
  return error as OutboundError;
};

test.each<[string, boolean]>([
  ['8.8.8.8', true],
  ['2606:4700::1111', true],
  ['10.1.2.3', false],
  ['100.64.0.1', false],
  ['127.0.0.1', false],
  ['169.254.169.254', false],
  ['172.31.255.255', false],
  ['192.168.1.1', false],
  ['0.0.0.0', false],
  ['255.255.255.255', false],
  ['::', false],
  ['::1', false],
  ['::ffff:8.8.8.8', false],
  ['64:ff9b::7f00:1', false],
  ['2002:7f00:1::', false],
  ['2001:db8::1', false],
  ['fd00::1', false],
  ['fe80::1', false],
  ['ff02::1', false],
  ['localhost', false],
])('%s is public: %s', (address, isPublic) => expect(isPublicAddress(address)).toBe(isPublic));

describe('a server in a private network', () => {
  const strict = outbound({ allowsPrivate: false });
  test.each([
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://localhost/',
    'http://example.org/',
    'https://user:word@example.org/',
    'file:///etc/passwd',
    'nonsense',
  ])('is not asked: %s', async (url) => {
    expect(await failure(strict.post(url, empty))).toMatchObject({ forbidden: true });
  });

  test('is not asked when its public name is resolved differently the next time', async () => {
    const answers = ['93.184.216.34', '127.0.0.1'];
    const resolve: ResolveAll = (_host, done) => done(null, [{ address: answers.shift() ?? '127.0.0.1', family: 4 }]);
    resolve('rebinding.example.org', () => undefined);
    const before = requests;
    const error = await failure(
      outbound({ allowsPrivate: false, resolve }).post(`https://rebinding.example.org:${port}/`, empty),
    );
    expect(error).toMatchObject({ forbidden: true });
    expect(requests).toBe(before);
  });

  test('is not asked when only one of its addresses is private', async () => {
    const resolve: ResolveAll = (_host, done) =>
      done(null, [
        { address: '93.184.216.34', family: 4 },
        { address: '10.0.0.1', family: 4 },
      ]);
    const mixed = outbound({ allowsPrivate: false, resolve });
    expect(await failure(mixed.post('https://mixed.example.org/', empty))).toMatchObject({ forbidden: true });
  });
});

describe('a server', () => {
  let open: Outbound;
  beforeAll(() => {
    open = outbound({ allowsPrivate: true });
  });
  const at = (path: string) => open.post(`http://127.0.0.1:${port}${path}`, empty);

  test('is resolved once, and its answer says when to come back', async () => {
    let resolved = 0;
    const resolve: ResolveAll = (_host, done) => {
      resolved += 1;
      done(null, [{ address: '127.0.0.1', family: 4 }]);
    };
    const named = outbound({ allowsPrivate: true, resolve });
    const answer = await named.post(`http://example.org:${port}/`, empty);
    expect(answer).toEqual({ status: 503, text: 'busy', retryAfter: '7' });
    expect(resolved).toBe(1);
  });

  test('that redirects is not followed', async () => {
    const before = requests;
    expect(await at('/redirect')).toMatchObject({ status: 302 });
    expect(requests).toBe(before + 1);
  });

  test('that answers without end is read to a limit', async () => {
    expect((await at('/endless')).text).toHaveLength(2_000);
  });

  test('that never answers is given up', async () => {
    const hurried = outbound({ allowsPrivate: true, timeoutMs: 300 });
    const silence = hurried.post(`http://127.0.0.1:${port}/silent`, empty);
    expect(await failure(silence)).toMatchObject({ forbidden: false, message: 'No answer within 0.3 s.' });
  });

  test('that does not exist is an error with a reason', async () => {
    expect((await failure(open.post('http://127.0.0.1:1/', empty))).message).toContain('ECONNREFUSED');
  });
});

test.each<[string, boolean]>([
  ['https://push.example.org/browser', false],
  ['https://8.8.8.8/browser', false],
  ['https://[::1]/browser', true],
  ['https://localhost/browser', true],
  ['https://intranet.example.org/browser', true],
  ['https://unknown.example.org/browser', false],
])('an address that is saved, %s, leads into a private network: %s', async (url, expected) => {
  const resolve: ResolveAll = (host, done) => {
    if (host.startsWith('unknown')) return done(new Error('ENOTFOUND'), []);
    const inside = { address: '10.0.0.7', family: 4 };
    const outside = { address: '8.8.8.8', family: 4 };
    done(null, host.startsWith('intranet') ? [outside, inside] : [outside]);
  };
  expect(await outbound({ allowsPrivate: false, resolve }).isPrivate(new URL(url))).toBe(expected);
  expect(await outbound({ allowsPrivate: true, resolve }).isPrivate(new URL(url))).toBe(false);
});
