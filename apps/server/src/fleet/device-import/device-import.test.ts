import { type AnswerOf, CODES, ENDPOINTS, type Envelope, IMPORT_ROWS, messageOf } from '@chargehand/contract';
import readExcelFile from 'read-excel-file/node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fitsDevicePassword } from '../../ports/devices/device-password.ts';
import type { Client } from '../../testing/client.ts';
import { sheetOf } from '../../testing/files/xlsx.ts';
import { zipOf } from '../../testing/files/zip.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { seal } from '../../testing/sign-in.ts';

let server: TestServer;
let admin: Client;
let publicKey: string;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.as('northAdmin');
  ({ publicKey } = await admin.data(ENDPOINTS.publicKey));
});
afterAll(() => server.stop());

const { importDevices } = ENDPOINTS;
type Answer = Envelope<AnswerOf<typeof importDevices>>;

/** Sends a file, encrypted as the console does. */
function send(
  file: string | Buffer,
  more: { dryRun?: boolean; skipInvalid?: boolean; fileName?: string; columns?: object; by?: Client } = {},
): Promise<Answer> {
  const { dryRun = true, skipInvalid = false, fileName = 'devices.json', columns, by = admin } = more;
  const content = seal(publicKey, Buffer.from(file));
  return by.call(importDevices, {
    body: { fileName, content, encrypted: true, dryRun, skipInvalid, ...(columns && { columns }) },
  });
}

/** Sends a file unencrypted. */
function sendPlain(file: string, dryRun: boolean): Promise<Answer> {
  const content = Buffer.from(file).toString('base64');
  return admin.call(importDevices, { body: { fileName: 'devices.json', content, dryRun } });
}
const rowsOf = (...rows: object[]) => JSON.stringify(rows);
const row = (sn: string, more: object = {}) => ({
  sn,
  name: `Row ${sn}`,
  site: 'northQuay',
  model: 'World pile',
  ...more,
});
const countOf = async (like: string) =>
  Number((await server.database.pool.query('select count(*) as n from devices where sn like $1', [like])).rows[0].n);

const HEADINGS = ['SN', 'Name', 'Site', 'Device model', 'Arrival date', 'Install date', 'Maintenance cycle (days)'];

test('a file with passwords must be encrypted; one without may be sent unencrypted', async () => {
  const secret = rowsOf(row('PLN-0001'), row('PLN-0002', { gatewayPassword: 'a-long-enough-secret-1' }));
  const dry = await sendPlain(secret, true);
  expect(dry.data).toMatchObject({ total: 2, faulty: 1 });
  expect(dry.data.rows.map(({ problems }) => problems)).toEqual([[], [CODES.importPasswordPlain.en]]);
  expect(await sendPlain(secret, false)).toMatchObject({ code: CODES.importFailed.code });
  expect(await countOf('PLN-%')).toBe(0);
  const damaged = { fileName: 'devices.json', content: 'nonsense', encrypted: true, dryRun: true };
  expect(await admin.call(importDevices, { body: damaged })).toMatchObject({ code: CODES.decryptionFailed.code });
  expect((await sendPlain(rowsOf(row('PLN-0001')), false)).data).toMatchObject({ imported: 1 });
});

describe('a file of devices', () => {
  test('reports the result of every row and changes nothing, then imports the whole file', async () => {
    const password = 'a-long-enough-secret-1';
    const file = rowsOf(
      row('IMP-0001', { arrivalDate: '2026-01-01', installDate: '2026/1/2 10:00:00', maintenanceCycleDays: 90 }),
      row('IMP-0002', { site: 'Site northMill', model: 'WORLD PILE', gatewayPassword: password }),
    );
    await server.database.db
      .insertInto('blacklist_entries')
      .values({ sn: 'imp-0001', protocol_version: 'ocpp1.6', remote_address: '10.0.0.1' })
      .execute();
    const dry = await send(file);
    expect(dry).toMatchObject({ code: 0, data: { total: 2, faulty: 0, imported: 0 } });
    expect(dry.data.rows[0]).toEqual({
      ...{ row: 1, sn: 'IMP-0001', name: 'Row IMP-0001', site: 'northQuay', model: 'World pile', problems: [] },
    });
    expect(JSON.stringify(dry)).not.toContain(password);
    expect(await countOf('IMP-%')).toBe(0);

    expect(await send(file, { dryRun: false })).toMatchObject({ code: 0, data: { total: 2, imported: 2, rows: [] } });
    const { db } = server.database;
    const stored = await db.selectFrom('devices').selectAll().where('sn', 'like', 'IMP-%').orderBy('sn').execute();
    expect(stored).toMatchObject([
      {
        ...{ sn: 'IMP-0001', site_id: server.world.sites.northQuay, customer_id: server.world.customers.north },
        ...{ install_date: '2026-01-02', arrival_date: '2026-01-01', maintenance_cycle_days: 90, status: 'offline' },
      },
      { sn: 'IMP-0002', site_id: server.world.sites.northMill, device_model_id: server.world.model },
    ]);
    expect(fitsDevicePassword(password, stored[1]?.gateway_password_hash ?? '')).toBe(true);
    expect(await db.selectFrom('blacklist_entries').select('id').where('sn', '=', 'imp-0001').execute()).toEqual([]);
    const logs = await db
      .selectFrom('action_logs')
      .select(['operation', 'user_name', 'object_name', 'after'])
      .where('object_type', '=', 'device')
      .where('object_id', '=', String(stored[1]?.id))
      .execute();
    expect(logs).toMatchObject([
      {
        ...{ operation: 'new', user_name: 'north_admin', object_name: 'Row IMP-0002' },
        after: { sn: 'IMP-0002', gatewayPassword: '••••', file: 'devices.json' },
      },
    ]);
  });

  test('leaves out invalid rows on request, reports them, and needs one valid row', async () => {
    const file = rowsOf(row('SKP-001'), row('SKP-002', { model: 'World pille' }), row('SKP-003'));
    expect(await send(file, { dryRun: false })).toMatchObject({ code: CODES.importFailed.code });
    expect(await countOf('SKP-%')).toBe(0);
    const { data } = await send(file, { dryRun: false, skipInvalid: true });
    expect(data).toMatchObject({ total: 3, faulty: 1, imported: 2, rows: [{ row: 2, sn: 'SKP-002' }] });
    expect(data.rows[0]?.problems).toHaveLength(1);
    expect(await countOf('SKP-%')).toBe(2);
    const none = await send(rowsOf(row('SKP-002', { model: 'World pille' })), { dryRun: false, skipInvalid: true });
    expect(none).toMatchObject({ code: CODES.importFailed.code });
  });

  test('names ready-made models in either language', async () => {
    const { data } = await send(
      rowsOf(row('LNG-001', { model: 'Generic OCPP 1.6 pile' }), row('LNG-002', { model: '通用 OCPP 1.6 充电桩' })),
    );
    expect(data.rows.map(({ problems }) => problems)).toEqual([[], []]);
  });

  test('reports for every row what is wrong, and what would be right', async () => {
    const taken = server.world.devices.northQuay1.sn;
    const file = rowsOf(
      row('ROW-001'),
      row('row-001', { name: 'Other' }),
      row('ROW-003', { name: 'ROW row-001' }),
      row(taken.toUpperCase(), { name: 'Taken SN' }),
      row('ROW-005', { site: 'southPark' }),
      row('ROW-006', { site: 'nowhere' }),
      row('ROW-007', { model: 'World pille' }),
      row('ROW-008', { model: '###' }),
      row('A/B', { name: ' ' }),
      row('ROW-010', { arrivalDate: '2026-02-02', installDate: '2026-02-01' }),
      row('ROW-011', { installDate: '2026-02-30', maintenanceCycleDays: 1.5 }),
      row('ROW-012', { constructor: 'red', gatewayPassword: 'short', maintenanceCycleDays: 0 }),
      row('ROW-013', { name: 'x'.repeat(65) }),
      row('ROW-014', { name: 'turned \u202E round' }),
      row('ROW-015', { name: { first: 'x' } }),
      { sn: 'ROW-016' },
      [] as unknown as object,
    );
    const { data } = await send(file);
    expect(data.total).toBe(17);
    expect(data.faulty).toBe(16);
    expect(data.rows.map(({ problems }) => problems)).toEqual([
      [],
      ['The device SN already exists in row 1 of this file.'],
      ['The device name already exists in row 1 of this file, for the same customer.'],
      ['The device SN already exists.'],
      ['The site "southPark" does not exist, or you do not have access to it. Enter its name or code.'],
      ['The site "nowhere" does not exist, or you do not have access to it. Enter its name or code.'],
      ['This model cannot be selected: the device model "World pille" does not exist. Did you mean "World pile"?'],
      ['This model cannot be selected: the device model "###" does not exist.'],
      [expect.stringContaining('The SN must have 1 to 48 characters'), 'Name is required.'],
      ['The install date cannot be before the arrival date.'],
      [
        'Install date does not have the right format. Expected: yyyy-MM-dd.',
        'Maintenance cycle must be of type integer.',
      ],
      [
        'constructor is not a known field.',
        'Maintenance cycle must be at least 1.',
        'Gateway password must have at least 16 characters.',
      ],
      ['Name must have at most 64 characters.'],
      [expect.stringContaining('U+202E')],
      ['Name must be of type string.'],
      ['Name is required.', 'Site is required.', 'Device model is required.'],
      [expect.stringContaining('A row must be an object')],
    ]);
    const chinese = await send(file, { by: await server.as('northAdmin', 'zh-CN') });
    expect(chinese.data.rows[6]?.problems).toEqual([
      '该型号不可选择：设备型号“World pille”不存在，是否为“World pile”？',
    ]);
    expect(await send(file, { dryRun: false })).toMatchObject({
      ...{ code: CODES.importFailed.code, data: null, field: 'content' },
      message: 'Nothing was imported. Rows with problems: 16 of 17.',
    });
    expect(await countOf('ROW-%')).toBe(0);
  });

  test('may start with a byte-order mark, and may hold the list in an object', async () => {
    expect(await send(`\uFEFF${rowsOf(row('BOM-0001'))}`)).toMatchObject({ code: 0, data: { total: 1, faulty: 0 } });
    expect(await send(JSON.stringify({ devices: [row('BOM-0002')] }))).toMatchObject({ code: 0, data: { faulty: 0 } });
  });

  test('names a site of several customers only together with the customer', async () => {
    const { database, world } = server;
    for (const customer of [world.customers.north, world.customers.south])
      await database.db.insertInto('sites').values({ customer_id: customer, code: 'TWIN', name: 'Twin' }).execute();
    const root = await server.as('root');
    const file = rowsOf(row('TWIN-001', { site: 'Twin' }), row('TWIN-002', { site: 'twin', customer: 'SOUTH' }));
    const { data } = await send(file, { by: root });
    expect(data.rows.map(({ problems }) => problems)).toEqual([
      ['Several sites are named "Twin". Enter the customer, too.'],
      [],
    ]);
    expect((await send(file)).data.rows.map(({ problems }) => problems.length)).toEqual([0, 1]);
  });
});

describe('a list from the field', () => {
  const head = ['SN', '名称', 'site', 'DEVICE MODEL'];
  const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const cell = (place: string, value: string | number, style = 0) =>
    typeof value === 'number'
      ? `<c r="${place}" s="${style}"><v>${value}</v></c>`
      : `<c r="${place}" t="inlineStr"><is><t>${value}</t></is></c>`;
  const line = (number: number, ...cells: (string | number | [number, number] | null)[]) =>
    `<row r="${number}">${cells
      .map((one, index) => {
        const place = `${'ABCDEFG'[index]}${number}`;
        return one === null ? '' : Array.isArray(one) ? cell(place, one[0], one[1]) : cell(place, one);
      })
      .join('')}</row>`;
  /** A workbook with these sheets, and styles 1: `0000000`, 2: a date, 3: a power of ten. */
  const book = (...sheets: string[]) =>
    zipOf({
      'xl/workbook.xml': `<workbook xmlns:r="r"><sheets>${sheets.map((_, index) => `<sheet name="S${index}" r:id="r${index}"/>`).join('')}</sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="st" Type="a/styles" Target="styles.xml"/>${sheets
        .map((_, index) => `<Relationship Id="r${index}" Type="a/worksheet" Target="worksheets/${index}.xml"/>`)
        .join('')}</Relationships>`,
      'xl/styles.xml': `<styleSheet xmlns="${MAIN}"><numFmts><numFmt numFmtId="164" formatCode="0000000"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="14"/><xf numFmtId="11"/></cellXfs></styleSheet>`,
      ...Object.fromEntries(
        sheets.map((sheet, index) => [
          `xl/worksheets/${index}.xml`,
          `<worksheet xmlns="${MAIN}"><sheetData>${sheet.split('|')[0]}</sheetData><mergeCells>${sheet.split('|')[1] ?? ''}</mergeCells></worksheet>`,
        ]),
      ),
    });
  const rows = (answer: Answer) => answer.data.rows.map(({ sn, name, problems }) => [sn, name, ...problems]);

  test('gives the number that a cell shows, and refuses one that has lost digits', async () => {
    const at = ['northQuay', 'World pile'];
    const file = book(
      [
        line(1, ...head),
        line(2, [42_001, 1], 'Zeros', ...at),
        line(3, 123_456_789_012_345, 'All digits', ...at),
        line(4, 1_234_567_890_123_456, 'Sixteen digits', ...at),
        line(5, [45_000, 2], 'A date', ...at),
        line(6, [123_456, 3], 'A power of ten', ...at),
      ].join(''),
    );
    const lost =
      'SN: the number in the file has lost digits, or is not what the cell shows. Format the column as text and enter the value again.';
    expect(rows(await send(file, { fileName: 'a.xlsx' }))).toEqual([
      ['0042001', 'Zeros'],
      ['123456789012345', 'All digits'],
      ['', 'Sixteen digits', lost],
      ['', 'A date', lost],
      ['', 'A power of ten', lost],
    ]);
    const json = '[{"sn":12345678901234567890,"name":"J","site":"northQuay","model":"World pile"}]';
    expect(rows(await send(json))).toEqual([['', 'J', lost]]);
    const csv = 'SN,Name,Site,Device model\n1.23457E+11,C,northQuay,World pile';
    expect(rows(await send(csv, { fileName: 'a.csv' }))).toEqual([['', 'C', lost]]);
  });

  test('may have instructions, a title, merged cells and further columns, which are named', async () => {
    const file = book(
      line(1, 'Please fill in the second sheet'),
      `${line(1, 'List of devices', null, null, null)}${line(2, ...head, 'Remark')}${line(3, 'FLD-0001', 'One', 'northQuay', 'World pile', 'new')}${line(4, 'FLD-0002', 'Two')}|<mergeCell ref="A1:D1"/><mergeCell ref="C3:C4"/><mergeCell ref="D3:D4"/>`,
    );
    const answer = await send(file, { fileName: 'a.xlsx' });
    expect(rows(answer)).toEqual([
      ['FLD-0001', 'One'],
      ['FLD-0002', 'Two'],
    ]);
    expect(answer.data.leftOut).toEqual(['Remark']);
  });

  test('with other headings is read after somebody said which column is which', async () => {
    const csv = 'Devices of 2026\nSerial,Label,Where,Device model,Name\nFLD-0009,One,northQuay,World pile,x';
    const columns = { sn: ' serial ', name: 'Label', site: 'Where', model: 'Device model' };
    const preview = await send(csv, { fileName: 'a.csv' });
    expect(preview).toMatchObject({ code: 0, data: { total: 0, rows: [] } });
    expect(preview.data.headings).toEqual([
      ...['Serial', 'Label', 'Where'].map((heading) => ({ heading, field: null })),
      ...[
        { heading: 'Device model', field: 'model' },
        { heading: 'Name', field: 'name' },
      ],
    ]);
    expect(await send(csv, { fileName: 'a.csv', dryRun: false })).toMatchObject({
      code: CODES.importColumnMissing.code,
    });
    const answer = await send(csv, { fileName: 'a.csv', columns });
    expect(rows(answer)).toEqual([['FLD-0009', 'One']]);
    expect(answer.data).toMatchObject({ leftOut: ['Name'], headings: null });
  });

  test.each([
    [
      'UTF-8 with a byte-order mark',
      Buffer.from('\uFEFFSN,名称,站点,设备型号\r\nFLD-0003,"一号, 东",northQuay,World pile\r\n'),
      '一号, 东',
    ],
    ['semicolons', Buffer.from('SN;Name;Site;Device model\nFLD-0003;x;northQuay;World pile'), 'x'],
    [
      'GBK',
      Buffer.concat([
        Buffer.from('SN,'),
        Buffer.of(0xc3, 0xfb, 0xb3, 0xc6),
        Buffer.from(',Site,Device model\nFLD-0003,'),
        Buffer.of(0xd7, 0xae),
        Buffer.from(',northQuay,World pile'),
      ]),
      '桩',
    ],
  ])('may be a .csv file in %s', async (_, file, name) => {
    expect(rows(await send(file, { fileName: 'list.csv' }))).toEqual([['FLD-0003', name]]);
  });
});

describe('an invalid file', () => {
  test.each([
    ['with an unsupported type', 'devices.ods', 'sn,name', 'importUnsupported', 'fileName'],
    ['without an extension', 'devices', '[]', 'importUnsupported', 'fileName'],
    ['in the old Excel format', 'devices.xls', 'x', 'importUnsupported', 'fileName'],
    ['without any bytes', 'devices.json', ' ', 'importEmpty', 'content'],
    ['without devices', 'devices.json', '[]', 'importEmpty', 'content'],
    ['with incomplete JSON', 'devices.json', '[{"sn": "A"', 'importMustBeJson', 'content'],
    ['with a single object', 'devices.json', '{"sn": "A"}', 'importMustBeList', 'content'],
    ['with a number', 'devices.json', '5', 'importMustBeList', 'content'],
    ['with a .csv in no known encoding', 'devices.csv', Buffer.of(0x41, 0xff, 0xff), 'importNotCsv', 'content'],
    ['with the extension .xlsx and other content', 'devices.xlsx', 'no sheet', 'importNotXlsx', 'content'],
  ] as const)('%s is refused with the message of the catalogue', async (_, fileName, content, code, field) => {
    const answer = await send(content, { fileName });
    expect(answer).toMatchObject({ code: CODES[code].code, field, data: null });
    expect(answer.message.slice(0, 12)).toBe(CODES[code].en.slice(0, 12));
  });

  test('with invalid UTF-8, or in a body that is not base64, is refused', async () => {
    const latin = Buffer.from('[{"name":"Säule"}]', 'latin1');
    expect(await send(latin)).toMatchObject({ code: CODES.importMustBeJson.code });
    const body = { fileName: 'devices.json', content: '!! no base64 !!', dryRun: true };
    expect(await admin.call(importDevices, { body })).toMatchObject({ code: CODES.fieldFormat.code, field: 'content' });
  });

  test('of one byte more than 5 MB is refused, and so is a body that is too long for a file of 5 MB', async () => {
    const limit = 5 * 1024 * 1024;
    const padded = (length: number) => rowsOf(row('SIZE-001')).padEnd(length, ' ');
    expect(await send(padded(limit))).toMatchObject({ code: 0 });
    expect(await send(padded(limit + 1))).toMatchObject({
      ...{ code: CODES.importTooLarge.code, message: 'The import file is too large: at most 5 MB.' },
    });
    const answer = await admin.fetch(importDevices.path, {
      ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
      body: JSON.stringify({ fileName: 'a.json', content: 'A'.repeat(8 * 1024 * 1024), dryRun: true }),
    });
    expect(answer.status).toBe(413);
    expect(await answer.json()).toMatchObject({
      ...{ code: CODES.importTooLarge.code, message: 'The import file is too large: at most 5 MB.' },
    });
  });

  test('of 10,001 rows is refused with the maximum number of rows', async () => {
    const rows = Array.from({ length: 10_001 }, (_, index) => ({
      sn: `MANY-${index}`,
      name: `M${index}`,
      site: 'a',
      model: 'b',
    }));
    expect(await send(JSON.stringify(rows))).toMatchObject({
      code: CODES.importTooManyRows.code,
      message: 'The file has 10001 rows. You can import at most 10000 at once. Split it into several files.',
    });
    const sheet = await sheetOf(['SN', 'Name', 'Site', 'Device model'], rows.map(Object.values));
    expect(await send(sheet, { fileName: 'a.xlsx' })).toMatchObject({ code: CODES.importTooManyRows.code });
  }, 240_000);
});

describe('concurrent imports', () => {
  test('of the same file: exactly one registers its devices, and none registers a part', async () => {
    const file = rowsOf(...Array.from({ length: 50 }, (_, index) => row(`RACE-${1_000 + index}`)));
    const turned = rowsOf(...Array.from({ length: 50 }, (_, index) => row(`RACE-${1_049 - index}`)));
    const answers = await Promise.all([file, turned, file, turned].map((one) => send(one, { dryRun: false })));
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1);
    for (const { code } of answers) expect([0, CODES.importFailed.code, CODES.importRaced.code]).toContain(code);
    expect(await countOf('RACE-%')).toBe(50);
  });

  test('when another user registers one of the devices meanwhile, the whole file is refused', async () => {
    const { sites, model } = server.world;
    const body = (index: string) => ({
      sn: `MEAN-${index}`,
      name: `Mean ${index}`,
      siteId: sites.northQuay,
      deviceModelId: model,
    });
    for (let round = 0; round < 5; round += 1) {
      const file = rowsOf(...Array.from({ length: 20 }, (_, index) => row(`MEAN-${round}${100 + index}`)));
      const [imported, added] = await Promise.all([
        send(file, { dryRun: false }),
        admin.call(ENDPOINTS.createDevice, { body: body(`${round}119`) }),
      ]);
      expect([imported.code, added.code].filter((code) => code === 0)).toHaveLength(1);
      expect(await countOf(`MEAN-${round}%`)).toBe(imported.code === 0 ? 20 : 1);
    }
  });

  test('without the write level nothing is read', async () => {
    const reader = await server.as('northReader');
    expect(await send('no file', { by: reader })).toMatchObject({ code: CODES.noPermission.code });
  });
});

test(`${IMPORT_ROWS} rows are imported at once, each with its own log entry`, async () => {
  const rows = Array.from({ length: IMPORT_ROWS }, (_, index) => row(`FULL-${10_000 + index}`));
  const file = JSON.stringify(rows);
  expect((await send(file)).data).toMatchObject({ total: IMPORT_ROWS, faulty: 0 });
  expect(await send(file, { dryRun: false })).toMatchObject({ code: 0, data: { imported: IMPORT_ROWS } });
  expect(await countOf('FULL-%')).toBe(IMPORT_ROWS);
  const { rows: counted } = await server.database.pool.query(
    `select count(distinct object_id)::int as n from action_logs where object_name like 'Row FULL-%'`,
  );
  expect(counted).toEqual([{ n: IMPORT_ROWS }]);
}, 240_000);

describe('a sheet', () => {
  test('is read by its headings in either language, with dates in any cell format', async () => {
    const day = new Date('2026-02-01T00:00:00+08:00');
    const sheet = await sheetOf(HEADINGS, [
      ['XLS-0001', 'Sheet 1', 'northQuay', 'World pile', day, '2026-02-03', 30],
      [12345678, 'Sheet 2', 'northQuay', 'World pile', null, null, null],
    ]);
    const dry = await send(sheet, { fileName: 'Devices.XLSX' });
    expect(dry.data.rows.map((one) => [one.row, one.sn, one.problems])).toEqual([
      [2, 'XLS-0001', []],
      [3, '12345678', []],
    ]);
    expect(await send(sheet, { fileName: 'devices.xlsx', dryRun: false })).toMatchObject({ code: 0 });
    const { db } = server.database;
    const stored = db.selectFrom('devices').select(['arrival_date', 'install_date', 'maintenance_cycle_days']);
    expect(await stored.where('sn', '=', 'XLS-0001').execute()).toEqual([
      { arrival_date: '2026-02-01', install_date: '2026-02-03', maintenance_cycle_days: 30 },
    ]);
    const chinese = await sheetOf(
      ['名称', '站点', '设备型号', 'SN'],
      [['表格', 'northQuay', 'World pile', 'XLS-0003']],
    );
    expect((await send(chinese, { fileName: 'a.xlsx' })).data).toMatchObject({ total: 1, faulty: 0 });
  });

  test('with an unknown model reports the error at its row, and imports nothing', async () => {
    const sheet = await sheetOf(HEADINGS, [
      ['XLM-0001', 'Model 1', 'northQuay', 'World pile', null, null, null],
      ['XLM-0002', 'Model 2', 'northQuay', 'World pille', null, null, null],
    ]);
    const { data } = await send(sheet, { fileName: 'a.xlsx' });
    expect(data.rows.map((one) => [one.row, one.problems])).toEqual([
      [2, []],
      [3, ['This model cannot be selected: the device model "World pille" does not exist. Did you mean "World pile"?']],
    ]);
    expect(await send(sheet, { fileName: 'a.xlsx', dryRun: false })).toMatchObject({ code: CODES.importFailed.code });
    expect(await countOf('XLM-%')).toBe(0);
  });

  test.each([
    ['a missing column', ['SN', 'Name', 'Site'], 'importColumnMissing'],
    ['a column twice', [...HEADINGS, '站点'], 'importColumnTwice'],
    ['headings alone', HEADINGS, 'importEmpty'],
  ] as const)('with %s is refused', async (_, headings, code) => {
    const rows = code === 'importEmpty' ? [] : [headings.map(() => 'x')];
    const sheet = await sheetOf(headings, rows);
    // In a dry run, the user may say which column is the missing one.
    const dryRun = code !== 'importColumnMissing';
    expect(await send(sheet, { fileName: 'a.xlsx', dryRun })).toMatchObject({ code: CODES[code].code });
  });

  test('that was exported can be imported again, in either language', async () => {
    for (const locale of ['en-US', 'zh-CN'] as const) {
      const south = await server.as('southAdmin', locale);
      const exported = Buffer.from(await (await south.fetch('/api/auth/sys/devices/export?sort=sn')).arrayBuffer());
      const again = await send(exported, { fileName: 'a.xlsx', by: south });
      const both = [messageOf('deviceSnExists', locale), messageOf('deviceNameExists', locale)];
      expect(again.data.rows.map(({ problems }) => problems)).toEqual([both, both]);
      const { pool } = server.database;
      await pool.query(`update devices set sn = sn || '-away', name = name || '-away' where customer_id = $1`, [
        server.world.customers.south,
      ]);
      expect((await send(exported, { fileName: 'a.xlsx', by: south })).data).toMatchObject({ faulty: 0 });
      await pool.query(
        `update devices set sn = replace(sn, '-away', ''), name = replace(name, '-away', '') where customer_id = $1`,
        [server.world.customers.south],
      );
    }
  });

  test('as a template has the columns that an import reads', async () => {
    const file = await (await admin.fetch('/api/auth/sys/devices/import-template')).arrayBuffer();
    const [sheet] = await readExcelFile(Buffer.from(file));
    expect(sheet?.data).toEqual([
      [
        'SN',
        'Name',
        'Site',
        'Customer',
        'Device model',
        'Arrival date',
        'Install date',
        'Maintenance cycle (days)',
        'Gateway password',
      ],
    ]);
    expect(await send(Buffer.from(file), { fileName: 'a.xlsx' })).toMatchObject({ code: CODES.importEmpty.code });
  });

  test('that would decompress to gigabytes is refused before it does', async () => {
    const bomb = zipOf({ 'xl/workbook.xml': Buffer.alloc(64 * 1024 * 1024, 0x20) });
    expect(bomb.length).toBeLessThan(100_000);
    expect(await send(bomb, { fileName: 'a.xlsx' })).toMatchObject({
      code: CODES.importInflates.code,
      message: 'Upload file format error: the unpacked file is larger than 32 MB.',
    });
  });
});
