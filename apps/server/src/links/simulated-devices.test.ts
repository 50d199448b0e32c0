import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { linkEndpoints, TERMINAL_PATH, TOKEN_COOKIE } from '@chargehand/contract';
import { startFleet, startStorageFleet } from '@chargehand/simulator';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import WebSocket from 'ws';
import { hashDevicePassword } from '../ports/devices/device-password.ts';
import { publicKeyOf } from '../testing/cases/ground.ts';
import { type Client, client, openSession } from '../testing/client.ts';
import { eventually } from '../testing/eventually.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { seal } from '../testing/sign-in.ts';

const { requestLink, readLink, openTerminal, destroyLink } = linkEndpoints;

let server: TestServer;
let session: { token: string; csrf: string };
let root: Client;

beforeAll(async () => {
  server = await startTestServer({ captcha: false }, { sweeps: true });
  session = await openSession(server.database.db, server.world.users.root);
  root = client(server.url, session);
  await server.database.pool.query('update device_models set ssh_support = true, web_support = true');
});
afterAll(() => server.stop());

/** Opens a link as soon as the device is connected. */
async function openLink(id: number, kind: 'ssh' | 'web'): Promise<number> {
  const { data } = await eventually(
    () => root.call(requestLink, { params: { id }, body: { kind, reason: 'Test' } }),
    ({ code }) => code === 0,
    { what: 'the device to be connected' },
  );
  const { id: linkId } = data as { id: number };
  await eventually(
    () => root.data(readLink, { params: { id: linkId } }),
    ({ state }) => state === 'open',
    { what: 'the link to open' },
  );
  return linkId;
}

async function end(id: number): Promise<void> {
  expect(await root.data(destroyLink, { params: { id } })).toMatchObject({ state: 'ended', end: 'destroyed' });
}

async function register(id: number, sn: string): Promise<number> {
  await server.database.pool.query('update devices set sn = $2 where id = $1', [id, sn]);
  return id;
}

/** Connects a simulated storage unit as a device of the world. */
async function connectStorage(id: number, more: { prefix: string; json?: number }): Promise<number> {
  await register(id, `${more.prefix}00001`);
  const password = 'storage-password';
  const hash = hashDevicePassword(password);
  await server.database.pool.query('update devices set gateway_password_hash = $2 where id = $1', [id, hash]);
  const storage = startStorageFleet({ url: server.mqttUrl!, units: 1, password, ...more });
  onTestFinished(() => storage.stop());
  return id;
}

test('a user reads a file of a simulated pile in a terminal, with the documented password', async () => {
  const id = await register(server.world.devices.northQuay1.id, 'SIM00001');
  const fleet = await startFleet({ url: server.deviceUrl, devices: 1 });
  onTestFinished(() => fleet.stop());
  const linkId = await openLink(id, 'ssh');
  const password = seal(await publicKeyOf(server.database.db), 'demo');
  const body = { userName: 'demo', password, cols: 80, rows: 24 };
  const { key } = await root.data(openTerminal, { params: { id: linkId }, body });
  const page = new WebSocket(`${server.url.replace('http', 'ws')}${TERMINAL_PATH}/${key}?from=0`, {
    headers: { origin: server.url, cookie: `${TOKEN_COOKIE}=${session.token}` },
  });
  onTestFinished(() => page.terminate());
  let shown = '';
  page.on('message', (data, binary) => {
    if (binary) shown += String(data);
  });
  const shows = (text: string) =>
    eventually(
      () => shown,
      (all) => all.includes(text),
      { what: `the text ${text}` },
    );
  await shows('$ ');
  page.send(Buffer.from('cat readme.txt\r'));
  await shows('模拟设备 SIM00001');
  await end(linkId);
});

test('a simulated station with OCPP 2.0.1 and a storage unit open links', async () => {
  const { northQuay2, northMill1 } = server.world.devices;
  const station = await register(northQuay2.id, 'NEW00001');
  const fleet = await startFleet({ url: server.deviceUrl, devices: 1, prefix: 'NEW', ocpp201: 1 });
  onTestFinished(() => fleet.stop());
  await end(await openLink(station, 'web'));
  await end(await openLink(await connectStorage(northMill1.id, { prefix: 'ESS' }), 'ssh'));
});

test('a simulated storage unit with plain JSON opens links, and closes them at control 8', async () => {
  const id = await connectStorage(server.world.devices.northMill2.id, { prefix: 'JSON', json: 1 });
  const linkId = await openLink(id, 'ssh');
  await end(linkId);
  const kinds = `select c.kind, e.reason from executions e join commands c on c.id = e.command_id where e.device_id = $1`;
  await eventually(
    async () => (await server.database.pool.query(kinds, [id])).rows,
    (rows) =>
      rows.length === 2 &&
      rows.every(({ kind, reason }) => reason === (kind === 'startVpn' ? 'linkOpened' : 'accepted')),
    { what: 'controls 7 and 8 to be answered' },
  );
  const frames = `select from protocol_frames where device_id = $1 and body ~ '"command": ?"(start|stop)Vpn"'`;
  await eventually(
    async () => (await server.database.pool.query(frames, [id])).rowCount,
    (count) => count === 2,
    { what: 'both controls as JSON in the protocol log' },
  );
});

test('a simulator that is killed leaves no SSH client', async () => {
  const id = await register(server.world.devices.southPark1.id, 'GONE00001');
  const cli = join(import.meta.dirname, '../../../simulator/src/cli.ts');
  const options = ['--url', server.deviceUrl, '--devices', '1', '--prefix', 'GONE', '--quiet'];
  const simulator = spawn(process.execPath, [cli, ...options], { stdio: 'ignore' });
  onTestFinished(() => void simulator.kill('SIGKILL'));
  const linkId = await openLink(id, 'ssh');
  simulator.kill('SIGKILL');
  // The link ends when its SSH client has ended.
  const { end: reason } = await eventually(
    () => root.data(readLink, { params: { id: linkId } }),
    ({ state }) => state === 'ended',
    { what: 'the link to end' },
  );
  expect(reason).toBe('closedByDevice');
});
