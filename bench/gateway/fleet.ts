// Many charge points at several gateway processes: connecting and booting all of them, the memory of their connections,
// and heartbeats while nothing else happens. Charge points are in processes of their own and connect to several loopback
// addresses, because a process may open 20,000 files and an address has 28,000 ports.
// node bench/gateway/fleet.ts [--connections 20000] [--each 17000] [--interval 300] [--seconds 60]
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Program, startProgram } from '../../apps/server/src/testing/program.ts';
import type { FleetOrder, FleetReport } from './fleet-clients.ts';
import { cpuSeconds, residentBytes, startBench } from './servers.ts';

const { values } = parseArgs({
  options: {
    connections: { type: 'string', default: '20000' },
    /** connections of a process: below the limit of files */
    each: { type: 'string', default: '17000' },
    /** seconds between two heartbeats of a charge point */
    interval: { type: 'string', default: '300' },
    seconds: { type: 'string', default: '60' },
  },
});
const count = Number(values.connections);
const processes = Math.ceil(count / Number(values.each));
const perSecond = count / Number(values.interval);
const seconds = Number(values.seconds);
/** Handshakes at the same time, as through a load balancer. */
const PARALLEL = 200;
const GOALS = { connectSeconds: 240, bytes: 2 * 1_024 ** 3, p99: 100 };

const bench = await startBench(count);
// No charge point needs a file.
const silent = createServer(() => undefined).listen(0, '127.0.0.1');
await once(silent, 'listening');
const { port } = silent.address() as { port: number };
const folder = await mkdtemp(join(tmpdir(), 'chargehand-bench-fleet-'));
const servers: Program[] = [];
const clients: ChildProcess[] = [];
let missed = false;
try {
  for (let number = 0; number < processes; number += 1) {
    servers.push(
      await startProgram({
        ...{ PORT: String(portOf(number)), HOST: '0.0.0.0', DATABASE_URL: bench.urls.product },
        ...{
          CHARGEHAND_DATA: join(folder, String(number)),
          CHARGEHAND_NODE: `fleet-${number}`,
          CHARGEHAND_PROBE: 'off',
        },
        ...{
          CHARGEHAND_MQTT: '0',
          CHARGEHAND_LOG: 'error',
          CHARGEHAND_ROLES: number === 0 ? 'gateway,api,jobs' : 'gateway',
        },
        ...{
          S3_ENDPOINT: `http://127.0.0.1:${port}`,
          S3_ACCESS_KEY_ID: 'bench',
          S3_SECRET_ACCESS_KEY: 'a-secret-of-16-characters',
        },
      }),
    );
    clients.push(fork(join(import.meta.dirname, 'fleet-clients.ts')));
  }
  await wait(3_000);
  const resident = () => servers.map(({ pid }) => residentBytes(pid)).reduce((sum, bytes) => sum + bytes, 0);
  const before = resident();
  const from = performance.now();
  await all((number) => {
    const first = Math.floor((number * count) / processes);
    const last = Math.floor(((number + 1) * count) / processes);
    const base = `ws://127.0.0.${number + 2}:${portOf(number)}/ocpp`;
    return { kind: 'connect', base, first: first + 1, last, parallel: Math.ceil(PARALLEL / processes) };
  });
  const connectSeconds = (performance.now() - from) / 1_000;
  const { rows } = await bench.query<{ connected: number }>(
    'select count(*)::int as connected from device_states where connected and booted_at is not null',
  );
  await wait(10_000);
  const bytes = resident() - before;
  const cpu = () => servers.reduce((sum, { pid }) => sum + cpuSeconds(pid), bench.databaseCpu());
  const used = cpu();
  const reports = await all(() => ({ kind: 'rest', perSecond: perSecond / processes, seconds }));
  const share = (cpu() - used) / (seconds + 2);
  const p99 = Math.max(...reports.map((report) => report.p99));
  const refused = reports.reduce((sum, report) => sum + report.refused, 0);
  missed =
    rows[0]?.connected !== count ||
    refused > 0 ||
    (connectSeconds / count) * 100_000 > GOALS.connectSeconds ||
    (bytes / count) * 100_000 > GOALS.bytes ||
    p99 > GOALS.p99;
  console.log(`${count} charge points at ${processes} gateway processes, ${rows[0]?.connected} stored as booted`);
  console.log(`  connected and booted in ${connectSeconds.toFixed(0)} s (goal 240 s for 100,000)`);
  console.log(
    `  ${(bytes / 1_024 ** 2).toFixed(0)} MiB more memory, ${(bytes / count / 1_024).toFixed(1)} KiB per connection (goal 2 GiB for 100,000)`,
  );
  console.log(
    `  at rest, ${perSecond.toFixed(0)} heartbeats/s: p50 ${Math.max(...reports.map((report) => report.p50)).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms (goal ${GOALS.p99} ms), ${refused} refused, ${(100 * share).toFixed(0)} % of a core for servers and database`,
  );
} finally {
  for (const client of clients) client.kill('SIGKILL');
  for (const server of servers) await server.kill().catch(() => undefined);
  silent.close();
  await bench.stop();
  await rm(folder, { recursive: true, force: true });
}
process.exit(missed ? 1 : 0);

/** Below the ports that the system gives to connections. */
function portOf(number: number): number {
  return 19_760 + number;
}

/** Sends an order to each process of charge points and returns their reports. */
function all(order: (number: number) => FleetOrder): Promise<FleetReport[]> {
  return Promise.all(
    clients.map(async (client, number) => {
      const done = once(client, 'message');
      client.send(order(number));
      return ((await done) as [FleetReport])[0];
    }),
  );
}
