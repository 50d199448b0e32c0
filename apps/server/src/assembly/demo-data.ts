import { randomBytes } from 'node:crypto';
import {
  DEMO_CARDS,
  DEMO_OCPP201_EVERY,
  DEMO_PREFIX,
  DEMO_STORAGE_PREFIX,
  demoFleet,
  demoStorageUnits,
} from '../demo.ts';
import { ensureDemoFleet, ensureDemoStorage, seedFleet } from '../fleet/index.ts';
import { ensureReadyMadeModels } from '../models/index.ts';
import { declareRoom, type Needed } from '../platform/rooms/assemble.ts';
import { hashDevicePassword } from '../ports/devices/device-password.ts';
import { ensureDemoTokens } from '../tokens/index.ts';

declare module '../platform/rooms/assemble.ts' {
  interface Parts {
    /** the password of the demo's storage units, created at each start */
    demoPassword: string;
  }
}

/** Adds ready-made models, and the demo fleet if it is enabled, to the database. It needs the users of `access`. */
export const firstData = declareRoom({
  name: 'first data',
  needs: ['config', 'database', 'db', 'store', 'clock', 'log', 'access'],
  provides: ['demoPassword'],
  async open(parts) {
    const { config, db } = parts;
    // First, because the demo changes models that are ready-made.
    await ensureReadyMadeModels(db);
    if (config.demo) {
      const demo = { devices: config.demoDevices, snPrefix: DEMO_PREFIX, ocpp201Every: DEMO_OCPP201_EVERY };
      await ensureDemoFleet(db, demo);
      await ensureDemoTokens(db, DEMO_CARDS);
    }
    await seedFleet(db);
    const demoPassword = randomBytes(24).toString('base64url');
    if (config.demo && config.mqtt.embedded) {
      const storage = { units: demoStorageUnits(config.demoDevices), snPrefix: DEMO_STORAGE_PREFIX };
      await ensureDemoStorage(db, { ...storage, passwordHash: hashDevicePassword(demoPassword) });
    }
    if (config.demo && config.demoHistory) await addHistory(parts);
    return { demoPassword };
  },
});

/** Gives the demo fleet its history at the first start. Its code is loaded only when it is needed. */
async function addHistory(parts: Needed<'config' | 'database' | 'store' | 'clock' | 'log'>): Promise<void> {
  const { config, clock, ...rest } = parts;
  const { loadDemoHistory } = await import('../demo-history/index.ts');
  const fleet = demoFleet(config.demoDevices, { storage: config.mqtt.embedded });
  try {
    await loadDemoHistory({ ...rest, fleet, until: clock.now() });
  } catch (error) {
    parts.log.warn({ err: error }, 'the demo fleet starts without history');
  }
}
