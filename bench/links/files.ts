// Files of a device through a terminal (`BENCH_MB` sets their size), next to `scp` from and to the same SSH server, in
// turns. Prints the speeds, the ratios, and how much the memory of the server grew at most. The device is OpenSSH's sshd
// on this machine, and its link is opened by the script of the documentation. The client is this process.
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { openAsBlob, readFileSync, statSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CSRF_COOKIE, linkEndpoints, type SharedUpload, TOKEN_COOKIE } from '@chargehand/contract';
import { addressOf, client, openSession } from '../../apps/server/src/testing/client.ts';
import { connectPile } from '../../apps/server/src/testing/gateways/pile.ts';
import { openLink } from '../../apps/server/src/testing/links/link-device.ts';
import { openSshServer } from '../../apps/server/src/testing/links/ssh-servers.ts';
import { newKeyPair } from '../../apps/simulator/src/remote/key-pair.ts';
import { startDatabase } from '../side-by-side.ts';

const { requestLink, readLink, openTerminal, startDownload, readDownload, startUpload, sendUploadPart } = linkEndpoints;
const MB = 1_024 ** 2;
const SIZE = Number(process.env.BENCH_MB ?? 512) * MB;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
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

const source = join(device.folder, 'source');
await writeSource(source);
const [copy, uploaded] = [join(base.folder, 'copy'), join(device.folder, 'uploaded')];
const speeds: Record<'download' | 'upload', { product: number[]; scp: number[] }> = {
  download: { product: [], scp: [] },
  upload: { product: [], scp: [] },
};
const growth: number[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  const remote = (path: string) => `${device.userName}@127.0.0.1:${path}`;
  speeds.download.scp.push(await speed(copy, () => scp(remote(source), copy)));
  speeds.download.product.push(await speed(copy, () => watched(() => download(source, copy))));
  speeds.upload.scp.push(await speed(uploaded, () => scp(copy, remote(uploaded))));
  speeds.upload.product.push(await speed(uploaded, () => watched(() => upload(copy, uploaded))));
}
const missed: string[] = [];
for (const [name, { product, scp: floor }] of Object.entries(speeds)) {
  const ratio = median(product) / median(floor);
  if (ratio < GOAL) missed.push(name);
  console.log(
    `${name} of ${SIZE / MB} MB, median of ${ROUNDS}: ${median(product).toFixed(0)} MB/s; scp ${median(floor).toFixed(0)}: ratio ${ratio.toFixed(2)}`,
  );
}
const most = Math.max(...growth);
console.log(`memory of the server: at most ${most.toFixed(0)} MB more during transfers`);
if (most > GROWTH) missed.push('memory');

await link.stop();
await pile.cut();
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
  const cookie = `${TOKEN_COOKIE}=${session.token}; ${CSRF_COOKIE}=${session.csrf}`;
  await run('curl', ['--silent', '--fail', '--cookie', cookie, '--output', to, address]);
}

/** In parts, as the console does. */
async function upload(from: string, path: string): Promise<void> {
  const body = { key, path, size: SIZE, replace: true };
  const begun: SharedUpload = await root.data(startUpload, { params: { id }, body });
  const file = await openAsBlob(from);
  for (let offset = 0; offset < SIZE; offset += begun.partBytes) {
    const response = await root.fetch(addressOf(sendUploadPart, { id, transferId: begun.id }, { key, offset }), {
      ...{ method: 'PUT', body: file.slice(offset, offset + begun.partBytes) },
      headers: { 'content-type': 'application/octet-stream' },
    });
    const answer = (await response.json()) as { code: number; message: string };
    if (answer.code !== 0) throw new Error(answer.message);
  }
}

async function scp(from: string, to: string): Promise<void> {
  const options = ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'LogLevel=ERROR'];
  const flags = ['-F', 'none', '-q', '-i', keyFile, '-P', String(device.port)];
  await run('scp', [...flags, ...options.flatMap((one) => ['-o', one]), from, to]);
}

async function run(program: string, args: string[]): Promise<void> {
  const [code] = await once(spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'] }), 'close');
  if (code !== 0) throw new Error(`${program} ended with ${code}`);
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

/** Measures how much the memory of the server grows during a transfer, and prints its processor time. */
async function watched(work: () => Promise<void>): Promise<void> {
  const before = await settled();
  // Linux: forgets the highest memory so far.
  writeFileSync(`/proc/${server.pid}/clear_refs`, '5');
  await work();
  const highest = Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1_024;
  growth.push(highest - before);
}

/** The memory of the server after garbage collection. MB. */
async function settled(): Promise<number> {
  server.send('memory');
  return (await messageFrom<{ rss: number }>(server)).rss / MB;
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
