import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Fleet, startFleet } from '@chargehand/simulator';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { client, openSession } from '../testing/client.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { eventually } from '../testing/eventually.ts';
import { type Operator, startOperator } from '../testing/faults/operator.ts';
import { seeded } from '../testing/faults/random.ts';
import { receivedFrames } from '../testing/faults/stored-frames.ts';
import { startTap, type Tap } from '../testing/faults/tap.ts';
import { freePort } from '../testing/free-port.ts';
import { type Program, startProgram } from '../testing/program.ts';
import { buildServerOnce } from '../testing/runs/built-server.ts';
import { isFullRun } from '../testing/runs/full-run.ts';
import { within } from '../testing/within.ts';
import { seedWorld } from '../testing/world.ts';

const SEED = Number(process.env.FAULT_SEED ?? 20_260_701);
/** `npm test` has half of the devices, messages and kills of `npm run test:full`. */
const PART = isFullRun ? 1 : 0.5;
const DEVICES = 50 * PART;
/** at the start, in the middle and near the end of the load */
const KILLS = 6 * PART;
/** devices that disconnect at the end */
const AWAY = 10;
const PORT = await freePort();
const TAP_PORT = await freePort();

let database: TestDatabase;
let dataFolder: string;
let program: Program;
let tap: Tap;
let fleet: Fleet;
let operator: Operator;
/** the devices listed as connected at the end, after some had disconnected */
let lastTruth = new Set<string>();

/**
 * Charge points report and execute commands. The program is killed repeatedly. At the end all are disconnected.
 */
beforeAll(async () => {
  const random = seeded(SEED);
  database = await createTestDatabase({ max: 4 });
  dataFolder = await mkdtemp(join(tmpdir(), 'chargehand-kill-'));
  const world = await seedWorld(database.db);
  const devices = await registerFleet(world.sites.northQuay, world.customers.north, world.model);
  const start = () =>
    startProgram(
      { PORT: String(PORT), DATABASE_URL: database.url, CHARGEHAND_DATA: dataFolder, HOST: '127.0.0.1' },
      { built: true },
    );

  await buildServerOnce();
  program = await start();
  tap = await startTap(TAP_PORT, `ws://127.0.0.1:${PORT}`);
  const connecting = startFleet({
    url: tap.url,
    devices: DEVICES,
    prefix: 'FLT',
    seed: SEED,
    connectors: 2,
    heartbeat: 2,
    meterInterval: 30,
    sessionEvery: 1.5,
    faultEvery: 3,
    speed: 30,
    reconnectMs: { min: 50, max: 400 },
    callTimeoutMs: 3_000,
  });
  fleet = await within(60_000, 'every charge point to have tried to connect', connecting);
  await everyDeviceAccepted();
  const staff = await openSession(database.db, world.users.vendorStaff);
  operator = startOperator(client(program.url, staff), devices, random, 4);

  for (let kill = 0; kill < KILLS; kill += 1) {
    await acknowledgedMore(50 + random.below(150));
    // However slow the machine is, each kill happens under load.
    await busy((kill + 1) / (2 * KILLS));
    await program.kill();
    tap.gate = 'closed';
    program = await start();
    tap.gate = 'open';
  }
  await everyDeviceAccepted();
  await acknowledgedMore(100);
  await busy(1);
  await within(60_000, 'the operator’s last commands to be answered', operator.stop());
  await endWaiting();
  await vi.waitFor(
    async () => {
      lastTruth = tap.open();
      // Again, because a device that is restarting connects afterwards.
      for (const device of fleet.devices.slice(0, AWAY)) if (lastTruth.has(device.sn)) device.goOffline(60_000);
      expect(lastTruth.size).toBe(DEVICES - AWAY);
      expect(await connectedDevices()).toEqual(lastTruth);
    },
    { timeout: 30_000, interval: 100 },
  );
  await within(60_000, 'every charge point to be switched off', fleet.stop());
  // The timeouts of the single waits are shorter, and name what was waited for.
}, 900_000);

afterAll(async () => {
  await within(60_000, 'every charge point to be switched off', fleet?.stop());
  await within(30_000, 'the tap to close', tap?.stop());
  await program?.stop();
  await database?.drop();
  await rm(dataFolder, { recursive: true, force: true });
}, 240_000);

test('the devices and the user produced enough load', () => expectBusy(1));

test('devices that return after a kill have no offline event because of it', async () => {
  const { rows } = await database.pool.query(`select device_id from device_events where detail = 'the server stopped'`);
  expect(rows).toEqual([]);
});

test('every message that was acknowledged to a device is in the protocol log, at most as often as it was sent', async () => {
  const { rows } = await database.pool.query<{ id: number; sn: string }>('select id, sn from devices');
  const sns = new Map(rows.map(({ id, sn }) => [id, sn]));
  const stored = new Map<string, number>();
  for (const { deviceId, messageId } of await receivedFrames(database.pool)) {
    const key = `${sns.get(deviceId)} ${messageId}`;
    stored.set(key, (stored.get(key) ?? 0) + 1);
  }
  const sent = Map.groupBy(tap.sent, (call) => `${call.sn} ${call.messageId}`);
  const acknowledged = tap.acknowledged.map((call) => `${call.sn} ${call.messageId}`);
  expect(acknowledged.filter((key) => !stored.has(key))).toEqual([]);
  const excess = [...sent].filter(([key, calls]) => (stored.get(key) ?? 0) > calls.length);
  expect(excess.map(([key]) => key)).toEqual([]);
});

test('every acknowledged meter value is a reading, once', async () => {
  const { rows } = await database.pool.query<{ sn: string; connector: number; at: Date; count: number }>(
    `select d.sn, r.connector, r.at, count(*)::int as count from readings r join devices d on d.id = r.device_id
      group by 1, 2, 3`,
  );
  const stored = new Map(rows.map((row) => [`${row.sn} ${row.connector} ${row.at.toISOString()}`, row.count]));
  const sampled = tap.acknowledged
    .filter((call) => call.action === 'MeterValues')
    .flatMap(({ sn, payload }) => {
      const { connectorId, meterValue } = payload as { connectorId: number; meterValue: { timestamp: string }[] };
      return meterValue.map(({ timestamp }) => `${sn} ${connectorId} ${new Date(timestamp).toISOString()}`);
    });
  expect(sampled.filter((key) => !stored.has(key))).toEqual([]);
  expect(sampled.filter((key) => stored.get(key)! > 1)).toEqual([]);
});

test('every acknowledged transaction is recorded once, with the id that the device received', async () => {
  const { rows } = await database.pool.query<{
    id: number;
    sn: string;
    connector: number;
    id_tag: string;
    meter_start: number;
    meter_stop: number | null;
    started_at: Date;
  }>('select t.*, d.sn from transactions t join devices d on d.id = t.device_id');
  const stored = new Map(rows.map((row) => [row.id, row]));
  const started = tap.acknowledged.filter((call) => call.action === 'StartTransaction');
  for (const { sn, payload, answer } of started) {
    expect(stored.get(answer.transactionId as number)).toMatchObject({
      sn,
      connector: payload.connectorId,
      id_tag: payload.idTag,
      meter_start: payload.meterStart,
      started_at: new Date(payload.timestamp as string),
    });
  }
  for (const { payload } of tap.acknowledged.filter((call) => call.action === 'StopTransaction')) {
    expect(stored.get(payload.transactionId as number)).toMatchObject({ meter_stop: payload.meterStop });
  }
  const starts = new Set(
    tap.sent
      .filter((call) => call.action === 'StartTransaction')
      .map(({ sn, payload }) => `${sn} ${payload.connectorId} ${payload.timestamp} ${payload.idTag}`),
  );
  expect(rows.length).toBeLessThanOrEqual(starts.size);
});

test('every accepted command has exactly one result, which matches the frames', async () => {
  const { rows } = await database.pool.query<{ id: string; state: string; result: number; reason: string }>(
    'select id, state, result, reason from executions',
  );
  const stored = new Map(rows.map((row) => [row.id, row]));
  expect(operator.promised.filter((id) => !stored.has(id))).toEqual([]);
  expect(rows.filter((row) => row.state !== 'ended')).toEqual([]);
  expect(rows.filter((row) => row.result === 2 && !tap.answered.has(row.id))).toEqual([]);
  expect(rows.filter((row) => row.result === 5 && tap.requested.has(row.id))).toEqual([]);
});

test('no command reached its device twice', () => {
  expect([...tap.requested].filter(([, times]) => times > 1)).toEqual([]);
});

test('devices that disconnect are shown as offline, and the others as online', () => {
  expect(lastTruth.size).toBe(DEVICES - AWAY);
});

/** Checks that enough messages were processed for the test to be meaningful. */
function expectBusy(part: number): void {
  const share = part * PART;
  expect(tap.acknowledged.length).toBeGreaterThan(1_000 * share);
  expect(tap.acknowledged.filter((call) => call.action === 'MeterValues').length).toBeGreaterThan(50 * share);
  expect(tap.acknowledged.filter((call) => call.action === 'StartTransaction').length).toBeGreaterThan(20 * share);
  expect(operator.promised.length).toBeGreaterThan(100 * share);
  expect(tap.requested.size).toBeGreaterThan(50 * share);
}

const busy = (share: number) => vi.waitFor(() => expectBusy(share), { timeout: 60_000, interval: 100 });

/** Waits until the server has acknowledged a number of further messages. */
async function acknowledgedMore(count: number): Promise<void> {
  const goal = tap.acknowledged.length + count;
  await eventually(
    () => tap.acknowledged.length,
    (acknowledged) => acknowledged >= goal,
    { what: `${goal} acknowledged messages` },
  );
}

/** Fails with the state of the fleet instead of waiting forever. */
async function everyDeviceAccepted(): Promise<void> {
  await vi.waitFor(() => expect(fleet.summary()).toMatchObject({ connected: DEVICES, accepted: DEVICES }), {
    timeout: 30_000,
    interval: 50,
  });
}

async function registerFleet(siteId: number, customerId: number, modelId: number): Promise<number[]> {
  const { rows } = await database.pool.query<{ id: number }>(
    `with d as (
       insert into devices (sn, name, site_id, customer_id, device_model_id)
       select 'FLT' || lpad(n::text, 5, '0'), 'Fault pile ' || n, $1, $2, $3 from generate_series(1, $4::int) n
       returning id
     ), s as (insert into device_states (device_id) select id from d)
     select id from d order by id`,
    [siteId, customerId, modelId, DEVICES],
  );
  return rows.map((row) => row.id);
}

async function connectedDevices(): Promise<Set<string>> {
  const { rows } = await database.pool.query<{ sn: string }>(
    'select d.sn from device_states s join devices d on d.id = s.device_id where s.connected',
  );
  return new Set(rows.map((row) => row.sn));
}

/** An execution whose answer was lost in a kill would wait a minute; here its deadline is moved forward. */
async function endWaiting(): Promise<void> {
  await vi.waitFor(
    async () => {
      const { rowCount } = await database.pool.query(
        `update executions set deadline_at = least(deadline_at, now() + interval '4 s') where state <> 'ended'`,
      );
      expect(rowCount).toBe(0);
    },
    { timeout: 30_000, interval: 250 },
  );
}
