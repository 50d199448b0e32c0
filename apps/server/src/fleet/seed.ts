import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import { DEMO_CUSTOMERS, siteOfDemoDevice } from './demo-places.ts';
import {
  insertDemoDevices,
  insertDemoPlaces,
  insertFirstSite,
  insertModel,
  lockSeeds,
  setPasswords,
} from './seed.store.ts';

/** The model of charge points of which only OCPP 1.6 is known. */
const GENERIC_MODEL = { name: 'Generic OCPP 1.6 pile', type: 1, vendor: 'Generic', tolerant: false } as const;

/** The model of charging stations of which only OCPP 2.0.1 is known. */
const NEWER_MODEL = { name: 'Generic OCPP 2.0.1 pile', type: 1, vendor: 'Generic', tolerant: false } as const;

/** The model for charge points that deviate from the schemas of the specification. */
const TOLERANT_MODEL = { name: 'Off-spec OCPP 1.6 pile', type: 1, vendor: 'Generic', tolerant: true } as const;

/** The site of the first devices until a user adds a better one. */
const FIRST_SITE = { code: 'MAIN', name: 'Main site' } as const;

/** What a fleet needs before the first device: the generic device models and a site. Safe to run at every start. */
export async function seedFleet(db: Kysely<Database>): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockSeeds(trx);
    await insertModel(trx, GENERIC_MODEL);
    await insertModel(trx, TOLERANT_MODEL);
    await insertFirstSite(trx, FIRST_SITE);
  });
}

/**
 * Registers the demo fleet: `<prefix>00001` and following, distributed over the demo sites; every n-th uses OCPP 2.0.1.
 * Safe to run at every start: existing devices and changes by users are kept.
 */
export async function ensureDemoFleet(
  db: Kysely<Database>,
  options: { devices: number; snPrefix: string; ocpp201Every: number },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockSeeds(trx);
    const modelId = await insertModel(trx, GENERIC_MODEL);
    const newerId = await insertModel(trx, NEWER_MODEL);
    const sites = await insertDemoPlaces(trx, DEMO_CUSTOMERS);
    const numbers = new Map<number, number>();
    const devices = Array.from({ length: options.devices }, (_, index) => {
      const site = sites[siteOfDemoDevice(index)]!;
      const number = (numbers.get(site.id) ?? 0) + 1;
      numbers.set(site.id, number);
      const newer = (index + 1) % options.ocpp201Every === 0;
      const name = `${site.code} ${String(number).padStart(2, '0')}`;
      return { sn: demoSn(options.snPrefix, index + 1), name, site, modelId: newer ? newerId : modelId };
    });
    await insertDemoDevices(trx, devices);
  });
}

/** Registers devices of the demo that never connect, each at the site with this code. */
export async function insertDemoAway(
  trx: Transaction<Database>,
  wanted: readonly { sn: string; name: string; siteCode: string }[],
): Promise<void> {
  const modelId = await insertModel(trx, GENERIC_MODEL);
  const sites = await insertDemoPlaces(trx, DEMO_CUSTOMERS);
  const devices = wanted.flatMap(({ sn, name, siteCode }) => {
    const site = sites.find(({ code }) => code === siteCode);
    return site ? [{ sn, name, site, modelId }] : [];
  });
  await insertDemoDevices(trx, devices);
}

/** The ready-made model of storage units, by its original name. */
const STORAGE_MODEL = { name: 'Home storage unit', type: 5, vendor: 'Generic', tolerant: false } as const;

/**
 * Registers the storage units of the demo, `<prefix>00001` and following, and gives them the password with this hash,
 * which is valid until the next start. Safe to run at every start: changes by users are kept.
 */
export async function ensureDemoStorage(
  db: Kysely<Database>,
  options: { units: number; snPrefix: string; passwordHash: string },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockSeeds(trx);
    const modelId = await insertModel(trx, STORAGE_MODEL);
    const sites = await insertDemoPlaces(trx, DEMO_CUSTOMERS);
    const devices = Array.from({ length: options.units }, (_, index) => {
      const site = sites[siteOfDemoDevice(index)]!;
      return { sn: demoSn(options.snPrefix, index + 1), name: `${site.code} ESS ${index + 1}`, site, modelId };
    });
    await insertDemoDevices(trx, devices);
    await setPasswords(
      trx,
      devices.map(({ sn }) => sn),
      options.passwordHash,
    );
  });
}

/** The SN of a demo device. The simulator uses the same numbers: the first of `SIM` is `SIM00001`. */
export function demoSn(prefix: string, number: number): string {
  return `${prefix}${String(number).padStart(5, '0')}`;
}
