import { CODES, CSRF_HEADER, ENDPOINTS, type Endpoint } from '@chargehand/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashPassword } from './access/passwords.ts';
import { type EndpointCase, onUser } from './testing/cases/ground.ts';
import { type Client, client, openSession } from './testing/client.ts';
import { ENDPOINT_CASES } from './testing/endpoint-cases.ts';
import { invoke } from './testing/invoke.ts';
import { startTestServer, type TestServer } from './testing/server.ts';
import { PEOPLE, type Person, type SiteName } from './testing/world.ts';

/** Served besides the contract: health, documentation, the console's files, objects over the S3 protocol, files of devices. Devices come over WebSocket upgrades. */
const BESIDE_THE_CONTRACT =
  /^\/(healthz|readyz|metrics|api\/openapi\.json|api\/docs(\/.*)?|assets\/.*|chargehand(-firmware)?(\/\*)?|device-files\/:credential(\/\*)?|\*?|ocpp\/.*)$/;

const endpoints: Endpoint[] = Object.values(ENDPOINTS);
const CHANGING = new Set(['create', 'update', 'delete', 'control']);

let server: TestServer;
const clients = {} as Record<Person | 'expired' | 'replaced' | 'removed' | 'given' | 'anonymous', Client>;
beforeAll(async () => {
  server = await startTestServer({ captcha: false }, { crowded: true });
  const { database, world, url } = server;
  for (const person of PEOPLE) clients[person] = await server.as(person);
  clients.anonymous = server.anonymous;
  clients.expired = client(url, await openSession(database.db, world.users.northAdmin, -1));
  const replaced = await openSession(database.db, world.users.northAdmin);
  await database.pool.query(`update sessions set ended_at = now(), end_reason = 'replaced' where id = $1`, [
    replaced.id,
  ]);
  clients.replaced = client(url, replaced);
  const { params } = await onUser({ world, db: database.db }, 'northQuay');
  clients.removed = client(url, await openSession(database.db, params.id));
  await database.pool.query('delete from users where id = $1', [params.id]);
  clients.given = client(url, await openSession(database.db, await newGiven(database.db)));
});
afterAll(() => server.stop());

describe('the contract and what is served are the same', () => {
  const written = (route: { method: string; url: string }) => `${route.method} ${route.url}`;

  test('every endpoint of the contract is served', () => {
    const served = new Set(server.app.servedRoutes.map(written));
    const missing = endpoints.map((one) => `${one.method} ${one.path}`).filter((route) => !served.has(route));
    expect(missing).toEqual([]);
  });

  test('nothing else is served but a short list', () => {
    const contract = new Set(endpoints.map((one) => `${one.method} ${one.path}`));
    const unknown = server.app.servedRoutes
      .filter((route) => route.method !== 'HEAD' && route.method !== 'OPTIONS')
      .filter((route) => !contract.has(written(route)) && !BESIDE_THE_CONTRACT.test(route.url))
      .map(written);
    expect(unknown).toEqual([]);
  });

  test('every endpoint has its row in this matrix, and every row its endpoint', () => {
    expect(Object.keys(ENDPOINT_CASES).sort()).toEqual(endpoints.map((one) => one.id).sort());
  });
});

/** Whose things a call is about when the caller is nobody any more. */
function callerOf(who: Column['who']): Person {
  return PEOPLE.find((person) => person === who) ?? 'northAdmin';
}

/** One way of being let in or kept out: who calls, on a row of which site, and what they must get. */
interface Column {
  title: string;
  who: keyof typeof clients;
  site: SiteName;
  headers?: Record<string, string>;
  /** undefined where the column says nothing of an endpoint */
  expected(endpoint: Endpoint, row: EndpointCase): number | undefined;
}

const session = (code: number) => (endpoint: Endpoint) => (endpoint.access === 'public' ? undefined : code);
const granted = (_: Endpoint, row: EndpointCase) =>
  row.vendorOnly || row.rootOnly ? CODES.noPermission.code : (row.everybody ?? 0);
const signedIn = (rule: Column['expected']): Column['expected'] => {
  return (endpoint, row) => (endpoint.access === 'public' ? undefined : rule(endpoint, row));
};
const outOfScope: Column['expected'] = (_, row) => row.outOfScope;

const COLUMNS: Column[] = [
  {
    title: 'without a session',
    who: 'anonymous',
    site: 'northQuay',
    expected: (endpoint, row) => (endpoint.access === 'public' ? row.anonymous : CODES.notSignedIn.code),
  },
  { title: 'with an expired session', who: 'expired', site: 'northQuay', expected: session(CODES.sessionExpired.code) },
  {
    title: 'with a replaced session',
    who: 'replaced',
    site: 'northQuay',
    expected: session(CODES.signedOutElsewhere.code),
  },
  { title: 'removed user', who: 'removed', site: 'northQuay', expected: session(CODES.accountDisabled.code) },
  { title: 'disabled user', who: 'northDisabled', site: 'northQuay', expected: session(CODES.accountDisabled.code) },
  {
    title: 'user of a disabled customer',
    who: 'closedAdmin',
    site: 'northQuay',
    expected: session(CODES.accountDisabled.code),
  },
  {
    title: 'without the csrf token',
    who: 'northAdmin',
    site: 'northQuay',
    headers: { [CSRF_HEADER]: '' },
    expected: signedIn((endpoint) => (endpoint.method === 'GET' ? undefined : CODES.csrfMissing.code)),
  },
  {
    title: 'role without the menu',
    who: 'northNoMenus',
    site: 'northQuay',
    expected: signedIn((endpoint, row) =>
      typeof endpoint.access === 'object' ? CODES.noPermission.code : (row.everybody ?? 0),
    ),
  },
  { title: 'other customer', who: 'southAdmin', site: 'northQuay', expected: outOfScope },
  {
    title: 'own customer, unassigned site',
    who: 'northAssigned',
    site: 'northMill',
    expected: (_, row) => row.assignedElsewhere ?? row.outOfScope,
  },
  {
    title: 'own customer, assigned site',
    who: 'northAssigned',
    site: 'northQuay',
    expected: signedIn((endpoint, row) => row.assignedSites ?? granted(endpoint, row)),
  },
  {
    title: 'lowest level',
    who: 'northReader',
    site: 'northQuay',
    expected: signedIn((endpoint, row) => row.leastLevel ?? granted(endpoint, row)),
  },
  {
    title: 'read-only customer, own row',
    who: 'readOnlyAdmin',
    site: 'readOnlyYard',
    expected: signedIn((endpoint, row) =>
      CHANGING.has(endpoint.effect) ? CODES.noPermission.code : granted(endpoint, row),
    ),
  },
  { title: 'administrator of the customer', who: 'northAdmin', site: 'northQuay', expected: signedIn(granted) },
  {
    title: 'with a password that somebody else gave them',
    who: 'given',
    site: 'northQuay',
    expected: signedIn((_, row) => row.givenPassword ?? CODES.passwordGiven.code),
  },
  {
    title: 'staff of the platform vendor',
    who: 'vendorStaff',
    site: 'southPark',
    expected: signedIn((_, row) => (row.rootOnly ? CODES.noPermission.code : (row.everybody ?? 0))),
  },
  { title: 'root', who: 'root', site: 'southPark', expected: signedIn((_, row) => row.everybody ?? 0) },
];

describe.each(endpoints.map((endpoint) => [endpoint.id, endpoint] as const))('%s', (id, endpoint) => {
  const row = ENDPOINT_CASES[id] ?? {};
  for (const column of COLUMNS) {
    const expected = column.expected(endpoint, row);
    if (expected === undefined) continue;
    test(`${column.title}: ${expected}`, async () => {
      const ground = { world: server.world, db: server.database.db };
      if (column.who === 'given') await giveAgain(ground.db);
      const inputs = (await row.call?.(ground, column.site, callerOf(column.who))) ?? {};
      const before = await everythingKept();
      const { code } = await invoke(clients[column.who], endpoint, inputs, column.headers);
      if (code === 0) await row.undo?.(ground);
      expect(code).toBe(expected);
      if (expected !== 0) expect(await everythingKept()).toEqual(before);
    });
  }

  if (row.outOfScope === CODES.notFound.code && endpoint.params !== undefined) {
    test('a row of another customer answers as one that does not exist, word for word', async () => {
      const ground = { world: server.world, db: server.database.db };
      const inputs = (await row.call?.(ground, 'northQuay', 'southAdmin')) ?? {};
      const hidden = await invoke(clients.southAdmin, endpoint, inputs);
      const missing = await invoke(clients.southAdmin, endpoint, { ...inputs, params: absent(inputs.params) });
      expect(hidden).toEqual(missing);
    });
  }

  if (endpoint.params !== undefined) {
    test('root, a row that does not exist: not found', async () => {
      const inputs = (await row.call?.({ world: server.world, db: server.database.db }, 'northQuay', 'root')) ?? {};
      const { code } = await invoke(clients.root, endpoint, { ...inputs, params: absent(inputs.params) });
      expect(code).toBe(CODES.notFound.code);
    });
  }
});

describe('lists, counts and exports show nothing outside the scope, not even in their totals', () => {
  const scoped = endpoints.flatMap((endpoint) => {
    const rule = ENDPOINT_CASES[endpoint.id]?.scoped;
    return rule ? [{ id: endpoint.id, endpoint, rule }] : [];
  });
  const people = ['root', 'vendorStaff', 'northAdmin', 'northAssigned', 'southAdmin', 'readOnlyAdmin'] as const;

  beforeAll(async () => {
    const { pool } = server.database;
    await pool.query(`delete from alarms where code like 'CASE-%'`);
    await pool.query(`delete from devices where sn like 'CASE-%' or sn like 'NEW-%'`);
    await pool.query(`delete from commands where requested_by_name <> 'nobody'`);
    await pool.query(`delete from users where user_name like 'case_%'`);
    await pool.query(`delete from sites where code like 'CASE-%' or code like 'NEW-%'`);
    await pool.query(`delete from customers where code like 'CASE-%' or code like 'NEW-%'`);
  });

  for (const { id, endpoint, rule } of scoped) {
    test.each(people)(`${id}: %s`, async (person) => {
      const shown = await shownTo(clients[person], endpoint, rule);
      const visible = rule.visible(server.world, person);
      expect(shown.names.toSorted()).toEqual(visible.names.toSorted());
      expect(shown.total).toBe(visible.total);
    });

    if (queryOf(endpoint).includes('search')) {
      test(`${id}: a search finds nothing of another customer, and does not count it`, async () => {
        const hidden = await invoke(clients.southAdmin, endpoint, { query: { search: 'north' } });
        expect(rule.shown(hidden).names).toEqual([]);
        expect(rule.shown(hidden).total ?? 0).toBe(0);
        const seen = rule.shown(await invoke(clients.northAdmin, endpoint, { query: { search: 'north' } }));
        expect(seen.total ?? seen.names.length).toBeGreaterThan(0);
      });
    }
  }
});

/** The parameters of a path that leads nowhere. */
function absent(params: Record<string, unknown> = {}): Record<string, unknown> {
  const [first = 'id'] = Object.keys(params);
  return { ...params, [first]: typeof params[first] === 'string' ? 'absent' : 2_000_000_000 };
}

/** The inputs of an endpoint's query, by name. */
function queryOf(endpoint: Endpoint): string[] {
  return Object.keys(endpoint.query?.properties ?? {});
}

/** Everything that somebody is shown of a list: all of its pages. */
async function shownTo(
  caller: Client,
  endpoint: Endpoint,
  rule: NonNullable<EndpointCase['scoped']>,
): Promise<{ names: string[]; total?: number }> {
  const names: string[] = [];
  for (let page = 1; ; page++) {
    const answer = await invoke(caller, endpoint, rule.paged ? { query: { page, pageSize: 100 } } : {});
    expect(answer.code).toBe(0);
    const shown = rule.shown(answer);
    names.push(...shown.names);
    if (!rule.paged || names.length >= shown.total! || shown.names.length === 0) return { ...shown, names };
  }
}

/** What a refused call must leave as it is. */
const KEPT = [
  'customers',
  'sites',
  'device_models',
  'device_model_items',
  'device_model_controls',
  'device_model_rules',
  'device_model_versions',
  'device_model_aliases',
  'item_groups',
  'data_items',
  'devices',
  'device_parameters',
  'parameter_history',
  'parameter_baselines',
  'parameter_baseline_values',
  'device_maintenances',
  'device_images',
  'device_certificates',
  'commands',
  'executions',
  'command_batches',
  'firmware_files',
  'firmware_models',
  'transfers',
  'device_logs',
  'blacklist_entries',
  'action_logs',
  'users',
  'user_sites',
  'roles',
  'role_menus',
  'menus',
  'interfaces',
  'viewings',
  'user_customers',
  'menu_interfaces',
  'privacy_acceptances',
  'privacy_policies',
  'privacy_drafts',
  'user_preferences',
  'outgoing_mails',
  'account_links',
  'site_receivers',
  'alarms',
  'alarm_comments',
  'alarm_codes',
];

/** Whoever chose a password of their own is given one again. */
async function giveAgain(db: TestServer['database']['db']): Promise<void> {
  await db.updateTable('users').set({ password_state: 'given' }).where('user_name', '=', 'case_given').execute();
}

/** A root account of the vendor, but for the password that they have not replaced yet. */
async function newGiven(db: TestServer['database']['db']): Promise<number> {
  const user = db.insertInto('users').values({
    user_name: 'case_given',
    password_hash: await hashPassword('0'.repeat(64)),
    password_state: 'given',
    customer_id: server.world.customers.vendor,
    root: true,
  });
  return (await user.returning('id').executeTakeFirstOrThrow()).id;
}

async function everythingKept(): Promise<unknown> {
  const sums = KEPT.map(
    (table) => `(select md5(string_agg(t::text, '|' order by t::text)) from ${table} t) as ${table}`,
  );
  const { rows } = await server.database.pool.query(`select ${sums.join(', ')}`);
  return rows[0];
}
