import { readFile } from 'node:fs/promises';
import { CODES, ENDPOINTS } from '@chargehand/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sweepMessages } from '../../testing/messages/sweep-messages.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

const { listOnCall, readOnCallSettings, saveOnCallSettings, createOnCall, updateOnCall, deleteOnCall, copyOnCallWeek } =
  ENDPOINTS;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ captcha: false });
  const { northAdmin, northAssigned } = server.world.users;
  await rows(`update users set email = 'u' || id || '@example.org' where id = any($1)`, [[northAdmin, northAssigned]]);
});
afterAll(() => server.stop());
beforeEach(() => server.database.pool.query('truncate on_call_shifts, on_call_settings'));

const rows = async (text: string, values: unknown[] = []) => (await server.database.pool.query(text, values)).rows;
const HOUR = 3_600_000;
const MONDAY = Date.parse('2026-11-23T00:00:00Z');
const at = (hours: number) => new Date(MONDAY + hours * HOUR).toISOString();
const week = { from: at(0), to: at(7 * 24) };

const params = () => ({ id: server.world.customers.north });
/** A shift of a user for the site northQuay. */
const shift = (change: Partial<ReturnType<typeof plain>> = {}) => ({ ...plain(), ...change });
const plain = () => ({
  siteId: server.world.sites.northQuay as number | null,
  userId: server.world.users.northAdmin,
  substituteId: server.world.users.northAssigned as number | null,
  from: at(8),
  to: at(16),
});
const add = async (body = shift()) => (await server.as('northAdmin')).call(createOnCall, { params: params(), body });

describe('the schedule', () => {
  test('is added, changed and removed, and each change is in the action log', async () => {
    const admin = await server.as('northAdmin');
    const { id } = await admin.data(createOnCall, { params: params(), body: shift() });
    const list = () => admin.data(listOnCall, { query: week });
    expect((await list()).items).toMatchObject([
      {
        ...{ id, site: { name: 'Site northQuay' }, from: at(8), to: at(16) },
        ...{ user: { id: server.world.users.northAdmin }, substitute: { id: server.world.users.northAssigned } },
      },
    ]);
    const shiftParams = { ...params(), shiftId: id };
    await admin.data(updateOnCall, { params: shiftParams, body: shift({ to: at(18), substituteId: null }) });
    expect((await list()).items).toMatchObject([{ to: at(18), substitute: null }]);
    await admin.data(deleteOnCall, { params: shiftParams });
    expect((await list()).items).toEqual([]);
    expect(await admin.call(deleteOnCall, { params: shiftParams })).toMatchObject({ code: CODES.notFound.code });
    const logged = await rows(
      `select operation from action_logs where object_type = 'customer' and coalesce(after, before) ? 'onCall' order by id`,
    );
    expect(logged.map(({ operation }) => operation)).toEqual(['new', 'edit', 'delete']);
  });

  test('shows users the shifts of their sites and of all sites of their customer', async () => {
    await add(shift({ siteId: server.world.sites.northMill, substituteId: null }));
    const ofRoot = shift({ siteId: null, userId: server.world.users.root, substituteId: null });
    await (await server.as('root')).data(createOnCall, { params: params(), body: ofRoot });
    await add();
    const sitesOf = async (person: 'northAdmin' | 'northAssigned' | 'southAdmin') =>
      (await (await server.as(person)).data(listOnCall, { query: week })).items.map(({ site }) => site?.name ?? null);
    expect(await sitesOf('northAdmin')).toHaveLength(3);
    expect((await sitesOf('northAssigned')).sort()).toEqual(['Site northQuay', null]);
    expect(await sitesOf('southAdmin')).toEqual([]);
  });

  test('refuses a substitute who cannot be reached, and names them', async () => {
    const { northAssigned } = server.world.users;
    const setEmail = (email: string | null) =>
      rows('update users set email = $2 where id = $1', [northAssigned, email]);
    await setEmail(null);
    const refused = await add();
    await setEmail('duty@example.org');
    expect(refused).toMatchObject({ code: CODES.substituteUnreachable.code, field: 'substituteId' });
    expect(refused.message).toMatch(/^\S.* cannot be reached: no email address/);
    expect(await add()).toMatchObject({ code: 0 });
  });

  test('has only users that the caller sees, and keeps those who are on duty already', async () => {
    const admin = await server.as('northAdmin');
    const { root, northAdmin } = server.world.users;
    const { people } = await admin.data(readOnCallSettings, { params: params(), query: {} });
    expect(people.map(({ id }) => id)).not.toContain(root);
    for (const change of [{ userId: root }, { substituteId: root }]) {
      expect(await add(shift(change))).toMatchObject({ code: CODES.onDutyUnknown.code, field: Object.keys(change)[0] });
    }
    const body = shift({ userId: root, substituteId: northAdmin });
    const { id } = await (await server.as('root')).data(createOnCall, { params: params(), body });
    const later = { params: { ...params(), shiftId: id }, body: { ...body, to: at(18) } };
    expect((await admin.call(updateOnCall, later)).code).toBe(0);
  });

  test.each<[string, Partial<ReturnType<typeof plain>>, keyof typeof CODES, string]>([
    ['ends before it begins', { to: at(7) }, 'shiftEndsBeforeStart', 'to'],
    ['is too long', { to: at(8 + 7 * 24 + 1) }, 'shiftTooLong', 'to'],
    ['overlaps another one of the user', { from: at(20), to: at(30) }, 'alreadyOnDuty', 'userId'],
  ])('refuses a shift that %s', async (_title, change, code, field) => {
    await add(shift({ from: at(22), to: at(24) }));
    expect(await add(shift(change))).toMatchObject({ code: CODES[code].code, field });
  });

  test('refuses users who cannot see the place, and another customer’s site', async () => {
    const { southAdmin, northAssigned, northDisabled, northNoMenus } = server.world.users;
    for (const userId of [southAdmin, northDisabled, northNoMenus]) {
      expect(await add(shift({ userId }))).toMatchObject({ code: CODES.onDutyUnknown.code, field: 'userId' });
    }
    const everywhere = shift({ siteId: null, substituteId: northAssigned });
    expect(await add(everywhere)).toMatchObject({ code: CODES.onDutyUnknown.code, field: 'substituteId' });
    expect(await add(shift({ substituteId: shift().userId }))).toMatchObject({ code: CODES.substituteSame.code });
    const foreign = shift({ siteId: server.world.sites.southPark });
    expect(await add(foreign)).toMatchObject({ code: CODES.siteUnknown.code, field: 'siteId' });
  });

  test('lets two users be on duty at the same time', async () => {
    expect(await add()).toMatchObject({ code: 0 });
    const body = shift({ userId: server.world.users.root });
    expect((await (await server.as('root')).call(createOnCall, { params: params(), body })).code).toBe(0);
  });

  test('copies a week, and skips what exists', async () => {
    const admin = await server.as('northAdmin');
    await add();
    await add(shift({ from: at(32), to: at(40) }));
    const body = { siteId: shift().siteId, from: at(0), weeks: 2 };
    const setEmail = (email: string | null) =>
      rows('update users set email = $2 where id = $1', [server.world.users.northAssigned, email]);
    await setEmail(null);
    const refused = await admin.call(copyOnCallWeek, { params: params(), body });
    await setEmail('duty@example.org');
    expect(refused).toMatchObject({ code: CODES.substituteUnreachable.code });
    expect(await admin.data(copyOnCallWeek, { params: params(), body })).toEqual({ copied: 4, skipped: 0 });
    expect(await admin.data(copyOnCallWeek, { params: params(), body })).toEqual({ copied: 0, skipped: 4 });
    const { items } = await admin.data(listOnCall, { query: { from: at(14 * 24), to: at(21 * 24) } });
    expect(items.map(({ from }) => from)).toEqual([at(14 * 24 + 8), at(14 * 24 + 32)]);
  });

  test('limits the period', async () => {
    const admin = await server.as('northAdmin');
    const query = { from: at(0), to: at(43 * 24) };
    expect(await admin.call(listOnCall, { query })).toMatchObject({ code: CODES.onCallRange.code, field: 'to' });
  });
});

test('the sites to choose from are sorted with numbers by value and Chinese by pinyin', async () => {
  const admin = await server.as('northAdmin');
  const inOrder = ['北站 2', '北站 10', '中站', 'Pile site 2', 'Pile site 10'];
  for (const name of ['Pile site 10', '中站', '北站 10', 'Pile site 2', '北站 2']) {
    await rows('insert into sites (customer_id, code, name) values ($1, $2, $2)', [server.world.customers.north, name]);
  }
  const { sites } = await admin.data(readOnCallSettings, { params: params(), query: {} });
  expect(sites.map(({ name }) => name).filter((name) => inOrder.includes(name))).toEqual(inOrder);
  await rows('delete from sites where name = any($1)', [inOrder]);
});

test('every site of a customer can have a schedule, also with more than 1,000 sites', async () => {
  const { north } = server.world.customers;
  await rows(
    `insert into sites (customer_id, code, name) select $1, 'MANY' || n, 'Many ' || n from generate_series(1, 1000) n`,
    [north],
  );
  const admin = await server.as('northAdmin');
  // Its name comes after those of the other sites.
  expect(await add()).toMatchObject({ code: 0 });
  const { sites } = await admin.data(readOnCallSettings, { params: params(), query: {} });
  expect(sites.length).toBeGreaterThan(1_000);
  expect(sites.map(({ id }) => id)).toContain(server.world.sites.northQuay);
  await rows(`delete from sites where code like 'MANY%'`);
});

test('the people to choose from are sorted with numbers by value', async () => {
  const names = ['Crew 2', 'Crew 10'];
  for (const name of names.toReversed()) {
    await rows(
      `insert into users (user_name, nick_name, password_hash, customer_id, role_id)
       select $2, $2, '', u.customer_id, u.role_id from users u where u.id = $1`,
      [server.world.users.northAdmin, name],
    );
  }
  const admin = await server.as('northAdmin');
  const { people } = await admin.data(readOnCallSettings, { params: params(), query: {} });
  expect(people.map(({ name }) => name).filter((name) => names.includes(name))).toEqual(names);
  await rows('delete from users where user_name = any($1)', [names]);
});

test('the minutes until the substitute are those of the customer', async () => {
  const admin = await server.as('northAdmin');
  const read = () => admin.data(readOnCallSettings, { params: params(), query: {} });
  expect(await read()).toMatchObject({ escalateMinutes: 15 });
  await admin.data(saveOnCallSettings, { params: params(), body: { escalateMinutes: 5 } });
  const settings = await read();
  expect(settings.escalateMinutes).toBe(5);
  expect(settings.people.map(({ id }) => id)).toContain(server.world.users.northAdmin);
  // Only users who see every site can be on duty for all of them.
  expect(settings.people.map(({ id }) => id)).not.toContain(server.world.users.northAssigned);

  await rows('truncate alarms, notices, incidents, messages, message_mails cascade');
  await rows(
    `insert into on_call_shifts (customer_id, user_id, substitute_id, begins_at, ends_at)
     values ($1, $2, $3, now() - interval '1 hour', now() + interval '1 hour')`,
    [server.world.customers.north, server.world.users.northAdmin, server.world.users.northAssigned],
  );
  await rows(
    `insert into alarms (device_id, connector, code, kind, level, raised_at, last_at)
     values ($1, 1, 'GroundFailure', 'fault', 'CA', now(), now())`,
    [server.world.devices.northQuay1.id],
  );
  await sweepMessages(server);
  const passed = async (minutes: number) => {
    await rows('update incidents set waiting_since = now() - make_interval(mins => $1)', [minutes]);
    await sweepMessages(server);
    return (await rows('select escalated_at is not null as passed from incidents'))[0]?.passed;
  };
  expect(await passed(4)).toBe(false);
  expect(await passed(6)).toBe(true);
});

test('an upgrade gives existing roles the keys of issues and messages, unless an administrator withdrew them', async () => {
  const file = new URL('../../platform/database/migrations/326_keys_of_issues_and_messages.sql', import.meta.url);
  const role = async (name: string, keys: string[]): Promise<number> => {
    const [{ id }] = await rows(
      `insert into roles (name, customer_access, site_access, levels) select $1, 1, 0, levels from roles limit 1 returning id`,
      [name],
    );
    await rows('insert into role_menus (role_id, menu_key) select $1, unnest($2::text[])', [id, keys]);
    return id;
  };
  const keysOf = async (id: number) =>
    (await rows('select menu_key from role_menus where role_id = $1 order by 1', [id])).map((one) => one.menu_key);
  const viewer = await role('Old viewer', ['auth_home', 'auth_message', 'auth_message_list']);
  const admin = await role('Old admin', ['auth_home', 'auth_device_edit', 'auth_user_edit']);
  const withdrawn = await role('Changed', ['auth_home']);
  const machine = await role('Machine', ['auth_device_list']);
  await rows(
    `insert into action_logs (user_name, operation, object_type, object_id, object_name, before, after, address)
     values ('root', 'edit', 'role', $1, 'Changed', '{"keys": ["auth_home", "auth_message", "auth_message_list"]}',
             '{"keys": ["auth_home"]}', '')`,
    [String(withdrawn)],
  );
  const upgrade = async () => server.database.pool.query(await readFile(file, 'utf8'));
  await upgrade();
  await upgrade();
  const issues = ['auth_issue', 'auth_issue_add', 'auth_issue_detail'];
  expect(await keysOf(viewer)).toEqual([
    'auth_home',
    ...issues,
    'auth_issue_list',
    'auth_message',
    'auth_message_list',
  ]);
  expect(await keysOf(admin)).toEqual([
    ...['auth_device_edit', 'auth_home', ...issues, 'auth_issue_edit', 'auth_issue_list', 'auth_message'],
    ...['auth_message_list', 'auth_message_on_call', 'auth_message_setting', 'auth_user_edit'],
  ]);
  expect(await keysOf(withdrawn)).toEqual(['auth_home', ...issues, 'auth_issue_list']);
  expect(await keysOf(machine)).toEqual(['auth_device_list']);
});
