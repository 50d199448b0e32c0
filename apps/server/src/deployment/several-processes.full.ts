import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Fleet, startFleet } from '@chargehand/simulator';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { type DatabaseWay, openDatabaseWay } from '../testing/faults/database-way.ts';
import { connectRaw } from '../testing/gateways/gateway-testbed.ts';
import { type Program, startProgram } from '../testing/program.ts';
import { seedWorld, type World } from '../testing/world.ts';

const DEVICES = 20;
/** Below the range of ephemeral ports, so that no client socket takes them. */
const PORTS = [19_741, 19_742] as const;

let database: TestDatabase;
let silent: Server;
let folders: string[];
let balancer: Balancer;
let fleet: Fleet;
let way: DatabaseWay;
let world: World;
const programs = new Map<number, Program>();

/** A load balancer: each connection goes to the next port of the list that accepts it. */
interface Balancer {
  url: string;
  ports: readonly number[];
  /** Closes the connections to a port, as for a process that answers no health checks. */
  cut(port: number): void;
  close(): void;
}

async function startBalancer(): Promise<Balancer> {
  const open = new Map<Socket, number>();
  let turn = 0;
  const server = createServer((inside) => {
    inside.on('error', () => undefined);
    const tryPort = (left: readonly number[]) => {
      const [port, ...others] = left;
      if (port === undefined) return inside.destroy();
      const outside = connect(port, '127.0.0.1');
      outside.once('connect', () => {
        open.set(inside, port);
        inside.pipe(outside).pipe(inside);
      });
      outside.once('error', () => (open.has(inside) ? inside.destroy() : tryPort(others)));
      inside.once('close', () => {
        open.delete(inside);
        outside.destroy();
      });
      return undefined;
    };
    turn += 1;
    tryPort([...balancing.ports.slice(turn % balancing.ports.length), ...balancing.ports]);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const balancing: Balancer = {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/ocpp`,
    ports: PORTS,
    cut(port) {
      for (const [socket, to] of open) if (to === port) socket.destroy();
    },
    close() {
      for (const socket of open.keys()) socket.destroy();
      server.close();
    },
  };
  return balancing;
}

async function start(index: 0 | 1, url = database.url): Promise<Program> {
  const port = PORTS[index];
  const program = await startProgram({
    ...{ PORT: String(port), HOST: '127.0.0.1', DATABASE_URL: url, CHARGEHAND_DATA: folders[index]! },
    ...{ CHARGEHAND_NODE: `process-${index}`, CHARGEHAND_MQTT: '0', CHARGEHAND_PROBE: 'off' },
    // No test needs a file.
    S3_ENDPOINT: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
    ...{ S3_ACCESS_KEY_ID: 'operator', S3_SECRET_ACCESS_KEY: 'a-secret-of-16-characters' },
  });
  programs.set(index, program);
  return program;
}

beforeAll(async () => {
  database = await createTestDatabase({ max: 4 });
  world = await seedWorld(database.db);
  await database.pool.query(
    `insert into devices (sn, name, device_model_id, site_id, customer_id)
     select 'SVP' || lpad(n::text, 5, '0'), 'Several ' || n, d.device_model_id, d.site_id, d.customer_id
       from generate_series(1, ${DEVICES}) n, devices d where d.id = $1`,
    [world.devices.northQuay1.id],
  );
  folders = await Promise.all([1, 2].map(() => mkdtemp(join(tmpdir(), 'chargehand-several-'))));
  silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  balancer = await startBalancer();
  way = await openDatabaseWay(database.url);
  await start(0);
  await start(1);
  fleet = await startFleet({
    ...{ url: balancer.url, devices: DEVICES, prefix: 'SVP', seed: 36, connectors: 1, heartbeat: 1, meterInterval: 30 },
    ...{ sessionEvery: 5, faultEvery: 1_000, speed: 10, reconnectMs: { min: 50, max: 400 }, callTimeoutMs: 3_000 },
  });
}, 300_000);

afterAll(async () => {
  await fleet?.stop();
  for (const program of programs.values()) if (program.exitCode() === null) await program.stop().catch(() => undefined);
  balancer?.close();
  await way?.close();
  silent?.close();
  await database?.drop();
  for (const folder of folders ?? []) await rm(folder, { recursive: true, force: true });
}, 120_000);

const rows = async (text: string) => (await database.pool.query(text)).rows;
/** How many devices are connected to each process that has a lease. */
const placed = async (): Promise<Record<string, number>> =>
  Object.fromEntries(
    (
      await rows(
        `select n.name, count(*)::int as count from device_states s join nodes n on n.epoch::text = s.node and n.ended_at is null
          where s.connected group by n.name`,
      )
    ).map(({ name, count }) => [name, count]),
  );
const total = (counts: Record<string, number>) => Object.values(counts).reduce((sum, one) => sum + one, 0);
const offline = () => rows(`select device_id, detail from device_events where type = 0`);
async function allAt(expected: (counts: Record<string, number>) => boolean, timeout: number): Promise<void> {
  await vi.waitFor(
    async () => {
      const counts = await placed();
      expect([counts, expected(counts)]).toEqual([counts, true]);
    },
    { timeout, interval: 200 },
  );
}
const atBoth = (counts: Record<string, number>) => total(counts) === DEVICES && Object.keys(counts).length === 2;
const ended = async (name: string) =>
  (await rows(`select end_reason from nodes where name = '${name}' order by epoch desc limit 1`))[0].end_reason;

test('SIGTERM moves the devices of a process to the other one, without an event', async () => {
  await allAt(atBoth, 60_000);
  balancer.ports = [PORTS[0]];
  await programs.get(1)!.stop();
  expect(programs.get(1)!.exitCode()).toBe(0);
  await allAt((counts) => counts['process-0'] === DEVICES, 10_000);
  expect([await ended('process-1'), await offline()]).toEqual(['left', []]);
}, 180_000);

test('after kill -9 the devices are at the other process at once, its lease ends, and nothing was offline', async () => {
  await start(1);
  balancer.ports = PORTS;
  balancer.cut(PORTS[0]);
  await allAt(atBoth, 30_000);
  await rows('delete from device_events');
  await programs.get(1)!.kill();
  await allAt((counts) => counts['process-0'] === DEVICES, 10_000);
  await vi.waitFor(async () => expect(await ended('process-1')).toBe('expired'), { timeout: 60_000, interval: 500 });
  await vi.waitFor(
    async () => expect(await rows('select from nodes where ended_at is not null and cleared_at is null')).toEqual([]),
    { timeout: 90_000, interval: 500 },
  );
  expect([await placed(), await offline()]).toEqual([{ 'process-0': DEVICES }, []]);
}, 300_000);

test('a process that was frozen until its lease ended stores nothing afterwards and stops', async () => {
  const program = await start(1);
  balancer.ports = PORTS;
  balancer.cut(PORTS[0]);
  await allAt(atBoth, 30_000);
  await rows('delete from device_events');
  program.signal('SIGSTOP');
  balancer.ports = [PORTS[0]];
  balancer.cut(PORTS[1]);
  await allAt((counts) => counts['process-0'] === DEVICES, 10_000);
  await vi.waitFor(async () => expect(await ended('process-1')).toBe('expired'), { timeout: 60_000, interval: 500 });
  program.signal('SIGCONT');
  await vi.waitFor(() => expect(program.exitCode()).toBe(1), { timeout: 30_000, interval: 100 });
  expect([await placed(), await offline()]).toEqual([{ 'process-0': DEVICES }, []]);
}, 300_000);

test('a process that is cut off from the database gives its devices to the other one, without an event', async () => {
  if (programs.get(1)?.exitCode() === null) await programs.get(1)!.stop();
  const program = await start(1, way.url);
  balancer.ports = PORTS;
  balancer.cut(PORTS[0]);
  await allAt(atBoth, 30_000);
  // A device that says nothing, behind a load balancer that does not close connections.
  const quiet = await connectRaw(`ws://127.0.0.1:${PORTS[1]}/ocpp/${world.devices.northQuay1.sn}`);
  await quiet.call('Heartbeat', {});
  await rows('delete from device_events');
  way.freeze();
  const began = performance.now();
  const ready = async () => (await fetch(`http://127.0.0.1:${PORTS[1]}/readyz`)).status;
  await vi.waitFor(async () => expect(await ready()).toBe(503), { timeout: 20_000, interval: 500 });
  balancer.ports = [PORTS[0]];
  balancer.cut(PORTS[1]);
  expect(await quiet.closed).toEqual({ code: 1012, reason: 'the server stopped' });
  const back = await connectRaw(`ws://127.0.0.1:${PORTS[0]}/ocpp/${world.devices.northQuay1.sn}`);
  await allAt((counts) => counts['process-0'] === DEVICES + 1, 60_000);
  expect(performance.now() - began).toBeLessThan(60_000);
  await vi.waitFor(async () => expect(await ended('process-1')).toBe('expired'), { timeout: 60_000, interval: 500 });
  way.thaw();
  await vi.waitFor(() => expect(program.exitCode()).toBe(1), { timeout: 30_000, interval: 100 });
  expect(await offline()).toEqual([]);
  back.socket.terminate();
}, 300_000);
