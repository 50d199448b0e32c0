import { CODES, type Locale } from '@chargehand/contract';
import readExcelFile from 'read-excel-file/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import type { Person } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ captcha: false });
});
afterAll(() => server.stop());

async function sheetOf(person: Person, path: string, locale: Locale = 'en-US') {
  const response = await (await server.as(person, locale)).fetch(`/api/auth/sys/${path}`);
  const [sheet] = await readExcelFile(Buffer.from(await response.arrayBuffer()));
  return { file: response.headers.get('content-disposition'), sheet: sheet?.sheet, rows: sheet?.data ?? [] };
}

test('users are exported as the list is filtered and sorted, in the language of the caller', async () => {
  const { file, sheet, rows } = await sheetOf('root', 'users/export?search=_admin&sort=-userName', 'zh-CN');
  expect(file).toMatch(/filename\*=UTF-8''%E7%94%A8%E6%88%B7%20\d{8}-\d{6}\.xlsx$/);
  expect(sheet).toBe('用户');
  expect(rows[0]?.slice(0, 2)).toEqual(['用户名', '昵称']);
  expect(rows.slice(1).map(([name]) => name)).toEqual([
    'south_admin',
    'read_only_admin',
    'north_admin',
    'closed_admin',
  ]);
  const english = await sheetOf('root', 'users/export?search=root_user');
  expect(english.rows[1]).toEqual(expect.arrayContaining(['root_user', 'Root account', 'Enabled']));
});

test('an export continues where a batch ends, in each order, without gap or repetition', async () => {
  await server.database.pool.query(
    `insert into users (user_name, password_hash, customer_id, role_id, created_at)
     select 'mass_' || lpad(n::text, 5, '0'), 'none', $1, (select min(id) from roles), now() - make_interval(mins => n / 700)
       from generate_series(1, 2500) n`,
    [server.world.customers.south],
  );
  for (const sort of ['userName', '-userName', 'createdAt', '-createdAt']) {
    const { rows } = await sheetOf('root', `users/export?search=mass_&sort=${sort}`);
    const names = rows.slice(1).map(([name]) => name);
    expect(names).toHaveLength(2_500);
    expect(new Set(names).size).toBe(2_500);
    if (sort.endsWith('userName'))
      expect(names).toEqual(sort === 'userName' ? names.toSorted() : names.toSorted().reverse());
  }
});

test('the file contains no credentials', async () => {
  const { rows } = await sheetOf('root', 'users/export');
  expect(JSON.stringify(rows)).not.toMatch(/argon|password|none/i);
});

test("roles are exported with their levels, for the vendor's users", async () => {
  const { sheet, rows } = await sheetOf('vendorStaff', 'roles/export?search=Reader');
  expect(sheet).toBe('Roles');
  expect(rows[0]).toContain('Devices: write');
  expect(rows[1]?.slice(0, 4)).toEqual(['Reader', 'Own customer', 'All sites', 'None']);
  const refused = await (await server.as('northAdmin')).fetch('/api/auth/sys/roles/export');
  expect(await refused.json()).toMatchObject({ code: CODES.noPermission.code });
});
