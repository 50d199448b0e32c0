import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { startChargehand } from '../apps/server/src/chargehand.ts';
import {
  DEMO_OCPP201_EVERY,
  DEMO_PREFIX,
  DEMO_STORAGE_PREFIX,
  demoFleet,
  demoStorageUnits,
} from '../apps/server/src/demo.ts';
import { CHARGER_CODES, loadDemoHistory } from '../apps/server/src/demo-history/index.ts';
import { stateOfDemoFleet } from '../apps/server/src/demo-history/resume.ts';
import { bindNamedCodes } from '../apps/server/src/documents/index.ts';
import { readConfig } from '../apps/server/src/platform/config/config.ts';
import { connectDatabase, type DatabaseConnection } from '../apps/server/src/platform/database/connect.ts';
import { startEmbeddedPostgres } from '../apps/server/src/platform/database/embedded/embedded.ts';
import { migrate } from '../apps/server/src/platform/database/migrate.ts';
import { createLog } from '../apps/server/src/platform/log.ts';
import type { ObjectStore } from '../apps/server/src/platform/objects/store.ts';
import { freePort } from '../apps/server/src/testing/deployment/free-port.ts';
import { type Fleet, type StorageFleet, startFleet, startStorageFleet } from '../apps/simulator/src/index.ts';
import { fillPast } from './demo-past.ts';

/** The product with its demo fleet, for which an hour was simulated within seconds, and with user actions. */
export interface DemoWorld {
  url: string;
  database: DatabaseConnection;
  /** the first is charging, the second has faults, the last two have never connected */
  fleet: Fleet;
  /** the second has a fault */
  storage: StorageFleet;
  stop(): Promise<void>;
}

const DEVICES = 24;
/** How long ago the history of the fleet starts, and the number of steps to the present. */
const HISTORY_MS = 55 * 60_000;
const STEPS = 60;

/** @param history whether the fleet has two weeks of history before that hour */
export async function startDemoWorld({ history = false } = {}): Promise<DemoWorld> {
  const undo: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    return { ...(await build(undo, history)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Builds the world. The cleanup of each part is registered as soon as the part exists. */
async function build(undo: (() => Promise<unknown>)[], history: boolean): Promise<Omit<DemoWorld, 'stop'>> {
  const folder = await mkdtemp(join(tmpdir(), 'chargehand-screens-'));
  undo.push(() => rm(folder, { recursive: true, force: true }));
  const log = createLog('error');
  const postgres = await startEmbeddedPostgres({ folder, log, durable: false });
  undo.push(() => postgres.stop());
  const database = connectDatabase(postgres.url, { log });
  undo.push(() => database.close());
  await migrate(database.pool);
  const config = readConfig({
    PORT: '0',
    CHARGEHAND_DATA: folder,
    CHARGEHAND_DEMO_DEVICES: String(DEVICES),
    CHARGEHAND_DEMO_HISTORY: 'off',
    CHARGEHAND_FTP_PORT: '0',
    // 0 would mean that there are no links.
    CHARGEHAND_LINKS_PORT: String(await freePort()),
    CHARGEHAND_LINKS_HOST: '127.0.0.1',
    CHARGEHAND_MQTT_PORT: '0',
    CHARGEHAND_LANGUAGE_SWITCH: 'on',
  });
  const chargehand = await startChargehand({ ...config, logLevel: 'error' }, database, log);
  undo.push(() => chargehand.stop());
  const devices = demoFleet(DEVICES, { storage: true });
  if (history) await addHistory(database, devices);
  const resume = await stateOfDemoFleet(database.db, devices);
  const strangers = await startFleet({ url: chargehand.deviceUrl, devices: 3, prefix: 'UNKNOWN-' });
  undo.push(() => strangers.stop());
  const fleet = await startFleet({
    url: chargehand.deviceUrl,
    devices: DEVICES - 2,
    prefix: DEMO_PREFIX,
    ocpp201: 1 / DEMO_OCPP201_EVERY,
    seed: 7,
    meterInterval: 60,
    speed: 120,
    resume: resume.stations,
  });
  undo.push(() => fleet.stop());
  const storage = startStorageFleet({
    url: chargehand.mqttUrl!,
    units: demoStorageUnits(DEVICES),
    prefix: DEMO_STORAGE_PREFIX,
    password: chargehand.demoPassword,
    resume: resume.storage,
    reportInterval: 2,
  });
  undo.push(() => storage.stop());
  await fleet.whenAccepted();
  await live(fleet);
  storage.units[1]?.fault(17);
  await fillPast({ url: chargehand.url, database, history });
  // One that is offline while the pages are captured.
  fleet.devices.at(-1)?.goOffline(3_600_000);
  return { url: chargehand.url, database, fleet, storage };
}

/** Adds the history of the demo until the hour that is simulated. */
async function addHistory(database: DatabaseConnection, fleet: ReturnType<typeof demoFleet>): Promise<void> {
  // The history is only added to a database in which no server has observed devices yet.
  await database.pool.query('delete from server_beats');
  const until = new Date(Date.now() - HISTORY_MS);
  await loadDemoHistory({ database, store: NO_STORE, log: createLog('error'), fleet, until });
  // The product does this at its start, which was before the history here.
  await bindNamedCodes(database.db, CHARGER_CODES);
}

/** No device downloads the firmware of the history here. */
const NO_STORE = { buckets: { main: '', firmware: '' }, put: async () => undefined } as unknown as ObjectStore;

/** Lets the fleet charge, fail and recover while its clocks run from the past to the present. */
async function live(fleet: Fleet): Promise<void> {
  const [first, second, third, fourth] = fleet.devices;
  for (let step = 0; step <= STEPS; step += 1) {
    for (const device of fleet.devices) device.setClockSkew(-HISTORY_MS * (1 - step / STEPS));
    if (step % 9 === 1) for (const device of fleet.devices.filter((_, n) => n % 3 === 0)) device.plugIn(1, 'CARD-0417');
    if (step % 9 === 8) for (const device of fleet.devices.filter((_, n) => n % 6 === 3)) device.unplug(1);
    if (step === 10) third?.fault(1, 'GroundFailure');
    if (step === 22) third?.clearFault(1);
    if (step === 30) second?.fault(1, 'HighTemperature', 'E-1042');
    if (step === 34) fourth?.warn(0, 'WeakSignal');
    if (step === 50) second?.fault(0, 'InternalError', 'E-7001');
    await pass(500);
  }
  first?.plugIn(1, 'CARD-0417');
}
