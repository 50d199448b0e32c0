import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { ENDPOINTS } from '@chargehand/contract';
import { DEVICE_LOG_LIMIT } from '@chargehand/domain';
import { Client as FtpClient } from 'basic-ftp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { requireLftp } from '../../../../../scripts/debian.mjs';
import type { Client } from '../../testing/client.ts';
import { connectTransferDevice, type TransferDevice } from '../../testing/gateways/transfer-device.ts';
import { isFullRun } from '../../testing/runs/full-run.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { addFirmware, transferOnce } from '../../testing/transfers/transfers.ts';

const CONTENT = randomBytes(250_000);
const MIB = 1024 * 1024;

let server: TestServer;
let staff: Client;
let north: Client;
let folder: string;
let lftp: string;
let device: TransferDevice;
beforeAll(async () => {
  lftp = requireLftp();
  const ftp = { port: 0, required: true, passivePorts: { first: 0, last: 0 }, address: undefined };
  server = await startTestServer({ ftp }, { sweeps: true });
  staff = await server.as('vendorStaff');
  north = await server.as('northAdmin');
  folder = await mkdtemp(join(tmpdir(), 'chargehand-device-files-'));
}, 300_000);
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  device = await connectTransferDevice(server, north);
  return () => device.close();
});

/** The output of the platform's curl: the status, and the answer unless it is written to a file. */
const curl = async (...args: string[]) =>
  (
    await promisify(execFile)('curl', [
      '--silent',
      '--show-error',
      '--max-time',
      '60',
      '--write-out',
      '%{http_code}',
      ...args,
    ])
  ).stdout;
const path = (name: string) => join(folder, name);
const asksFirmware = async (transport: 'http' | 'ftp' = 'http') => {
  const firmwareId = await addFirmware(server, staff, { version: '9.0.0', content: CONTENT });
  return await device.send({ kind: 'upgradeSoftware', firmwareId, transport });
};
const asksLog = (transport: 'http' | 'ftp' = 'http') =>
  device.send({ kind: 'uploadLog', logType: 'diagnostics', transport });
const now = () => transferOnce(north, device.id, () => true);
const signIn = async (location: string, change: { user?: string; password?: string } = {}) => {
  const { hostname: host, port, username, password } = new URL(location);
  const client = new FtpClient(20_000);
  await client.access({ host, port: Number(port), user: username, password, ...change });
  return client;
};
/** A file of a given size that takes no space on the disk. */
const logOf = async (size: number) => {
  await writeFile(path('large.log'), '');
  await truncate(path('large.log'), size);
  return path('large.log');
};
/** The size of the largest log that the server has stored or is storing. */
const largestLog = async () => {
  const files = await readdir(server.dataFolder, { recursive: true, withFileTypes: true });
  const logs = files.filter((file) => file.isFile() && !file.parentPath.includes('firmware'));
  return Math.max(
    0,
    ...(await Promise.all(logs.map(async (file) => (await stat(join(file.parentPath, file.name))).size))),
  );
};
const logs = () => north.data(ENDPOINTS.listDeviceLogs, { params: { id: device.id } });

describe('firmware over HTTP', () => {
  test('is downloaded completely, in part, and from where a download stopped', async () => {
    const { location } = await asksFirmware();
    expect(location).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/device-files\/[\w-]{32}\/hs-9\.0\.0\.bin$/);
    expect(await curl('--head', location)).toContain(`content-length: ${CONTENT.length}`);
    expect(await curl('--output', path('part'), '--range', '100-199', location)).toBe('206');
    expect((await readFile(path('part'))).equals(CONTENT.subarray(100, 200))).toBe(true);
    expect(await now()).toMatchObject({ state: 'downloading' });
    await writeFile(path('whole'), CONTENT.subarray(0, 1_000));
    expect(await curl('--output', path('whole'), '--continue-at', '-', location)).toBe('206');
    expect((await readFile(path('whole'))).equals(CONTENT)).toBe(true);
    expect(await curl('--output', path('x'), '--range', '999999-', location)).toBe('416');
    // The transferred bytes are recorded separately: the device has its last byte before that.
    await transferOnce(north, device.id, ({ bytes }) => bytes === CONTENT.length);
  });

  test('until the device has it, within the limit of attempts', async () => {
    const { location } = await asksFirmware();
    await device.report('FirmwareStatusNotification', 'Downloaded');
    expect(await curl(location)).toMatch(/410$/);
    await device.report('FirmwareStatusNotification', 'InstallationFailed');
    const again = await asksFirmware();
    for (let time = 0; time < 4; time += 1) expect(await curl('--output', path('x'), again.location)).toBe('200');
    await expect.poll(() => curl('--output', path('x'), again.location), { timeout: 30_000 }).toBe('410');
    // The previous credential is unchanged.
    expect(await curl('--output', path('x'), location)).toBe('410');
  });

  test('is refused without the credential, after it expired, or in the other direction', async () => {
    const { location, requestId } = await asksFirmware();
    const stranger = location.replace(/device-files\/[\w-]+/, `device-files/${'x'.repeat(32)}`);
    expect(await curl('--output', path('x'), stranger)).toBe('404');
    for (const odd of ['%00', '%E2%80%AE']) {
      const answer = await fetch(location.replace(/device-files\/.*/, `device-files/${odd}`));
      expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('invisible character')]);
    }
    expect(await curl('--upload-file', path('part'), location)).toMatch(/405$/);
    await server.database.pool.query(`update transfers set deadline_at = now() - interval '1 ms' where id = $1`, [
      requestId,
    ]);
    expect(await curl('--output', path('x'), location)).toBe('410');
  });
});

describe('a log over HTTP', () => {
  test.each([
    ['uploaded to the folder', async (location: string) => await curl('--upload-file', path('pile.log'), location)],
    [
      'uploaded with a name',
      async (location: string) => await curl('--upload-file', path('pile.log'), `${location}pile.log`),
    ],
    [
      'posted as a form',
      async (location: string) => await curl('--form', `file=@${path('pile.log')};filename=pile.log`, location),
    ],
    [
      'posted as plain content',
      async (location: string) => await curl('--data-binary', `@${path('pile.log')}`, `${location}pile.log`),
    ],
    [
      'sent in chunks',
      async (location: string) =>
        await curl('--upload-file', path('pile.log'), '--header', 'Transfer-Encoding: chunked', `${location}pile.log`),
    ],
  ])('is stored when it is %s', async (_, act) => {
    await writeFile(path('pile.log'), 'one line\n');
    const { location } = await asksLog();
    expect(location).toMatch(/\/device-files\/[\w-]{32}\/$/);
    expect(await act(location)).toBe('Kept.\n201');
    expect(await now()).toMatchObject({ state: 'stored', size: 9 });
    const { items } = await logs();
    expect(items[0]).toMatchObject({ fileName: 'pile.log', size: 9 });
    // Only once.
    expect(await curl('--upload-file', path('pile.log'), location)).toMatch(/410$/);
  });

  test('that is aborted half way, or is empty, leaves nothing; the device may try again', async () => {
    const { location } = await asksLog();
    const before = (await logs()).total;
    const broken = request(`${location}broken.log`, { method: 'PUT', headers: { 'content-length': 1_000_000 } });
    broken.on('error', () => undefined);
    broken.write('half of it');
    await transferOnce(north, device.id, ({ state }) => state === 'uploading');
    // It ends with an error without further meaning.
    const gone = new Promise((resolve) => broken.on('close', resolve));
    broken.destroy();
    await gone;
    await writeFile(path('empty.log'), '');
    await expect.poll(() => curl('--upload-file', path('empty.log'), location), { timeout: 30_000 }).toMatch(/400$/);
    expect((await logs()).total).toBe(before);
    await writeFile(path('whole.log.gz'), gzipSync('packed line\n'));
    expect(await curl('--upload-file', path('whole.log.gz'), location)).toBe('Kept.\n201');
    const { items } = await logs();
    const preview = { params: { id: device.id, logId: items[0]!.id } };
    expect(await north.data(ENDPOINTS.previewDeviceLog, preview)).toEqual({
      text: 'packed line\n',
      complete: true,
      next: null,
    });
  });

  test('is previewed in parts that end with whole lines, and together are the file', async () => {
    const lines = Array.from({ length: 30_000 }, (_, number) => `${number} 充电桩 ${'x'.repeat(number % 20)}\n`).join(
      '',
    );
    await writeFile(path('long.log'), lines);
    const { location } = await asksLog();
    expect(await curl('--upload-file', path('long.log'), location)).toBe('Kept.\n201');
    const params = { id: device.id, logId: (await logs()).items[0]!.id };
    const parts: string[] = [];
    for (let from: number | null = 0; from !== null; ) {
      const part: { text: string | null; complete: boolean; next: number | null } = await north.data(
        ENDPOINTS.previewDeviceLog,
        { params, query: { from } },
      );
      parts.push(part.text ?? '');
      expect(part.complete).toBe(part.next === null);
      from = part.next;
    }
    expect(parts.length).toBeGreaterThan(2);
    expect(parts.slice(0, -1).every((part) => part.endsWith('\n'))).toBe(true);
    expect(parts.join('')).toBe(lines);
    const beyond = { params, query: { from: DEVICE_LOG_LIMIT } };
    expect(await north.data(ENDPOINTS.previewDeviceLog, beyond)).toEqual({ text: '', complete: true, next: null });
  });

  test('may have 100 MiB and not one byte more', async () => {
    const { location } = await asksLog();
    const before = (await logs()).total;
    const large = await logOf(100 * MIB + 1);
    expect(await curl('--upload-file', large, location)).toBe('The file is too large.\n413');
    expect(await curl('--form', `file=@${large}`, location)).toBe('The file is too large.\n413');
    expect((await logs()).total).toBe(before);
    expect(await largestLog()).toBeLessThan(MIB);
    expect(await curl('--upload-file', await logOf(100 * MIB), location)).toBe('Kept.\n201');
    expect((await logs()).items[0]).toMatchObject({ size: 104_857_600 });
  });

  test('is never served as a page, whatever its type, and its name cannot contain a path', async () => {
    await writeFile(path('page.html'), '<script>alert(1)</script>');
    const { location } = await asksLog();
    expect(
      await curl('--form', `file=@${path('page.html')};filename=../../../page.html;type=text/html`, location),
    ).toBe('Kept.\n201');
    const { items } = await logs();
    expect(items[0]!.fileName).toBe('page.html');
    const { rows } = await server.database.pool.query('select object_key from device_logs where id = $1', [
      items[0]!.id,
    ]);
    expect(rows[0].object_key).toMatch(new RegExp(`^logs/${device.id}/[0-9a-f-]{36}$`));
  });
});

describe('over FTP', () => {
  test("the platform's curl downloads firmware and uploads a log", async () => {
    const { location } = await asksFirmware('ftp');
    expect(location).toMatch(/^ftp:\/\/t\d+:[\w-]{32}@127\.0\.0\.1:\d+\/hs-9\.0\.0\.bin$/);
    expect(await curl('--output', path('ftp.bin'), location)).toBe('226');
    expect((await readFile(path('ftp.bin'))).equals(CONTENT)).toBe(true);
    await writeFile(path('pile.log'), 'one line\n');
    const log = await asksLog('ftp');
    expect(await curl('--upload-file', path('pile.log'), log.location)).toBe('226');
    expect(await now()).toMatchObject({ state: 'stored', transport: 'ftp', fileName: 'pile.log' });
  });

  test("the platform's lftp does the same, and cannot leave its folder", async () => {
    const run = async (location: string, ...commands: string[]) => {
      const { hostname, port, username, password } = new URL(location);
      const open = `open -u ${username},${password} -p ${port} ${hostname}`;
      const script = ['set net:max-retries 1', 'set cmd:fail-exit yes', `lcd ${folder}`, open, ...commands].join('; ');
      const settled = await promisify(execFile)(lftp, ['--norc', '-c', script], { timeout: 60_000 }).catch(
        (error: { stdout: string; stderr: string }) => error,
      );
      return settled.stdout + settled.stderr;
    };
    const { location } = await asksFirmware('ftp');
    expect(await run(location, 'ls', 'get hs-9.0.0.bin -o lftp.bin')).toContain('hs-9.0.0.bin');
    expect((await readFile(path('lftp.bin'))).equals(CONTENT)).toBe(true);
    await writeFile(path('lftp-part.bin'), CONTENT.subarray(0, 100_000));
    await run(location, 'get -c hs-9.0.0.bin -o lftp-part.bin');
    expect((await readFile(path('lftp-part.bin'))).equals(CONTENT)).toBe(true);
    expect(await run(location, 'cd ..', 'cd /etc', 'ls')).toMatch(/550/);
    expect(await run(location, 'get ../../etc/passwd -o stolen')).toMatch(/550/);
    expect(await run(location, 'put lftp-part.bin')).toMatch(/550/);
    await writeFile(path('pile.log'), 'one line\n');
    const log = await asksLog('ftp');
    await run(log.location, 'put pile.log');
    expect(await now()).toMatchObject({ state: 'stored', fileName: 'pile.log' });
  });

  test.runIf(isFullRun)('a log may have 100 MiB and not one byte more', async () => {
    const { location } = await asksLog('ftp');
    const before = (await logs()).total;
    const client = await signIn(location);
    await expect(client.uploadFrom(await logOf(100 * MIB + 1), 'large.log')).rejects.toThrow(
      /552 The file is too large/,
    );
    expect((await logs()).total).toBe(before);
    await client.uploadFrom(await logOf(100 * MIB), 'large.log');
    client.close();
    expect(await now()).toMatchObject({ state: 'stored', size: 104_857_600 });
  });

  test('each credential opens one folder, as long as it is valid', async () => {
    const firmware = await asksFirmware('ftp');
    const log = await asksLog('ftp');
    const stranger = { user: new URL(log.location).username };
    await expect(signIn(firmware.location, stranger)).rejects.toThrow(/530/);
    await expect(signIn(firmware.location, { password: 'x'.repeat(32) })).rejects.toThrow(/530/);
    const client = await signIn(firmware.location);
    expect((await client.list()).map(({ name }) => name)).toEqual(['hs-9.0.0.bin']);
    await expect(client.cd('..')).rejects.toThrow(/550/);
    await expect(client.uploadFrom(path('pile.log'), 'x.log')).rejects.toThrow(/550/);
    await device.report('FirmwareStatusNotification', 'Downloaded');
    await expect(client.downloadTo(path('x'), 'hs-9.0.0.bin')).rejects.toThrow(/550/);
    client.close();
    await expect(signIn(firmware.location)).rejects.toThrow(/530/);
    // An address for one protocol does not work for the other.
    const { password } = new URL(log.location);
    expect(await curl('--upload-file', path('pile.log'), `${server.url}/device-files/${password}/`)).toMatch(/404$/);
  });
});

describe('a firmware download that is aborted half way', () => {
  /**
   * More than all buffers on the way can hold: a client that aborts after the first bytes has not received the rest.
   */
  const long = randomBytes(32 * 1024 * 1024);
  const asks = async (transport: 'http' | 'ftp') => {
    const firmwareId = await addFirmware(server, staff, { version: '9.1.0', content: long });
    return await device.send({ kind: 'upgradeSoftware', firmwareId, transport });
  };
  const breaksOff: Record<'http' | 'ftp', (location: string) => Promise<void>> = {
    http: (location) =>
      new Promise((resolve, reject) => {
        const download = request(location, (answer) =>
          answer.once('data', () => download.destroy()).once('close', resolve),
        );
        download.on('error', reject).end();
      }),
    async ftp(location) {
      const client = await signIn(location);
      const full = new Writable({ write: (_chunk, _encoding, done) => done(new Error('no room')) });
      await expect(client.downloadTo(full, 'hs-9.1.0.bin')).rejects.toThrow();
      client.close();
    },
  };

  test('after its last byte was written does not count as complete', async () => {
    // Fits into the buffers of the connection: everything is written before the client reads.
    const content = randomBytes(300_000);
    const firmwareId = await addFirmware(server, staff, { version: '9.1.1', content });
    const { location, requestId } = await device.send({ kind: 'upgradeSoftware', firmwareId, transport: 'http' });
    await new Promise<void>((resolve, reject) => {
      const download = request(location, (answer) => {
        answer.pause();
        const { socket } = answer;
        socket.once('close', () => resolve());
        // The server has written everything when it begins to wait for the next request.
        void transferOnce(north, device.id, ({ bytes }) => bytes > 0).then(() => socket.resetAndDestroy());
      });
      download.on('error', reject).end();
    });
    expect(await curl('--output', path('again'), location)).toBe('200');
    const deliveries = async () =>
      (await server.database.pool.query('select deliveries from transfers where id = $1', [requestId])).rows;
    await expect.poll(deliveries).toEqual([{ deliveries: 1 }]);
    await transferOnce(north, device.id, ({ bytes }) => bytes === content.length);
  });

  test.each(isFullRun ? (['http', 'ftp'] as const) : (['http'] as const))(
    'over %s does not count, and can be continued',
    async (transport) => {
      const { location, requestId } = await asks(transport);
      // More often than the limit for complete downloads.
      for (let time = 0; time < 6; time += 1) await breaksOff[transport](location);
      await writeFile(path('broken'), long.subarray(0, 1_000_000));
      expect(await curl('--output', path('broken'), '--continue-at', '-', location)).toMatch(/^2/);
      expect((await readFile(path('broken'))).equals(long)).toBe(true);
      await expect
        .poll(
          async () =>
            (await server.database.pool.query('select deliveries from transfers where id = $1', [requestId])).rows,
          { timeout: 30_000 },
        )
        .toEqual([{ deliveries: 1 }]);
      expect(await now()).toMatchObject({ state: 'downloading' });
    },
  );
});

test('with FTP disabled it cannot be requested', async () => {
  const other = await startTestServer();
  const person = await other.as('northAdmin');
  const { id } = other.world.devices.northQuay1;
  const body = { kind: 'uploadLog', logType: 'diagnostics', transport: 'ftp' } as const;
  expect((await person.call(ENDPOINTS.sendCommand, { params: { id }, body })).message).toMatch(/FTP is turned off/);
  await other.stop();
});
