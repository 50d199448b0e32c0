import { auditEndpoints } from '@chargehand/contract';
import readExcelFile from 'read-excel-file/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import type { Person } from '../../testing/world.ts';
import { logLogins } from '../index.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ captcha: false });
  const origin = { address: '192.0.2.1', userAgent: 'browser' };
  const { users } = server.world;
  const login = { type: 'login' as const, reason: null, succeeded: true, ...origin };
  for (const [userId, userName] of [
    [users.root, 'root_user'],
    [users.northAdmin, 'north_admin'],
    [users.northAssigned, 'north_assigned'],
    [users.southAdmin, 'south_admin'],
    [null, 'stranger'],
  ] as const) {
    await logLogins(server.database.db, [{ ...login, userId, userName }]);
  }
  await logLogins(server.database.db, [
    { ...login, type: 'logout', reason: 'loggedOut', userId: users.northAdmin, userName: 'north_admin' },
  ]);
});
afterAll(() => server.stop());

const namesSeenBy = async (person: Person) => {
  const { items } = await (await server.as(person)).data(auditEndpoints.listLoginLogs);
  return [...new Set(items.map((row) => row.userName))].sort();
};

test.each<[Person, string[]]>([
  ['root', ['north_admin', 'north_assigned', 'root_user', 'south_admin', 'stranger']],
  ['vendorStaff', ['north_admin', 'north_assigned', 'root_user', 'south_admin', 'stranger']],
  ['northAdmin', ['north_admin', 'north_assigned']],
  ['northAssigned', ['north_assigned']],
  ['southAdmin', ['south_admin']],
  ['readOnlyAdmin', []],
])('%s sees the sign-ins of %j', async (person, names) => {
  expect(await namesSeenBy(person)).toEqual(names);
});

test("rows are ordered newest first, with the specification's type and reason", async () => {
  const { items } = await (await server.as('northAdmin')).data(auditEndpoints.listLoginLogs);
  expect(items[0]).toMatchObject({ type: 1, reason: 'loggedOut', userName: 'north_admin', address: '192.0.2.1' });
  expect(items[1]).toMatchObject({ type: 0, reason: null, userName: 'north_assigned', userAgent: 'browser' });
  const only = await (await server.as('northAdmin')).data(auditEndpoints.listLoginLogs, { query: { type: 1 } });
  expect(only.items).toHaveLength(1);
});

test.each([
  ['the start of a name', 'userName=North_', ['north_admin', 'north_assigned', 'north_admin']],
  ['failures', 'succeeded=false', []],
  ['a reason', 'reason=loggedOut', ['north_admin']],
  ['a customer with current users', 'customerId=$south', ['south_admin']],
  ['sign-outs since yesterday', 'type=1&from=2020-01-01T00:00:00Z', ['north_admin']],
  ['a time in the past', 'to=2020-01-01T00:00:00Z', []],
])('filtered by %s, in the list and in the spreadsheet', async (_, template, names) => {
  const query = template.replace('$south', String(server.world.customers.south));
  const root = await server.as('root', 'zh-CN');
  const listed = await root.fetch(`/api/auth/sys/logs/logins?${query}`);
  const list = (await listed.json()) as { data: { items: { userName: string }[] } };
  expect(list.data.items.map(({ userName }) => userName)).toEqual(names);
  const response = await root.fetch(`/api/auth/sys/logs/logins/export?${query}`);
  const [sheet] = await readExcelFile(Buffer.from(await response.arrayBuffer()));
  expect(sheet?.sheet).toBe('登录日志');
  expect(sheet?.data.slice(1).map((row) => row[1])).toEqual(names);
});

test('the filtered log is also exported as CSV and JSON Lines, within the scope', async () => {
  const north = await server.as('northAdmin');
  const file = async (format: string) => {
    const response = await north.fetch(`/api/auth/sys/logs/logins/export?type=1&format=${format}`);
    return { type: response.headers.get('content-type'), lines: (await response.text()).trim().split(/\r?\n/) };
  };
  const csv = await file('csv');
  expect(csv.type).toContain('text/csv');
  expect(csv.lines).toEqual([
    expect.stringMatching(/Time,User,Type,Result/),
    expect.stringMatching(/^\d{4}-[^,]+Z,north_admin,Sign-out,Succeeded,Signed out,/),
  ]);
  const jsonl = await file('jsonl');
  expect(jsonl.lines.map((line) => JSON.parse(line))).toMatchObject([{ type: 1, userName: 'north_admin' }]);
});

test('pages continue each other without gap or repetition while rows are written', async () => {
  const north = await server.as('northAdmin');
  const origin = { address: '192.0.2.1', userAgent: 'browser' };
  const row = { type: 'login' as const, reason: null, succeeded: true, ...origin };
  const mine = { ...row, userId: server.world.users.northAdmin, userName: 'north_admin' };
  await logLogins(server.database.db, Array(7).fill(mine));
  const whole = await north.data(auditEndpoints.listLoginLogs);
  const ids: number[] = [];
  let before: number | undefined;
  do {
    const page = await north.data(auditEndpoints.listLoginLogs, { query: { limit: 3, before } });
    ids.push(...page.items.map((item) => item.id));
    before = page.next ?? undefined;
    await logLogins(server.database.db, [mine]);
  } while (before !== undefined);
  expect(ids).toEqual(whole.items.map((item) => item.id));
});
