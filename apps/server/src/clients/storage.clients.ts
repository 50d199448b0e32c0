import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CODES } from '@chargehand/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../platform/config/config.ts';
import type { Client } from '../testing/client.ts';
import { connectStation, MAKES, registerDevice } from '../testing/clients/stations.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { addFirmware, transferOnce } from '../testing/transfers/transfers.ts';

const KEY = { accessKeyId: 'operator', secretAccessKey: 'a-secret-of-the-operator' };
const FTP = { port: 0, required: true, passivePorts: { first: 0, last: 0 }, address: undefined };
/**
 * A separate disk for the files of the product, of which the store keeps 256 MB free. Mounting needs the permission.
 */
const DISK_MB = 320;
const CONTENT = randomBytes(250_000);

const disk = mountDisk();
let server: TestServer;
let admin: Client;
let staff: Client;
let folder: string;
beforeAll(async () => {
  const { objects } = readConfig({ S3_ACCESS_KEY_ID: KEY.accessKeyId, S3_SECRET_ACCESS_KEY: KEY.secretAccessKey });
  server = await startTestServer(
    { ftp: FTP, objects, ...(disk === null ? {} : { dataFolder: disk }) },
    { sweeps: true },
  );
  admin = await server.as('northAdmin');
  staff = await server.as('vendorStaff');
  folder = await mkdtemp(join(tmpdir(), 'chargehand-storage-clients-'));
  await writeFile(join(folder, 'pile.log'), 'one line\n'.repeat(1_000));
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
  if (disk === null) return;
  execFileSync('umount', [disk]);
  rmdirSync(disk);
});

/** Runs lftp with the credentials of a location. Returns its output, whether or not it succeeded. */
async function lftp(location: string, ...commands: string[]): Promise<string> {
  const { hostname, port, username, password } = new URL(location);
  const script = [
    ...['debug 4', 'set net:max-retries 1', 'set net:timeout 20', 'set cmd:fail-exit yes', `lcd ${folder}`],
    ...[`open -u ${username},${password} -p ${port} ${hostname}`, ...commands],
  ];
  const settled = await promisify(execFile)('lftp', ['--norc', '-c', script.join('; ')], { timeout: 60_000 }).catch(
    (error: { stdout: string; stderr: string }) => error,
  );
  return settled.stdout + settled.stderr;
}

/** Runs s3cmd. Returns its output, whether or not it succeeded. */
async function s3cmd(...args: string[]): Promise<string> {
  const { host } = new URL(server.url);
  const settings = [
    ...['[default]', `access_key = ${KEY.accessKeyId}`, `secret_key = ${KEY.secretAccessKey}`, 'max_retries = 1'],
    ...[`host_base = ${host}`, `host_bucket = ${host}`, 'use_https = False', 'bucket_location = oss-cn-hongkong', ''],
  ];
  await writeFile(join(folder, 's3cfg'), settings.join('\n'));
  const options = { timeout: 120_000, cwd: folder };
  const settled = await promisify(execFile)('s3cmd', ['-c', 's3cfg', '--no-progress', ...args], options).catch(
    (error: { stdout: string; stderr: string }) => error,
  );
  return settled.stdout + settled.stderr;
}

/** A station that uploads its log or downloads firmware over FTP, with lftp as its built-in client. */
async function fileStation([make, protocol]: (typeof MAKES)[number]) {
  const device = await registerDevice(server, admin);
  const station = await connectStation(server, device.sn, { make, protocols: [protocol] });
  await station.boot();
  const is16 = protocol === 'ocpp1.6';
  const upload = is16 ? 'GetDiagnostics' : 'GetLog';
  station.on(upload, () => (is16 ? { fileName: 'pile.log' } : { status: 'Accepted', filename: 'pile.log' }));
  station.on('UpdateFirmware', () => (is16 ? {} : { status: 'Accepted' }));
  const requested = async (action: string) => {
    await expect.poll(() => station.received(action)).not.toEqual([]);
    return station.received(action).at(-1) as Record<string, unknown>;
  };
  const log = async () => {
    await device.command({ kind: 'uploadLog', logType: 'diagnostics', transport: 'ftp' });
    const payload = await requested(upload);
    const { remoteLocation } = (payload.log ?? {}) as { remoteLocation?: string };
    return (payload.location as string | undefined) ?? remoteLocation!;
  };
  const firmware = async (firmwareId: number) => {
    await device.command({ kind: 'upgradeSoftware', firmwareId, transport: 'ftp' });
    const payload = await requested('UpdateFirmware');
    const { location } = (payload.firmware ?? payload) as { location: string };
    return { location, requestId: payload.requestId as number | undefined };
  };
  return { device, station, log, firmware };
}

describe.each(MAKES)('files by lftp, a station of %s in %s', (...kind) => {
  test('downloads firmware, installs it and boots with the new version', async () => {
    const { device, station, firmware } = await fileStation(kind);
    const firmwareId = await addFirmware(server, staff, { version: '9.2', content: CONTENT });
    const { location, requestId } = await firmware(firmwareId);
    const name = new URL(location).pathname.slice(1);
    expect(await lftp(location, 'ls', `get ${name} -o ${device.sn}.bin`)).toContain(name);
    expect((await readFile(join(folder, `${device.sn}.bin`))).equals(CONTENT)).toBe(true);
    expect(await lftp(location, 'put pile.log')).toMatch(/550/);
    const more = requestId === undefined ? {} : { requestId };
    for (const status of ['Downloading', 'Downloaded', 'Installing', 'Installed']) {
      await station.call('FirmwareStatusNotification', { status, ...more });
    }
    await station.boot('9.2');
    expect(await transferOnce(admin, device.id, ({ endedAt }) => endedAt !== null)).toMatchObject({
      ...{ state: 'verified', version: '9.2', transport: 'ftp', bytes: CONTENT.length },
    });
  });

  test.skipIf(disk === null)('uploads a log, also after the disk was full in between', async () => {
    const { device, log } = await fileStation(kind);
    const location = await log();
    const filler = await fill();
    const refused = await lftp(location, 'put pile.log');
    await rm(filler);
    expect(refused).toMatch(/452/);
    expect(await transferOnce(admin, device.id, () => true)).toMatchObject({ endedAt: null });
    await lftp(location, 'put pile.log');
    expect(await transferOnce(admin, device.id, ({ endedAt }) => endedAt !== null)).toMatchObject({
      ...{ state: 'stored', fileName: 'pile.log', size: 9_000 },
    });
  });
});

test.skipIf(disk === null)(
  'with a full disk s3cmd is refused with the cause, and readiness names it until there is space',
  async () => {
    await writeFile(join(folder, 'large.bin'), randomBytes(1_000_000));
    const put = () => s3cmd('put', 'large.bin', 's3://chargehand/large.bin');
    const ready = async () => {
      const response = await fetch(`${server.url}/readyz`);
      return { status: response.status, ...((await response.json()) as { code: number; message: string }) };
    };
    // The tests before this one filled the disk, too.
    await expect.poll(ready).toMatchObject({ status: 200 });
    const filler = await fill();
    expect(await put()).toMatch(/507|InsufficientStorage|no room/i);
    await expect.poll(ready).toMatchObject({ status: 503, code: CODES.folderFull.code, message: CODES.folderFull.en });
    await rm(filler);
    await expect.poll(ready).toMatchObject({ status: 200 });
    expect(await put()).toContain('large.bin');
    expect(await s3cmd('ls', 's3://chargehand/')).toMatch(/1000000\s+s3:\/\/chargehand\/large\.bin/);
  },
);

/** A small disk in memory; null when this account may not mount one. */
function mountDisk(): string | null {
  const path = mkdtempSync(join(tmpdir(), 'chargehand-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m,mode=755`, 'tmpfs', path], { stdio: 'ignore' });
    return path;
  } catch {
    rmdirSync(path);
    return null;
  }
}

/** Writes a file until the disk is full, and returns its path. */
async function fill(): Promise<string> {
  const path = join(disk!, 'filler');
  for (let size = 1024 * 1024; size >= 1; ) {
    try {
      await appendFile(path, Buffer.alloc(size, 1));
    } catch {
      size = Math.floor(size / 2);
    }
  }
  return path;
}
