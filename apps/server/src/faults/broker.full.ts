import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { client, openSession } from '../testing/client.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { surviveRestarts } from '../testing/faults/restarts.ts';
import { named, registerAll } from '../testing/faults/talk.ts';
import { freePort } from '../testing/free-port.ts';
import { type Program, startProgram } from '../testing/program.ts';
import { seedWorld, type World } from '../testing/world.ts';

const PORT = await freePort();
const MQTT_PORT = await freePort();

let database: TestDatabase;
let dataFolder: string;
let world: World;
let program: Program;

const start = () =>
  startProgram({
    ...{ PORT: String(PORT), HOST: '127.0.0.1', DATABASE_URL: database.url, CHARGEHAND_DATA: dataFolder },
    CHARGEHAND_MQTT_PORT: String(MQTT_PORT),
  });
beforeAll(async () => {
  database = await createTestDatabase({ max: 4 });
  dataFolder = await mkdtemp(join(tmpdir(), 'chargehand-broker-'));
  world = await seedWorld(database.db);
  program = await start();
}, 240_000);
afterAll(async () => {
  await program?.stop();
  await database?.drop();
  await rm(dataFolder, { recursive: true, force: true });
}, 240_000);

test('when the embedded broker is killed and restarted under load, no acknowledged message is lost and no command runs twice', async () => {
  const sns = named('UNIT', 8);
  const ways = [() => program.kill(), () => program.stop()];
  let turn = 0;
  await surviveRestarts({
    ...{ database, prefix: 'UNIT', sns, devices: await registerAll(database, world, sns) },
    mqttUrl: `mqtt://127.0.0.1:${MQTT_PORT}`,
    person: client(program.url, await openSession(database.db, world.users.vendorStaff)),
    async restart() {
      await ways[turn++ % ways.length]!();
      program = await start();
    },
    times: 3,
  });
  expect(turn).toBe(3);
}, 480_000);
