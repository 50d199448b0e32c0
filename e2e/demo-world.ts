import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { startChargehand } from '../apps/server/src/chargehand.ts';
import { DEMO_PREFIX } from '../apps/server/src/demo.ts';
import { readConfig } from '../apps/server/src/platform/config.ts';
import { connectDatabase, type DatabaseConnection } from '../apps/server/src/platform/database/connect.ts';
import { startEmbeddedPostgres } from '../apps/server/src/platform/database/embedded.ts';
import { migrate } from '../apps/server/src/platform/database/migrate.ts';
import { createLog } from '../apps/server/src/platform/log.ts';
import { type Fleet, startFleet } from '../apps/simulator/src/index.ts';

/** The product with its demo fleet, in which an hour of life has been squeezed into some seconds. */
export interface DemoWorld {
  url: string;
  database: DatabaseConnection;
  /** the first is charging, the second has faults, the last two have never connected */
  fleet: Fleet;
  stop(): Promise<void>;
}

const DEVICES = 24;
/** How far back the history of the fleet begins, and in how many steps it comes to the present. */
const HISTORY_MS = 55 * 60_000;
const STEPS = 60;

export async function startDemoWorld(): Promise<DemoWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'chargehand-screens-'));
  const log = createLog('error');
  const postgres = await startEmbeddedPostgres({ folder, log, durable: false });
  const database = connectDatabase(postgres.url, { log });
  await migrate(database.pool);
  const config = readConfig({
    PORT: '0',
    CHARGEHAND_DATA: folder,
    CHARGEHAND_DEMO_DEVICES: String(DEVICES),
    CHARGEHAND_LANGUAGE_SWITCH: 'on',
  });
  const chargehand = await startChargehand({ ...config, logLevel: 'error' }, database, log);
  const strangers = await startFleet({ url: chargehand.deviceUrl, devices: 3, prefix: 'UNKNOWN-' });
  const fleet = await startFleet({
    url: chargehand.deviceUrl,
    devices: DEVICES - 2,
    prefix: DEMO_PREFIX,
    seed: 7,
    meterInterval: 60,
    speed: 120,
  });
  await fleet.whenAccepted();
  await live(fleet);
  return {
    url: chargehand.url,
    database,
    fleet,
    async stop() {
      await fleet.stop();
      await strangers.stop();
      await chargehand.stop();
      await database.close();
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

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
  fleet.devices.at(-1)?.goOffline(3_600_000);
}
