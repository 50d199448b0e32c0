import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { operationsEndpoints } from '@chargehand/contract';
import { JOB_NAMES, runsOnce } from '@chargehand/domain';
import { type Fleet, startFleet } from '@chargehand/simulator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { client, openSession } from '../testing/client.ts';
import { type Cluster, CUT_OFF, PROCESSES, type ProcessName, startCluster } from '../testing/cluster/cluster.ts';
import { startWitness, type Witness } from '../testing/cluster/witness.ts';
import { seedWorld } from '../testing/world.ts';

// `npm run test:cluster`. CLUSTER_DEVICES, CLUSTER_ROUNDS, CLUSTER_NATS=1 and CLUSTER_POOLER=1 change it.
const DEVICES = Number(process.env.CLUSTER_DEVICES ?? 1_000);
const ROUNDS = Number(process.env.CLUSTER_ROUNDS ?? 8);
const WITNESSES = 10;
const CLOCK_AHEAD_MS = 5_000;
/** Ports of their own, below the range of ephemeral ports. */
const PORT_OFFSET = 11_000;
const NAMES = Object.keys(PROCESSES) as ProcessName[];
/** The goals: devices are back after the end of a process, and of a host that just stops answering. Milliseconds. */
const BACK_MS = { process: 10_000, host: 60_000 };
const FREEZE_MS = [30_000, 90_000];
const CUT_MS = 45_000;

let folder: string;
let cluster: Cluster;
let fleet: Fleet;
let staff: ReturnType<typeof client>;
let witnesses: Witness[];
const figures: { round: number; fault: string; backMs: number; failed: number; worstAnswerMs: number }[] = [];
/** since the last round */
const requests = { failed: 0, worstMs: 0 };
let running = true;
let traffic: Promise<void>[];

const rows = async (text: string, values: unknown[] = []) => (await cluster.database.pool.query(text, values)).rows;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chargehand-cluster-'));
  let userId = 0;
  cluster = await startCluster({
    ...{ folder, portOffset: PORT_OFFSET, nats: process.env.CLUSTER_NATS === '1' },
    pooler: process.env.CLUSTER_POOLER === '1',
    clocks: { 'gateway-2': CLOCK_AHEAD_MS, 'api-2': -CLOCK_AHEAD_MS },
    async prepare(database) {
      const world = await seedWorld(database.db);
      userId = world.users.vendorStaff;
      for (const [prefix, count] of [
        ['CLU', DEVICES],
        ['WIT', WITNESSES],
      ] as const) {
        await database.pool.query(
          `insert into devices (sn, name, device_model_id, site_id, customer_id)
           select $2 || lpad(n::text, 5, '0'), $2 || ' ' || n, d.device_model_id, d.site_id, d.customer_id
             from generate_series(1, $3::int) n, devices d where d.id = $1`,
          [world.devices.northQuay1.id, prefix, count],
        );
      }
    },
  });
  const session = await openSession(cluster.database.db, userId, 600);
  staff = client(cluster.url, session);
  fleet = await startFleet({
    ...{ url: cluster.deviceUrl, devices: DEVICES, prefix: 'CLU', seed: 36, connectors: 1, heartbeat: 10 },
    ...{ meterInterval: 300, sessionEvery: 30, speed: 10, connectRate: 100, reconnectMs: { min: 200, max: 3_000 } },
    callTimeoutMs: 10_000,
  });
  witnesses = Array.from({ length: WITNESSES }, (_, index) =>
    startWitness(cluster.deviceUrl, `WIT${String(index + 1).padStart(5, '0')}`),
  );
  traffic = [readAll(), sendCommands()];
  await allBack(300_000);
}, 900_000);

afterAll(async () => {
  running = false;
  await Promise.all(traffic ?? []);
  for (const witness of witnesses ?? []) witness.stop();
  await fleet?.stop();
  await cluster?.stop();
  await rm(folder, { recursive: true, force: true });
}, 300_000);

/** Requests of a console, one after another. */
async function readAll(): Promise<void> {
  const ids = (await rows(`select id from devices where sn like 'WIT%'`)).map(({ id }) => id as number);
  for (let turn = 0; running; turn += 1) {
    const started = performance.now();
    const { code } = await staff
      .call(operationsEndpoints.listExecutions, { params: { id: ids[turn % ids.length]! } })
      .catch(() => ({ code: -1 }));
    requests.worstMs = Math.max(requests.worstMs, performance.now() - started);
    if (code !== 0) requests.failed += 1;
    await wait(100);
  }
}

/** A command to a witness each second. */
async function sendCommands(): Promise<void> {
  const ids = (await rows(`select id from devices where sn like 'WIT%'`)).map(({ id }) => id as number);
  for (let turn = 0; running; turn += 1) {
    // The result of a command whose request failed is read from the database at the end.
    await staff
      .call(operationsEndpoints.sendCommand, { params: { id: ids[turn % ids.length]! }, body: { kind: 'softReset' } })
      .catch(() => undefined);
    await wait(1_000);
  }
}

/** Waits until all devices are connected to living processes, as the database shows. @returns milliseconds */
async function allBack(limitMs: number): Promise<number> {
  const started = performance.now();
  for (;;) {
    const [counted] = await rows(
      `select count(*)::int as count from device_states s join devices d on d.id = s.device_id
         join nodes n on n.epoch::text = s.node and n.ended_at is null
        where s.connected and d.sn ~ '^(CLU|WIT)'`,
    ).catch(() => [{ count: 0 }]);
    const { connected } = fleet.summary();
    if (counted?.count === DEVICES + WITNESSES && connected === DEVICES) return performance.now() - started;
    if (performance.now() - started > limitMs)
      throw new Error(`${counted?.count} of ${DEVICES + WITNESSES} devices are back, ${connected} as they see it`);
    await wait(100);
  }
}

const program = (name: ProcessName) => cluster.programs.get(name)!;
const kill = (name: ProcessName) => async () => {
  await program(name).kill();
  return async () => void (await cluster.start(name));
};
const freeze = (name: ProcessName, ms: number) => async () => {
  const frozen = program(name);
  frozen.signal('SIGSTOP');
  return async () => {
    await wait(ms);
    frozen.signal('SIGCONT');
    await wait(5_000);
    // Its service manager starts a process that ended because its lease was taken.
    if (frozen.exitCode() !== null) await cluster.start(name);
  };
};
const cut = (way: 'way' | 'natsWay', ms: number) => async () => {
  cluster[way]?.freeze();
  return async () => {
    await wait(ms);
    cluster[way]?.thaw();
    await wait(5_000);
    if (program(CUT_OFF).exitCode() !== null) await cluster.start(CUT_OFF);
  };
};
const restart = (name: 'postgres' | 'haproxy' | 'mosquitto' | 'nats') => async () => {
  const service = cluster.services[name];
  await service?.stop();
  await service?.start();
  return async () => undefined;
};
const drain = (name: ProcessName) => async () => {
  const stopped = program(name).stop();
  return async () => {
    await stopped;
    await cluster.start(name);
  };
};

type Fault = [name: string, goalMs: number, fault: () => Promise<() => Promise<void>>];
/** What happens in the rounds, again from the start when all have happened. CLUSTER_FAULTS selects those with a text. */
const FAULTS = (
  [
    ['kill -9 gateway-1', BACK_MS.process, kill('gateway-1')],
    ['kill -9 api-1', BACK_MS.process, kill('api-1')],
    ['kill -9 jobs-1', BACK_MS.process, kill('jobs-1')],
    ['restart PostgreSQL', BACK_MS.host, restart('postgres')],
    ['restart HAProxy', BACK_MS.process, restart('haproxy')],
    ['SIGSTOP gateway-2, 30 s', BACK_MS.host, freeze('gateway-2', FREEZE_MS[0]!)],
    ['network cut gateway-2 to PostgreSQL, 45 s', BACK_MS.host, cut('way', CUT_MS)],
    ['SIGTERM gateway-1', BACK_MS.host, drain('gateway-1')],
    ['SIGSTOP gateway-2, 90 s', BACK_MS.host, freeze('gateway-2', FREEZE_MS[1]!)],
    ['kill -9 links-1', BACK_MS.process, kill('links-1')],
    ['restart Mosquitto', BACK_MS.process, restart('mosquitto')],
    ['SIGSTOP api-2, 30 s', BACK_MS.host, freeze('api-2', FREEZE_MS[0]!)],
    ...(process.env.CLUSTER_NATS === '1'
      ? ([
          ['restart NATS', BACK_MS.process, restart('nats')],
          ['network cut gateway-2 to NATS, 45 s', BACK_MS.process, cut('natsWay', CUT_MS)],
        ] satisfies Fault[])
      : []),
  ] satisfies Fault[]
).filter(([name]) => name.includes(process.env.CLUSTER_FAULTS ?? '')) as Fault[];

test(
  'devices return within the goals after each fault',
  async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const [fault, goalMs, begin] = FAULTS[round % FAULTS.length]!;
      Object.assign(requests, { failed: 0, worstMs: 0 });
      const end = await begin();
      // The devices of a process whose connections are closed are back when they are connected to another one.
      const backMs = await allBack(300_000);
      await end();
      await allBack(300_000);
      const { failed, worstMs } = requests;
      const figure = {
        round: round + 1,
        fault,
        backMs: Math.round(backMs),
        failed,
        worstAnswerMs: Math.round(worstMs),
      };
      figures.push(figure);
      process.stdout.write(`${JSON.stringify({ ...figure, goalMs })}\n`);
    }
    process.stdout.write(`${NAMES.length} processes, ${DEVICES} devices\n`);
    const missed = figures.filter(({ backMs, fault }) => backMs > FAULTS.find(([name]) => name === fault)![1]);
    expect(missed).toEqual([]);
  },
  ROUNDS * 400_000,
);

test('nothing that was acknowledged is missing, no command arrived twice, and no job ran twice', async () => {
  running = false;
  await Promise.all(traffic);
  for (const witness of witnesses) witness.stop();
  const acknowledged = witnesses.flatMap(({ sn, acknowledged: all }) =>
    [...all].map(([idTag, id]) => ({ sn, idTag, id })),
  );
  const stored = await rows(
    `select count(*)::int as count from unnest($1::int[], $2::text[], $3::text[]) as a (id, tag, sn)
       join devices d on d.sn = a.sn join transactions t on t.id = a.id and t.id_tag = a.tag and t.device_id = d.id`,
    [acknowledged.map(({ id }) => id), acknowledged.map(({ idTag }) => idTag), acknowledged.map(({ sn }) => sn)],
  );
  const received = witnesses.flatMap(({ commands }) => [...commands.values()]);
  const events = await rows(
    `select count(*)::int as count from device_events e join devices d on d.id = e.device_id
      where e.type = 0 and d.sn ~ '^(CLU|WIT)'`,
  );
  // Runs of one job in different processes that overlap.
  const overlaps = await rows(
    `select a.job, a.process, b.process as other, a.started_at, b.started_at as other_started_at
       from job_runs a join job_runs b on b.job = a.job and b.process <> a.process and b.id <> a.id
        and b.started_at >= a.started_at and b.started_at < a.started_at + a.duration_ms * interval '1 ms'
      where a.job = any($1::text[])`,
    [JOB_NAMES.filter(runsOnce)],
  );
  process.stdout.write(
    `${JSON.stringify({
      ...{ acknowledged: acknowledged.length, commands: received.length, offlineEvents: events[0].count },
      ...{ overlappingJobs: overlaps.length },
    })}\n`,
  );
  expect(acknowledged.length).toBeGreaterThan(0);
  expect(stored[0].count).toBe(acknowledged.length);
  expect(received.length).toBeGreaterThan(0);
  expect(received.filter((count) => count > 1)).toEqual([]);
  expect(overlaps).toEqual([]);
}, 120_000);
