import { createHash } from 'node:crypto';
import { PERMISSIONS } from '@chargehand/contract';
import { type Level, type Levels, levelsAll } from '@chargehand/domain';
import { hashSync } from '@node-rs/argon2';
import { type Kysely, sql } from 'kysely';
import { acceptPolicy, publishPolicy } from '../access/privacy/privacy.store.ts';
import { PRIVACY_POLICY } from '../access/privacy/privacy-policy.ts';
import type { Database } from '../platform/database/schema.ts';

/** The password of every user of the test data. */
export const WORLD_PASSWORD = 'Quay-side.1';

/** Weaker than the product's own, so that tests are fast. Verification reads the parameters from the hash itself. */
export const WORLD_PASSWORD_HASH = hashSync(createHash('sha256').update(WORLD_PASSWORD).digest('hex'), {
  memoryCost: 1_024,
  timeCost: 1,
});

/** The name with which a user of the test data signs in. */
export function userNameOf(person: Person): string {
  return person === 'root' ? 'root_user' : person.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The users of the test data, each for one kind of allowed or refused access. */
export const PEOPLE = [
  'root',
  'vendorStaff',
  'northAdmin',
  'northAssigned',
  'northReader',
  'northNoMenus',
  'northDisabled',
  'southAdmin',
  'readOnlyAdmin',
  'closedAdmin',
] as const;
export type Person = (typeof PEOPLE)[number];

/** The sites of the test data, named after their customers. */
export type SiteName = 'northQuay' | 'northMill' | 'southPark' | 'readOnlyYard';

export interface World {
  customers: Record<'vendor' | 'north' | 'south' | 'readOnly' | 'closed', number>;
  sites: Record<SiteName, number>;
  model: number;
  /** devices `<site>1` and `<site>2` of every site */
  devices: Record<`${SiteName}${1 | 2}`, { id: number; sn: string }>;
  users: Record<Person, number>;
  /** users without a special role with `extraData`; otherwise empty */
  extra: ExtraData;
}

/** The customers of the test data that own sites. */
export type Owner = 'north' | 'south' | 'readOnly';

/** Fills each owner up to four sites, each site to ten devices, each owner to eight users. */
export interface ExtraData {
  sites: { code: string; owner: Owner }[];
  devices: { sn: string; site: string; owner: Owner }[];
  users: { userName: string; owner: Owner }[];
}

const EXTRA_ROWS = { sites: 4, devices: 10, users: 8 };

/** The role of the administrators of customers. */
const ADMIN_ROLE = 'Customer admin';

/**
 * Fills an empty database with test data. Users of the vendor see everything; north's admin sees their customer;
 * north's assigned user only the quay; north's reader has level 5 everywhere; south is another customer; `readOnly` may
 * change nothing; `closed` is disabled.
 */
export async function seedWorld(db: Kysely<Database>): Promise<World> {
  const customer = (code: string, more: object = {}) =>
    idOf(
      db
        .insertInto('customers')
        .values({ code, name: `Customer ${code}`, ...more })
        .returning('id'),
    );
  const customers = {
    vendor: await customer('vendor', { platform_vendor: true }),
    north: await customer('north'),
    south: await customer('south'),
    readOnly: await customer('readOnly', { read_only: true }),
    closed: await customer('closed', { enabled: false }),
  };
  const site = (customerId: number, code: string) =>
    idOf(
      db
        .insertInto('sites')
        .values({ customer_id: customerId, code, name: `Site ${code}` })
        .returning('id'),
    );
  const sites = {
    northQuay: await site(customers.north, 'northQuay'),
    northMill: await site(customers.north, 'northMill'),
    southPark: await site(customers.south, 'southPark'),
    readOnlyYard: await site(customers.readOnly, 'readOnlyYard'),
  };
  const model = await idOf(
    db.insertInto('device_models').values({ name: 'World pile', type: 1, vendor: 'World' }).returning('id'),
  );
  const customerOf = {
    northQuay: customers.north,
    northMill: customers.north,
    southPark: customers.south,
    readOnlyYard: customers.readOnly,
  };
  const devices = {} as World['devices'];
  for (const name of Object.keys(sites) as SiteName[]) {
    for (const number of [1, 2] as const) {
      const sn = `${name}-${number}`;
      const id = await idOf(
        db
          .insertInto('devices')
          .values({
            sn,
            name: `Pile ${sn}`,
            site_id: sites[name],
            customer_id: customerOf[name],
            device_model_id: model,
          })
          .returning('id'),
      );
      await db.insertInto('device_states').values({ device_id: id }).execute();
      devices[`${name}${number}`] = { id, sn };
    }
  }
  await db
    .insertInto('menus')
    .values(
      Object.entries(PERMISSIONS).map(([key, { parent, en }], sort) => ({
        key,
        parent_key: parent,
        name_en: en,
        sort,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const role = async (name: string, customerAccess: number, siteAccess: number, level: Level, menus: string[]) => {
    const levels: Levels = levelsAll(level);
    const id = await idOf(
      db
        .insertInto('roles')
        .values({ name, customer_access: customerAccess, site_access: siteAccess, levels: JSON.stringify(levels) })
        .returning('id'),
    );
    if (menus.length > 0) {
      await db
        .insertInto('role_menus')
        .values(menus.map((menu_key) => ({ role_id: id, menu_key })))
        .execute();
    }
    return id;
  };
  const everyMenu = Object.keys(PERMISSIONS);
  const roles = {
    staff: await role('Vendor staff', 0, 0, 1, everyMenu),
    admin: await role(ADMIN_ROLE, 1, 0, 1, everyMenu),
    assigned: await role('Assigned sites', 1, 1, 1, everyMenu),
    reader: await role('Reader', 1, 0, 5, everyMenu),
    noMenus: await role('No menus', 1, 0, 1, []),
  };
  const user = (person: Person, customerId: number, roleId: number | null, more: object = {}) =>
    idOf(
      db
        .insertInto('users')
        .values({
          user_name: userNameOf(person),
          password_hash: WORLD_PASSWORD_HASH,
          customer_id: customerId,
          role_id: roleId,
          root: roleId === null,
          ...more,
        })
        .returning('id'),
    );
  const users: World['users'] = {
    root: await user('root', customers.vendor, null),
    vendorStaff: await user('vendorStaff', customers.vendor, roles.staff),
    northAdmin: await user('northAdmin', customers.north, roles.admin),
    northAssigned: await user('northAssigned', customers.north, roles.assigned),
    northReader: await user('northReader', customers.north, roles.reader),
    northNoMenus: await user('northNoMenus', customers.north, roles.noMenus),
    northDisabled: await user('northDisabled', customers.north, roles.admin, { enabled: false }),
    southAdmin: await user('southAdmin', customers.south, roles.admin),
    readOnlyAdmin: await user('readOnlyAdmin', customers.readOnly, roles.admin),
    closedAdmin: await user('closedAdmin', customers.closed, roles.admin),
  };
  await db.insertInto('user_sites').values({ user_id: users.northAssigned, site_id: sites.northQuay }).execute();
  await publishPolicy(db, PRIVACY_POLICY);
  for (const id of Object.values(users)) await acceptPolicy(db, id, PRIVACY_POLICY.version);
  return { customers, sites, model, devices, users, extra: { sites: [], devices: [], users: [] } };
}

/** Adds to the test data: three owners of four sites with ten devices each, and eight users. */
export async function seedExtraData(db: Kysely<Database>, world: World): Promise<ExtraData> {
  const roleId = await idOf(db.selectFrom('roles').select('id').where('name', '=', ADMIN_ROLE));
  const extra: ExtraData = { sites: [], devices: [], users: [] };
  for (const owner of ['north', 'south', 'readOnly'] as const) {
    const customer_id = world.customers[owner];
    const named = (Object.keys(world.sites) as SiteName[]).filter((site) => site.startsWith(owner));
    for (let number = named.length + 1; number <= EXTRA_ROWS.sites; number++) {
      extra.sites.push({ code: `${owner}Site${number}`, owner });
    }
    const people = PEOPLE.filter((person) => person.startsWith(owner));
    for (let number = people.length + 1; number <= EXTRA_ROWS.users; number++) {
      extra.users.push({ userName: `${userNameOf(people[0]!).replace(/_admin$/, '')}_user_${number}`, owner });
    }
    for (const site of [...named, ...extra.sites.filter((one) => one.owner === owner).map(({ code }) => code)]) {
      const first = site in world.sites ? 3 : 1;
      for (let number = first; number <= EXTRA_ROWS.devices; number++) {
        extra.devices.push({ sn: `${site}-${number}`, site, owner });
      }
    }
    await db
      .insertInto('users')
      .values(
        extra.users
          .filter((user) => user.owner === owner)
          .map(({ userName }) => ({
            user_name: userName,
            password_hash: WORLD_PASSWORD_HASH,
            customer_id,
            role_id: roleId,
          })),
      )
      .execute();
  }
  const siteIds: Record<string, number> = { ...world.sites };
  for (const { code, owner } of extra.sites) {
    const values = { customer_id: world.customers[owner], code, name: `Site ${code}` };
    siteIds[code] = await idOf(db.insertInto('sites').values(values).returning('id'));
  }
  const devices = await db
    .insertInto('devices')
    .values(
      extra.devices.map(({ sn, site, owner }) => ({
        sn,
        name: `Pile ${sn}`,
        site_id: siteIds[site]!,
        customer_id: world.customers[owner],
        device_model_id: world.model,
      })),
    )
    .returning('id')
    .execute();
  await db
    .insertInto('device_states')
    .values(devices.map(({ id }) => ({ device_id: id })))
    .execute();
  await seedTroubles(db);
  await seedBatches(db);
  return extra;
}

/** An alarm and an event at the first device of every site, with codes named after the site. */
async function seedTroubles(db: Kysely<Database>): Promise<void> {
  await sql`
    with first as (
      select d.id, 'WORLD-' || s.code as code from devices d join sites s on s.id = d.site_id where d.sn = s.code || '-1'
    ), alarms as (
      insert into alarms (device_id, connector, code, kind, level, raised_at, last_at)
      select id, 1, code, 'fault', 'MA', now(), now() from first
    )
    insert into device_events (device_id, type, at, code) select id, 2, now(), code from first`.execute(db);
}

/** A batch of commands at every site, without a user and with no waiting commands. */
async function seedBatches(db: Kysely<Database>): Promise<void> {
  await sql`
    with asked as (
      insert into commands (kind, control_type, params, requested_by_name)
      select 'softReset', 1, jsonb_build_object('site', id), 'nobody' from sites returning id, params
    )
    insert into command_batches (command_id, site_id, customer_id, connector, parallel, level, value_level, ended_at)
    select a.id, s.id, s.customer_id, 0, 20, 4, 5, now()
      from asked a join sites s on s.id = (a.params ->> 'site')::integer`.execute(db);
}

async function idOf(query: { executeTakeFirstOrThrow(): Promise<{ id: number }> }): Promise<number> {
  return (await query.executeTakeFirstOrThrow()).id;
}
