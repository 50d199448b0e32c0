import type { Kysely } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import {
  type DemoCustomer,
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

/** The invented customers and sites of the demo fleet. */
const DEMO_CUSTOMERS: readonly DemoCustomer[] = [
  {
    code: 'HARBOUR',
    name: 'Harbour Volt Charging 港湾充电',
    contact: 'Ada Leung',
    address: 'Kwun Tong, Hong Kong',
    country: 'HK',
    sites: [
      {
        code: 'HK-KLB',
        name: 'Kowloon Bay Depot',
        contact: 'Ken Lau',
        phone: '+852 5550 0101',
        address: '18 Wang Fung Street, Kowloon Bay, Hong Kong',
        country: 'HK',
        latitude: 22.3233,
        longitude: 114.2089,
      },
      {
        code: 'HK-TKO',
        name: 'Tseung Kwan O Waterfront',
        contact: 'Mandy Ho',
        phone: '+852 5550 0102',
        address: '3 Tong Yin Path, Tseung Kwan O, Hong Kong',
        country: 'HK',
        latitude: 22.3013,
        longitude: 114.2622,
      },
    ],
  },
  {
    code: 'PENGCHENG',
    name: 'Pengcheng Green Travel 鹏程绿行',
    contact: '林晓东',
    address: '深圳市南山区',
    country: 'CN',
    province: '440000',
    city: '440300',
    sites: [
      {
        code: 'SZ-NS',
        name: '南山科苑充电站',
        contact: '周敏',
        phone: '+86 755 5550 0201',
        address: '深圳市南山区科苑北路 66 号',
        country: 'CN',
        province: '440000',
        city: '440300',
        latitude: 22.5472,
        longitude: 113.9465,
      },
      {
        code: 'SZ-QH',
        name: '前海湾公交充电站',
        contact: '陈立',
        phone: '+86 755 5550 0202',
        address: '深圳市前海梦海大道 8 号',
        country: 'CN',
        province: '440000',
        city: '440300',
        latitude: 22.5324,
        longitude: 113.8965,
      },
    ],
  },
];

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
    const devices = Array.from({ length: options.devices }, (_, index) => {
      const site = sites[index % sites.length]!;
      const newer = (index + 1) % options.ocpp201Every === 0;
      const sn = demoSn(options.snPrefix, index + 1);
      return {
        sn,
        name: `${site.code} ${String(Math.floor(index / sites.length) + 1).padStart(2, '0')}`,
        site,
        modelId: newer ? newerId : modelId,
      };
    });
    await insertDemoDevices(trx, devices);
  });
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
      const site = sites[index % sites.length]!;
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
function demoSn(prefix: string, number: number): string {
  return `${prefix}${String(number).padStart(5, '0')}`;
}
