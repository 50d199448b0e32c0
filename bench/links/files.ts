// Files of a device through a terminal (`BENCH_MB` sets their size), next to `scp` from and to the same SSH server, in
// turns: directly, and through `ssh -R` of OpenSSH, which encrypts everything twice as a link does. Prints the speeds,
// the ratios, and how much the memory of the server grew at most. The device is OpenSSH's sshd on this machine, and its
// link is opened by the script of the documentation. The client is curl.
import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CSRF_COOKIE, CSRF_HEADER, linkEndpoints, type SharedUpload, TOKEN_COOKIE } from '@chargehand/contract';
import { addressOf, client, openSession } from '../../apps/server/src/testing/client.ts';
import { freePort } from '../../apps/server/src/testing/deployment/free-port.ts';
import { eventually } from '../../apps/server/src/testing/eventually.ts';
import { connectPile } from '../../apps/server/src/testing/gateways/pile.ts';
import { openLink } from '../../apps/server/src/testing/links/link-device.ts';
import { openSshServer } from '../../apps/server/src/testing/links/ssh-servers.ts';
import { newKeyPair } from '../../apps/simulator/src/remote/key-pair.ts';
import { startDatabase } from '../side-by-side.ts';
import { openPage } from './terminal.ts';

const { requestLink, readLink, openTerminal, startDownload, readDownload, startUpload, sendUploadPart } = linkEndpoints;
const MB = 1_024 ** 2;
const SIZE = Number(process.env.BENCH_MB ?? 512) * MB;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
/** Of the speed through `ssh -R`. */
const GOAL = 0.7;
/** How much the memory of the server may grow, whatever the size of the file. MB. */
const GROWTH = 64;
const SN = 'SIM00001';

const base = await startDatabase();
const { db, pool } = base.database;
const server = fork(join(import.meta.dirname, 'server.ts'), [base.folder], {
  execArgv: ['--expose-gc', ...(process.env.BENCH_NODE_OPTIONS?.split(' ') ?? [])],
  env: { ...process.env, DATABASE_URL: base.url, NODE_NO_WARNINGS: '1' },
});
const { url, deviceUrl } = await messageFrom<{ url: string; deviceUrl: string }>(server);
const user = await db.selectFrom('users').select('id').where('root', '=', true).executeTakeFirstOrThrow();
await pool.query('insert into privacy_acceptances (user_id, version) select $1, version from privacy_policies', [
  user.id,
]);
const session = await openSession(db, user.id, 600);
const root = client(url, session);
const cookie = `${TOKEN_COOKIE}=${session.token}; ${CSRF_COOKIE}=${session.csrf}`;
const { id: deviceId } = await db.selectFrom('devices').select('id').where('sn', '=', SN).executeTakeFirstOrThrow();

// The device, and the key for scp.
const device = await openSshServer();
const own = newKeyPair();
writeFileSync(device.keys, `${own.public}\n`);
const keyFile = join(base.folder, 'key');
writeFileSync(keyFile, own.private, { mode: 0o600 });
const pile = await connectPile({ port: Number(new URL(deviceUrl).port) }, SN);
const { id } = await root.data(requestLink, {
  params: { id: deviceId },
  body: { kind: 'ssh', reason: 'Benchmark', port: device.port, minutes: 240 },
});
const control = await pile.call(1);
pile.answer(control.id, { status: 'Accepted' });
const params = JSON.parse(String(control.payload.data));
const link = openLink('ssh', params, {}, { file: device.keys, server: 'openssh' });
while ((await root.data(readLink, { params: { id } })).state !== 'open') await pause(10);
const { key } = await root.data(openTerminal, { params: { id }, body: { cols: 80, rows: 24 } });
// A terminal that no page shows ends after a minute.
const page = openPage(url, session.token, key);

// The same with OpenSSH on both sides: a tunnel to another sshd, and `scp` through it.
const gateway = await openSshServer();
writeFileSync(gateway.keys, `${own.public}\n`);
const forwarded = await freePort();
const tunnel = spawn('ssh', [
  ...['-N', '-R', `127.0.0.1:${forwarded}:127.0.0.1:${device.port}`, '-p', String(gateway.port)],
  ...['-o', 'ExitOnForwardFailure=yes', ...sshOptions(), `${gateway.userName}@127.0.0.1`],
]);
await eventually(
  () => isOpen(forwarded),
  (opened) => opened,
  { what: 'the tunnel of OpenSSH' },
);

const source = join(device.folder, 'source');
await writeSource(source);
const [copy, uploaded] = [join(base.folder, 'copy'), join(device.folder, 'uploaded')];
// The first transfer of a process compiles code and makes its heap larger, whatever the size of the file.
await download(source, copy);
await upload(copy, uploaded);
type Speeds = Record<'product' | 'scp' | 'forwarded', number[]>;
const speeds: Record<'download' | 'upload', Speeds> = {
  download: { product: [], scp: [], forwarded: [] },
  upload: { product: [], scp: [], forwarded: [] },
};
const growth: number[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  const remote = (path: string) => `${device.userName}@127.0.0.1:${path}`;
  speeds.download.scp.push(await speed(copy, () => scp(device.port, remote(source), copy)));
  speeds.download.forwarded.push(await speed(copy, () => scp(forwarded, remote(source), copy)));
  speeds.download.product.push(await speed(copy, () => watched('download', () => download(source, copy))));
  speeds.upload.scp.push(await speed(uploaded, () => toDisk(device.port, copy, uploaded)));
  speeds.upload.forwarded.push(await speed(uploaded, () => toDisk(forwarded, copy, uploaded)));
  speeds.upload.product.push(await speed(uploaded, () => watched('upload', () => upload(copy, uploaded))));
}
const missed: string[] = [];
for (const [name, measured] of Object.entries(speeds)) {
  const [product, direct, ceiling] = [median(measured.product), median(measured.scp), median(measured.forwarded)];
  if (product / ceiling < GOAL) missed.push(name);
  console.log(
    `${name} of ${SIZE / MB} MB, median of ${ROUNDS}: ${product.toFixed(0)} MB/s; scp through ssh -R ` +
      `${ceiling.toFixed(0)}: ratio ${(product / ceiling).toFixed(2)} (goal ${GOAL}); scp directly ${direct.toFixed(0)}: ` +
      `ratio ${(product / direct).toFixed(2)}, of ssh -R ${(ceiling / direct).toFixed(2)}`,
  );
}
const most = Math.max(...growth);
console.log(`memory of the server: at most ${most.toFixed(0)} MB more during transfers`);
if (most > GROWTH) missed.push('memory');

page.close();
await link.stop();
await pile.cut();
tunnel.kill();
await once(tunnel, 'close');
await gateway.stop();
await device.stop();
server.disconnect();
await once(server, 'exit');
await base.stop();
if (missed.length > 0) {
  console.log(`goals missed: ${missed.join(', ')}`);
  process.exitCode = 1;
}

/** As a browser does: one connection, written to the disk as it arrives. */
async function download(path: string, to: string): Promise<void> {
  const { id: transferId } = await root.data(startDownload, { params: { id }, body: { key, path } });
  const address = `${url}${addressOf(readDownload, { id, transferId }, { key })}`;
  await run('curl', ['--silent', '--fail', '--cookie', cookie, '--output', to, address]);
}

/** In parts, as the console does on a fast network. */
async function upload(from: string, path: string): Promise<void> {
  const body = { key, path, size: SIZE, replace: true };
  const begun: SharedUpload = await root.data(startUpload, { params: { id }, body });
  const headers = { cookie, [CSRF_HEADER]: session.csrf, 'content-type': 'application/octet-stream' };
  for (const [index, part] of partsOf(from, begun.partBytes).entries()) {
    const offset = index * begun.partBytes;
    const address = `${url}${addressOf(sendUploadPart, { id, transferId: begun.id }, { key, offset })}`;
    const answer = join(base.folder, 'answer');
    const options = Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`]);
    await run('curl', ['--silent', '--show-error', ...options, '--output', answer, '--upload-file', part, address]);
    const { code, message } = JSON.parse(readFileSync(answer, 'utf8'));
    if (code !== 0) throw new Error(message);
  }
}

/** Copies of the parts of the file that is uploaded: all uploads have the same one. */
function partsOf(from: string, bytes: number): string[] {
  const count = Math.ceil(SIZE / bytes);
  const names = Array.from({ length: count }, (_, index) => `${from}.part${String(index).padStart(3, '0')}`);
  if (names.some((name) => !existsSync(name))) {
    execFileSync('split', ['--bytes', String(bytes), '--numeric-suffixes', '--suffix-length=3', from, `${from}.part`]);
  }
  return names;
}

async function scp(port: number, from: string, to: string): Promise<void> {
  await run('scp', ['-q', '-P', String(port), ...sshOptions(), from, to]);
}

/** Uploads a file, and waits until it is on the disk, as the product does. */
async function toDisk(port: number, from: string, path: string): Promise<void> {
  await scp(port, from, `${device.userName}@127.0.0.1:${path}`);
  await run('sync', [path]);
}

function sshOptions(): string[] {
  const options = ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'LogLevel=ERROR'];
  return ['-F', 'none', '-i', keyFile, ...options.flatMap((one) => ['-o', one])];
}

async function run(program: string, args: string[]): Promise<void> {
  const [code] = await once(spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'] }), 'close');
  if (code !== 0) throw new Error(`${program} ended with ${code}`);
}

function isOpen(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(port, '127.0.0.1');
  socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  return promise.finally(() => socket.destroy());
}

/** MB per second of a transfer that writes a file. */
async function speed(path: string, work: () => Promise<void>): Promise<number> {
  const from = performance.now();
  await work();
  const seconds = (performance.now() - from) / 1_000;
  const { size } = statSync(path);
  if (size !== SIZE) throw new Error(`${path} has ${size} bytes`);
  return SIZE / MB / seconds;
}

/** Measures how much the memory of the server grows during a transfer, and prints its CPU time. */
async function watched(name: string, work: () => Promise<void>): Promise<void> {
  const before = await settled();
  // Linux: forgets the highest memory so far.
  writeFileSync(`/proc/${server.pid}/clear_refs`, '5');
  await work();
  const highest = Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1_024;
  growth.push(highest - before.rss / MB);
  const { cpuBefore } = await settled();
  console.log(`${name}: ${(((cpuBefore - before.cpu) * 1_000 * MB) / SIZE).toFixed(1)} ms CPU of the server per MB`);
}

/** The memory of the server after garbage collections in bytes, and its CPU time before and after them in seconds. */
async function settled(): Promise<{ rss: number; cpuBefore: number; cpu: number }> {
  server.send('memory');
  return await messageFrom(server);
}

async function messageFrom<T>(child: ChildProcess): Promise<T> {
  const [message] = await once(child, 'message');
  return message as T;
}

async function writeSource(path: string): Promise<void> {
  const file = await open(path, 'w');
  for (let written = 0; written < SIZE; written += 16 * MB) await file.write(randomBytes(16 * MB));
  await file.close();
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
