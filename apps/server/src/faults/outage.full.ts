import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CODES, ENDPOINTS } from '@chargehand/contract';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Client, client, openSession } from '../testing/client.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { openStream } from '../testing/event-stream.ts';
import { type DatabaseWay, openDatabaseWay } from '../testing/faults/database-way.ts';
import { startOperator } from '../testing/faults/operator.ts';
import { seeded } from '../testing/faults/random.ts';
import { receivedFrames } from '../testing/faults/stored-frames.ts';
import {
  connectUnit,
  endWaiting,
  executeCommands,
  expectCommandsOnce,
  fault16,
  fault201,
  named,
  registerAll,
  storedReadings,
  talkMqtt,
  talkOcpp,
} from '../testing/faults/talk.ts';
import { freePort } from '../testing/free-port.ts';
import { connectRaw } from '../testing/gateways/gateway-testbed.ts';
import { PASSWORD } from '../testing/gateways/mqtt-testbed.ts';
import { type Program, startProgram } from '../testing/program.ts';
import { seedWorld, type World } from '../testing/world.ts';

const PILES = 20;
/** of the devices that use OCPP 2.0.1, and of storage units */
const OTHERS = 5;
/** Requests during the outage, one after the other. Each takes as long as the pool waits for a connection. */
const REQUESTS = 2;
/**
 * The timeout for an answer, with or without the database: the pool waits ten seconds for a connection, and this
 * machine may be slow.
 */
const ANSWER_WITHIN_MS = 25_000;
const PORT = await freePort();
const MQTT_PORT = await freePort();

let database: TestDatabase;
let way: DatabaseWay;
let dataFolder: string;
let world: World;
let program: Program;
let admin: Client;
let devices: number[];

beforeAll(async () => {
  database = await createTestDatabase({ max: 2 });
  way = await openDatabaseWay(database.url);
  dataFolder = await mkdtemp(join(tmpdir(), 'chargehand-outage-'));
  world = await seedWorld(database.db);
  const sns = [...named('OUT', PILES), ...named('TWO', OTHERS), ...named('UNIT', OTHERS)];
  devices = await registerAll(database, world, sns);
  program = await startProgram({
    PORT: String(PORT),
    HOST: '127.0.0.1',
    DATABASE_URL: way.url,
    CHARGEHAND_DATA: dataFolder,
    CHARGEHAND_MQTT_PORT: String(MQTT_PORT),
  });
  admin = client(program.url, await openSession(database.db, world.users.northAdmin));
}, 240_000);
afterAll(async () => {
  way?.thaw();
  await program?.stop();
  await way?.close();
  await database?.drop();
  await rm(dataFolder, { recursive: true, force: true });
}, 240_000);

test('when the database does not answer under load for longer than all timeouts, connections stay open, devices wait, requests get an error, and everything recovers', async () => {
  const requested = new Map<string, number>();
  const connect = (sn: string, protocol: string) =>
    connectRaw(`ws://127.0.0.1:${PORT}/ocpp/${sn}`, { protocols: [protocol], password: PASSWORD });
  const piles = await Promise.all([
    ...named('OUT', PILES).map(async (sn) => ({ sn, fault: fault16, pile: await connect(sn, 'ocpp1.6') })),
    ...named('TWO', OTHERS).map(async (sn) => ({ sn, fault: fault201, pile: await connect(sn, 'ocpp2.0.1') })),
  ]);
  const units = await Promise.all(
    named('UNIT', OTHERS).map((sn) => connectUnit(`mqtt://127.0.0.1:${MQTT_PORT}`, sn, requested)),
  );
  let closed = 0;
  for (const { pile } of piles) {
    pile.socket.once('close', () => (closed += 1));
    executeCommands(pile, requested);
  }
  for (const { client: mqtt } of units) mqtt.on('close', () => (closed += 1));
  const talks = [...piles.map(({ sn, pile, fault }) => talkOcpp(pile, sn, fault)), ...units.map(talkMqtt)];
  await vi.waitFor(() => expect(talks.every((one) => one.acknowledged.length > 5)).toBe(true), { timeout: 30_000 });
  const staff = client(program.url, await openSession(database.db, world.users.vendorStaff));
  const operator = startOperator(staff, devices, seeded(4), 3);
  await vi.waitFor(() => expect(requested.size).toBeGreaterThan(10), { timeout: 30_000 });

  way.freeze();
  // Earlier stored messages are still acknowledged; from the end of the first request on nothing is.
  const counts = () => talks.map((one) => one.acknowledged.length);
  let before = counts();
  for (let request = 0; request < REQUESTS; request += 1) {
    const response = await admin.fetch(ENDPOINTS.countDevices.path, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ code: CODES.databaseAway.code, data: null });
    if (request === 0) before = counts();
  }
  expect(counts()).toEqual(before);
  expect(closed).toBe(0);

  way.thaw();
  await vi.waitFor(() => expect(talks.every((one, n) => one.acknowledged.length > before[n]! + 5)).toBe(true), {
    timeout: 60_000,
  });
  expect((await admin.fetch(ENDPOINTS.countDevices.path)).status).toBe(200);
  const stream = await openStream(admin, ENDPOINTS.stream.path);
  expect(await stream.next()).toMatchObject({ event: 'ready' });
  expect(await stream.next()).toMatchObject({ event: 'events' });
  await stream.close();

  await operator.stop();
  await endWaiting(database.pool);
  for (const one of talks) one.stop();
  await Promise.all(talks.map((one) => one.done));
  expect(closed).toBe(0);
  expect(talks.flatMap((one) => one.refused)).toEqual([]);

  const stored = new Map<string, number>();
  for (const { messageId: id } of await receivedFrames(database.pool)) {
    if (id !== null) stored.set(id, (stored.get(id) ?? 0) + 1);
  }
  for (const [id, count] of await storedReadings(database.pool, 'UNIT')) stored.set(id, count);
  const acknowledged = talks.flatMap((one) => one.acknowledged);
  expect(acknowledged.filter((id) => stored.get(id) !== 1)).toEqual([]);
  expect([...stored].filter(([, count]) => count !== 1)).toEqual([]);

  const { rows: alarms } = await database.pool.query(
    'select count(*)::int as active, count(distinct device_id)::int as devices from alarms where cleared_at is null',
  );
  expect(alarms).toEqual([{ active: devices.length, devices: devices.length }]);
  expect(operator.promised.length).toBeGreaterThan(10);
  await expectCommandsOnce(database.pool, operator.promised, requested);
  for (const { pile } of piles) pile.socket.terminate();
  for (const unit of units) await unit.client.endAsync(true);
}, 480_000);
