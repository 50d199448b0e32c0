import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { linkEndpoints, TERMINAL_PATH, TOKEN_COOKIE } from '@chargehand/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addressOf, type Client, client, openSession } from '../testing/client.ts';
import { type Cluster, startCluster } from '../testing/cluster/cluster.ts';
import { eventually } from '../testing/eventually.ts';
import { connectPile, type Pile } from '../testing/gateways/pile.ts';
import { type LinkDevice, openLink } from '../testing/links/link-device.ts';
import { openTerminalSocket } from '../testing/links/open-terminals.ts';
import { type DeviceServer, openSshServer } from '../testing/links/ssh-servers.ts';
import { seedWorld, type World } from '../testing/world.ts';

const {
  requestLink,
  readLink,
  openTerminal,
  listDeviceFiles,
  startUpload,
  sendUploadPart,
  startDownload,
  readDownload,
} = linkEndpoints;
const PORT_OFFSET = 12_000;

let folder: string;
let cluster: Cluster;
let world: World;
let session: Awaited<ReturnType<typeof openSession>>;
let root: Client;
let device: DeviceServer;
let pile: Pile;
let link: LinkDevice;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chargehand-links-'));
  device = await openSshServer();
  await writeFile(device.keys, '', { mode: 0o600 });
  cluster = await startCluster({
    ...{ folder, portOffset: PORT_OFFSET, names: ['api-1', 'api-2', 'gateway-1', 'gateway-2', 'links-1', 'links-2'] },
    async prepare({ db, pool }) {
      world = await seedWorld(db);
      await pool.query('update device_models set ssh_support = true');
    },
  });
  session = await openSession(cluster.database.db, world.users.root);
  root = client(cluster.url, session);
  pile = await connectPile({ port: Number(new URL(cluster.url).port) }, world.devices.northQuay1.sn);
}, 600_000);
afterAll(async () => {
  await link?.stop();
  await pile?.cut();
  await cluster?.stop();
  await device?.stop();
  await rm(folder, { recursive: true, force: true });
}, 120_000);

test('a terminal and files of a link reach the process to which its device is connected', async () => {
  const body = { kind: 'ssh', reason: 'Test', port: device.port } as const;
  const { id } = await root.data(requestLink, { params: { id: world.devices.northQuay1.id }, body });
  const call = await pile.call(1);
  pile.answer(call.id, { status: 'Accepted' });
  const params = JSON.parse(String(call.payload.data));
  link = openLink('ssh', params, {}, { file: device.keys, server: device.name });
  await eventually(
    () => root.data(readLink, { params: { id } }),
    ({ state }) => state === 'open',
  );
  const { key } = await root.data(openTerminal, { params: { id }, body: { cols: 80, rows: 24 } });
  const headers = { cookie: `${TOKEN_COOKIE}=${session.token}` };
  const page = openTerminalSocket({ url: cluster.url }, TERMINAL_PATH, key, headers);
  await eventually(
    () => page.text(),
    (text) => text.length > 0,
  );
  page.say('echo to-$((40 + 2))\n');
  await eventually(
    () => page.text(),
    (text) => text.includes('to-42'),
  );

  const content = randomBytes(100_000);
  const path = join(device.remoteFolder, 'log.bin');
  const upload = await root.data(startUpload, {
    params: { id },
    body: { key, path, size: content.length, replace: false },
  });
  const part = await root.fetch(addressOf(sendUploadPart, { id, transferId: upload.id }, { key, offset: 0 }), {
    ...{ method: 'PUT', body: content, headers: { 'content-type': 'application/octet-stream' } },
  });
  expect(await part.json()).toMatchObject({ data: { done: true } });
  const { files } = await root.data(listDeviceFiles, { params: { id }, query: { key, path: device.remoteFolder } });
  expect(files.map(({ name }) => name)).toContain('log.bin');
  const download = await root.data(startDownload, { params: { id }, body: { key, path } });
  const read = await root.fetch(addressOf(readDownload, { id, transferId: download.id }, { key }));
  expect(Buffer.from(await read.arrayBuffer()).equals(content)).toBe(true);
  page.socket.close();
}, 180_000);
