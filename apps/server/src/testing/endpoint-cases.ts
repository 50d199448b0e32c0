import { createPublicKey, randomBytes } from 'node:crypto';
import { CODES } from '@chargehand/contract';
import { levelsAll } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import type { Inputs, Invoked } from './invoke.ts';
import { seal } from './sign-in.ts';
import { type Person, type SiteName, userNameOf, type World } from './world.ts';
import { textsOfXlsx } from './xlsx.ts';

/** How an endpoint is called validly, and what the authorization matrix (design §5) expects of it. */
export interface EndpointCase {
  /** A valid call on something of this site; makes what it needs, so that it can be asked for any number of times. */
  call?: (ground: Ground, site: SiteName) => Promise<Inputs> | Inputs;
  /** The call concerns a row of the site: out of scope it answers this code. */
  outOfScope?: number;
  /** Somebody with level 5 everywhere gets this code; granted unless said otherwise. */
  leastLevel?: number;
  /** Somebody with assigned sites gets this code although the row is one of theirs; granted unless said otherwise. */
  assignedSites?: number;
  /** The same for a row of a site that is not theirs; `outOfScope` unless said otherwise. */
  assignedElsewhere?: number;
  /** Only people of the platform vendor are let in, whatever their menus. */
  vendorOnly?: boolean;
  /** What an anonymous caller of a public endpoint gets. */
  anonymous?: number;
  /** A list, a count or an export of scoped rows: what the answer shows, and what each person may see of it. */
  scoped?: { shown(answer: Invoked): Shown; visible(world: World, person: Person): Shown };
}

export interface Ground {
  world: World;
  db: Kysely<Database>;
}

/** Names in any order, and how many there are said to be, where the answer says it. */
export interface Shown {
  names: string[];
  total?: number;
}

const NOT_FOUND = CODES.notFound.code;
const NO_PERMISSION = CODES.noPermission.code;

const onDevice = (ground: Ground, site: SiteName) => ({ params: { id: ground.world.devices[`${site}1`].id } });
const HOUR_AGO = new Date(Date.now() - 3_600_000).toISOString();

/** Reading something of a device: everybody who sees the device and holds one of the keys. */
const readsDevice: EndpointCase = { call: onDevice, outOfScope: NOT_FOUND };

const onSite = ({ world }: Ground, site: SiteName) => ({ params: { id: world.sites[site] } });

/** Reading something of a site: everybody who sees the site and holds one of the keys. */
const readsSite: EndpointCase = { call: onSite, outOfScope: NOT_FOUND };

const onRole = async ({ db }: Ground) => {
  const values = { customer_access: 1, site_access: 1, levels: JSON.stringify(levelsAll(5)) };
  const role = db.insertInto('roles').values({ name: fresh('Role'), ...values });
  return { params: { id: (await role.returning('id').executeTakeFirstOrThrow()).id } };
};

/** A user of the site's customer who is assigned to the site. */
const onUser = async ({ world, db }: Ground, site: SiteName) => {
  const { id } = await db
    .insertInto('users')
    .values({
      user_name: freshUserName(),
      password_hash: 'none',
      customer_id: world.customers[CUSTOMER_OF[site]],
      role_id: await assignedRole(db),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.insertInto('user_sites').values({ user_id: id, site_id: world.sites[site] }).execute();
  return { params: { id } };
};

const readsUser: EndpointCase = { call: onUser, outOfScope: NOT_FOUND };
const editsUser: EndpointCase = { ...readsUser, leastLevel: NO_PERMISSION };

/** One entry for every endpoint of the contract; the matrix fails for an endpoint without one. */
export const ENDPOINT_CASES: Record<string, EndpointCase> = {
  'session.publicKey': { anonymous: 0 },
  'session.captcha': { anonymous: 0 },
  'session.info': { anonymous: CODES.notSignedIn.code },
  'session.login': {
    call: () => ({ body: { userName: 'x', password: 'x', captchaId: 'x' } }),
    anonymous: CODES.decryptionFailed.code,
  },
  'session.logout': { anonymous: 0 },
  'session.acceptPrivacy': { call: () => ({ body: { version: 1 } }) },

  'customers.list': { scoped: pageOf('code', customersOf) },
  'customers.export': {
    leastLevel: NO_PERMISSION,
    scoped: {
      shown: ({ bytes }) => ({
        names: textsOfXlsx(bytes).filter((text) => /^(vendor|north|south|readOnly|closed)$/.test(text)),
      }),
      visible: (world, person) => ({ names: customersOf(world, person) }),
    },
  },
  'customers.read': { call: ownerOf, outOfScope: NOT_FOUND, assignedElsewhere: 0 },
  'customers.users': {
    call: ownerOf,
    outOfScope: NOT_FOUND,
    assignedSites: NO_PERMISSION,
    assignedElsewhere: NO_PERMISSION,
  },
  'customers.create': {
    call: () => ({ body: { code: fresh('NEW'), name: fresh('Customer') } }),
    vendorOnly: true,
  },
  'customers.update': {
    call: async (ground, site) => ({ ...(await ownerOf(ground, site)), body: { contact: fresh('Contact') } }),
    outOfScope: NOT_FOUND,
    leastLevel: NO_PERMISSION,
    assignedSites: NO_PERMISSION,
    assignedElsewhere: NO_PERMISSION,
  },
  'customers.enable': { call: newCustomer, vendorOnly: true },
  'customers.disable': { call: newCustomer, vendorOnly: true },
  'customers.delete': { call: newCustomer, vendorOnly: true },
  'sites.list': { scoped: pageOf('code', sitesOf) },
  'sites.export': {
    leastLevel: NO_PERMISSION,
    scoped: {
      shown: ({ bytes }) => ({
        names: textsOfXlsx(bytes).filter((text) => /^(northQuay|northMill|southPark|readOnlyYard)$/.test(text)),
      }),
      visible: (world, person) => ({ names: sitesOf(world, person) }),
    },
  },
  'sites.read': readsSite,
  'sites.administrators': readsSite,
  'sites.create': {
    call: async ({ world, db }, site) => ({
      body: { customerId: await customerOf({ world, db }, site), code: fresh('NEW'), name: fresh('Site') },
    }),
    outOfScope: CODES.customerUnknown.code,
    leastLevel: NO_PERMISSION,
    assignedElsewhere: 0,
  },
  'sites.update': {
    call: (ground, site) => ({ ...onSite(ground, site), body: { contact: fresh('Contact') } }),
    outOfScope: NOT_FOUND,
    leastLevel: NO_PERMISSION,
  },
  'sites.enable': { call: newSite, outOfScope: NOT_FOUND, leastLevel: NO_PERMISSION },
  'sites.disable': { call: newSite, outOfScope: NOT_FOUND, leastLevel: NO_PERMISSION },
  'sites.delete': { call: newSite, outOfScope: NOT_FOUND, leastLevel: NO_PERMISSION },
  'deviceModels.list': {},
  'devices.list': { scoped: pageOf('sn', devicesOf) },
  'devices.count': {
    scoped: {
      shown: ({ data }) => ({ names: [], total: (data as { total: number }).total }),
      visible: (world, person) => ({ names: [], total: devicesOf(world, person).length }),
    },
  },
  'devices.export': {
    leastLevel: NO_PERMISSION,
    scoped: {
      shown: ({ bytes }) => ({
        names: textsOfXlsx(bytes).filter((text) => /^(north|south|readOnly)\w+-\d$/.test(text)),
      }),
      visible: (world, person) => ({ names: devicesOf(world, person) }),
    },
  },
  'devices.read': readsDevice,
  'devices.create': {
    call: ({ world }, site) => ({
      body: { sn: fresh('NEW'), name: fresh('New'), siteId: world.sites[site], deviceModelId: world.model },
    }),
    outOfScope: CODES.siteUnknown.code,
    leastLevel: NO_PERMISSION,
  },
  'devices.update': {
    call: async (ground, site) => ({ params: { id: await newDevice(ground, site) }, body: { name: fresh('Renamed') } }),
    outOfScope: NOT_FOUND,
    leastLevel: NO_PERMISSION,
  },
  'devices.enable': {
    call: async (ground, site) => ({ params: { id: await newDevice(ground, site) } }),
    outOfScope: NOT_FOUND,
    leastLevel: NO_PERMISSION,
  },
  'devices.disable': {
    call: async (ground, site) => ({ params: { id: await newDevice(ground, site) } }),
    outOfScope: NOT_FOUND,
    leastLevel: NO_PERMISSION,
  },
  'devices.delete': {
    call: async (ground, site) => ({ params: { id: await newDevice(ground, site) } }),
    outOfScope: NOT_FOUND,
    leastLevel: NO_PERMISSION,
  },
  'blacklistEntries.list': { vendorOnly: true },
  'blacklistEntries.delete': {
    call: async ({ db }) => ({ params: { id: await newBlacklistEntry(db) } }),
    vendorOnly: true,
  },

  'runtime.read': readsDevice,
  'readingItems.list': readsDevice,
  'readings.read': {
    call: (ground, site) => ({
      ...onDevice(ground, site),
      query: { keys: 'Power.Active.Import', connector: 1, from: HOUR_AGO, to: new Date().toISOString() },
    }),
    outOfScope: NOT_FOUND,
  },
  'transactions.list': readsDevice,
  'alarms.list': readsDevice,
  'deviceEvents.list': readsDevice,
  'siteAlarms.list': readsSite,
  'siteEvents.list': readsSite,

  'commands.send': {
    call: async (ground, site) => ({ params: { id: await newDevice(ground, site) }, body: { kind: 'softReset' } }),
    outOfScope: NOT_FOUND,
    leastLevel: NO_PERMISSION,
  },
  'executions.list': readsDevice,
  'parameters.list': readsDevice,

  'protocolFrames.list': readsDevice,
  'protocolFrames.export': { ...readsDevice, leastLevel: NO_PERMISSION },
  'actionLogs.list': {},
  'loginLogs.list': {},

  'roles.list': { vendorOnly: true },
  'roles.choices': {},
  'roles.read': { call: onRole, vendorOnly: true },
  'roles.create': { call: () => ({ body: { name: fresh('Role') } }), vendorOnly: true },
  'roles.rename': {
    call: async (ground) => ({ ...(await onRole(ground)), body: { name: fresh('Role') } }),
    vendorOnly: true,
  },
  'roles.setData': {
    call: async (ground) => ({
      ...(await onRole(ground)),
      body: { customerAccess: 1, siteAccess: 1, remoteAccess: 0, emailAlarm: true, levels: levelsAll(4) },
    }),
    vendorOnly: true,
  },
  'roles.setMenus': {
    call: async (ground) => ({ ...(await onRole(ground)), body: { keys: ['auth_home'] } }),
    vendorOnly: true,
  },
  'roles.delete': { call: onRole, vendorOnly: true },
  'menus.list': { vendorOnly: true },

  'users.list': {
    scoped: pageOf('userName', (world, person) => {
      const all = (Object.keys(world.users) as Person[]).map(userNameOf);
      const of = (customer: string) => all.filter((name) => name.startsWith(customer));
      const seen = { all, north: of('north_'), assigned: ['north_assigned'], south: of('south_') };
      return byPerson(person, { ...seen, readOnly: of('read_only') });
    }),
  },
  'users.read': readsUser,
  'users.create': {
    call: async ({ world, db }, site) => ({
      body: {
        userName: freshUserName(),
        password: seal(await publicKeyOf(db), 'Case-pass.1'),
        customerId: world.customers[CUSTOMER_OF[site]],
        roleId: await assignedRole(db),
        siteIds: [world.sites[site]],
      },
    }),
    outOfScope: CODES.siteUnknown.code,
    leastLevel: NO_PERMISSION,
  },
  'users.update': {
    ...editsUser,
    call: async (ground, site) => ({ ...(await onUser(ground, site)), body: { nickName: 'Renamed' } }),
  },
  'users.enable': editsUser,
  'users.disable': editsUser,
  'users.resetPassword': editsUser,
  'users.signOut': editsUser,
  'users.delete': editsUser,
  'users.assignments': readsUser,
  'users.assignable': readsUser,
  'users.setAssignments': {
    ...editsUser,
    call: async (ground, site) => ({
      ...(await onUser(ground, site)),
      body: { customerIds: [], siteIds: [ground.world.sites[site]] },
    }),
  },

  'stream.read': {
    call: ({ world }, site) => ({ query: { deviceId: world.devices[`${site}1`].id } }),
    outOfScope: NOT_FOUND,
  },
};

const CUSTOMER_OF = {
  northQuay: 'north',
  northMill: 'north',
  southPark: 'south',
  readOnlyYard: 'readOnly',
} as const satisfies Record<SiteName, keyof World['customers']>;

async function assignedRole(db: Kysely<Database>): Promise<number> {
  const role = db.selectFrom('roles').select('id').where('name', '=', 'Assigned sites');
  return (await role.executeTakeFirstOrThrow()).id;
}

/** The key for which browsers encrypt, from where the server keeps it. */
async function publicKeyOf(db: Kysely<Database>): Promise<string> {
  const secret = db.selectFrom('server_secrets').select('value').where('name', 'like', 'sealing-key:%');
  const key = createPublicKey((await secret.executeTakeFirstOrThrow()).value);
  return key.export({ format: 'der', type: 'spki' }).toString('base64');
}

function freshUserName(): string {
  return `case_${randomBytes(6).toString('hex')}`;
}

/** A list in pages, of which one property names each row. */
function pageOf(property: string, visible: (world: World, person: Person) => string[]): EndpointCase['scoped'] {
  return {
    shown({ data }) {
      const { items, total } = data as { items: Record<string, string>[]; total: number };
      return { names: items.map((item) => String(item[property])), total };
    },
    visible(world, person) {
      const names = visible(world, person);
      return { names, total: names.length };
    },
  };
}

function customersOf(world: World, person: Person): string[] {
  const all = Object.keys(world.customers);
  return byPerson(person, { all, north: ['north'], assigned: ['north'], south: ['south'], readOnly: ['readOnly'] });
}

function sitesOf(world: World, person: Person): string[] {
  return bySite(person, (site) => [site], Object.keys(world.sites) as SiteName[]);
}

/** The seeded devices of the sites that somebody sees. */
function devicesOf(world: World, person: Person): string[] {
  const all = Object.keys(world.sites) as SiteName[];
  return bySite(person, (site) => [world.devices[`${site}1`].sn, world.devices[`${site}2`].sn], all);
}

function bySite(person: Person, rows: (site: SiteName) => string[], all: SiteName[]): string[] {
  const sites = byPerson<SiteName>(person, {
    all,
    north: ['northQuay', 'northMill'],
    assigned: ['northQuay'],
    south: ['southPark'],
    readOnly: ['readOnlyYard'],
  });
  return sites.flatMap(rows);
}

/** What the people of the seeded world see, by the group each belongs to. */
function byPerson<T>(person: Person, seen: Record<'all' | 'north' | 'assigned' | 'south' | 'readOnly', T[]>): T[] {
  switch (userNameOf(person).split('_')[0]) {
    case 'root':
    case 'vendor':
      return seen.all;
    case 'north':
      return person === 'northAssigned' ? seen.assigned : seen.north;
    case 'south':
      return seen.south;
    default:
      return seen.readOnly;
  }
}

/** A name that nothing else has. */
function fresh(prefix: string): string {
  return `${prefix}-${randomBytes(6).toString('hex')}`;
}

async function customerOf({ world, db }: Ground, site: SiteName): Promise<number> {
  const { customer_id } = await db
    .selectFrom('sites')
    .select('customer_id')
    .where('id', '=', world.sites[site])
    .executeTakeFirstOrThrow();
  return customer_id;
}

async function ownerOf(ground: Ground, site: SiteName): Promise<{ params: { id: number } }> {
  return { params: { id: await customerOf(ground, site) } };
}

async function newCustomer({ db }: Ground): Promise<{ params: { id: number } }> {
  const { id } = await db
    .insertInto('customers')
    .values({ code: fresh('CASE'), name: fresh('Case') })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { params: { id } };
}

/** A site of the same customer, seen by the same people. */
async function newSite(ground: Ground, site: SiteName): Promise<{ params: { id: number } }> {
  const { world, db } = ground;
  const { id } = await db
    .insertInto('sites')
    .values({ customer_id: await customerOf(ground, site), code: fresh('CASE'), name: fresh('Case') })
    .returning('id')
    .executeTakeFirstOrThrow();
  await sql`
    insert into user_sites (user_id, site_id)
    select user_id, ${id} from user_sites where site_id = ${world.sites[site]}`.execute(db);
  return { params: { id } };
}

async function newDevice(ground: Ground, site: SiteName): Promise<number> {
  const { world, db } = ground;
  const { id } = await db
    .insertInto('devices')
    .values({
      sn: fresh('CASE'),
      name: fresh('Case'),
      site_id: world.sites[site],
      customer_id: await customerOf(ground, site),
      device_model_id: world.model,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.insertInto('device_states').values({ device_id: id }).execute();
  return id;
}

async function newBlacklistEntry(db: Kysely<Database>): Promise<number> {
  const { id } = await db
    .insertInto('blacklist_entries')
    .values({ sn: fresh('UNKNOWN'), protocol_version: 'ocpp1.6', remote_address: '192.0.2.9' })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
