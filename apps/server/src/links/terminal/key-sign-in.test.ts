import { readFileSync, writeFileSync } from 'node:fs';
import { CODES, linkEndpoints } from '@chargehand/contract';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { LinkParams } from '../../ports/devices/links.ts';
import type { Client } from '../../testing/client.ts';
import { eventually } from '../../testing/eventually.ts';
import { connectPile, type Pile } from '../../testing/gateways/pile.ts';
import { type LinkDevice, openLink } from '../../testing/links/link-device.ts';
import { type DeviceServer, dropbearServer, openSshServer } from '../../testing/links/ssh-servers.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

const { requestLink, readLink, openTerminal, destroyLink, listDeviceFiles } = linkEndpoints;
const SIZE = { cols: 80, rows: 24 };
/** Keys of others: a comment, options, and a last line without a line break. */
const OTHERS = '# keys\nno-pty ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIB someone\n\nssh-rsa AAAA without end';

let server: TestServer;
let root: Client;
let pile: Pile;
let calls = 0;
const devices: LinkDevice[] = [];

beforeAll(async () => {
  server = await startTestServer({ captcha: false });
  root = await server.as('root');
  await server.database.pool.query('update device_models set ssh_support = true');
  pile = await connectPile(server, server.world.devices.northQuay1.sn);
});
afterEach(async () => {
  for (const device of devices.splice(0)) await device.stop();
});
afterAll(async () => {
  await pile.cut();
  await server.stop();
});

/** Control 7 of a new link. */
async function newLink(port: number): Promise<LinkParams> {
  const body = { kind: 'ssh', reason: 'Test', port } as const;
  const { id } = await root.data(requestLink, { params: { id: server.world.devices.northQuay1.id }, body });
  for (;;) {
    calls += 1;
    const call = await pile.call(calls);
    pile.answer(call.id, { status: 'Accepted' });
    const params = JSON.parse(String(call.payload.data));
    if (params.link === id && params.ticket) return params;
  }
}

const opened = (id: number) =>
  eventually(
    () => root.data(readLink, { params: { id } }),
    ({ state }) => state === 'open',
  );

describe.each([
  ['OpenSSH', openSshServer],
  ['dropbear', dropbearServer],
] as const)('a device with %s', (_, start) => {
  let sshServer: DeviceServer;
  beforeAll(async () => {
    sshServer = await start();
  });
  afterAll(() => sshServer.stop());

  const read = () => readFileSync(sshServer.keys, 'utf8');
  const run = (params: LinkParams): LinkDevice => {
    const { keys: file, name } = sshServer;
    const device = openLink('ssh', params, {}, { file, server: name });
    devices.push(device);
    return device;
  };

  test('accepts the key of the link while the link is open, and keeps the keys of others', async () => {
    writeFileSync(sshServer.keys, OTHERS, { mode: 0o600 });
    const params = await newLink(sshServer.port);
    expect(params.authorizedKey).toMatch(/^ssh-ed25519 AAAA\S+$/);
    const device = run(params);
    expect(await opened(params.link)).toMatchObject({ shellUser: sshServer.userName });
    expect(read().startsWith(OTHERS)).toBe(true);
    expect(read()).toContain(params.authorizedKey);
    const { key } = await root.data(openTerminal, { params: { id: params.link }, body: SIZE });
    const { path } = await root.data(listDeviceFiles, { params: { id: params.link }, query: { key } });
    expect(path).toMatch(/^\//);

    await root.data(destroyLink, { params: { id: params.link } });
    await device.exited;
    expect(read()).toBe(`${OTHERS}\n`);
  });

  test('removes the key when the script was killed', async () => {
    const params = await newLink(sshServer.port);
    const device = run(params);
    await opened(params.link);
    device.kill();
    expect(read()).toContain(params.authorizedKey);
    await root.data(destroyLink, { params: { id: params.link } });
    await eventually(read, (text) => !text.includes('chargehand'), { what: 'the key to be removed' });
  });

  test('removes keys that a power failure left', async () => {
    const left = (id: string, until: number) => `ssh-ed25519 AAAA${id} chargehand-link-${id}-${until}\n`;
    const now = Math.floor(Date.now() / 1_000);
    writeFileSync(sshServer.keys, `${left('7', now - 1)}${left('8', now + 60)}`, { mode: 0o600 });
    const params = await newLink(sshServer.port);
    const device = run(params);
    await opened(params.link);
    expect(read()).not.toContain('AAAA7');
    await device.stop();
    expect(read()).toBe(left('8', now + 60));
  });

  test('refuses the key: the user is asked for a password', async () => {
    const params = await newLink(sshServer.port);
    run(params);
    await opened(params.link);
    writeFileSync(sshServer.keys, OTHERS);
    const { code } = await root.call(openTerminal, { params: { id: params.link }, body: SIZE });
    expect(code).toBe(CODES.terminalKeyRefused.code);
  });
});

test('OpenSSH refuses the key after the end of the link, also if it was not removed', async () => {
  const sshServer = await openSshServer();
  writeFileSync(sshServer.keys, '');
  const params = await newLink(sshServer.port);
  const { keys: file } = sshServer;
  devices.push(openLink('ssh', params, { seconds: -5 }, { file, server: 'openssh' }));
  await opened(params.link);
  expect(readFileSync(file, 'utf8')).toMatch(/expiry-time="\d{14}"/);
  const { code } = await root.call(openTerminal, { params: { id: params.link }, body: SIZE });
  expect(code).toBe(CODES.terminalKeyRefused.code);
  await sshServer.stop();
});

test('a device that accepts no key asks for user name and password', async () => {
  const sshServer = await openSshServer();
  const params = await newLink(sshServer.port);
  devices.push(openLink('ssh', params));
  expect(await opened(params.link)).toMatchObject({ shellUser: null });
  const call = async (body: object) => {
    const { code, message } = await root.call(openTerminal, {
      params: { id: params.link },
      body: { ...SIZE, ...body },
    });
    return [code, message];
  };
  const { code } = CODES.fieldRequired;
  expect(await call({})).toEqual([code, 'User name is required.']);
  expect(await call({ userName: 'admin' })).toEqual([code, 'Password is required.']);
  await sshServer.stop();
});
