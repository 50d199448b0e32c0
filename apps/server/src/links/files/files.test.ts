import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { CODES, linkEndpoints, type SharedUpload } from '@chargehand/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addressOf, type Client } from '../../testing/client.ts';
import { eventually } from '../../testing/eventually.ts';
import { connectPile, type Pile } from '../../testing/gateways/pile.ts';
import { deviceShell } from '../../testing/links/device-shell.ts';
import { type LinkDevice, openLink } from '../../testing/links/link-device.ts';
import { type DeviceServer, dropbearServer, openSshServer } from '../../testing/links/ssh-servers.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

const { requestLink, readLink, openTerminal, destroyLink, listLinkActivity, listDeviceFiles, listFileTransfers } =
  linkEndpoints;
const { createDeviceFolder, renameDeviceFile, removeDeviceFile, startDownload, readDownload, startUpload } =
  linkEndpoints;
const { readUpload, sendUploadPart, cancelTransfer } = linkEndpoints;
const SIZE = { cols: 80, rows: 24 };

let server: TestServer;
let root: Client;
let pile: Pile;
let calls = 0;

beforeAll(async () => {
  server = await startTestServer({ captcha: false });
  root = await server.as('root');
  await server.database.pool.query('update device_models set ssh_support = true');
  pile = await connectPile(server, server.world.devices.northQuay1.sn);
});
afterAll(async () => {
  await pile.cut();
  await server.stop();
});

/** An open link to a device. */
async function newLink(
  device: Pick<DeviceServer, 'port' | 'keys' | 'name'>,
): Promise<{ id: number; client: LinkDevice }> {
  const body = { kind: 'ssh', reason: 'Test', port: device.port } as const;
  const { id } = await root.data(requestLink, { params: { id: server.world.devices.northQuay1.id }, body });
  for (;;) {
    calls += 1;
    const call = await pile.call(calls);
    pile.answer(call.id, { status: 'Accepted' });
    const params = JSON.parse(String(call.payload.data));
    if (params.link !== id || !params.ticket) continue;
    const client = openLink('ssh', params, {}, { file: device.keys, server: device.name });
    await eventually(
      () => root.data(readLink, { params: { id } }),
      ({ state }) => state === 'open',
    );
    return { id, client };
  }
}

describe.each([
  ['OpenSSH', openSshServer],
  ['dropbear', dropbearServer],
] as const)('files of a device with %s', (_, start) => {
  let device: DeviceServer;
  let linkId: number;
  let client: LinkDevice;
  let key: string;
  let folder: string;
  /** the same folder, as the device names it */
  let remote: string;
  let folders = 0;

  beforeAll(async () => {
    device = await start();
    writeFileSync(device.keys, '', { mode: 0o600 });
    ({ id: linkId, client } = await newLink(device));
    ({ key } = await root.data(openTerminal, { params: { id: linkId }, body: SIZE }));
  });
  beforeEach(() => {
    folders += 1;
    folder = join(device.folder, `f${folders}`);
    mkdirSync(folder);
    remote = join(device.remoteFolder, `f${folders}`);
  });
  afterAll(async () => {
    await client.stop();
    await device.stop();
  });

  const params = () => ({ id: linkId });
  const list = async (path = remote) => await root.data(listDeviceFiles, { params: params(), query: { key, path } });
  const begin = (name: string, size: number, replace = false) =>
    root.call(startUpload, { params: params(), body: { key, path: join(remote, name), size, replace } });
  const part = async (
    { id }: SharedUpload,
    offset: number,
    body: string | Buffer<ArrayBuffer>,
    signal?: AbortSignal,
  ) => {
    const address = addressOf(sendUploadPart, { id: linkId, transferId: id }, { key, offset });
    const headers = { 'content-type': 'application/octet-stream' };
    const response = await root.fetch(address, { method: 'PUT', body, headers, ...(signal ? { signal } : {}) });
    return (await response.json()) as { code: number; data: SharedUpload };
  };
  const download = async (name: string, headers: Record<string, string> = {}) => {
    const { id } = await root.data(startDownload, { params: params(), body: { key, path: join(remote, name) } });
    return await root.fetch(addressOf(readDownload, { id: linkId, transferId: id }, { key }), { headers });
  };
  const transfers = async () => (await root.data(listFileTransfers, { params: params(), query: { key } })).items;

  test('a file is uploaded in parts, and downloaded with its name, whole or in part', async () => {
    const content = randomBytes(20 * 1024 * 1024 + 17);
    const name = '充电 log "1".bin';
    const { data: upload } = await begin(name, content.length);
    expect(upload).toMatchObject({ received: 0, done: false });
    expect(existsSync(join(folder, name))).toBe(false);
    const half = 8 * 1024 * 1024;
    expect(upload.partBytes).toBeGreaterThanOrEqual(half);
    expect(await part(upload, 0, content.subarray(0, half))).toMatchObject({ data: { received: half, done: false } });
    expect((await part(upload, 5, content)).code).toBe(CODES.deviceUploadPart.code);
    expect(existsSync(join(folder, name))).toBe(false);
    expect(await part(upload, half, content.subarray(half))).toMatchObject({ data: { done: true } });
    expect(readFileSync(join(folder, name)).equals(content)).toBe(true);
    expect(readdirSync(folder)).toEqual([name]);

    const response = await download(name);
    expect(response.headers.get('content-disposition')).toContain(encodeURIComponent('充电 log "1".bin'));
    expect(response.headers.get('content-length')).toBe(String(content.length));
    expect(hashOf(Buffer.from(await response.arrayBuffer()))).toBe(hashOf(content));
    const etag = response.headers.get('etag')!;
    const rest = await download(name, { range: `bytes=${content.length - 10}-`, 'if-range': etag });
    expect([rest.status, Buffer.from(await rest.arrayBuffer()).equals(content.subarray(-10))]).toEqual([206, true]);
    expect((await download(name, { range: `bytes=${content.length}-` })).status).toBe(416);

    const recorded = await eventually(
      async () => (await root.data(listLinkActivity, { params: params(), query: {} })).items,
      (items) => items.filter(({ result }) => result === 'done').length >= 3,
    );
    expect(recorded.slice(0, 3).toReversed()).toMatchObject([
      { kind: 'transfer', text: `upload ${join(remote, name)}`, bytesOut: content.length, bytesIn: 0 },
      { kind: 'transfer', text: `download ${join(remote, name)}`, bytesIn: content.length, bytesOut: 0 },
      { kind: 'transfer', text: `download ${join(remote, name)}`, bytesIn: 10, bytesOut: 0 },
    ]);
    expect((await transfers()).slice(0, 2)).toMatchObject([
      { state: 'waiting' },
      { state: 'done', bytes: content.length },
    ]);
  });

  test('an existing file is replaced only on request, and keeps its permissions; a symbolic link stays one', async () => {
    writeFileSync(join(folder, 'secret'), 'old');
    chmodSync(join(folder, 'secret'), 0o600);
    symlinkSync('secret', join(folder, 'link'));
    expect((await begin('link', 3)).code).toBe(CODES.deviceFileExists.code);
    const { data } = await begin('link', 3, true);
    expect(await part(data, 0, 'new')).toMatchObject({ data: { done: true } });
    expect(readFileSync(join(folder, 'secret'), 'utf8')).toBe('new');
    expect(statSync(join(folder, 'secret')).mode & 0o777).toBe(0o600);
    expect(readlinkSync(join(folder, 'link'))).toBe('secret');
    const { data: empty } = await begin('empty', 0);
    expect(empty.done).toBe(true);
    const shown = (await list()).files.map(({ name, kind, link, size }) => [name, kind, link, size]);
    expect(shown.toSorted()).toEqual([
      ['empty', 'file', false, 0],
      ['link', 'file', true, 3],
      ['secret', 'file', false, 3],
    ]);
  });

  test('an upload that is cancelled or interrupted leaves no file, and continues where the device is', async () => {
    const content = randomBytes(4 * 1024 * 1024);
    const { data: upload } = await begin('a', content.length);
    const leave = new AbortController();
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(content.subarray(0, 1024 * 1024)),
    });
    const lost = root
      .fetch(addressOf(sendUploadPart, { id: linkId, transferId: upload.id }, { key, offset: 0 }), {
        ...{ method: 'PUT', body, duplex: 'half', signal: leave.signal },
        headers: { 'content-type': 'application/octet-stream' },
      } as RequestInit)
      .catch(() => null);
    const read = () => root.data(readUpload, { params: { id: linkId, transferId: upload.id }, query: { key } });
    await eventually(read, ({ received }) => received > 500_000);
    leave.abort();
    await lost;
    const { received } = await eventually(
      async () => {
        const now = await read();
        return { ...now, answer: await part(upload, now.received, content.subarray(now.received)) };
      },
      ({ answer }) => answer.code === 0,
    );
    expect(received).toBeGreaterThan(500_000);
    expect(readFileSync(join(folder, 'a')).equals(content)).toBe(true);

    const { data: other } = await begin('b', content.length);
    await part(other, 0, content.subarray(0, 100_000));
    expect(readdirSync(folder)).toHaveLength(2);
    await root.data(cancelTransfer, { params: { id: linkId, transferId: other.id }, body: { key } });
    expect(readdirSync(folder)).toEqual(['a']);
    expect((await transfers())[0]).toMatchObject({ direction: 'upload', state: 'cancelled' });
  });

  test('an upload removes what lost uploads left in its folder, and nothing else', async () => {
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
    const [lost, recent] = [`.chargehand-${'0'.repeat(12)}.part`, `.chargehand-${'1'.repeat(12)}.part`];
    for (const [name, hours] of [
      [lost, 10],
      [recent, 7],
      ['own.part', 10],
    ] as const) {
      writeFileSync(join(folder, name), 'x');
      utimesSync(join(folder, name), hoursAgo(hours), hoursAgo(hours));
    }
    const { data } = await begin('a', 3);
    await part(data, 0, 'new');
    await eventually(
      () => existsSync(join(folder, lost)),
      (exists) => !exists,
    );
    expect(readdirSync(folder).toSorted()).toEqual([recent, 'a', 'own.part']);
  });

  test('a download that its reader leaves, or that is cancelled, stops', async () => {
    writeFileSync(join(folder, 'big'), Buffer.alloc(64 * 1024 * 1024));
    const left = await download('big');
    await left.body!.cancel();
    await eventually(transfers, ([newest]) => newest?.state === 'cancelled');
    const slow = await download('big');
    await slow.body!.getReader().read();
    const [running] = await transfers();
    await root.data(cancelTransfer, { params: { id: linkId, transferId: running!.id }, body: { key } });
    expect((await transfers())[0]).toMatchObject({ state: 'cancelled' });
    expect((await transfers())[0]!.bytes).toBeLessThan(32 * 1024 * 1024);
  });

  test('folders are created, files renamed and deleted, and nothing is replaced by it', async () => {
    const call = async (endpoint: typeof createDeviceFolder | typeof removeDeviceFile, name: string) =>
      (await root.call(endpoint, { params: params(), body: { key, path: join(remote, name) } })).code;
    const rename = async (path: string, to: string) =>
      (
        await root.call(renameDeviceFile, {
          params: params(),
          body: { key, path: join(remote, path), to: join(remote, to) },
        })
      ).code;
    // Composed differently than NFC: the device has the name as it was sent.
    const name = 'cafe\u0301 新';
    expect(await call(createDeviceFolder, name)).toBe(0);
    expect(readdirSync(folder)).toEqual([name]);
    writeFileSync(join(folder, 'one'), '1');
    writeFileSync(join(folder, 'two'), '2');
    expect(await rename('one', 'two')).toBe(CODES.deviceFileExists.code);
    expect(await rename('one', `${name}/three`)).toBe(0);
    expect(await call(removeDeviceFile, name)).toBe(CODES.deviceFileFailed.code);
    expect(await call(removeDeviceFile, `${name}/three`)).toBe(0);
    expect(await call(removeDeviceFile, name)).toBe(0);
    expect(await call(removeDeviceFile, 'none')).toBe(CODES.deviceFileMissing.code);
    expect(readdirSync(folder)).toEqual(['two']);
  });

  test('large folders are listed in part; names that are not UTF-8 are marked', async () => {
    for (let number = 0; number < 2_100; number += 1) writeFileSync(join(folder, `file ${number}`), '');
    const { files, more } = await list();
    expect([files.length, more]).toEqual([2_000, true]);
    mkdirSync(join(folder, 'in'));
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/in/`), Buffer.from([0xc4, 0xe3])]), '');
    symlinkSync('/none', join(folder, 'in', 'broken'));
    const inner = await list(`${remote}/in/../in`);
    expect(inner).toMatchObject({ path: `${remote}/in`, more: false });
    expect(inner.files.map(({ name, kind, usable }) => [name.length, kind, usable]).toSorted()).toEqual([
      [2, 'file', false],
      [6, 'other', true],
    ]);
  });

  test('what the device refuses is answered with a reason', async () => {
    const answer = async (path: string) =>
      (await root.call(startDownload, { params: params(), body: { key, path } })).code;
    expect(await answer(join(remote, 'none'))).toBe(CODES.deviceFileMissing.code);
    expect(await answer(remote)).toBe(CODES.deviceNotFile.code);
    expect(await answer('/dev/zero')).toBe(CODES.deviceNotFile.code);
    expect(await answer('relative')).toBe(CODES.fieldFormat.code);
    expect(await answer('/a\0b')).toBe(CODES.fieldFormat.code);
    expect((await begin('x', 2 ** 50)).code).toBe(CODES.deviceDiskFull.code);
    expect((await begin('.', 1)).code).toBe(CODES.deviceNotFile.code);
    expect((await begin('none/x', 1)).code).toBe(CODES.deviceFileMissing.code);
    const started = await Promise.all(['1', '2', '3', '4', '5'].map(async (name) => await begin(name, 10)));
    expect(started.map(({ code }) => code).toSorted()).toEqual([0, 0, 0, 0, CODES.deviceTransfersFull.code].toSorted());
    for (const { code, data } of started)
      if (code === 0) await root.data(cancelTransfer, { params: { id: linkId, transferId: data.id }, body: { key } });
    expect(readdirSync(folder)).toEqual([]);
  });

  test('a file without a size, such as those of /proc, is read to its end', async () => {
    const { id } = await root.data(startDownload, { params: params(), body: { key, path: '/proc/version' } });
    const response = await root.fetch(addressOf(readDownload, { id: linkId, transferId: id }, { key }));
    expect(await response.text()).toMatch(/^Linux version /);
  });
});

describe('a terminal', () => {
  let device: DeviceServer;
  beforeAll(async () => {
    device = await openSshServer();
  });
  afterAll(() => device.stop());

  test('without its key, of another session or another link has no files', async () => {
    const { id, client } = await newLink(device);
    const { key } = await root.data(openTerminal, { params: { id }, body: SIZE });
    const list = async (person: Client, of: number, with_: string) =>
      (await person.call(listDeviceFiles, { params: { id: of }, query: { key: with_ } })).code;
    const other = await newLink(device);
    expect(await list(root, id, key)).toBe(0);
    expect(await list(root, other.id, key)).toBe(CODES.terminalOver.code);
    expect(await list(root, id, 'x'.repeat(32))).toBe(CODES.terminalOver.code);
    expect(await list(await server.as('root'), id, key)).toBe(CODES.terminalOver.code);
    await client.stop();
    await other.client.stop();
  });

  test('that ends stops its transfers: nothing has the final name', async () => {
    const { id, client } = await newLink(device);
    const { key } = await root.data(openTerminal, { params: { id }, body: SIZE });
    const path = join(device.remoteFolder, 'unfinished');
    const upload = await root.data(startUpload, { params: { id }, body: { key, path, size: 10 } });
    await root.data(destroyLink, { params: { id } });
    await client.exited;
    const address = addressOf(sendUploadPart, { id, transferId: upload.id }, { key, offset: 0 });
    const headers = { 'content-type': 'application/octet-stream' };
    const answer = await root.fetch(address, { method: 'PUT', body: '1234567890', headers });
    expect(((await answer.json()) as { code: number }).code).toBe(CODES.terminalOver.code);
    expect(existsSync(path)).toBe(false);
    const { items } = await eventually(
      () => root.data(listLinkActivity, { params: { id }, query: {} }),
      (activity) => activity.items[0]?.result === 'cancelled',
    );
    expect(items).toMatchObject([{ text: `upload ${path}` }]);
  });

  test('of a device without SFTP says so', async () => {
    const shell = await deviceShell();
    const { id, client } = await newLink({ ...device, port: shell.port });
    const { key } = await root.data(openTerminal, { params: { id }, body: SIZE });
    const { code } = await root.call(listDeviceFiles, { params: { id }, query: { key } });
    expect(code).toBe(CODES.deviceWithoutSftp.code);
    await client.stop();
    shell.close();
  });
});

function hashOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
