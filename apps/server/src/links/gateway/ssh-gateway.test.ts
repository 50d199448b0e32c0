import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectTcp } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ssh2 from 'ssh2';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Clock, systemClock } from '../../platform/clock.ts';
import { guessLimit } from '../../platform/guess-limit.ts';
import { createLog } from '../../platform/log.ts';
import type { LinkParams } from '../../ports/devices/links.ts';
import { eventually } from '../../testing/eventually.ts';
import { echoService, type LinkDevice, openLink, SSH_CLIENTS } from '../../testing/links/link-device.ts';
import { soon } from '../../testing/within.ts';
import { linkBytes, newHostKey, newOtherHostKey, OTHER_KEY_KINDS, openLinks, refusedTickets } from '../index.ts';
import { type AdmittedLink, type SshGateway, type SshGatewayParts, sshGateway } from './ssh-gateway.ts';

/** The tickets of the test, each with its link and valid once. */
const tickets = new Map<string, AdmittedLink>();
const onOpen = vi.fn();
const onClosed = vi.fn();
let gateway: SshGateway;
let echo: Awaited<ReturnType<typeof echoService>>;
const devices: LinkDevice[] = [];
let links = 0;

const start = async (more: Partial<SshGatewayParts> = {}) => {
  const started = sshGateway({
    ...{ hostKey: newHostKey(), host: '127.0.0.1', port: 0, onOpen, onClosed, guesses: guessLimit() },
    ...{ clock: systemClock, log: createLog('silent'), isUser: () => false, userWith: () => null },
    async admit({ user, ticket }) {
      const link = tickets.get(`${user} ${ticket}`);
      tickets.delete(`${user} ${ticket}`);
      return link ?? 'wrong';
    },
    ...more,
  });
  await started.start();
  return started;
};

beforeAll(async () => {
  [gateway, echo] = await Promise.all([start(), echoService()]);
});
afterEach(async () => {
  for (const device of devices.splice(0)) await device.stop();
  tickets.clear();
});
afterAll(async () => {
  await gateway.stop();
  echo.close();
});

/** Control 7 of a new link. */
function newLink(): LinkParams {
  links += 1;
  const user = `PILE.${links}`;
  tickets.set(`${user} right`, { linkId: links, ports: [echo.port] });
  return {
    ...{ link: links, host: '127.0.0.1', port: gateway.port()!, hostKey: gateway.publicKey, user, ticket: 'right' },
    ...{
      forwards: [{ listen: echo.port, to: `127.0.0.1:${echo.port}` }],
      endsAt: new Date().toISOString(),
      seconds: 60,
    },
  };
}

function run(...args: Parameters<typeof openLink>): LinkDevice {
  const device = openLink(...args);
  devices.push(device);
  return device;
}

const opened = (linkId: number) =>
  eventually(
    () => onOpen.mock.calls.some(([id]) => id === linkId),
    (isOpen) => isOpen,
    { what: `link ${linkId} to open` },
  );

describe('a client without Ed25519', () => {
  let keys: string[];
  let all: SshGateway;
  let folder: string;
  beforeAll(async () => {
    keys = await Promise.all(OTHER_KEY_KINDS.map(newOtherHostKey));
    all = await start({ otherHostKeys: keys });
    folder = mkdtempSync(join(tmpdir(), 'host-keys-'));
  });
  afterAll(async () => {
    await all.stop();
    rmSync(folder, { recursive: true });
  });
  /** OpenSSH that accepts one algorithm of host keys. */
  const sshWith = (algorithm: string) => {
    const path = join(folder, algorithm);
    writeFileSync(path, `#!/bin/sh\nexec ssh -o HostKeyAlgorithms=${algorithm} "$@"\n`, { mode: 0o700 });
    return path;
  };

  test.each(['ecdsa-sha2-nistp256', 'rsa-sha2-256', 'rsa-sha2-512', 'ssh-ed25519'])(
    'opens its link when it has %s',
    async (algorithm) => {
      const params = newLink();
      run('ssh', params, { port: all.port()!, hostKeys: all.publicKeys, ssh: sshWith(algorithm) });
      await opened(params.link);
    },
  );

  test('is not offered RSA with SHA-1', async () => {
    const params = newLink();
    const device = run('ssh', params, { port: all.port()!, hostKeys: all.publicKeys, ssh: sshWith('ssh-rsa') });
    await device.exited;
    expect(device.output()).toContain(
      'no matching host key type found. Their offer: ssh-ed25519,ecdsa-sha2-nistp256,rsa-sha2-512,rsa-sha2-256',
    );
  });

  test.each([0, 1])('dropbear opens its link with key %i of a server that has no other', async (index) => {
    const other = await start({ hostKey: keys[index]! });
    const params = newLink();
    run('dbclient', params, { port: other.port()!, hostKey: other.publicKey, hostKeys: other.publicKeys });
    await opened(params.link);
    for (const device of devices.splice(0)) await device.stop();
    await other.stop();
  });
});

describe.each(SSH_CLIENTS)('a device with %s', (client) => {
  test('opens its link, is reached through it, and loses it', async () => {
    const params = newLink();
    const device = run(client, params);
    await opened(params.link);
    const channel = await gateway.connect(params.link, echo.port);
    channel.write('充电桩\n');
    const [data] = await soon('the echo', once(channel, 'data'));
    expect(String(data)).toBe('充电桩\n');
    const { bytesIn, bytesOut } = gateway.traffic(params.link)!;
    expect(Math.min(bytesIn, bytesOut)).toBeGreaterThan(100);
    await expect(gateway.connect(params.link, 22)).rejects.toThrow('does not reach port 22');
    gateway.close(params.link);
    await device.exited;
    expect(onClosed.mock.calls.filter(([id]) => id === params.link)).toHaveLength(1);
    expect(gateway.traffic(params.link)).toBeNull();
  });

  test.each<[string, Partial<LinkParams>]>([
    ['with a wrong ticket', { ticket: 'wrong' }],
    ['with the ticket of another link', { user: 'PILE.999' }],
    ['with another forward', { forwards: [{ listen: 22, to: '127.0.0.1:22' }] }],
  ])('is refused %s', async (_, changes) => {
    const params = newLink();
    await run(client, params, changes).exited;
    expect(onOpen).not.toHaveBeenCalledWith(params.link);
  });

  test('is refused with a ticket that was used', async () => {
    const params = newLink();
    run(client, params);
    await opened(params.link);
    await run(client, params).exited;
    expect(gateway.traffic(params.link)).not.toBeNull();
  });

  test('sends no ticket to a server with another key', async () => {
    const other = await start();
    const params = newLink();
    await run(client, params, { port: other.port()! }).exited;
    expect(tickets.has(`${params.user} right`)).toBe(true);
    await other.stop();
  });
});

/** A hostile device with a valid ticket. */
async function hostile(): Promise<{ linkId: number; device: ssh2.Client }> {
  const { link: linkId, host, port, user: username, ticket: password } = newLink();
  const device = new ssh2.Client();
  device.on('error', () => undefined);
  device.connect({ host, port, username, password });
  await soon('the sign-in', once(device, 'ready'));
  return { linkId, device };
}

const failure = (call: (done: (error?: Error | null) => void) => unknown) =>
  soon('the refusal', new Promise<Error | undefined>((resolve) => void call((error) => resolve(error ?? undefined))));

test('a device gets no shell, no program, no files, no connections and no other forwards', async () => {
  const { linkId, device } = await hostile();
  expect(await failure((done) => device.shell(done))).toBeInstanceOf(Error);
  expect(await failure((done) => device.exec('id', done))).toBeInstanceOf(Error);
  expect(await failure((done) => device.sftp(done))).toBeInstanceOf(Error);
  expect(await failure((done) => device.forwardOut('127.0.0.1', 1, '127.0.0.1', 5432, done))).toBeInstanceOf(Error);
  expect(await failure((done) => device.openssh_forwardOutStreamLocal('/run/x', done))).toBeInstanceOf(Error);
  expect(await failure((done) => device.openssh_forwardInStreamLocal('/run/x', done))).toBeInstanceOf(Error);
  for (const [address, port] of [
    ['localhost', 0],
    ['localhost', 22],
    ['0.0.0.0', echo.port],
  ] as const) {
    expect(await failure((done) => device.forwardIn(address, port, done))).toBeInstanceOf(Error);
  }
  expect(onOpen).not.toHaveBeenCalledWith(linkId);
  expect(await failure((done) => device.forwardIn('localhost', echo.port, done))).toBeUndefined();
  expect(await failure((done) => device.forwardIn('localhost', echo.port, done))).toBeInstanceOf(Error);
  device.end();
});

test('open links, their bytes and refused tickets are counted', async () => {
  const countOf = async (metric: { get(): Promise<{ values: { value: number; labels: object }[] }> }, label = '') =>
    (await metric.get()).values.find(({ labels }) => label === '' || Object.values(labels).includes(label))?.value ?? 0;
  const [bytes, refused] = [await countOf(linkBytes, 'in'), await countOf(refusedTickets, 'wrong')];
  const { device } = await hostile();
  expect(await countOf(openLinks)).toBe(1);
  device.end();
  await eventually(
    () => countOf(openLinks),
    (open) => open === 0,
    { what: 'the end of the link' },
  );
  expect(await countOf(linkBytes, 'in')).toBeGreaterThan(bytes);
  await run('ssh', newLink(), { ticket: 'wrong' }).exited;
  expect(await countOf(refusedTickets, 'wrong')).toBe(refused + 1);
});

test('a device whose link was open for longer than a minute can be stopped', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const params = newLink();
  const device = run('ssh', params);
  await opened(params.link);
  vi.advanceTimersByTime(61_000);
  vi.useRealTimers();
  await device.stop();
  expect(await device.exited).toBeGreaterThan(0);
});

test('a proxy that is trusted sends the address of its client first', async () => {
  const seen: string[] = [];
  const admit: SshGatewayParts['admit'] = async ({ address }) => {
    seen.push(address);
    return { linkId: 99_999, ports: [echo.port] };
  };
  const behind = await start({ admit, isProxy: (address) => address === '127.0.0.1' });
  const send = async (...parts: string[]) => {
    const socket = connectTcp({ host: '127.0.0.1', port: behind.port()!, noDelay: true });
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    for (const part of parts) await new Promise((sent) => socket.write(part, sent));
    return socket;
  };
  const device = new ssh2.Client();
  const sock = await send('PROXY TCP6 2001:db8::7 ', '2001:db8::1 50000 2222\r\n');
  device.connect({ sock, username: 'PILE.1', password: 'any' });
  await soon('the sign-in', once(device, 'ready'));
  expect(seen).toEqual(['2001:db8::7']);
  device.end();
  for (const text of ['SSH-2.0-x\r\n', 'PROXY UNKNOWN\r\n', 'PROXY TCP4 nobody 1.2.3.4 1 2\r\n', 'x'.repeat(107)]) {
    const refused = await send(text);
    refused.resume();
    await soon('the end', once(refused, 'close'));
  }
  expect(seen).toHaveLength(1);
  await behind.stop();
});

test('opens no port for a device', async () => {
  const { device } = await hostile();
  const port = echo.port;
  echo.close();
  expect(await failure((done) => device.forwardIn('localhost', port, done))).toBeUndefined();
  const socket = connectTcp(port, '127.0.0.1');
  const [error] = await soon('the refused connection', once(socket, 'error'));
  expect(error.code).toBe('ECONNREFUSED');
  device.end();
  echo = await echoService();
});

test('guesses wait, and further connections of strangers are closed', async () => {
  const waits: number[] = [];
  const now = new Date();
  const clock: Clock = {
    ...systemClock,
    now: () => now,
    after(ms, work) {
      if (ms > 5_000) return systemClock.after(ms, work);
      waits.push(ms);
      work();
      return () => undefined;
    },
  };
  const guarded = await start({ clock });
  const port = guarded.port()!;
  const guess = async () => {
    const device = new ssh2.Client();
    device.on('error', () => undefined);
    const closed = soon('the end of a guess', new Promise<void>((resolve) => void device.on('close', () => resolve())));
    device.connect({ host: '127.0.0.1', port, username: 'PILE.1', password: 'guess' });
    await closed;
  };
  for (let count = 1; count <= 10; count += 1) await guess();
  expect(waits).toEqual([]);
  await guess();
  expect(waits).toEqual([1_000]);

  let ended = 0;
  const strangers = Array.from({ length: 25 }, () => connectTcp(port, '127.0.0.1'));
  for (const socket of strangers) {
    socket.on('error', () => undefined);
    socket.once('close', () => {
      ended += 1;
    });
  }
  await eventually(
    () => ended,
    (count) => count >= 5,
    { what: 'five closed connections' },
  );
  expect(ended).toBe(5);
  for (const socket of strangers) socket.destroy();
  await guarded.stop();
});

test('when 500 connections have not signed in, the oldest makes room for a device', async () => {
  const port = gateway.port()!;
  let ended = 0;
  const strangers = Array.from({ length: 500 }, (_, number) => {
    const socket = connectTcp({ port, host: '127.0.0.1', localAddress: `127.0.1.${1 + Math.floor(number / 20)}` });
    socket.on('error', () => undefined).resume();
    socket.once('close', () => {
      ended += 1;
    });
    return socket;
  });
  await eventually(
    () => strangers.filter(({ bytesRead }) => bytesRead > 0).length,
    (greeted) => greeted === 500,
    { what: '500 connections' },
  );
  const params = newLink();
  run('ssh', params);
  await opened(params.link);
  await eventually(
    () => ended,
    (count) => count > 0,
    { what: 'the end of the oldest connection' },
  );
  for (const socket of strangers) socket.destroy();
});

test.each<[string, ssh2.Algorithms]>([
  ['with a slow key exchange', { kex: ['diffie-hellman-group18-sha512'] }],
  ['with compression', { compress: ['zlib'] }],
])('refuses strangers %s', async (_, algorithms) => {
  const stranger = new ssh2.Client();
  const failed = once(stranger, 'error');
  stranger.connect({ host: '127.0.0.1', port: gateway.port()!, username: 'PILE.1', password: 'x', algorithms });
  const [error] = await soon('the refusal', failed);
  expect(error.message).toMatch(/no matching|Handshake failed/);
});
