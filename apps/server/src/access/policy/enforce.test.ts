import { levelsNeeded, type RowsPolicy, type SessionPolicy } from '@chargehand/contract';
import { levelsAll, type ModelLevels } from '@chargehand/domain';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '../../platform/http/caller.ts';
import { Problem } from '../../platform/http/problem.ts';
import type { Inputs } from '../../platform/http/server.ts';
import type { FoundRow } from '../../ports/policy-rows.ts';
import { ROW_FINDERS } from '../../row-finders.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { seedWorld, type World } from '../../testing/world.ts';
import { policyEnforcer } from './enforce.ts';

let database: TestDatabase;
let world: World;
beforeAll(async () => {
  database = await createTestDatabase();
  world = await seedWorld(database.db);
});
afterAll(() => database.drop());

const ADMIN = {
  ...{ userId: 1, customerId: 1, platformVendor: false, root: false, keys: new Set<string>() },
  ...{ scope: { customers: [1], sites: 'all' }, levels: levelsAll(3) },
} as unknown as Caller;
const MODEL: ModelLevels = { parameterRead: 4, parameterWrite: 2, control: 3 };
const ROW: FoundRow = { id: 7, customerId: 1, model: MODEL, described: false };
const DEVICE = { object: 'device', from: 'params.id' } as const;
const SEVEN = { params: { id: 7 } };

/** Enforces a policy where only some rows are visible, and returns the code of the problem, or null. */
async function refusal(
  policy: Omit<SessionPolicy, 'route'>,
  { caller = {}, rows = [ROW], inputs = SEVEN }: { caller?: Partial<Caller>; rows?: FoundRow[]; inputs?: Inputs } = {},
): Promise<string | null> {
  const find = async (_pool: unknown, _caller: unknown, ids: readonly (number | string)[]) =>
    rows.filter(({ id }) => ids.includes(id));
  const finders = Object.fromEntries(Object.keys(ROW_FINDERS).map((object) => [object, find])) as typeof ROW_FINDERS;
  try {
    const found = await policyEnforcer(database, finders).enforce(
      { ...ADMIN, ...caller } as Caller,
      { route: 'common', ...policy } as SessionPolicy,
      inputs,
    );
    for (const row of found) expect(rows).toContain(row);
    return null;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return error.code;
  }
}

describe('users', () => {
  test.each<[SessionPolicy['who'], Partial<Caller>, string | null]>([
    [undefined, {}, null],
    ['vendor', {}, 'noPermission'],
    ['vendor', { platformVendor: true }, null],
    ['vendor', { root: true }, null],
    ['root', {}, 'noPermission'],
    ['root', { platformVendor: true }, 'noPermission'],
    ['root', { root: true }, null],
  ])('%s, %j: %s', async (who, caller, code) => {
    expect(await refusal({ ...(who && { who }), row: 'own' }, { caller })).toBe(code);
  });
});

describe('the rows in a request', () => {
  test.each<[string, Partial<RowsPolicy['row']>, Parameters<typeof refusal>[1], string | null]>([
    ['a visible row', {}, {}, null],
    ['a row that is not visible', {}, { rows: [] }, 'notFound'],
    ['a row that is not visible, with its own problem', { outside: 'siteUnknown' }, { rows: [] }, 'siteUnknown'],
    ['an empty list', { from: 'body.ids' }, { inputs: { body: { ids: [] } } }, null],
    ['no id when none is required', { optional: true }, { inputs: { params: {} } }, null],
    ['a row when none is required', { optional: true }, { rows: [] }, 'notFound'],
    ['one of two is not visible', { from: 'body.ids' }, { inputs: { body: { ids: [7, 8] } } }, 'notFound'],
    [
      'both are visible',
      { from: 'body.ids' },
      { inputs: { body: { ids: [7, 8] } }, rows: [ROW, { ...ROW, id: 8 }] },
      null,
    ],
    ['the same row twice', { from: 'body.ids' }, { inputs: { body: { ids: [7, 7] } } }, null],
    [
      'rows of two inputs',
      { from: ['params.id', 'query.also'] },
      { inputs: { ...SEVEN, query: { also: '8,9' } } },
      'notFound',
    ],
    ['a list in a query', { from: 'query.ids' }, { inputs: { query: { ids: '7' } } }, null],
    ['an invalid list in a query', { from: 'query.ids' }, { inputs: { query: { ids: '7,x' } } }, 'fieldFormat'],
    ['the text of a UUID', {}, { inputs: { params: { id: 'a-b' } }, rows: [{ ...ROW, id: 'a-b' }] }, null],
    ['as many as allowed', { from: 'body.ids', most: 1 }, { inputs: { body: { ids: [7] } } }, null],
    ['more than allowed', { from: 'body.ids', most: 1 }, { inputs: { body: { ids: [7, 8] } } }, 'fieldItems'],
    ['rows of a file, which the service reads', { from: 'file' }, { rows: [] }, null],
    ['many rows, each decided separately', { from: 'body.ids', each: true }, { inputs: { body: { ids: [8] } } }, null],
  ])('%s', async (_, row, options, code) => {
    expect(await refusal({ row: { ...DEVICE, ...row } }, options)).toBe(code);
  });

  test('the problem names the field, and how many rows there may be', async () => {
    const enforcer = policyEnforcer(database, ROW_FINDERS);
    const row = { object: 'device', from: ['params.id', 'query.also'], most: 3 } as const;
    const inputs = { params: { id: 1 }, query: { also: '2,3,4' } };
    await expect(enforcer.enforce(ADMIN, { route: 'common', row }, inputs)).rejects.toMatchObject({
      ...{ code: 'fieldItems', field: 'also', values: { min: 0, max: 2 } },
    });
  });
});

describe('the customer of a row', () => {
  const elsewhere = { rows: [{ ...ROW, customerId: 2 }] };
  test.each<[string, object, Parameters<typeof refusal>[1], string | null]>([
    ['the whole customer is visible', { whole: true }, {}, null],
    [
      'only some sites are visible',
      { whole: true },
      { caller: { scope: { customers: [1], sites: [5] } } },
      'noPermission',
    ],
    ['nothing of another customer is visible', { whole: true }, elsewhere, 'noPermission'],
    ['the row has no customer', { whole: true }, { rows: [{ ...ROW, customerId: null }] }, 'noPermission'],
    ['an own row', { owned: true }, {}, null],
    ['a row of another customer', { owned: true }, elsewhere, 'noPermission'],
    [
      'users of the vendor may use rows of all customers',
      { owned: true },
      { ...elsewhere, caller: { platformVendor: true } },
      null,
    ],
  ])('%s', async (_, row, options, code) => {
    expect(await refusal({ row: { ...DEVICE, ...row } }, options)).toBe(code);
  });

  test('a call about all customers requires a scope with all customers', async () => {
    expect(await refusal({ row: 'shared', allCustomers: true })).toBe('noPermission');
    const caller = { scope: { customers: 'all', sites: 'all' } } as const;
    expect(await refusal({ row: 'shared', allCustomers: true }, { caller })).toBeNull();
  });
});

describe('levels', () => {
  const write = [{ area: 'user', verb: 'write', level: 3 }] as const;
  const described = { rows: [{ ...ROW, described: true }] };
  const at = (level: 0 | 1 | 2 | 3 | 4 | 5) => ({ caller: { levels: levelsAll(level) } });
  test.each<[string, SessionPolicy['level'], Parameters<typeof refusal>[1], string | null]>([
    ['a fixed level that the caller has', write, {}, null],
    ['a fixed level that the caller does not have', write, at(4), 'noPermission'],
    ['control of the model', 'control', {}, null],
    ['control of the model without the level', 'control', at(4), 'noPermission'],
    ['control when no row has a model', 'control', { rows: [{ ...ROW, model: null }] }, 'noPermission'],
    ['parameters may be read', { items: 'readParameters' }, at(4), null],
    ['parameters may not be set', { items: 'setParameters' }, {}, 'noPermission'],
    ['parameters of a described model are decided by the service', { items: 'setParameters' }, described, null],
    [
      'a level that does not depend on a description is checked too',
      'control',
      { ...described, ...at(5) },
      'noPermission',
    ],
    ['a fixed level is checked too', write, { ...described, ...at(4) }, 'noPermission'],
    ['a command by its kind', { command: 'body.kind' }, { inputs: { ...SEVEN, body: { kind: 'softReset' } } }, null],
    [
      'a command that sets parameters',
      { command: 'body.kind' },
      { inputs: { ...SEVEN, body: { kind: 'setParameter' } } },
      'noPermission',
    ],
    [
      'a command of a described model',
      { command: 'body.kind' },
      { ...described, inputs: { ...SEVEN, body: { kind: 'setParameter' } } },
      null,
    ],
    [
      'a command whose kind the row has',
      { command: 'row' },
      { rows: [{ ...ROW, kind: 'setParameter' }] },
      'noPermission',
    ],
    [
      'a command whose kind the row has, with the level',
      { command: 'row' },
      { rows: [{ ...ROW, kind: 'softReset' }] },
      null,
    ],
    [
      'every row counts',
      'control',
      { inputs: { params: { id: [7, 8] } }, rows: [ROW, { ...ROW, id: 8, model: { ...MODEL, control: 2 } }] },
      'noPermission',
    ],
  ])('%s', async (_, level, options, code) => {
    expect(await refusal({ row: DEVICE, ...(level && { level }) }, options)).toBe(code);
  });

  test('are checked after the row, unless the policy says otherwise', async () => {
    expect(await refusal({ row: DEVICE, level: write }, { ...at(4), rows: [] })).toBe('notFound');
    expect(await refusal({ row: DEVICE, level: write, levelFirst: true }, { ...at(4), rows: [] })).toBe('noPermission');
    expect(await refusal({ row: DEVICE, level: write, levelFirst: true }, { rows: [] })).toBe('notFound');
  });

  test('without a device only permissions that do not depend on a model are decided', () => {
    expect(levelsNeeded(undefined, null, null)).toEqual([]);
    for (const right of ['read', 'edit', 'download'] as const) expect(levelsNeeded(right, null, null)).not.toBeNull();
    expect(levelsNeeded('control', null, null)).toBeNull();
    expect(levelsNeeded({ items: 'readParameters' }, null, null)).toBeNull();
    expect(levelsNeeded({ command: 'body.kind' }, null, 'softReset')).toBeNull();
    // Without a kind it is a command that requires the control level.
    expect(levelsNeeded({ command: 'body.kind' }, MODEL, null)).toEqual(levelsNeeded('control', MODEL, null));
  });
});

describe('a user with more permissions than the caller cannot be changed', () => {
  const enforcer = () => policyEnforcer(database, ROW_FINDERS);
  const everywhere = { scope: { customers: 'all', sites: 'all' } } as const;
  const as = (caller: Partial<Caller>) =>
    ({ ...ADMIN, userId: world.users.vendorStaff, ...everywhere, ...caller }) as Caller;
  const policyOf = (object: 'user' | 'role') =>
    ({ route: 'common', row: { object, from: 'params.id' }, withinOwnRights: true }) as const;

  test('a user', async () => {
    const inputs = { params: { id: world.users.northAdmin } };
    const policy = policyOf('user');
    await expect(enforcer().enforce(as({ levels: levelsAll(5) }), policy, inputs)).rejects.toMatchObject({
      code: 'userExceeds',
    });
    expect(await enforcer().enforce(as({ root: true }), policy, inputs)).toHaveLength(1);
    const { withinOwnRights: _, ...without } = policy;
    expect(await enforcer().enforce(as({ levels: levelsAll(5) }), without, inputs)).toHaveLength(1);
  });

  test('a role', async () => {
    const { rows } = await database.pool.query<{ id: number }>('select role_id as id from users where id = $1', [
      world.users.northAdmin,
    ]);
    const inputs = { params: { id: rows[0]!.id } };
    const policy = policyOf('role');
    await expect(enforcer().enforce(as({ levels: levelsAll(5) }), policy, inputs)).rejects.toMatchObject({
      code: 'roleExceeds',
    });
    expect(await enforcer().enforce(as({ root: true }), policy, inputs)).toHaveLength(1);
  });

  test('each of many rows gets its own result', async () => {
    const policy = { ...policyOf('user'), row: { object: 'user', from: 'body.ids', each: true } } as const;
    const { northAdmin, northReader } = world.users;
    const refusals = await enforcer().enforceEach(as({ root: true }), policy, [northAdmin, 999_999, northReader]);
    expect([...refusals].map(([id, { code }]) => [id, code])).toEqual([[999_999, 'notFound']]);
    const vendors = await enforcer().enforceEach(ADMIN, { ...policy, who: 'vendor' }, [northAdmin]);
    expect([...vendors].map(([, { code }]) => code)).toEqual(['noPermission']);
    const less = await enforcer().enforceEach(as({ levels: levelsAll(5) }), policy, [northAdmin]);
    expect([...less].map(([, { code }]) => code)).toEqual(['userExceeds']);
  });

  test('an internal error is not a refusal', async () => {
    const broken = { ...ROW, id: 1, customerId: 1, userId: 1 };
    Object.defineProperty(broken, 'toSee', {
      get() {
        throw new TypeError('broken');
      },
    });
    const finders = { ...ROW_FINDERS, user: async () => [broken] };
    const each = policyEnforcer(database, finders).enforceEach(ADMIN, { ...policyOf('user') }, [1]);
    await expect(each).rejects.toThrow(TypeError);
  });
});

describe('links', () => {
  test.each<[string, SessionPolicy['remote'], Partial<FoundRow>, Inputs, string | null]>([
    ['a page, of the row', 'row', { linkKind: 'web' }, SEVEN, null],
    ['a terminal, of the row', 'row', { linkKind: 'ssh' }, SEVEN, 'noPermission'],
    ['a page, in the request', 'body.kind', {}, { ...SEVEN, body: { kind: 'web' } }, null],
    ['a terminal, in the request', 'body.kind', {}, { ...SEVEN, body: { kind: 'ssh' } }, 'noPermission'],
    ['neither', 'body.kind', {}, { ...SEVEN, body: {} }, 'noPermission'],
  ])('a role with pages only, %s', async (_, remote, row, inputs, code) => {
    const found = { caller: { remoteAccess: 3 }, rows: [{ ...ROW, ...row }], inputs };
    expect(await refusal({ row: DEVICE, ...(remote && { remote }) }, found)).toBe(code);
  });
});

test('who is refused before the rows of a call are read, also where each row is decided separately', async () => {
  const each = { object: 'device', from: 'body.ids', each: true } as const;
  expect(await refusal({ who: 'vendor', row: each }, { inputs: { body: { ids: [7] } } })).toBe('noPermission');
  expect(
    await refusal(
      { who: 'vendor', row: { ...DEVICE, most: 1, from: 'query.ids' } },
      { inputs: { query: { ids: 'x' } } },
    ),
  ).toBe('noPermission');
});
