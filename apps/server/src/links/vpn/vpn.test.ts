import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accessEndpoints, CODES, linkEndpoints } from '@chargehand/contract';
import ssh2 from 'ssh2';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Client, client, openSession } from '../../testing/client.ts';
import { freePort } from '../../testing/deployment/free-port.ts';
import { eventually } from '../../testing/eventually.ts';
import { connectPile, type Pile } from '../../testing/gateways/pile.ts';
import { echoService, type LinkDevice, openLink } from '../../testing/links/link-device.ts';
import { type DeviceServer, openSshServer } from '../../testing/links/ssh-servers.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { soon } from '../../testing/within.ts';
import { newKeyPair } from '../gateway/key-pair.ts';

const { requestLink, readLink, destroyLink, openLinkAccess, listLinkActivity } = linkEndpoints;

let server: TestServer;
let root: Client;
let pile: Pile;
let calls = 0;
let sshd: DeviceServer;
let linkId: number;
let folder: string;
const devices: LinkDevice[] = [];
const running: ChildProcess[] = [];

beforeAll(async () => {
  server = await startTestServer({ captcha: false });
  [root, sshd] = await Promise.all([server.as('root'), openSshServer()]);
  await server.database.pool.query('update device_models set ssh_support = true');
  pile = await connectPile(server, server.world.devices.northQuay1.sn);
});
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vpn-'));
  linkId = await newLink();
});
afterEach(async () => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
  for (const device of devices.splice(0)) await device.stop();
  await server.database.pool.query(`delete from links`);
  rmSync(folder, { recursive: true, force: true });
});
afterAll(async () => {
  await pile.cut();
  await sshd.stop();
  await server.stop();
});

/** A VPN link that is open. */
async function newLink(port = sshd.port): Promise<number> {
  const body = { kind: 'vpn', reason: 'Test', port } as const;
  const { id } = await root.data(requestLink, { params: { id: server.world.devices.northQuay1.id }, body });
  for (;;) {
    calls += 1;
    const call = await pile.call(calls);
    pile.answer(call.id, { status: 'Accepted' });
    const params = JSON.parse(String(call.payload.data));
    if (params.link !== id || !params.ticket) continue;
    devices.push(openLink('ssh', params));
    break;
  }
  await eventually(
    () => root.data(readLink, { params: { id } }),
    ({ state }) => state === 'open',
  );
  return id;
}

/** Gets the configuration, and a key for the device as the user of a computer has it. */
async function configure(person = root, id = linkId, name = 'a'): Promise<string> {
  const { files } = await person.data(openLinkAccess, { params: { id }, body: {} });
  const at = join(folder, name);
  mkdirSync(at, { recursive: true });
  for (const { name: file, text, private: secret } of files)
    writeFileSync(join(at, file), text, { mode: secret ? 0o600 : 0o644 });
  const own = newKeyPair();
  writeFileSync(join(at, 'own'), own.private, { mode: 0o600 });
  writeFileSync(sshd.keys, `${own.public}\n`, { mode: 0o600 });
  return at;
}

const ON_DEVICE = ['-F', 'config', '-o', 'IdentityFile=own', '-o', 'BatchMode=yes'];
const user = () => `${sshd.userName}@device`;

interface Run {
  child: ChildProcess;
  exited: Promise<{ code: number | null; output: string }>;
}

function run(cwd: string, program: string, ...args: string[]): Run {
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  running.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => (output += String(data)));
  const exited = soon(
    `the end of ${program}`,
    once(child, 'close').then(([code]) => ({ code: code as number | null, output })),
  );
  return { child, exited };
}

const sshTo = (cwd: string, ...args: string[]) => run(cwd, 'ssh', ...ON_DEVICE, ...args).exited;

const activity = async (id = linkId) => (await root.data(listLinkActivity, { params: { id }, query: {} })).items;

/** Runs on the device until its connection is closed, and has begun. */
async function lasting(cwd: string): Promise<Run> {
  const started = run(cwd, 'ssh', ...ON_DEVICE, user(), 'echo begun; exec yes');
  let text = '';
  await soon(
    'the first output',
    new Promise<void>((resolve) => {
      started.child.stdout?.on('data', (data) => {
        if (text.length < 10) text += String(data);
        if (text.startsWith('begun')) resolve();
      });
    }),
  );
  return started;
}

test('ssh, scp, sftp, -L and -D reach the device through the gateway, several at a time', async () => {
  const at = await configure();
  const web = createServer((_request, response) => response.end('page of the device'));
  web.listen(0, '127.0.0.1');
  await once(web, 'listening');
  const { port } = web.address() as AddressInfo;
  writeFileSync(join(at, 'file'), 'x'.repeat(200_000));
  const copied = join(sshd.folder, 'copied');
  const [shell, scp] = await Promise.all([
    sshTo(at, user(), 'echo 充电桩'),
    run(at, 'scp', ...ON_DEVICE, 'file', `${user()}:${copied}`).exited,
  ]);
  expect(shell).toEqual({ code: 0, output: expect.stringContaining('充电桩\n') });
  expect([scp.code, readFileSync(copied, 'utf8').length]).toEqual([0, 200_000]);
  writeFileSync(join(at, 'batch'), `get ${copied} back\n`);
  expect((await run(at, 'sftp', ...ON_DEVICE, '-b', 'batch', user()).exited).code).toBe(0);
  expect(readFileSync(join(at, 'back'), 'utf8')).toHaveLength(200_000);

  const socks = await freePort();
  for (const [forward, curl] of [
    [`-L${join(folder, 'l.sock')}:127.0.0.1:${port}`, ['--unix-socket', join(folder, 'l.sock'), 'http://device/']],
    [`-D127.0.0.1:${socks}`, ['--socks5', `127.0.0.1:${socks}`, `http://127.0.0.1:${port}/`]],
  ] as const) {
    const tunnel = run(at, 'ssh', '-v', ...ON_DEVICE, '-N', forward, user());
    let output = '';
    tunnel.child.stderr?.on('data', (data) => (output += String(data)));
    await eventually(
      () => /Local forwarding listening on/.test(output),
      (listens) => listens,
      { what: `ssh ${forward} to listen` },
    );
    expect((await run(at, 'curl', '-sS', ...curl).exited).output).toBe('page of the device');
    tunnel.child.kill();
    await tunnel.exited;
  }
  web.close();
  await eventually(
    () => activity(),
    (items) => items.length === 5 && items.every(({ endedAt }) => endedAt !== null),
    { what: 'five connections that have ended' },
  );
  const text = `127.0.0.1 → device:${sshd.port}`;
  for (const one of await activity()) expect(one).toMatchObject({ kind: 'connection', text, result: 'done' });
  expect(Math.max(...(await activity()).map(({ bytesOut }) => bytesOut))).toBeGreaterThan(200_000);
  expect(Math.max(...(await activity()).map(({ bytesIn }) => bytesIn))).toBeGreaterThan(200_000);
});

test('the key reaches the port of its link, and nothing else', async () => {
  const at = await configure();
  const other = await newLink();
  await configure(root, other, 'b');
  const refused = async (...args: string[]) => (await sshTo(at, ...args)).code;
  for (const target of [
    ...[`127.0.0.1:${new URL(server.url).port}`, `localhost:${sshd.port}`, `127.0.0.1:${sshd.port}`],
    ...[`[::1]:${sshd.port}`, 'device:1', `gateway:${sshd.port}`, `DEVICE.:${sshd.port}`],
  ]) {
    expect([target, await refused('-W', target, 'gateway')]).toEqual([target, 255]);
  }
  expect(await refused('gateway', 'id')).toBe(255);
  expect(await refused('-A', '-X', 'gateway')).toBe(255);
  expect(await refused('-s', 'gateway', 'sftp')).toBe(255);
  expect(await refused('-o', 'ExitOnForwardFailure=yes', '-N', '-R', '0:127.0.0.1:22', 'gateway')).toBe(255);
  expect(await refused('-o', 'ExitOnForwardFailure=yes', '-N', '-R', `localhost:${sshd.port}:x:1`, 'gateway')).toBe(
    255,
  );
  const own = new ssh2.Client();
  const [, host, gatewayPort] = /HostName (\S+)\s+Port (\d+)/.exec(readFileSync(join(at, 'config'), 'utf8')) ?? [];
  own.connect({
    ...{ host: host!, port: Number(gatewayPort), username: `vpn-${linkId}` },
    privateKey: readFileSync(join(at, 'key')),
  });
  await soon('the sign-in', once(own, 'ready'));
  const failure = await soon(
    'the refusal',
    new Promise((resolve) => own.openssh_forwardOutStreamLocal('/run/x', (error) => resolve(error))),
  );
  expect(failure).toBeInstanceOf(Error);
  // The server may close the connection first.
  own.on('error', () => undefined);
  own.end();
  await eventually(
    () => activity(),
    (items) => items.length === 7 && items.every(({ result }) => result === 'refused'),
    { what: 'seven refused connections' },
  );
});

describe('a key is refused', () => {
  const denied = async (at: string, id = linkId) => {
    const { code, output } = await sshTo(at, '-l', `vpn-${id}`, '-W', `device:${sshd.port}`, 'gateway');
    expect(output).toMatch(/Permission denied|closed|reset/i);
    return code;
  };

  test('if it belongs to another link, was replaced, or is unknown', async () => {
    const first = await configure();
    const before = await lasting(first);
    const second = await configure(root, linkId, 'second');
    expect((await before.exited).code).toBe(255);
    expect(await denied(first)).toBe(255);
    const other = await newLink();
    expect(await denied(second, other)).toBe(255);
    writeFileSync(join(second, 'key'), newKeyPair().private);
    expect(await denied(second)).toBe(255);
  });

  test('after its link has ended', async () => {
    const at = await configure();
    await root.data(destroyLink, { params: { id: linkId } });
    expect(await denied(at)).toBe(255);
  });

  test('with a signature of another key', async () => {
    const at = await configure();
    const [, host, port] = /HostName (\S+)\s+Port (\d+)/.exec(readFileSync(join(at, 'config'), 'utf8')) ?? [];
    const parsed = ssh2.utils.parseKey(readFileSync(join(at, 'key')));
    const key = Array.isArray(parsed) ? parsed[0] : parsed;
    if (key instanceof Error) throw key;
    const stranger = ssh2.utils.parseKey(newKeyPair().private);
    if (stranger instanceof Error) throw stranger;
    // The public key of the link, with signatures of another key.
    const forged = Object.assign(Object.create(key), { sign: (data: Buffer) => stranger.sign(data) });
    const connection = new ssh2.Client();
    const failed = once(connection, 'error');
    connection.connect({
      ...{ host: host!, port: Number(port), username: `vpn-${linkId}` },
      authHandler: [{ type: 'publickey', username: `vpn-${linkId}`, key: forged }] as never,
    });
    const [error] = await soon('the refusal', failed);
    expect(error.message).toContain('authentication methods failed');
  });
});

describe('connections are closed while they transfer', () => {
  test.each<[string, (person: Client) => Promise<unknown>]>([
    ['when the link is ended', () => root.data(destroyLink, { params: { id: linkId } })],
    ['when the session of the user ends', (person) => person.call(accessEndpoints.logout, { body: {} })],
    [
      'when its time is over',
      async () => {
        await server.database.pool.query('update links set until = now() where id = $1', [linkId]);
        await server.sweep();
      },
    ],
    ['when the device leaves', () => devices.at(-1)!.stop()],
    [
      'when the user loses the permission',
      async () => {
        await server.database.pool.query('update links set requested_by = null where id = $1', [linkId]);
        await server.sweep();
      },
    ],
  ])('%s', async (_, happens) => {
    const person = client(server.url, await openSession(server.database.db, server.world.users.root));
    const at = await configure(person);
    const one = await lasting(at);
    await happens(person);
    expect((await one.exited).code).toBe(255);
    expect((await sshTo(at, '-W', `device:${sshd.port}`, 'gateway')).code).toBe(255);
    await eventually(
      () => activity(),
      ([first]) => first?.result === 'cancelled' && first.bytesIn > 0,
      { what: 'the record of the connection' },
    );
  });
});

test('a link takes 20 computers and 50 connections at a time', async () => {
  const echo = await echoService();
  linkId = await newLink(echo.port);
  const at = await configure();
  const [, host, port] = /HostName (\S+)\s+Port (\d+)/.exec(readFileSync(join(at, 'config'), 'utf8')) ?? [];
  const privateKey = readFileSync(join(at, 'key'));
  const signIn = async () => {
    const computer = new ssh2.Client();
    computer.on('error', () => undefined);
    computer.connect({ host: host!, port: Number(port), username: `vpn-${linkId}`, privateKey });
    const entered = new Promise<boolean>((resolve) => {
      computer.on('ready', () => resolve(true)).on('close', () => resolve(false));
    });
    return (await soon('the sign-in', entered)) ? computer : null;
  };
  const connect = (computer: ssh2.Client) =>
    soon(
      'the connection',
      new Promise<ssh2.ClientChannel | null>((resolve) => {
        computer.forwardOut('127.0.0.1', 0, 'device', echo.port, (error, channel) => resolve(error ? null : channel));
      }),
    );
  const computers: ssh2.Client[] = [];
  while (computers.length < 20) computers.push((await signIn())!);
  expect(computers).not.toContain(null);
  expect(await signIn()).toBeNull();
  computers.pop()!.end();
  computers.push((await eventually(signIn, (computer) => computer !== null, { what: 'a free place' }))!);

  const channels = await Promise.all(Array.from({ length: 50 }, (_, number) => connect(computers[number % 20]!)));
  expect(channels).not.toContain(null);
  expect(await connect(computers[0]!)).toBeNull();
  channels[0]!.destroy();
  const results = async () => (await activity()).map(({ result }) => result).filter((result) => result !== null);
  await eventually(results, (all) => all.includes('done'), { what: 'the end of a connection' });
  expect(await connect(computers[0]!)).not.toBeNull();
  expect((await results()).toSorted()).toEqual(['done', 'refused']);
  for (const computer of computers) computer.end();
  echo.close();
});

test('only the user of an open VPN link gets a key, which is stored nowhere', async () => {
  const call = async (person: Client) => (await person.call(openLinkAccess, { params: { id: linkId }, body: {} })).code;
  await server.database.pool.query('update roles set remote_access = 1');
  expect(await call(await server.as('northAdmin'))).toBe(CODES.noPermission.code);
  const at = await configure();
  const secret = readFileSync(join(at, 'key'), 'utf8').split('\n')[1]!;
  const { rows } = await server.database.pool.query<{ text: string }>(`
    select string_agg(t.text, ' ') as text from (
      select l::text from links l union all select a::text from action_logs a union all
      select c::text from commands c union all select p::text from protocol_frames p) as t (text)`);
  expect(rows[0]?.text).toContain('""key"": true');
  expect(rows[0]?.text).not.toContain(secret);
  await server.database.pool.query(`update links set kind = 'ssh' where id = $1`, [linkId]);
  expect(await call(root)).toBe(CODES.linkNotOpen.code);
});
