import { CODES, ENDPOINTS, type ListView } from '@chargehand/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ captcha: false });
});
afterAll(() => server.stop());

const VIEW: ListView = {
  density: 'comfortable',
  columns: [
    { name: 'sn', shown: true },
    { name: 'site', shown: false },
  ],
};

test('preferences are available in the next session with the account, and only for their user', async () => {
  const here = await server.as('northAdmin');
  await here.data(ENDPOINTS.setPreference, { body: { list: 'devices', view: VIEW } });
  await here.data(ENDPOINTS.setPreference, { body: { list: 'users', view: { ...VIEW, density: 'compact' } } });
  const elsewhere = await server.as('northAdmin', 'zh-CN');
  expect((await elsewhere.data(ENDPOINTS.info, { body: {} })).lists).toEqual({
    devices: VIEW,
    users: { ...VIEW, density: 'compact' },
  });
  expect((await (await server.as('northReader')).data(ENDPOINTS.info, { body: {} })).lists).toEqual({});
});

test('a preference is replaced as a whole, and null removes it', async () => {
  const south = await server.as('southAdmin');
  const set = (view: ListView | null) => south.data(ENDPOINTS.setPreference, { body: { list: 'sites', view } });
  await set(VIEW);
  await set({ density: 'compact', columns: [] });
  expect(await south.data(ENDPOINTS.readPreferences)).toEqual({
    lists: { sites: { density: 'compact', columns: [] } },
  });
  await set(null);
  await set(null);
  expect(await south.data(ENDPOINTS.readPreferences)).toEqual({ lists: {} });
});

test('users of a read-only customer can change their preferences', async () => {
  const reader = await server.as('readOnlyAdmin');
  await reader.data(ENDPOINTS.setPreference, { body: { list: 'devices', view: VIEW } });
  expect((await reader.data(ENDPOINTS.readPreferences)).lists.devices).toEqual(VIEW);
});

test('of two browsers that save at once, one is stored completely', async () => {
  const admin = await server.as('vendorStaff');
  const views: ListView[] = Array.from({ length: 8 }, (_, index) => ({
    density: 'compact',
    columns: [{ name: `c${index}`, shown: true }],
  }));
  await Promise.all(views.map((view) => admin.data(ENDPOINTS.setPreference, { body: { list: 'roles', view } })));
  expect(views).toContainEqual((await admin.data(ENDPOINTS.readPreferences)).lists.roles);
});

test('a list that no longer exists is left out', async () => {
  await server.database.pool.query(
    `insert into user_preferences (user_id, key, value) values ($1, 'list.gone', '{"density":"compact","columns":[]}')`,
    [server.world.users.root],
  );
  expect(await (await server.as('root')).data(ENDPOINTS.readPreferences)).toEqual({ lists: {} });
});

test.each<[string, unknown]>([
  ['an unknown list', { list: 'passwords', view: VIEW }],
  ['an unknown density', { list: 'devices', view: { ...VIEW, density: 'tiny' } }],
  ['more than 40 columns', { list: 'devices', view: { ...VIEW, columns: Array(41).fill({ name: 'a', shown: true }) } }],
  ['a name with invalid characters', { list: 'devices', view: { ...VIEW, columns: [{ name: '<b>', shown: true }] } }],
  ['anything else', { list: 'devices', view: { ...VIEW, more: 'x' } }],
  ['nothing', {}],
])('%s is refused, and nothing is stored', async (_, body) => {
  const assigned = await server.as('northAssigned');
  const { code } = await assigned.call(ENDPOINTS.setPreference, { body: body as never });
  expect(code).toBeGreaterThan(CODES.badBody.code);
  expect(await assigned.data(ENDPOINTS.readPreferences)).toEqual({ lists: {} });
});
