import { randomUUID } from 'node:crypto';
import { CODES, CSRF_HEADER, type Endpoint } from '@chargehand/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashPassword } from '../../access/passwords/passwords.ts';
import { type EndpointCase, type Ground, onUser } from '../cases/ground.ts';
import { type Client, client, openSession } from '../client.ts';
import { type WriteWatch, watchWrites } from '../database/write-watch.ts';
import { invoke } from '../invoke.ts';
import { startTestServer, type TestServer } from '../server.ts';
import { PEOPLE, type Person, type SiteName } from '../world.ts';
import { ENDPOINT_CASES } from './endpoint-cases.ts';
import { expectedOf } from './expected.ts';

/**
 * Tables that refused calls write too: the last use of a session, and failed sign-ins. And the heartbeats and
 * leases of the server, and the messages that follow alarms, which no call writes. And the send log, which the worker
 * updates after an earlier call; the calls that write it also write `action_logs`, which is watched.
 */
const MAY_BE_WRITTEN = [
  ...['sessions', 'login_logs', 'server_beats', 'nodes', 'job_leases'],
  ...['notices', 'incidents', 'incident_members', 'incident_receivers', 'incident_webhooks', 'messages'],
  ...['message_mails', 'message_sends'],
  ...['error_groups', 'error_hours', 'error_occurrences'],
  // runs of jobs and measurements are stored later
  ...['job_runs', 'system_samples'],
  ...['open_events', 'open_event_positions', 'open_event_sequences', 'webhook_deliveries'],
];

const CHANGING = new Set(['create', 'update', 'delete', 'control']);

type Caller = Person | 'expired' | 'replaced' | 'removed' | 'given' | 'anonymous';

/** The owner of a call's rows when the caller is anonymous or no longer exists. */
function callerOf(who: Column['who']): Person {
  return PEOPLE.find((person) => person === who) ?? 'northAdmin';
}

/** One case of allowed or refused access: the caller, the site of the row, and the expected result. */
interface Column {
  title: string;
  /**
   * Decided by the session alone, or by rights and rows that other callers have, too: the tables of `decide.test.ts` have
   * them for every endpoint.
   */
  isDecided?: true;
  who: Caller;
  site: SiteName;
  headers?: Record<string, string>;
  /** undefined when the column does not apply to an endpoint */
  expected(endpoint: Endpoint, row: EndpointCase): number | undefined;
}

const session = (code: number) => (endpoint: Endpoint) => (endpoint.policy.route === 'public' ? undefined : code);
const granted = (endpoint: Endpoint, row: EndpointCase) =>
  expectedOf(endpoint).who ? CODES.noPermission.code : (row.everybody ?? 0);
const signedIn = (rule: Column['expected']): Column['expected'] => {
  return (endpoint, row) => (endpoint.policy.route === 'public' ? undefined : rule(endpoint, row));
};
const outOfScope: Column['expected'] = (endpoint) => expectedOf(endpoint).outOfScope;

const COLUMNS: Column[] = [
  {
    isDecided: true,
    title: 'without a session',
    who: 'anonymous',
    site: 'northQuay',
    expected: (endpoint, row) => (endpoint.policy.route === 'public' ? row.anonymous : CODES.notSignedIn.code),
  },
  {
    isDecided: true,
    title: 'with an expired session',
    who: 'expired',
    site: 'northQuay',
    expected: session(CODES.sessionExpired.code),
  },
  {
    isDecided: true,
    title: 'with a replaced session',
    who: 'replaced',
    site: 'northQuay',
    expected: session(CODES.signedOutElsewhere.code),
  },
  {
    isDecided: true,
    title: 'removed user',
    who: 'removed',
    site: 'northQuay',
    expected: session(CODES.accountDisabled.code),
  },
  {
    isDecided: true,
    title: 'disabled user',
    who: 'northDisabled',
    site: 'northQuay',
    expected: session(CODES.accountDisabled.code),
  },
  {
    isDecided: true,
    title: 'user of a disabled customer',
    who: 'closedAdmin',
    site: 'northQuay',
    expected: session(CODES.accountDisabled.code),
  },
  {
    isDecided: true,
    title: 'without the csrf token',
    who: 'northAdmin',
    site: 'northQuay',
    headers: { [CSRF_HEADER]: '' },
    expected: signedIn((endpoint) => (endpoint.method === 'GET' ? undefined : CODES.csrfMissing.code)),
  },
  {
    isDecided: true,
    title: 'role without the menu',
    who: 'northNoMenus',
    site: 'northQuay',
    expected: signedIn((endpoint, row) =>
      typeof endpoint.policy.route === 'object' ? CODES.noPermission.code : (row.everybody ?? 0),
    ),
  },
  { title: 'other customer', who: 'southAdmin', site: 'northQuay', expected: outOfScope },
  {
    title: 'own customer, unassigned site',
    who: 'northAssigned',
    site: 'northMill',
    expected: (endpoint, row) => {
      const code = expectedOf(endpoint).assignedElsewhere;
      return code === 0 ? (row.everybody ?? 0) : code;
    },
  },
  {
    isDecided: true,
    title: 'own customer, assigned site',
    who: 'northAssigned',
    site: 'northQuay',
    expected: signedIn(
      (endpoint, row) => row.assignedSites ?? expectedOf(endpoint).assignedSites ?? granted(endpoint, row),
    ),
  },
  {
    title: 'lowest level',
    who: 'northReader',
    site: 'northQuay',
    expected: signedIn((endpoint, row) => expectedOf(endpoint).leastLevel ?? granted(endpoint, row)),
  },
  {
    isDecided: true,
    title: 'read-only customer, own row',
    who: 'readOnlyAdmin',
    site: 'readOnlyYard',
    expected: signedIn((endpoint, row) =>
      CHANGING.has(endpoint.effect) ? CODES.noPermission.code : granted(endpoint, row),
    ),
  },
  {
    title: 'administrator of the customer',
    who: 'northAdmin',
    site: 'northQuay',
    expected: signedIn(granted),
  },
  {
    isDecided: true,
    title: 'with a password that somebody else gave them',
    who: 'given',
    site: 'northQuay',
    expected: signedIn((_, row) => row.givenPassword ?? CODES.passwordGiven.code),
  },
  {
    isDecided: true,
    title: 'staff of the platform vendor',
    who: 'vendorStaff',
    site: 'southPark',
    expected: signedIn((endpoint, row) =>
      expectedOf(endpoint).who === 'root' ? CODES.noPermission.code : (row.everybody ?? 0),
    ),
  },
  {
    isDecided: true,
    title: 'root',
    who: 'root',
    site: 'southPark',
    expected: signedIn((_, row) => row.everybody ?? 0),
  },
];

/**
 * Calls endpoints as every caller, and compares the answer with their rows of `ENDPOINT_CASES`. A refused call must not
 * write to any table. Without `everyCaller`, what is decided in process is tested once for each method.
 */
export function accessMatrix(endpoints: readonly Endpoint[], { everyCaller = true } = {}): void {
  let server: TestServer;
  let clients: Record<Caller, Client>;
  let writes: WriteWatch;
  let ground: Ground;
  beforeAll(async () => {
    server = await startTestServer({ captcha: false }, { extraData: true });
    ground = { world: server.world, db: server.database.db };
    clients = await callers(server);
    writes = await watchWrites(server.database.pool, MAY_BE_WRITTEN);
  });
  afterAll(() => server.stop());

  describe.each(endpoints.map((endpoint) => [endpoint.id, endpoint] as const))('%s', (id, endpoint) => {
    const row = ENDPOINT_CASES[id] ?? {};
    const first = endpoints.find(({ method, policy }) => method === endpoint.method && policy.route !== 'public');
    const inputsOf = async (site: SiteName, person: Person) => (await row.call?.(ground, site, person)) ?? {};

    for (const column of COLUMNS) {
      const expected = column.expected(endpoint, row);
      const isPublic = endpoint.policy.route === 'public';
      if (expected === undefined || (column.isDecided && !everyCaller && !isPublic && endpoint !== first)) continue;
      test(`${column.title}: ${expected}`, async () => {
        if (column.who === 'given') await giveAgain(ground.db);
        const inputs = await inputsOf(column.site, callerOf(column.who));
        await writes.take();
        const { code } = await invoke(clients[column.who], endpoint, inputs, column.headers);
        if (code === 0) await row.undo?.(ground);
        expect(code).toBe(expected);
        if (expected !== 0) expect(await writes.take(), 'written by a refused call').toEqual([]);
      });
    }

    if (expectedOf(endpoint).outOfScope === CODES.notFound.code && endpoint.params !== undefined) {
      test('a row of another customer gives the same answer as one that does not exist', async () => {
        const inputs = await inputsOf('northQuay', 'southAdmin');
        const hidden = await invoke(clients.southAdmin, endpoint, inputs);
        const missing = await invoke(clients.southAdmin, endpoint, { ...inputs, params: absent(inputs.params) });
        expect(hidden).toEqual(missing);
      });
    }

    if (endpoint.params !== undefined) {
      test('root, a row that does not exist: not found', async () => {
        const inputs = await inputsOf('northQuay', 'root');
        const { code } = await invoke(clients.root, endpoint, { ...inputs, params: absent(inputs.params) });
        expect(code).toBe(CODES.notFound.code);
      });
    }
  });
}

/** Every caller, with the reason for allowing or refusing them. */
async function callers(server: TestServer): Promise<Record<Caller, Client>> {
  const { database, world, url } = server;
  const people: Partial<Record<Person, Client>> = {};
  for (const person of PEOPLE) people[person] = await server.as(person);
  const replaced = await openSession(database.db, world.users.northAdmin);
  await database.pool.query(`update sessions set ended_at = now(), end_reason = 'replaced' where id = $1`, [
    replaced.id,
  ]);
  const { params } = await onUser({ world, db: database.db }, 'northQuay');
  const removed = await openSession(database.db, params.id);
  await database.pool.query('delete from users where id = $1', [params.id]);
  return {
    ...(people as Record<Person, Client>),
    anonymous: server.anonymous,
    expired: client(url, await openSession(database.db, world.users.northAdmin, -1)),
    replaced: client(url, replaced),
    removed: client(url, removed),
    given: client(url, await openSession(database.db, await newGiven(server))),
  };
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** The parameters of a path to a missing object. */
function absent(params: Record<string, unknown> = {}): Record<string, unknown> {
  const [first = 'id'] = Object.keys(params);
  const value = params[first];
  if (typeof value !== 'string') return { ...params, [first]: 2_000_000_000 };
  return { ...params, [first]: UUID.test(value) ? randomUUID() : 'absent' };
}

/** Resets the password of a user who has chosen their own. */
async function giveAgain(db: TestServer['database']['db']): Promise<void> {
  await db.updateTable('users').set({ password_state: 'given' }).where('user_name', '=', 'case_given').execute();
}

/** A root account of the vendor that has not replaced its password yet. */
async function newGiven({ database, world }: TestServer): Promise<number> {
  const user = database.db.insertInto('users').values({
    user_name: 'case_given',
    password_hash: await hashPassword('0'.repeat(64)),
    password_state: 'given',
    customer_id: world.customers.vendor,
    root: true,
  });
  return (await user.returning('id').executeTakeFirstOrThrow()).id;
}
