import { createPublicKey, randomBytes } from 'node:crypto';
import { levelsAll } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { type SecretBox, secretBox } from '../../platform/secret-box.ts';
import type { Inputs, Invoked } from '../invoke.ts';
import { type Owner, type Person, type SiteName, userNameOf, type World } from '../world.ts';

/** A valid call of an endpoint, and what the authorization matrix (design §5) expects of it. */
export interface EndpointCase {
  /** A valid call on an object of this site by a user. It creates what it needs, so that it can be repeated. */
  call?: (ground: Ground, site: SiteName, who: Person) => Promise<Inputs> | Inputs;
  /** Texts that may be longer than 10,000 characters. */
  longTexts?: readonly string[];
  /** Undoes the effects of a successful call on other users. */
  undo?: (ground: Ground) => Promise<void>;
  /** The code for a user with assigned sites on a row of theirs, when the case requires another one. */
  assignedSites?: number;
  /** The code for every allowed caller: the request does not match the test data. */
  everybody?: number;
  /** The code for a user whose password was set by another user, instead of the request to choose their own. */
  givenPassword?: number;
  /** The result of an anonymous caller of a public endpoint. */
  anonymous?: number;
  /** A list, a count or an export of scoped rows: what the answer contains, and what each user may see of it. */
  scoped?: {
    shown(answer: Invoked): Shown;
    visible(world: World, person: Person): Shown;
    /** the answer is one page of several */
    paged?: boolean;
    /** a query with which a list that is not paged shows all */
    query?: Record<string, unknown>;
  };
}

export interface Ground {
  world: World;
  db: Kysely<Database>;
}

/** Names in any order, and the total number, if the answer contains it. */
export interface Shown {
  names: string[];
  total?: number;
}

export const onDevice = (ground: Ground, site: SiteName) => ({ params: { id: ground.world.devices[`${site}1`].id } });
export const HOUR_AGO = new Date(Date.now() - 3_600_000).toISOString();

/** Reading a part of a device: every user who sees the device and has one of the keys. */
export const readsDevice: EndpointCase = { call: onDevice };

export const onSite = ({ world }: Ground, site: SiteName) => ({ params: { id: world.sites[site] } });

/** Reading a part of a site: every user who sees the site and has one of the keys. */
export const readsSite: EndpointCase = { call: onSite };

export const onRole = async ({ db }: Ground) => {
  const values = { customer_access: 1, site_access: 1, levels: JSON.stringify(levelsAll(5)) };
  const role = db.insertInto('roles').values({ name: fresh('Role'), ...values });
  return { params: { id: (await role.returning('id').executeTakeFirstOrThrow()).id } };
};

/** A user of the site's customer who is assigned to the site. */
export const onUser = async ({ world, db }: Ground, site: SiteName) => {
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

export const readsUser: EndpointCase = { call: onUser };
export const editsUser: EndpointCase = { ...readsUser };

export const CUSTOMER_OF = {
  northQuay: 'north',
  northMill: 'north',
  southPark: 'south',
  readOnlyYard: 'readOnly',
} as const satisfies Record<SiteName, keyof World['customers']>;

export async function assignedRole(db: Kysely<Database>): Promise<number> {
  const role = db.selectFrom('roles').select('id').where('name', '=', 'Assigned sites');
  return (await role.executeTakeFirstOrThrow()).id;
}

/** The key with which browsers encrypt, read where the server stores it. */
export async function publicKeyOf(db: Kysely<Database>): Promise<string> {
  const secret = db.selectFrom('server_secrets').select('value').where('name', 'like', 'sealing-key:%');
  const key = createPublicKey((await secret.executeTakeFirstOrThrow()).value);
  return key.export({ format: 'der', type: 'spki' }).toString('base64');
}

/** Encrypts links of shares and reports as the server stores them. */
export async function linkBox(db: Kysely<Database>): Promise<SecretBox> {
  const secret = db.selectFrom('server_secrets').select('value').where('name', '=', 'sealed-links-key');
  return secretBox((await secret.executeTakeFirstOrThrow()).value);
}

export function freshUserName(): string {
  return `case_${randomBytes(6).toString('hex')}`;
}

/** A list in pages. One property contains the name of each row. */
export function pageOf(property: string, visible: (world: World, person: Person) => string[]): EndpointCase['scoped'] {
  return {
    paged: true,
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

/** The rows of a selection: the part of their names that `namedBy` returns. */
export function selectionOf(
  namedBy: (name: string) => string | undefined,
  visible: (world: World, person: Person) => string[],
): EndpointCase['scoped'] {
  return {
    shown: ({ data }) => ({
      names: (data as { items: { name: string }[] }).items.map(({ name }) => namedBy(name) ?? ''),
    }),
    visible: (world, person) => ({ names: visible(world, person) }),
  };
}

export function customersOf(world: World, person: Person): string[] {
  const all = Object.keys(world.customers);
  return byPerson(person, { all, north: ['north'], assigned: ['north'], south: ['south'], readOnly: ['readOnly'] });
}

export function sitesOf(world: World, person: Person): string[] {
  const { sites } = world.extra;
  const of = (owner: Owner) => sites.filter((site) => site.owner === owner).map(({ code }) => code);
  return byPerson(person, {
    all: [...Object.keys(world.sites), ...sites.map(({ code }) => code)],
    north: ['northQuay', 'northMill', ...of('north')],
    assigned: ['northQuay'],
    south: ['southPark', ...of('south')],
    readOnly: ['readOnlyYard', ...of('readOnly')],
  });
}

/** The seeded devices of the sites that a user sees. */
export function devicesOf(world: World, person: Person): string[] {
  return sitesOf(world, person).flatMap((site) => [
    ...(site in world.sites ? [`${site}-1`, `${site}-2`] : []),
    ...world.extra.devices.filter((device) => device.site === site).map(({ sn }) => sn),
  ]);
}

/** What the users of the test data see, by group. */
export function byPerson<T>(
  person: Person,
  seen: Record<'all' | 'north' | 'assigned' | 'south' | 'readOnly', T[]>,
): T[] {
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

/** A unique name. */
export function fresh(prefix: string): string {
  return `${prefix}-${randomBytes(6).toString('hex')}`;
}

export async function customerOf({ world, db }: Ground, site: SiteName): Promise<number> {
  const { customer_id } = await db
    .selectFrom('sites')
    .select('customer_id')
    .where('id', '=', world.sites[site])
    .executeTakeFirstOrThrow();
  return customer_id;
}

export async function ownerOf(ground: Ground, site: SiteName): Promise<{ params: { id: number } }> {
  return { params: { id: await customerOf(ground, site) } };
}

export async function newCustomer({ db }: Ground): Promise<{ params: { id: number } }> {
  const { id } = await db
    .insertInto('customers')
    .values({ code: fresh('CASE'), name: fresh('Case') })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { params: { id } };
}

/** A site of the same customer, visible to the same users. */
export async function newSite(ground: Ground, site: SiteName): Promise<{ params: { id: number } }> {
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

export async function newDevice(ground: Ground, site: SiteName): Promise<number> {
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

export async function newWaitingDevice(db: Kysely<Database>): Promise<number> {
  const { id } = await db
    .insertInto('blacklist_entries')
    .values({ sn: fresh('UNKNOWN'), protocol_version: 'ocpp1.6', remote_address: '192.0.2.9' })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
