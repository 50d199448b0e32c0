import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operationsEndpoints } from '@chargehand/contract';
import type { PoolClient } from 'pg';
import { WebSocket } from 'ws';
import { connectDatabase } from '../../apps/server/src/platform/database/connect.ts';
import { startEmbeddedPostgres } from '../../apps/server/src/platform/database/embedded/embedded.ts';
import { migrate } from '../../apps/server/src/platform/database/migrate.ts';
import { createLog } from '../../apps/server/src/platform/log.ts';
import { client, openSession } from '../../apps/server/src/testing/client.ts';
import { startProgram } from '../../apps/server/src/testing/program.ts';
import { seedWorld } from '../../apps/server/src/testing/world.ts';

/**
 * A command from the console's request through the device to the notification of its result on another database
 * connection, compared with a bare WebSocket round trip and a bare relay from HTTP to WebSocket and back. They run one
 * at a time and in turns, so that other load on the machine affects all of them.
 */
const ROUNDS = 1_000;
const WARM_UP = 200;
/** The frame of the bare round trips, as long as that of the command. */
const CALL = JSON.stringify([2, 'a0c5f9a2', 'ChangeAvailability', { connectorId: 0, type: 'Operative' }]);

const folder = await mkdtemp(join(tmpdir(), 'chargehand-bench-'));
const postgres = await startEmbeddedPostgres({ folder, log: createLog('error') });
const database = connectDatabase(postgres.url, { max: 2 });
await migrate(database.pool);
const listener = await listenForEnds();
const world = await seedWorld(database.db);
const { id, sn } = world.devices.northQuay1;
/** Below the range of ephemeral ports. */
const PORT = '19790';
const program = await startProgram({ PORT, HOST: '127.0.0.1', DATABASE_URL: postgres.url, CHARGEHAND_DATA: folder });
const floor = spawn(process.execPath, [join(import.meta.dirname, 'floor.ts')], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  const floorPort = String((await once(floor.stdout, 'data'))[0]).trim();
  const echo = await connect(`ws://127.0.0.1:${floorPort}/echo`);
  await answering(await connect(`ws://127.0.0.1:${floorPort}/device`));
  const device = await connect(`ws://127.0.0.1:${PORT}/ocpp/${sn}`, 'ocpp1.6');
  await answering(device);
  await boot(device);
  const admin = client(program.url, await openSession(database.db, world.users.northAdmin, 600));

  const times = { websocket: [] as number[], relay: [] as number[], command: [] as number[] };
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    const websocket = await timed(() => bareRoundTrip(echo));
    const relay = await timed(() => bareRelay(floorPort));
    const command = await timed(() => commandRoundTrip(admin, round % 2 === 0 ? 'disableSystem' : 'enableSystem'));
    if (round < 0) continue;
    times.websocket.push(websocket);
    times.relay.push(relay);
    times.command.push(command);
  }
  report('bare WebSocket round trip', times.websocket, times.websocket);
  report('bare HTTP to WebSocket relay', times.relay, times.websocket);
  report('command: request, device, stored result', times.command, times.websocket);
} finally {
  floor.kill();
  await program.stop();
  listener.release();
  await database.close();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}
process.exit();

async function bareRoundTrip(socket: WebSocket): Promise<void> {
  const answered = once(socket, 'message');
  socket.send(CALL);
  await answered;
}

async function bareRelay(port: string): Promise<void> {
  await (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: CALL })).text();
}

async function commandRoundTrip(
  admin: ReturnType<typeof client>,
  kind: 'disableSystem' | 'enableSystem',
): Promise<void> {
  const stored = once(listener, 'notification');
  await admin.data(operationsEndpoints.sendCommand, { params: { id }, body: { kind } });
  const [{ payload }] = await stored;
  if (payload !== '2') throw new Error(`the command ended with result ${payload}`);
}

/**
 * A connection that is notified of every ended execution on commit. Polling would take CPU time from the measurement.
 */
async function listenForEnds(): Promise<PoolClient> {
  const connection = await database.pool.connect();
  await connection.query(`
    create function tell_end() returns trigger language plpgsql as
      $$ begin perform pg_notify('ended', new.result::text); return null; end $$;
    create trigger tell_end after update on executions for each row when (new.state = 'ended') execute function tell_end();
    listen ended`);
  return connection;
}

async function connect(url: string, protocol?: string): Promise<WebSocket> {
  const socket = new WebSocket(url, protocol, { perMessageDeflate: false });
  await once(socket, 'open');
  return socket;
}

/** A device that accepts every command immediately. */
async function answering(socket: WebSocket): Promise<void> {
  socket.on('message', (data) => {
    const frame = JSON.parse(String(data));
    if (frame[0] === 2) socket.send(JSON.stringify([3, frame[1], { status: 'Accepted' }]));
  });
}

async function boot(socket: WebSocket): Promise<void> {
  const answered = once(socket, 'message');
  const payload = { chargePointVendor: 'Bench', chargePointModel: 'Bench' };
  socket.send(JSON.stringify([2, 'boot', 'BootNotification', payload]));
  const answer = JSON.parse(String((await answered)[0]));
  if (answer[2]?.status !== 'Accepted') throw new Error(`the boot was answered with ${JSON.stringify(answer)}`);
}

async function timed(act: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await act();
  return performance.now() - started;
}

function report(name: string, times: number[], against: number[]): void {
  const at = (values: number[], share: number) => values.toSorted((a, b) => a - b)[Math.floor(values.length * share)]!;
  const figure = (share: number) =>
    `${at(times, share).toFixed(2).padStart(7)} ms (${(at(times, share) / at(against, share)).toFixed(1)} x)`;
  console.log(`${name.padEnd(42)} p50 ${figure(0.5)}   p99 ${figure(0.99)}`);
}
