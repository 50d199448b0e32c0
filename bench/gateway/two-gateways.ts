// Two processes on one database compared with one, in turns on one machine: CPU seconds of the processes and the database for
// 1,000 messages at a fixed rate; and the time of a command from its request to the device, through the process to which
// the device is connected, and through the other one. node bench/gateway/two-gateways.ts [--connections 200] [--rate 300]
// [--seconds 15] [--rounds 2] [--commands 300]
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { operationsEndpoints } from '@chargehand/contract';
import { WebSocket } from 'ws';
import { connectDatabase } from '../../apps/server/src/platform/database/connect.ts';
import { client, openSession } from '../../apps/server/src/testing/client.ts';
import { type Program, startProgram } from '../../apps/server/src/testing/program.ts';
import { seedWorld } from '../../apps/server/src/testing/world.ts';
import { type ChargePoint, connect, openLoop, percentiles } from './charge-points.ts';
import { cpuSeconds, startBench } from './servers.ts';

const { values } = parseArgs({
  options: {
    connections: { type: 'string', default: '200' },
    rate: { type: 'string', default: '300' },
    seconds: { type: 'string', default: '15' },
    rounds: { type: 'string', default: '2' },
    commands: { type: 'string', default: '300' },
  },
});
const connections = Number(values.connections);
const rate = Number(values.rate);
const seconds = Number(values.seconds);
/** Below the range of ephemeral ports. */
const PORTS = [19_781, 19_782] as const;
const GOALS = { cpu: 1.15, commandMs: 10 };
const WARM_UP = 20;
/** Longer than two renewals of a lease: then the processes know each other. Milliseconds. */
const SETTLE_MS = 11_000;

const bench = await startBench(connections);
const folder = await mkdtemp(join(tmpdir(), 'chargehand-bench-two-'));
const database = connectDatabase(bench.urls.product, { max: 2 });
let missed = false;
try {
  const costs: Record<1 | 2, number[]> = { 1: [], 2: [] };
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const count of [1, 2] as const) costs[count].push(await costOf(count));
  }
  const [one, two] = [Math.min(...costs[1]), Math.min(...costs[2])];
  missed ||= two / one > GOALS.cpu;
  console.log(
    `CPU per 1,000 messages: one ${one.toFixed(3)} s, two ${two.toFixed(3)} s, ratio ${(two / one).toFixed(2)} (goal ${GOALS.cpu})`,
  );
  const { own, other } = await commandTimes();
  const more = { p50: other.p50 - own.p50, p99: other.p99 - own.p99 };
  missed ||= more.p50 > GOALS.commandMs;
  console.log(`command through its process: p50 ${own.p50.toFixed(1)} ms, p99 ${own.p99.toFixed(1)} ms`);
  console.log(`command through the other one: p50 ${other.p50.toFixed(1)} ms, p99 ${other.p99.toFixed(1)} ms`);
  console.log(`  more: p50 ${more.p50.toFixed(1)} ms (goal ${GOALS.commandMs}), p99 ${more.p99.toFixed(1)} ms`);
} finally {
  await database.close();
  await bench.stop();
  await rm(folder, { recursive: true, force: true });
}
process.exit(missed ? 1 : 0);

async function start(count: 1 | 2): Promise<Program[]> {
  const programs: Program[] = [];
  for (const port of PORTS.slice(0, count)) {
    programs.push(
      await startProgram({
        ...{ PORT: String(port), HOST: '127.0.0.1', DATABASE_URL: bench.urls.product, CHARGEHAND_MQTT: 'off' },
        ...{
          CHARGEHAND_DATA: join(folder, String(port)),
          CHARGEHAND_PROBE: 'off',
          CHARGEHAND_DATABASE_CONNECTIONS: '10',
        },
        // Nothing uses a file.
        ...{
          S3_ENDPOINT: 'http://127.0.0.1:9',
          S3_ACCESS_KEY_ID: 'bench',
          S3_SECRET_ACCESS_KEY: 'a-secret-of-the-bench',
        },
      }),
    );
  }
  await wait(SETTLE_MS);
  return programs;
}

/** CPU seconds of the processes and the database for 1,000 messages. */
async function costOf(count: 1 | 2): Promise<number> {
  const programs = await start(count);
  const points: ChargePoint[] = [];
  for (let number = 1; number <= connections; number += 1)
    points.push(await connect(`ws://127.0.0.1:${PORTS[number % count]}/ocpp`, number));
  await Promise.all(points.map((point) => point.call('BootNotification')));
  await wait(3_000);
  const used = () => programs.reduce((sum, { pid }) => sum + cpuSeconds(pid), bench.databaseCpu());
  const before = used();
  const measured = await openLoop(points, rate, 2, seconds);
  const cpu = (used() - before) / ((rate * (2 + seconds)) / 1_000);
  console.log(
    `${count} processes: ${measured.perSecond.toFixed(0)} messages/s, p50 ${measured.p50.toFixed(1)} ms, p99 ${measured.p99.toFixed(1)} ms, ${cpu.toFixed(3)} CPU s per 1,000, ${measured.refused} refused`,
  );
  for (const point of points) point.socket.terminate();
  for (const program of programs) await program.kill();
  return cpu;
}

/** The time from the request of a command to the device. Milliseconds. */
async function commandTimes() {
  const world = await seedWorld(database.db);
  const { id, sn } = world.devices.northQuay1;
  const programs = await start(2);
  const socket = new WebSocket(`ws://127.0.0.1:${PORTS[0]}/ocpp/${sn}`, 'ocpp1.6', { perMessageDeflate: false });
  await once(socket, 'open');
  let arrived: (() => void) | undefined;
  socket.on('message', (data) => {
    const frame = JSON.parse(String(data));
    if (frame[0] !== 2) return;
    socket.send(JSON.stringify([3, frame[1], { status: 'Accepted' }]));
    if (frame[2] === 'ChangeAvailability') arrived?.();
  });
  const boot = { chargePointVendor: 'Bench', chargePointModel: 'Bench' };
  socket.send(JSON.stringify([2, 'boot', 'BootNotification', boot]));
  await wait(2_000);
  const session = await openSession(database.db, world.users.northAdmin, 600);
  const times = { own: [] as number[], other: [] as number[] };
  for (let round = -WARM_UP; round < Number(values.commands); round += 1) {
    for (const [index, name] of (['own', 'other'] as const).entries()) {
      const admin = client(programs[index]!.url, session);
      const kind = round % 2 === 0 ? 'disableSystem' : 'enableSystem';
      const reached = new Promise<void>((resolve) => {
        arrived = resolve;
      });
      const began = performance.now();
      const sent = admin.data(operationsEndpoints.sendCommand, { params: { id }, body: { kind } });
      await reached;
      if (round >= 0) times[name].push(performance.now() - began);
      await sent;
      // The answer of the device is stored.
      await wait(30);
    }
  }
  socket.terminate();
  for (const program of programs) await program.kill();
  return { own: percentiles(times.own), other: percentiles(times.other) };
}
