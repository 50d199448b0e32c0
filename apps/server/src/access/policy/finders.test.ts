import { ENDPOINTS, type Endpoint, type RowType, type SessionPolicy } from '@chargehand/contract';
import type { Level } from '@chargehand/domain';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { ROW_FINDERS } from '../../row-finders.ts';
import { newFile } from '../../testing/cases/attachments.ts';
import type { Ground } from '../../testing/cases/ground.ts';
import { ENDPOINT_CASES } from '../../testing/contract/endpoint-cases.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { addExplanation } from '../../testing/database/documents.ts';
import type { Person, SiteName } from '../../testing/world.ts';
import { findAccountState } from '../callers.store.ts';
import { accountStateOf } from '../decision.ts';

let database: TestDatabase;
let ground: Ground;
beforeAll(async () => {
  const { template, world } = inject('seededWorld');
  database = await createTestDatabase({ max: 4, template });
  ground = { world, db: database.db };
});
afterAll(() => database.drop());

/** What a user with assigned sites and an administrator of another customer see. */
interface Visible {
  /** rows at an assigned site */
  assigned: boolean;
  /** rows of the own customer at another site */
  elsewhere: boolean;
  otherCustomer: boolean;
}

const BY_SITE: Visible = { assigned: true, elsewhere: false, otherCustomer: false };
const OF_CUSTOMER: Visible = { assigned: true, elsewhere: true, otherCustomer: false };
const OWN_ONLY: Visible = { assigned: false, elsewhere: false, otherCustomer: false };
const FOR_ALL: Visible = { assigned: true, elsewhere: true, otherCustomer: true };

/** Who sees rows of each kind, as `docs/security.md` describes it. */
const VISIBLE: Record<RowType, Visible> = {
  device: BY_SITE,
  deviceImage: BY_SITE,
  site: BY_SITE,
  alarm: BY_SITE,
  execution: BY_SITE,
  commandBatch: BY_SITE,
  issue: BY_SITE,
  link: BY_SITE,
  user: BY_SITE,
  session: BY_SITE,
  application: BY_SITE,
  customer: OF_CUSTOMER,
  pictures: OF_CUSTOMER,
  attachment: BY_SITE,
  attachmentContent: BY_SITE,
  folder: BY_SITE,
  parameterBaseline: BY_SITE,
  webhook: OF_CUSTOMER,
  messageSend: OF_CUSTOMER,
  token: OF_CUSTOMER,
  tokenImport: OF_CUSTOMER,
  unknownToken: OF_CUSTOMER,
  // Someone else's share may be of any site.
  share: OWN_ONLY,
  document: OF_CUSTOMER,
  role: FOR_ALL,
};

/** The id of a new row of a kind at a site, made by the case of an endpoint that names one. */
async function newRow(object: RowType, site: SiteName): Promise<number | string> {
  for (const endpoint of Object.values<Endpoint>(ENDPOINTS)) {
    const { row } = endpoint.policy as SessionPolicy;
    const { call } = ENDPOINT_CASES[endpoint.id] ?? {};
    if (typeof row !== 'object' || row.object !== object || typeof row.from !== 'string' || !call) continue;
    const [part, name] = row.from.split('.') as ['params' | 'query' | 'body', string];
    const inputs = await call(ground, site, 'northAdmin');
    const found = [(inputs[part] as Record<string, unknown> | undefined)?.[name]].flat()[0];
    if (typeof found === 'number' || typeof found === 'string') return found;
  }
  throw new Error(`no endpoint names a row of kind ${object}`);
}

async function sees(person: Person, object: RowType, id: number | string): Promise<boolean> {
  const { pool } = database;
  const state = await findAccountState(pool, ground.world.users[person], '');
  return (await ROW_FINDERS[object](pool, accountStateOf(state!), [id])).length === 1;
}

test.each(Object.keys(ROW_FINDERS) as RowType[])('who sees a row of kind %s', async (object) => {
  const { assigned, elsewhere, otherCustomer } = VISIBLE[object];
  const quay = await newRow(object, 'northQuay');
  const mill = await newRow(object, 'northMill');
  expect({
    root: await sees('root', object, quay),
    administrator: await sees('northAdmin', object, quay),
    assigned: await sees('northAssigned', object, quay),
    elsewhere: await sees('northAssigned', object, mill),
    otherCustomer: await sees('southAdmin', object, quay),
  }).toEqual({ root: true, administrator: true, assigned, elsewhere, otherCustomer });
});

test('a row out of the scope is left out of many, and rows that do not exist too', async () => {
  const { pool } = database;
  const { devices, users } = ground.world;
  const state = accountStateOf((await findAccountState(pool, users.northAdmin, ''))!);
  const ids = [devices.northQuay1.id, devices.southPark1.id, 2_000_000_000, devices.northMill1.id];
  const found = await ROW_FINDERS.device(pool, state, ids);
  expect(found.map(({ id }) => id).sort()).toEqual([devices.northQuay1.id, devices.northMill1.id].sort());
});

const caller = async (person: Person) =>
  accountStateOf((await findAccountState(database.pool, ground.world.users[person], ''))!);

test('an application whose user was removed exists only for root accounts', async () => {
  const id = Number(await newRow('application', 'northQuay'));
  await database.pool.query('update applications set user_id = null where id = $1', [id]);
  expect([await sees('root', 'application', id), await sees('northAdmin', 'application', id)]).toEqual([true, false]);
});

test('users with assigned sites see the pictures of customers with one of these sites', async () => {
  const { customers, sites } = ground.world;
  const state = await caller('northAssigned');
  const scope = { customers: [customers.north, customers.south], sites: [sites.northQuay] };
  const found = await ROW_FINDERS.pictures(database.pool, { ...state, scope }, [customers.north, customers.south]);
  expect(found.map(({ id }) => id)).toEqual([customers.north]);
});

test('a document exists for those who reach its read level; while it is disabled, for its authors', async () => {
  const { pool } = database;
  const id = await addExplanation(pool, { type: 102, key: 'finders', readLevel: 2 });
  const [north, vendor] = [await caller('northAdmin'), await caller('vendorStaff')];
  const found = async (state: typeof north, wiki: { read: Level; write: Level }) => {
    const levels = { ...state.levels, wiki: { ...state.levels.wiki, ...wiki } };
    return (await ROW_FINDERS.document(pool, { ...state, levels }, [id])).length === 1;
  };
  expect(await found(north, { read: 2, write: 0 })).toBe(true);
  expect(await found(north, { read: 3, write: 0 })).toBe(false);
  await pool.query('update documents set enabled = false, write_level = 1 where id = $1', [id]);
  expect(await found(north, { read: 1, write: 1 })).toBe(false);
  expect(await found(vendor, { read: 1, write: 1 })).toBe(true);
  expect(await found(vendor, { read: 1, write: 2 })).toBe(false);
});

/** A file whose own levels nobody reaches, and which something uses. */
async function usedFile(kind: 'device' | 'document', objectId: number): Promise<number> {
  const { pool } = database;
  const id = await newFile(ground, 'northQuay');
  await pool.query('update attachments set read_level = 0, write_level = 0, site_id = null where id = $1', [id]);
  await pool.query('insert into attachment_uses (attachment_id, kind, object_id) values ($1, $2, $3)', [
    ...[id, kind, objectId],
  ]);
  return id;
}

test('a file of a device or document is read by those who may read these, also when its own levels are higher', async () => {
  const whoSees = async (id: number) => {
    const people = ['northAdmin', 'northAssigned', 'northNoMenus', 'southAdmin'] as const;
    const seen = await Promise.all(people.map((person) => sees(person, 'attachmentContent', id)));
    return people.filter((_, at) => seen[at]);
  };
  const ofDevice = await usedFile('device', ground.world.devices.northMill1.id);
  expect(await whoSees(ofDevice)).toEqual(['northAdmin']);
  const document = await addExplanation(database.pool, { type: 102, key: 'finders-file' });
  const ofDocument = await usedFile('document', document);
  expect(await whoSees(ofDocument)).toEqual(['northAdmin', 'northAssigned', 'southAdmin']);
});
