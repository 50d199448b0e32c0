import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { CODES, ENDPOINTS } from '@chargehand/contract';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Client, client, openSession } from '../testing/client.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { openStream } from '../testing/event-stream.ts';
import { type DatabaseWay, openDatabaseWay } from '../testing/faults/database-way.ts';
import { connectRaw, type RawPoint } from '../testing/gateway-testbed.ts';
import { type Program, startProgram } from '../testing/program.ts';
import { seedWorld, type World } from '../testing/world.ts';

const PILES = 20;
const OUTAGE_MS = 30_000;
/** A request answers within this, whatever the database does: the pool waits ten seconds for a connection. */
const ANSWER_WITHIN_MS = 12_000;
/** Below the ports from which clients are given theirs. */
const PORT = 19_703;

let database: TestDatabase;
let way: DatabaseWay;
let dataFolder: string;
let world: World;
let program: Program;
let admin: Client;

beforeAll(async () => {
  database = await createTestDatabase({ max: 2 });
  way = await openDatabaseWay(database.url);
  dataFolder = await mkdtemp(join(tmpdir(), 'chargehand-outage-'));
  world = await seedWorld(database.db);
  await database.pool.query(
    `with d as (insert into devices (sn, name, site_id, customer_id, device_model_id)
       select 'OUT' || n, 'Pile ' || n, $1, $2, $3 from generate_series(1, $4::int) n returning id)
     insert into device_states (device_id) select id from d`,
    [world.sites.northQuay, world.customers.north, world.model, PILES],
  );
  program = await startProgram({
    PORT: String(PORT),
    HOST: '127.0.0.1',
    DATABASE_URL: way.url,
    CHARGEHAND_DATA: dataFolder,
  });
  admin = client(program.url, await openSession(database.db, world.users.northAdmin));
}, 40_000);
afterAll(async () => {
  way?.thaw();
  await program?.stop();
  await way?.close();
  await database?.drop();
  await rm(dataFolder, { recursive: true, force: true });
}, 40_000);

test('a database that is silent for 30 s under load: lines stay, piles wait, requests are told, and all recovers', async () => {
  const piles = await Promise.all(
    Array.from({ length: PILES }, (_, n) => connectRaw(`ws://127.0.0.1:${PORT}/ocpp/OUT${n + 1}`)),
  );
  let closed = 0;
  for (const pile of piles) void pile.closed.then(() => (closed += 1));
  const said = piles.map((pile, n) => talk(pile, `OUT${n + 1}`));
  await vi.waitFor(() => expect(said.every((one) => one.acknowledged.length > 5)).toBe(true), { timeout: 10_000 });

  way.freeze();
  const from = Date.now();
  await wait(1_000);
  const before = said.map((one) => one.acknowledged.length);
  while (Date.now() - from < OUTAGE_MS) {
    const asked = Date.now();
    const response = await admin.fetch(ENDPOINTS.countDevices.path, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ code: CODES.databaseAway.code, data: null });
    expect(Date.now() - asked).toBeLessThan(ANSWER_WITHIN_MS);
    await wait(500);
  }
  expect(said.map((one) => one.acknowledged.length)).toEqual(before);
  expect(closed).toBe(0);

  way.thaw();
  await vi.waitFor(() => expect(said.every((one, n) => one.acknowledged.length > before[n]! + 5)).toBe(true), {
    timeout: 15_000,
  });
  expect((await admin.fetch(ENDPOINTS.countDevices.path)).status).toBe(200);
  const stream = await openStream(admin, ENDPOINTS.stream.path);
  expect(await stream.next()).toMatchObject({ event: 'ready' });
  expect(await stream.next()).toMatchObject({ event: 'change' });
  await stream.close();

  for (const one of said) one.stop();
  await Promise.all(said.map((one) => one.done));
  expect(closed).toBe(0);
  expect(said.flatMap((one) => one.refused)).toEqual([]);
  const { rows } = await database.pool.query<{ message_id: string; count: number }>(
    'select message_id, count(*)::int as count from protocol_frames where type = 2 group by 1',
  );
  const stored = new Map(rows.map((row) => [row.message_id, row.count]));
  const acknowledged = said.flatMap((one) => one.acknowledged);
  expect(acknowledged.filter((id) => stored.get(id) !== 1)).toEqual([]);
  expect([...stored.values()].filter((count) => count !== 1)).toEqual([]);
  for (const pile of piles) pile.socket.terminate();
}, 70_000);

/** A pile that sends one message after the other, each when the last is answered. */
function talk(pile: RawPoint, sn: string) {
  const talk = {
    acknowledged: [] as string[],
    refused: [] as unknown[],
    stop: () => undefined,
    done: Promise.resolve(),
  };
  let stopped = false;
  const speak = async () => {
    for (let turn = 0; !stopped; turn += 1) {
      const id = `${sn}-${turn}`;
      const [type, ...rest] = await (turn % 2
        ? pile.call('Heartbeat', {}, id)
        : pile.call('StatusNotification', { connectorId: 1, errorCode: 'NoError', status: 'Available' }, id));
      if (type === 3) talk.acknowledged.push(id);
      else talk.refused.push(rest);
      await wait(50);
    }
  };
  talk.stop = () => {
    stopped = true;
  };
  talk.done = speak();
  return talk;
}
