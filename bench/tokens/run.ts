import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { connectDatabase } from '../../apps/server/src/platform/database/connect.ts';
import { startEmbeddedPostgres } from '../../apps/server/src/platform/database/embedded/embedded.ts';
import { migrate } from '../../apps/server/src/platform/database/migrate.ts';
import { createLog } from '../../apps/server/src/platform/log.ts';
import { startProgram } from '../../apps/server/src/testing/program.ts';
import { seedWorld } from '../../apps/server/src/testing/world.ts';

/**
 * Two questions about tokens, each compared with the same run: Authorize with 100,000 tokens in the database (goal: p95
 * at most 1.2 times that without tokens), and heartbeats while 10,000 tokens reach 1,000 charge points (goal: p99 at most
 * twice that of idle ones). `--devices N` and `--tokens N` make the second one smaller. The charge points share the
 * processors with the server, so the time for which its event loop was blocked is printed, too.
 */
const option = (name: string, usual: number) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? usual : Number(process.argv[at + 1]);
};
const AUTHORIZATIONS = 2_000;
const TURNS = 4;
const KNOWN = 100_000;
const DEVICES = option('devices', 1_000);
const TOKENS = option('tokens', 10_000);
/** Entries of a message that a charge point accepts. */
const PER_MESSAGE = 400;
const HEARTBEAT_MS = 10_000;
const IDLE_MS = 15_000;
/** Below the range of ephemeral ports. */
const PORT = '19791';

const folder = await mkdtemp(join(tmpdir(), 'chargehand-bench-'));
const postgres = await startEmbeddedPostgres({ folder, log: createLog('error') });
const database = connectDatabase(postgres.url, { max: 2 });
const { pool } = database;
await migrate(pool);
const world = await seedWorld(database.db);
const site = { customer: world.customers.south, id: world.sites.southPark };
await pool.query(`insert into token_policies (customer_id, policy, set_by_name) values ($1, 'known', 'bench')`, [
  world.customers.north,
]);
await pool.query(
  `insert into devices (sn, name, site_id, customer_id, device_model_id)
   select 'BENCH-' || n, 'Bench ' || n, $1, $2, $3 from generate_series(1, $4::int) n`,
  [site.id, site.customer, world.model, DEVICES],
);
await pool.query(
  `insert into device_states (device_id) select id from devices where sn like 'BENCH-%' on conflict do nothing`,
);
await pool.query(
  `insert into device_parameters (device_id, key, value, readonly, read_at)
   select id, 'SendLocalListMaxLength', $1, true, now() from devices where sn like 'BENCH-%'`,
  [String(PER_MESSAGE)],
);
const program = await startProgram(
  { PORT, HOST: '127.0.0.1', DATABASE_URL: postgres.url, CHARGEHAND_DATA: folder },
  { meter: true },
);
let missed = false;
try {
  const device = await chargePoint(world.devices.northQuay1.sn);
  const without: number[] = [];
  const withTokens: number[] = [];
  // In turns, so that other load on the machine affects both.
  for (let turn = 0; turn < TURNS; turn += 1) {
    await pool.query('delete from tokens');
    await pool.query('vacuum analyze tokens');
    await authorize(device, 100);
    without.push(...(await authorize(device, AUTHORIZATIONS / TURNS)));
    await addTokens(world.customers.north, KNOWN);
    await authorize(device, 100);
    withTokens.push(...(await authorize(device, AUTHORIZATIONS / TURNS)));
  }
  device.close();
  report('Authorize without tokens, p95', quantile(without, 0.95), null, 0);
  report(`Authorize with ${KNOWN} tokens, p95`, quantile(withTokens, 0.95), quantile(without, 0.95), 1.2);

  const fleet: ChargePoint[] = [];
  for (let number = 1; number <= DEVICES; number += 1) fleet.push(await chargePoint(`BENCH-${number}`));
  const beats: number[] = [];
  const beat = (one: ChargePoint) => void timed(() => one.call('Heartbeat', {})).then((ms) => beats.push(ms));
  let turn = 0;
  // Every charge point about once in ten seconds, at random times as in a fleet: evenly spaced heartbeats never meet.
  let isBeating = true;
  const nextBeat = () => {
    if (!isBeating) return;
    beat(fleet[turn++ % fleet.length]!);
    setTimeout(nextBeat, (-Math.log(1 - Math.random()) * HEARTBEAT_MS) / DEVICES);
  };
  nextBeat();
  await wait(IDLE_MS);
  beats.length = 0;
  await program.stalls();
  await wait(IDLE_MS);
  const idle = { beats: [...beats], stalls: await program.stalls() };
  await addTokens(site.customer, TOKENS);
  beats.length = 0;
  await program.stalls();
  const began = performance.now();
  await pool.query(`insert into token_policies (customer_id, policy, set_by_name) values ($1, 'known', 'bench')`, [
    site.customer,
  ]);
  for (let equal = 0; equal < DEVICES; ) {
    await wait(2_000);
    const { rows } = await pool.query<{ n: number }>(
      `select count(*)::int as n from device_token_lists where state = 'equal' and entries = $1`,
      [TOKENS],
    );
    equal = rows[0]!.n;
    if (performance.now() - began > 30 * 60_000) throw new Error(`only ${equal} lists are equal after 30 minutes`);
  }
  const seconds = (performance.now() - began) / 1_000;
  const stalls = await program.stalls();
  isBeating = false;
  console.log(`${TOKENS} tokens reached ${DEVICES} charge points in ${seconds.toFixed(0)} s`);
  const [before, during] = [quantile(idle.beats, 0.99), quantile(beats, 0.99)];
  console.log(
    `heartbeats, p50: ${quantile(idle.beats, 0.5).toFixed(2)} ms idle, ${quantile(beats, 0.5).toFixed(2)} ms meanwhile`,
  );
  report('heartbeats of idle charge points, p99', before, null, 0);
  report('heartbeats meanwhile, p99', during, before, 2);
  const shown = ({ p99, longest }: typeof stalls) => `p99 ${p99.toFixed(1)} ms, longest ${longest.toFixed(1)} ms`;
  console.log(`event loop blocked: ${shown(idle.stalls)} idle; ${shown(stalls)} meanwhile`);
} finally {
  await program.stop();
  await database.close();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}
process.exit(missed ? 1 : 0);

interface ChargePoint {
  call(action: string, payload: object): Promise<unknown>;
  close(): void;
}

/** A booted charge point with a local list, which answers every message of the server at once. */
async function chargePoint(sn: string): Promise<ChargePoint> {
  const socket = new WebSocket(`ws://127.0.0.1:${PORT}/ocpp/${sn}`, 'ocpp1.6');
  const waiting = new Map<string, (payload: unknown) => void>();
  let sent = 0;
  let version = 0;
  socket.on('message', (data) => {
    const [kind, id, action, payload] = JSON.parse(String(data));
    if (kind === 3) {
      waiting.get(id)?.(action);
      waiting.delete(id);
    } else if (kind === 2) {
      if (action === 'SendLocalList') version = payload.listVersion;
      const answer = action === 'GetLocalListVersion' ? { listVersion: version } : { status: 'Accepted' };
      socket.send(JSON.stringify([3, id, action === 'GetConfiguration' ? {} : answer]));
    }
  });
  await once(socket, 'open');
  const one: ChargePoint = {
    call: (action, payload) =>
      new Promise((resolve) => {
        sent += 1;
        waiting.set(`b${sent}`, resolve);
        socket.send(JSON.stringify([2, `b${sent}`, action, payload]));
      }),
    close: () => socket.close(),
  };
  await one.call('BootNotification', { chargePointVendor: 'Bench', chargePointModel: 'Bench' });
  return one;
}

async function authorize(device: ChargePoint, rounds: number): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    times.push(await timed(() => device.call('Authorize', { idTag: `BENCH-${(round * 37) % 1_000}` })));
  }
  return times;
}

async function addTokens(customer: number, count: number): Promise<void> {
  await pool.query(
    `with book as (
       insert into token_books as b (customer_id, revision) values ($1, $2)
       on conflict (customer_id) do update set revision = b.revision + $2 returning revision
     )
     insert into tokens (customer_id, value, type, revision, created_by_name)
     select $1, 'BENCH-' || n, 'ISO14443', book.revision - $2 + n, 'bench' from book, generate_series(1, $2::int) n`,
    [customer, count],
  );
  await pool.query('vacuum analyze tokens');
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function quantile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function report(what: string, ms: number, floor: number | null, goal: number): void {
  const ratio = floor === null ? '' : `, ratio ${(ms / floor).toFixed(2)} (goal: at most ${goal})`;
  console.log(`${what}: ${ms.toFixed(2)} ms${ratio}`);
  if (floor !== null && !(ms / floor <= goal)) missed = true;
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
