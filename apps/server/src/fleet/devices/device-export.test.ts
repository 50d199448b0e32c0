import { CODES } from '@chargehand/contract';
import readExcelFile from 'read-excel-file/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { isFullRun } from '../../testing/full-run.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

async function workbookOf(client: Client, query = '') {
  const response = await client.fetch(`/api/auth/sys/devices/export${query}`);
  expect(response.headers.get('content-type')).toBe(
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  );
  const [sheet] = await readExcelFile(Buffer.from(await response.arrayBuffer()));
  return { name: response.headers.get('content-disposition'), sheet: sheet?.sheet, rows: sheet?.data ?? [] };
}

test('the list is exported with headings in the language of the caller, its file named with the date', async () => {
  const english = await workbookOf(await server.as('root'), '?sort=sn');
  expect(english.name).toMatch(/^attachment; filename="Devices \d{8}-\d{6}\.xlsx"/);
  expect(english.sheet).toBe('Devices');
  expect(english.rows[0]?.slice(0, 3)).toEqual(['SN', 'Name', 'Status']);
  expect(english.rows.slice(1).map(([sn]) => sn)).toEqual([
    'northMill-1',
    'northMill-2',
    'northQuay-1',
    'northQuay-2',
    'readOnlyYard-1',
    'readOnlyYard-2',
    'southPark-1',
    'southPark-2',
  ]);
  await server.database.pool.query(
    `update devices set device_model_id = (select id from device_models where name = 'Home storage unit') where sn = 'northMill-1'`,
  );
  const chinese = await workbookOf(await server.as('root', 'zh-CN'), '?sort=sn');
  expect(chinese.sheet).toBe('设备');
  expect(chinese.rows[0]?.slice(0, 3)).toEqual(['SN', '名称', '状态']);
  expect(chinese.rows[1]?.[2]).toBe('离线');
  expect(chinese.rows[1]).toContain('家用储能设备');
  expect(decodeURIComponent(chinese.name?.split("UTF-8''")[1] ?? '')).toMatch(/^设备 \d{8}-\d{6}\.xlsx$/);
});

test('an export respects scope and filters, and has the customer column only for users who see several customers', async () => {
  const { rows } = await workbookOf(await server.as('northAssigned'), '?search=quay&sort=-sn');
  expect(rows.slice(1).map(([sn]) => sn)).toEqual(['northQuay-2', 'northQuay-1']);
  expect(rows[0]).not.toContain('Customer');
  expect(JSON.stringify(rows)).not.toContain('south');
});

test('markup, formulas and unusual characters stay text; times are in the time zone of Hong Kong', async () => {
  const name = `=cmd|'/c calc'!A1 <b>&"\u0001\u{1F50C}`;
  const { id } = server.world.devices.southPark1;
  await server.database.db
    .updateTable('devices')
    .set({ name, status_since: new Date('2026-01-01T20:00:00Z') })
    .where('id', '=', id)
    .execute();
  const { rows } = await workbookOf(await server.as('southAdmin'), '?sort=sn');
  expect(rows[1]?.[1]).toBe(name.replace('\u0001', ''));
  expect(rows[1]?.[2 + 1]).toEqual(new Date('2026-01-02T04:00:00Z'));
});

test('the lowest level may not download data', async () => {
  const reader = await server.as('northReader');
  const response = await reader.fetch('/api/auth/sys/devices/export');
  expect(await response.json()).toMatchObject({ code: CODES.noPermission.code, data: null });
});

/** Several reads of the database; `npm run test:full` has the largest supported fleet. */
const MANY = isFullRun ? 30_000 : 5_000;

test(`${MANY} devices are exported in full and without repetition`, async () => {
  const { database, world } = server;
  await database.pool.query(
    `insert into devices (sn, name, site_id, customer_id, device_model_id, status_since)
     select 'BULK-' || lpad(n::text, 6, '0'), 'Bulk ' || n, $1, $2, $3, '2026-01-01' from generate_series(1, $4::int) n`,
    [world.sites.readOnlyYard, world.customers.readOnly, world.model, MANY],
  );
  const admin = await server.as('readOnlyAdmin');
  const { rows } = await workbookOf(admin, '?sort=-statusSince&search=BULK');
  expect(rows).toHaveLength(MANY + 1);
  expect(new Set(rows.slice(1).map(([sn]) => sn)).size).toBe(MANY);
}, 240_000);
