import { CODES } from '@chargehand/contract';
import { sql } from 'kysely';
import { sheetOf, textsOfXlsx } from '../files/xlsx.ts';
import type { Person, SiteName, World } from '../world.ts';
import { userNameOf } from '../world.ts';
import { byPerson, type EndpointCase, fresh, type Ground, newDevice, newSite, onUser } from './ground.ts';

/** A change of several rows is answered for each row: refusals for scope or level are in the answer. */
const RULED_BY_ROW = {};

const ids = (made: { params: { id: number } }) => ({ body: { ids: [made.params.id] } });
const ofDevices: EndpointCase = {
  call: async (ground, site) => ({ body: { ids: [await newDevice(ground, site)] } }),
  ...RULED_BY_ROW,
};
const ofSites: EndpointCase = { call: async (ground, site) => ids(await newSite(ground, site)), ...RULED_BY_ROW };
const ofUsers: EndpointCase = {
  call: async (ground: Ground, site: SiteName) => ids(await onUser(ground, site)),
  ...RULED_BY_ROW,
};

/** The names that a list of users shows, in the form of the list. */
export function usersOf(world: World, person: Person): string[] {
  const named = (Object.keys(world.users) as Person[]).map(userNameOf);
  const all = [...named, ...world.extra.users.map(({ userName }) => userName)];
  const of = (customer: string) => all.filter((name) => name.startsWith(customer));
  const seen = { all, north: of('north_'), assigned: ['north_assigned'], south: of('south_') };
  return byPerson(person, { ...seen, readOnly: of('read_only') });
}

const BROWSER_REPORT = {
  ...{ id: '3f2b8c1d-1111-4222-8333-abcdefabcdef', kind: 'error', name: 'TypeError', message: 'x is undefined' },
  ...{ stack: null, path: '/manage/home', count: 1 },
};

async function newError({ db }: Ground) {
  const error = db.insertInto('error_groups').values({
    ...{ fingerprint: fresh('error'), source: 'server', anonymous: false, name: 'Error', message: 'Case', count: 1 },
    ...{ first_at: new Date(), last_at: new Date(), first_version: '1', last_version: '1' },
  });
  return { params: { id: (await error.returning('id').executeTakeFirstOrThrow()).id } };
}

/** A change of a parameter that was made before, as its form sends it. */
async function newParameterChange({ db }: Ground) {
  const made = await undoneParameterChange({ db });
  return { params: { key: 'linkDays' }, body: { value: 92, revision: made.params.id } };
}

async function undoneParameterChange({ db }: Pick<Ground, 'db'>) {
  await db
    .insertInto('system_parameters')
    .values({ key: 'linkDays', value: '91' })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: '91' }))
    .execute();
  const change = db.insertInto('system_parameter_changes').values({
    ...{ key: 'linkDays', user_name: fresh('user'), before: null, after: '91', undoes: null },
  });
  return { params: { id: (await change.returning('id').executeTakeFirstOrThrow()).id } };
}

/** An entry that no dictionary has. */
function newCause() {
  const name = fresh('cause');
  return { code: name, nameEn: name, nameZh: `${name} 原因` };
}

async function lastDictionaryChange(db: Ground['db'], code: string): Promise<number> {
  const last = db.selectFrom('dictionary_changes').select('id').where('code', '=', code).orderBy('id', 'desc');
  return (await last.limit(1).executeTakeFirst())?.id ?? 0;
}

/** An added cause with its recorded change. */
async function changedCause({ db }: Ground) {
  const { code, nameEn, nameZh } = newCause();
  const value = { nameEn, nameZh, enabled: true, position: 500 };
  const row = { dictionary: 'causes' as const, code };
  await db
    .insertInto('dictionary_entries')
    .values({ ...row, name_en: nameEn, name_zh: nameZh, enabled: true, position: 500 })
    .execute();
  const change = db.insertInto('dictionary_changes').values({
    ...{ ...row, at: new Date(), user_id: null, user_name: 'case', action: 'add' },
    ...{ before: null, after: JSON.stringify(value), undoes: null },
  });
  return { code, id: (await change.returning('id').executeTakeFirstOrThrow()).id };
}

/** A file that adds a cause, after the last change of causes. */
async function newCauses({ db }: Ground) {
  const { code, nameEn, nameZh } = newCause();
  const content = await sheetOf(['code', 'nameEn', 'nameZh'], [[code, nameEn, nameZh]]);
  const last = db
    .selectFrom('dictionary_changes')
    .select('id')
    .where('dictionary', '=', 'causes')
    .orderBy('id', 'desc');
  const change = (await last.limit(1).executeTakeFirst())?.id ?? 0;
  return { fileName: 'causes.xlsx', content: content.toString('base64'), dryRun: false, change };
}

/** The layouts of lists for a user, lists as files, and changes of several rows. */
export const LIST_CASES: Record<string, EndpointCase> = {
  'system.read': {},
  'system.history': {},
  'system.problems': {},
  'system.jobs': {},
  'system.jobRuns': { call: () => ({ query: { job: 'partitions' } }) },
  'dictionary.list': { call: () => ({ params: { dictionary: 'causes' } }) },
  'dictionary.regions': {},
  'dictionary.create': { call: () => ({ params: { dictionary: 'causes' }, body: newCause() }) },
  'dictionary.update': {
    call: async ({ db }) => ({
      params: { dictionary: 'alarmNames' },
      body: { ...newCause(), code: 'OverVoltage', change: await lastDictionaryChange(db, 'OverVoltage') },
    }),
  },
  'dictionary.remove': {
    call: async (ground) => ({
      params: { dictionary: 'causes' },
      query: await changedCause(ground).then(({ code, id }) => ({ code, change: id })),
    }),
  },
  'dictionary.uses': { call: () => ({ params: { dictionary: 'causes' }, query: { code: 'wear' } }) },
  'dictionary.changes': { call: () => ({ params: { dictionary: 'causes' } }) },
  'dictionary.undo': { call: async (ground) => ({ params: { id: (await changedCause(ground)).id }, body: {} }) },
  'dictionary.export': { call: () => ({ params: { dictionary: 'causes' } }) },
  'dictionary.import': {
    call: async (ground) => ({ params: { dictionary: 'causes' }, body: await newCauses(ground) }),
  },
  'dictionary.names': {},
  'system.releaseOutgoing': {
    call: async ({ db }) => {
      await sql`insert into outgoing_holds default values on conflict do nothing`.execute(db);
      return { body: { discard: false } };
    },
    undo: async ({ db }) => void (await sql`delete from outgoing_holds`.execute(db)),
  },
  'system.runJob': { call: () => ({ params: { job: 'certificateCheck' } }) },
  'systemParameters.list': {},
  'systemParameters.environment': {},
  'systemParameters.changes': { call: () => ({ query: {} }) },
  'systemParameters.preview': { call: () => ({ params: { key: 'actionLogDays' }, query: { value: 100 } }) },
  'branding.read': { anonymous: 0 },
  'branding.logo': { call: () => ({ params: { name: 'none.png' } }), anonymous: CODES.notFound.code },
  'systemParameters.set': { call: newParameterChange },
  'systemParameters.undo': { call: undoneParameterChange },
  'preferences.read': {},
  'preferences.set': {
    call: () => ({
      body: { list: 'devices', view: { density: 'comfortable', columns: [{ name: 'sn', shown: false }] } },
    }),
  },
  'devices.enableMany': ofDevices,
  'devices.disableMany': ofDevices,
  'devices.deleteMany': ofDevices,
  'sites.enableMany': ofSites,
  'sites.disableMany': ofSites,
  'users.enableMany': ofUsers,
  'users.disableMany': ofUsers,
  'users.signOutMany': ofUsers,
  'users.export': {
    scoped: {
      shown: ({ bytes }) => ({
        names: textsOfXlsx(bytes).filter((text) =>
          /^(root_user|(vendor|north|south|read_only|closed)_\w+)$/.test(text),
        ),
      }),
      visible: (world, person) => ({ names: usersOf(world, person) }),
    },
  },
  'roles.export': {},
  'blacklistEntries.export': {},
  'actionLogs.export': {},
  'loginLogs.export': {},
  'errors.report': { call: () => ({ body: { version: '1', reports: [BROWSER_REPORT] } }), anonymous: 0 },
  'errors.list': {},
  'support.bundle': {},
  'errors.export': { call: () => ({ query: { format: 'jsonl' } }) },
  'errors.read': { call: newError },
  'errors.setState': { call: async (ground) => ({ ...(await newError(ground)), body: { state: 'known' } }) },
};
