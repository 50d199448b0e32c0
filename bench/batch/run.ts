// Queues commands for many simulated piles at once, in batches of one command to all of them, and measures the time
// until the last result is stored, compared with the time that the piles need for their sequential responses. Prints
// the ratio. The default is small; BENCH_PILES=1000 BENCH_COMMANDS=10000 is the real measurement.
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { batchEndpoints } from '@chargehand/contract';
import { WebSocket } from 'ws';
import { connectDatabase } from '../../apps/server/src/platform/database/connect.ts';
import { startEmbeddedPostgres } from '../../apps/server/src/platform/database/embedded/embedded.ts';
import { migrate } from '../../apps/server/src/platform/database/migrate.ts';
import { createLog } from '../../apps/server/src/platform/log.ts';
import { client, openSession } from '../../apps/server/src/testing/client.ts';
import { startProgram } from '../../apps/server/src/testing/program.ts';
import { seedWorld } from '../../apps/server/src/testing/world.ts';

const PILES = Number(process.env.BENCH_PILES ?? 100);
const COMMANDS = Number(process.env.BENCH_COMMANDS ?? 1_000);
/** The response time of a pile, as of a real one on a good mobile connection. */
const ANSWER_MS = 100;
/** The maximum overhead of the product, relative to the time of the piles. */
const LIMIT = 10;
/** Below the range of ephemeral ports. */
const PORT = '19791';
/** Piles that connect at the same time; the router of a site would not allow more either. */
const CONNECTING = 50;

const rounds = Math.ceil(COMMANDS / PILES);
const folder = await mkdtemp(join(tmpdir(), 'chargehand-bench-'));
const postgres = await startEmbeddedPostgres({ folder, log: createLog('error') });
const database = connectDatabase(postgres.url, { max: 4 });
await migrate(database.pool);
const world = await seedWorld(database.db);
const { rows: devices } = await database.pool.query<{ id: number; sn: string }>(
  `with added as (
     insert into devices (sn, name, site_id, customer_id, device_model_id)
     select 'BENCH' || lpad(n::text, 5, '0'), 'Bench ' || n, s.id, s.customer_id, $1
       from generate_series(1, $2::int) n, sites s where s.id = $3
     returning id, sn
   ), states as (insert into device_states (device_id) select id from added)
   select id, sn from added`,
  [world.model, PILES, world.sites.northQuay],
);
const program = await startProgram({ PORT, HOST: '127.0.0.1', DATABASE_URL: postgres.url, CHARGEHAND_DATA: folder });
/** The total response time of each pile, in milliseconds. */
const taken = new Map<string, number>();
const sockets: WebSocket[] = [];
try {
  for (let from = 0; from < devices.length; from += CONNECTING) {
    await Promise.all(devices.slice(from, from + CONNECTING).map(({ sn }) => connect(sn)));
  }
  const admin = client(program.url, await openSession(database.db, world.users.northAdmin, 600));
  const deviceIds = devices.map(({ id }) => id);
  const started = performance.now();
  const batches: number[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const body = { kind: 'refreshParameters', key: `Key${round}`, deviceIds, parallel: PILES } as const;
    batches.push((await admin.data(batchEndpoints.createBatch, { body })).id);
  }
  const queued = performance.now() - started;
  for (;;) {
    const { rows } = await database.pool.query<{ left: number }>(
      'select count(*)::int as left from command_batches where id = any($1) and ended_at is null',
      [batches],
    );
    if (rows[0]?.left === 0) break;
    await pass(20);
  }
  const wall = performance.now() - started;
  const { rows: results } = await database.pool.query<{ succeeded: number; total: number }>(
    `select count(*) filter (where result = 2)::int as succeeded, count(*)::int as total
       from executions where batch_id = any($1)`,
    [batches],
  );
  const { succeeded, total } = results[0]!;
  if (succeeded !== total) throw new Error(`${total - succeeded} of ${total} commands did not succeed`);
  const sums = [...taken.values()];
  const longest = Math.max(...sums);
  const all = sums.reduce((sum, ms) => sum + ms, 0);
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(2)} s`;
  console.log(`${total} commands over ${PILES} piles, queued in ${seconds(queued)}`);
  console.log(`to the last result ${seconds(wall)}, ${Math.round(total / (wall / 1_000))} commands per second`);
  console.log(`the piles themselves: the slowest ${seconds(longest)}, all together ${seconds(all)}`);
  const ratio = wall / longest;
  console.log(
    `ratio to the slowest pile: ${ratio.toFixed(2)} times (at most ${LIMIT}); to all: ${(wall / all).toFixed(4)}`,
  );
  if (ratio > LIMIT) process.exitCode = 1;
} finally {
  for (const socket of sockets) socket.terminate();
  await program.stop();
  await database.close();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}
process.exit();

/** A pile that boots, and responds to each request after its response time. */
async function connect(sn: string): Promise<void> {
  const socket = new WebSocket(`ws://127.0.0.1:${PORT}/ocpp/${sn}`, 'ocpp1.6', { perMessageDeflate: false });
  sockets.push(socket);
  await once(socket, 'open');
  const booted = once(socket, 'message');
  const boot = { chargePointVendor: 'Bench', chargePointModel: 'Bench' };
  socket.send(JSON.stringify([2, 'boot', 'BootNotification', boot]));
  await booted;
  socket.on('message', (data) => {
    const [type, id, , payload] = JSON.parse(String(data));
    if (type !== 2) return;
    const from = performance.now();
    setTimeout(() => {
      const [key] = (payload as { key?: string[] }).key ?? [];
      socket.send(JSON.stringify([3, id, { configurationKey: [{ key, readonly: false, value: '1' }] }]));
      taken.set(sn, (taken.get(sn) ?? 0) + performance.now() - from);
    }, ANSWER_MS);
  });
}
