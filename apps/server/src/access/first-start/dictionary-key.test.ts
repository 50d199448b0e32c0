import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MIGRATIONS_FOLDER } from '../../platform/database/migrate.ts';
import { databaseBefore } from '../../testing/database/before-migration.ts';
import type { TestDatabase } from '../../testing/database/database.ts';

const MIGRATION = '519_dictionary_key.sql';
const KEY = 'auth_system_dictionary';
const SYSTEM = ['auth_system', 'auth_menu', 'auth_privacy'];
const FIRST = 'Platform administrator';

let database: TestDatabase;
let migrate: () => Promise<string[]>;
beforeAll(async () => {
  ({ database, migrate } = await databaseBefore(MIGRATION));
});
afterAll(() => database.drop());

interface Role {
  name?: string;
  customerAccess?: number;
  keys?: string[];
  logged?: { operation: string; before: object | null; after: object };
}

test.each<[string, Role, boolean]>([
  ['the first role', {}, true],
  ['one that users made', { name: 'Operators' }, false],
  ['one that users made with its name', { logged: { operation: 'new', before: null, after: {} } }, false],
  ['the first role for own customers', { customerAccess: 1 }, false],
  ['the first role without the key of menus', { keys: ['auth_system', 'auth_privacy'] }, false],
  [
    'the first role from which the key was withdrawn',
    { logged: { operation: 'edit', before: { keys: [KEY] }, after: { keys: [] } } },
    false,
  ],
  [
    'the first role from which another key was withdrawn',
    { logged: { operation: 'edit', before: { keys: ['auth_docs'] }, after: { keys: [] } } },
    true,
  ],
])('%s gets the key of dictionaries: %#', async (_, role, expected) => {
  const { name = FIRST, customerAccess = 0, keys = SYSTEM, logged } = role;
  const client = await database.pool.connect();
  const query = async (text: string, values: unknown[] = []) => (await client.query(text, values)).rows;
  try {
    await query('begin');
    const [{ id }] = await query(
      `insert into roles (name, customer_access, site_access, levels) values ($1, $2, 0, '{}') returning id`,
      [name, customerAccess],
    );
    await query(`insert into menus (key, name_en, url, sort) select key, key, '', 1 from unnest($1::text[]) key`, [
      keys,
    ]);
    await query('insert into role_menus (role_id, menu_key) select $1, unnest($2::text[])', [id, keys]);
    if (logged) {
      await query(
        `insert into action_logs (user_name, operation, object_type, object_id, object_name, before, after, address)
         values ('root', $1, 'role', $2, 'Role', $3, $4, '')`,
        [logged.operation, String(id), logged.before, logged.after],
      );
    }
    await query(await readFile(join(MIGRATIONS_FOLDER, MIGRATION), 'utf8'));
    const held = (await query('select menu_key as key from role_menus where role_id = $1', [id])).map(({ key }) => key);
    expect(held.sort()).toEqual([...keys, ...(expected ? [KEY] : [])].sort());
  } finally {
    await query('rollback');
    client.release();
  }
});

test('a database without roles gets no menus', async () => {
  await migrate();
  expect((await database.pool.query('select count(*)::int as n from menus')).rows).toEqual([{ n: 0 }]);
});
