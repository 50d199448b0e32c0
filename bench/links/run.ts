// Links to devices: from the request to the prompt, the echo of a key press next to a bare `ssh`, Ctrl-C during endless
// output, and the memory of idle links. The device is simulated and connects with the `ssh` of this machine.
import { type ChildProcess, fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { linkEndpoints } from '@chargehand/contract';
import ssh2 from 'ssh2';
import { publicKeyOf } from '../../apps/server/src/testing/cases/ground.ts';
import { client, openSession } from '../../apps/server/src/testing/client.ts';
import { seal } from '../../apps/server/src/testing/sign-in.ts';
import { startDatabase } from '../side-by-side.ts';
import { openPage, openSsh, type Terminal } from './terminal.ts';

const { requestLink, readLink, openTerminal, destroyLink } = linkEndpoints;
const LINKS = 20;
const KEYS = 300;
const FLOOD_MS = 30_000;
const IDLE_LINKS = 1_000;
/** Below the limit of connections of one address that have not signed in. */
const AT_ONCE = 10;
const MB = 1_024 ** 2;

const base = await startDatabase();
const { db, pool } = base.database;
const server = start('server.ts', [base.folder]);
const { url, deviceUrl, linksPort } = await messageFrom<{ url: string; deviceUrl: string; linksPort: number }>(server);
const device = start('device.ts', [deviceUrl]);
const direct = await messageFrom<{ port: number; privateKey: string }>(device);
const user = await db.selectFrom('users').select('id').where('root', '=', true).executeTakeFirstOrThrow();
await pool.query('insert into privacy_acceptances (user_id, version) select $1, version from privacy_policies', [
  user.id,
]);
const session = await openSession(db, user.id);
const root = client(url, session);
const sn = 'SIM00001';
const { id: deviceId } = await db.selectFrom('devices').select('id').where('sn', '=', sn).executeTakeFirstOrThrow();
const connected = 'select from device_states where device_id = $1 and connected';
while ((await pool.query(connected, [deviceId])).rowCount === 0) await pause(10);
const password = seal(await publicKeyOf(db), 'demo');
const missed: string[] = [];

// From the request of a link to the prompt of its terminal.
const starts: number[] = [];
let terminal: Terminal | undefined;
for (let count = 1; count <= LINKS; count += 1) {
  const from = performance.now();
  const { id, shown } = await openPrompt();
  starts.push(performance.now() - from);
  if (count < LINKS) await root.data(destroyLink, { params: { id } });
  else terminal = shown;
}
console.log(`request to prompt, ${LINKS} times: p50 ${p(starts, 0.5)} ms, p95 ${p(starts, 0.95)} ms`);
if (quantile(starts, 0.95) > 2_000) missed.push('request to prompt');

// The echo of a key press, in turns with a bare ssh.
if (!terminal) throw new Error('there is no terminal');
const keyFile = join(base.folder, 'key');
await writeFile(keyFile, direct.privateKey, { mode: 0o600 });
const bare = openSsh(direct.port, keyFile);
await bare.shows('$ ');
const [product, floor]: [number[], number[]] = [[], []];
for (let count = 0; count < KEYS; count += 1) {
  for (const [side, times] of [
    [terminal, product],
    [bare, floor],
  ] as const) {
    const from = performance.now();
    side.type('x');
    await side.shows('x');
    times.push(performance.now() - from);
  }
  // A line has at most 1,000 characters; people press keys with pauses.
  await pause(10);
}
const ratio = (quantile(product, 0.5) / quantile(floor, 0.5)).toFixed(2);
console.log(
  `echo, ${KEYS} keys: p50 ${p(product, 0.5)} ms, p95 ${p(product, 0.95)} ms; ssh ${p(floor, 0.5)}, ${p(floor, 0.95)}: ratio ${ratio}`,
);
if (quantile(product, 0.5) > 3 || quantile(product, 0.95) > 10) missed.push('echo');
bare.close();

// Ctrl-C during endless output.
terminal.type('\x15yes\r');
const before = terminal.bytes();
await pause(FLOOD_MS);
const flood = terminal.bytes() - before;
const from = performance.now();
terminal.type('\x03');
await terminal.shows('$ ');
const stopped = performance.now() - from;
console.log(
  `${FLOOD_MS / 1_000} s of yes: ${((flood / MB / FLOOD_MS) * 1_000).toFixed(1)} MB/s; Ctrl-C shows the prompt in ${stopped.toFixed(0)} ms`,
);
if (stopped > 300) missed.push('Ctrl-C');
terminal.close();

// The memory of idle links. Their devices are clients in this process.
const quiet = await memory();
const clients: ssh2.Client[] = [];
for (let first = 0; first < IDLE_LINKS; first += AT_ONCE) {
  clients.push(...(await Promise.all(Array.from({ length: AT_ONCE }, openIdle))));
}
const grown = (await memory()) - quiet;
console.log(`${IDLE_LINKS} idle links: ${(grown / MB).toFixed(1)} MB more memory`);
if (grown > 60 * MB) missed.push('memory of idle links');

for (const one of clients) one.end();
for (const child of [device, server]) {
  child.disconnect();
  await once(child, 'exit');
}
await base.stop();
if (missed.length > 0) {
  console.log(`goals missed: ${missed.join(', ')}`);
  process.exitCode = 1;
}

async function openPrompt(): Promise<{ id: number; shown: Terminal }> {
  const link = { kind: 'ssh', reason: 'Benchmark' } as const;
  const { id } = await root.data(requestLink, { params: { id: deviceId }, body: link });
  for (;;) {
    const { state, end } = await root.data(readLink, { params: { id } });
    if (state === 'open') break;
    if (state === 'ended') throw new Error(`the link ended: ${end}`);
    await pause(10);
  }
  const body = { userName: 'demo', password, cols: 80, rows: 24 };
  const { key } = await root.data(openTerminal, { params: { id }, body });
  const shown = openPage(url, session.token, key);
  await shown.shows('$ ');
  return { id, shown };
}

/** A device with the ticket of a new link. */
async function openIdle(): Promise<ssh2.Client> {
  const ticket = createHash('sha256').update('ticket').digest();
  const { rows } = await pool.query<{ id: number }>(
    `insert into links (kind, device_id, device_sn, device_name, customer_id, site_id, port, reason, minutes, until,
                        requested_by, requested_by_name, ticket_hash, ticket_until)
     select 'ssh', id, sn, name, customer_id, site_id, 22, 'Benchmark', 60, now() + interval '1 hour',
            $2, 'root', $3, now() + interval '2 min'
       from devices where id = $1 returning id`,
    [deviceId, user.id, ticket],
  );
  const idle = new ssh2.Client();
  idle.connect({ host: '127.0.0.1', port: linksPort, username: `${sn}.${rows[0]?.id}`, password: 'ticket' });
  await once(idle, 'ready');
  await new Promise<void>((resolve, reject) => {
    idle.forwardIn('localhost', 22, (error) => (error ? reject(error) : resolve()));
  });
  return idle;
}

function start(file: string, args: string[]): ChildProcess {
  return fork(join(import.meta.dirname, file), args, {
    execArgv: ['--expose-gc'],
    env: { ...process.env, DATABASE_URL: base.url, NODE_NO_WARNINGS: '1' },
  });
}

async function messageFrom<T>(child: ChildProcess): Promise<T> {
  const [message] = await once(child, 'message');
  return message as T;
}

async function memory(): Promise<number> {
  server.send('memory');
  return (await messageFrom<{ memory: number }>(server)).memory;
}

function quantile(times: readonly number[], share: number): number {
  return times.toSorted((one, other) => one - other)[Math.ceil(times.length * share) - 1] ?? 0;
}

function p(times: readonly number[], share: number): string {
  return quantile(times, share).toFixed(1);
}
