import { CODES, dictionaryEndpoints, type Locale } from '@chargehand/contract';
import { DICTIONARY_IMPORT_BYTES, DICTIONARY_IMPORT_ROWS, type Dictionary, ISSUE_CAUSES } from '@chargehand/domain';
import readExcelFile from 'read-excel-file/node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Cell } from '../platform/xlsx/xlsx.ts';
import type { Client } from '../testing/client.ts';
import { sheetOf } from '../testing/files/xlsx.ts';
import { zipOf } from '../testing/files/zip.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

const { listDictionary, createDictionaryEntry, updateDictionaryEntry, importDictionary } = dictionaryEndpoints;
const { listDictionaryChanges, undoDictionaryChange } = dictionaryEndpoints;

let server: TestServer;
let root: Client;
beforeAll(async () => {
  server = await startTestServer({ captcha: false });
  root = await server.as('root');
});
afterAll(() => server.stop());

const HEADINGS = ['Code', 'English name', 'Chinese name', 'Can be chosen', 'Order'];

async function exported(dictionary: Dictionary, locale: Locale = 'en-US'): Promise<{ file: Buffer; rows: Cell[][] }> {
  const answer = await root.fetch(`/api/auth/sys/dictionary/${dictionary}/export`, {
    headers: { 'accept-language': locale },
  });
  const file = Buffer.from(await answer.arrayBuffer());
  const [sheet] = await readExcelFile(file);
  return { file, rows: sheet!.data as Cell[][] };
}
const send = (
  dictionary: Dictionary,
  file: Buffer | string,
  { fileName = 'names.xlsx', ...more }: { fileName?: string; dryRun?: boolean; change?: number } = {},
) => {
  const content = typeof file === 'string' ? file : file.toString('base64');
  return root.call(importDictionary, { params: { dictionary }, body: { fileName, content, dryRun: true, ...more } });
};
/** Imports a file after its preview. */
const take = async (dictionary: Dictionary, file: Buffer) =>
  await send(dictionary, file, { dryRun: false, change: (await send(dictionary, file)).data.change });
const entry = async (dictionary: Dictionary, code: string) =>
  (await root.data(listDictionary, { params: { dictionary } })).items.find((one) => one.code === code);
const history = async (dictionary: Dictionary, code: string) =>
  (await root.data(listDictionaryChanges, { params: { dictionary }, query: { code } })).items;

test('an exported file is imported without changes, in either language', async () => {
  for (const dictionary of ['alarmNames', 'causes', 'remedies'] as const) {
    for (const locale of ['en-US', 'zh-CN'] as const) {
      const { file, rows } = await exported(dictionary, locale);
      const { data } = await send(dictionary, file);
      expect(data).toEqual({ added: 0, changed: 0, unchanged: rows.length - 1, faulty: 0, change: 0, rows: [] });
    }
  }
  const { rows } = await exported('causes');
  expect(rows.slice(0, 2)).toEqual([
    [...HEADINGS, 'Default English name', 'Default Chinese name'],
    ['hardware', 'Hardware', '硬件', 'Yes', 10, 'Hardware', '硬件'],
  ]);
  expect((await exported('alarmNames', 'zh-CN')).rows[0]).toEqual([
    ...['代码', '英文名称', '中文名称', '默认英文名称', '默认中文名称'],
  ]);
});

test('an edited export adds and changes entries; each change can be undone and is in the action log', async () => {
  const { rows } = await exported('causes');
  const edited = rows
    .filter(([code]) => code !== 'vehicle')
    .map((row) => {
      if (row[0] === 'wear') return ['wear', 'Software', '软件', 'Yes', 20, null, null];
      if (row[0] === 'software') return ['software', 'Wear', '磨损老化', 'No', 30, null, null];
      return row;
    });
  const [headings, ...entries] = edited as [string[], ...Cell[][]];
  const formula = ['rain', '=HYPERLINK("http://example.com")', '+雨水', null, null, null, null];
  const file = await sheetOf(headings, [...entries, formula]);
  const { data } = await send('causes', file);
  expect(data).toMatchObject({ added: 1, changed: 2, unchanged: ISSUE_CAUSES.length - 3, faulty: 0 });
  expect(data.rows.map(({ code, result }) => [code, result])).toEqual([
    ['wear', 'change'],
    ['software', 'change'],
    ['rain', 'add'],
  ]);
  expect(data.rows[1]).toMatchObject({ row: 4, before: { nameEn: 'Software', enabled: true }, problems: [] });
  expect(data.rows[1]?.after).toEqual({ nameEn: 'Wear', nameZh: '磨损老化', enabled: false, position: 30 });
  expect(await entry('causes', 'rain')).toBeUndefined();

  expect(await send('causes', file, { dryRun: false, change: data.change })).toMatchObject({
    ...{ code: 0, data: { added: 1, changed: 2, rows: [] } },
  });
  expect(await entry('causes', 'wear')).toMatchObject({ nameEn: 'Software', nameZh: '软件', enabled: true });
  expect(await entry('causes', 'rain')).toMatchObject({ nameEn: formula[1], nameZh: '+雨水', position: 140 });
  expect(await entry('causes', 'vehicle')).toMatchObject({ changed: false });
  const again = await exported('causes');
  expect(again.rows).toContainEqual(['rain', formula[1], '+雨水', 'Yes', 140, null, null]);
  expect((await send('causes', again.file)).data).toMatchObject({ added: 0, changed: 0, faulty: 0 });

  const [added] = await history('causes', 'rain');
  expect(added).toMatchObject({ action: 'add', by: 'root_user', before: null, undoable: true });
  const { rows: logs } = await server.database.pool.query(
    `select operation, before->>'nameEn' as before, after->>'nameEn' as after from action_logs
      where object_id in ('causes/rain', 'causes/wear') order by object_id`,
  );
  expect(logs).toEqual([
    { operation: 'new', before: null, after: formula[1] },
    { operation: 'edit', before: 'Wear', after: 'Software' },
  ]);
  expect(await root.call(undoDictionaryChange, { params: { id: added!.id }, body: {} })).toMatchObject({ code: 0 });
  expect(await entry('causes', 'rain')).toBeUndefined();
});

test('a value that is the default is not stored, so that a release can change it', async () => {
  const file = (name: string) => sheetOf(['code', 'nameEn', 'nameZh'], [['replaced', name, '更换部件']]);
  await take('remedies', await file('Swapped'));
  expect(await entry('remedies', 'replaced')).toMatchObject({ changed: true, nameEn: 'Swapped' });
  await take('remedies', await file('Part replaced'));
  expect(await entry('remedies', 'replaced')).toMatchObject({ changed: false, nameEn: 'Part replaced' });
  expect((await history('remedies', 'replaced'))[0]).toMatchObject({ action: 'edit', after: null });
});

test('a name of an alarm applies where alarms are shown', async () => {
  await take('alarmNames', await sheetOf(HEADINGS.slice(0, 3), [['OverVoltage', 'Grid too high', '电网过压']]));
  const { rows } = await server.database.pool.query(
    `select name_en from alarm_codes where device_model_id is null and code = 'OverVoltage'`,
  );
  expect(rows).toEqual([{ name_en: 'Grid too high' }]);
});

test('problems name the column and the fix, in the language of the caller; nothing is imported', async () => {
  const rows: Cell[][] = [
    ['fresh', 'Fresh', '新', 'Yes', 5],
    ['a b', 'Name', null, 'maybe', 10_000],
    ['hardware', 'Repaired', '硬件', 'Yes', 10],
    ['fresh', 'Twice', '两次', 'Yes', 5],
    ['repaired', 'x'.repeat(120), 'FRESH\u200b', 'Yes', 20],
    ['other', 'Fresh', '其他', 'Yes', 20],
  ];
  const file = await sheetOf(HEADINGS, rows);
  const { data } = await send('remedies', file);
  expect(data).toMatchObject({ added: 1, faulty: 5 });
  expect(data.rows.filter(({ result }) => result === 'fault').map(({ row, problems }) => [row, problems])).toEqual([
    [
      3,
      [
        'Code: a code has letters, digits, “.”, “_”, “-” and “:” only, without spaces.',
        'Chinese name is required.',
        'Can be chosen: enter Yes or No. An empty cell keeps the value.',
        'Order: enter a whole number from 0 to 9999. An empty cell keeps the value.',
      ],
    ],
    [4, [expect.stringContaining('the entry repaired has this name')]],
    [5, ['Code: row 2 of the file has this code, too. Remove one of the two rows.']],
    [6, ['English name must have at most 100 characters.', expect.stringContaining('U+200B')]],
    [7, [expect.stringContaining('row 2 of the file has this name')]],
  ]);
  const chinese = await root.fetch(importDictionary.path.replace(':dictionary', 'remedies'), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'accept-language': 'zh-CN' },
    body: JSON.stringify({ fileName: 'a.xlsx', content: file.toString('base64'), dryRun: true }),
  });
  expect(await chinese.text()).toContain('中文名称');
  expect(await send('remedies', file, { dryRun: false, change: data.change })).toMatchObject({
    ...{ code: CODES.dictionaryImportFailed.code, field: 'content' },
  });
  expect(await entry('remedies', 'fresh')).toBeUndefined();
});

test('a change after the preview is not overwritten; the error names who made it', async () => {
  const file = await sheetOf(HEADINGS.slice(0, 3), [['cleaned', 'Washed', '清洗']]);
  const { data } = await send('remedies', file);
  const own = { code: 'dried', nameEn: 'Dried', nameZh: '烘干' };
  await root.call(createDictionaryEntry, { params: { dictionary: 'remedies' }, body: own });
  const refused = await send('remedies', file, { dryRun: false, change: data.change });
  expect(refused).toMatchObject({
    code: CODES.dictionaryImportChanged.code,
    message: expect.stringContaining('root_user'),
  });
  expect(await send('remedies', file, { dryRun: false })).toMatchObject({ code: CODES.dictionaryImportChanged.code });
  expect(await entry('remedies', 'cleaned')).toMatchObject({ nameEn: 'Cleaned' });
});

test('of two imports and an edit at once, one is stored', async () => {
  const file = (name: string) => sheetOf(HEADINGS.slice(0, 3), [['instructed', name, '指导']]);
  const { change } = (await send('remedies', await file('A'))).data;
  const { change: seen } = (await entry('remedies', 'instructed'))!;
  const params = { dictionary: 'remedies' as const };
  const answers = await Promise.all([
    send('remedies', await file('A'), { dryRun: false, change }),
    send('remedies', await file('B'), { dryRun: false, change }),
    root.call(updateDictionaryEntry, {
      params,
      body: { code: 'instructed', nameEn: 'C', nameZh: '指导', change: seen },
    }),
  ]);
  expect(answers.filter(({ code }) => code === 0)).toHaveLength(1);
  expect(await history('remedies', 'instructed')).toHaveLength(1);
});

describe('files that are refused', () => {
  const row: Cell[] = ['wear', 'Wear', '磨损老化', 'Yes', 20];
  const bomb = () =>
    zipOf({
      'xl/workbook.xml': '<workbook><sheets><sheet name="a" r:id="r1"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels': '<Relationships><Relationship Id="r1" Target="worksheets/a.xml"/></Relationships>',
      'xl/worksheets/a.xml': `<worksheet><!--${' '.repeat(20 * 1024 * 1024)}--></worksheet>`,
    });
  test.each<[string, () => Promise<Buffer | string> | Buffer | string, keyof typeof CODES, string?]>([
    ['another type', () => 'YQ==', 'dictionaryImportUnsupported', 'names.csv'],
    ['no spreadsheet', () => Buffer.from('code,nameEn'), 'importNotXlsx'],
    ['no base64', () => 'not base64!', 'fieldFormat'],
    ['too many bytes', () => Buffer.alloc(DICTIONARY_IMPORT_BYTES + 1), 'importTooLarge'],
    ['more after it is unpacked', bomb, 'importInflates'],
    ['no rows', () => sheetOf(HEADINGS, []), 'importEmpty'],
    ['an unknown column', () => sheetOf([...HEADINGS, 'Colour'], [[...row, 'red']]), 'importColumnUnknown'],
    ['a column twice', () => sheetOf([...HEADINGS, 'code'], [[...row, 'wear']]), 'importColumnTwice'],
    ['a missing column', () => sheetOf(['Code', 'English name'], [['wear', 'Wear']]), 'importColumnMissing'],
    [
      'too many rows',
      () =>
        sheetOf(
          HEADINGS,
          Array.from({ length: DICTIONARY_IMPORT_ROWS + 1 }, () => row),
        ),
      'importTooManyRows',
    ],
  ])('%s', async (_, file, code, fileName = 'names.xlsx') => {
    expect(await send('causes', await file(), { fileName })).toMatchObject({ code: CODES[code].code });
  });

  test('the order of causes in a file of alarm names', async () => {
    expect(await send('alarmNames', await sheetOf(HEADINGS, [row]))).toMatchObject({
      ...{ code: CODES.importColumnUnknown.code, message: expect.stringContaining('Can be chosen') },
    });
  });

  test('a dictionary that does not exist', async () => {
    const params = { dictionary: 'colours' };
    const body = { fileName: 'a.xlsx', content: 'YQ==', dryRun: true };
    expect(await root.call(importDictionary, { params, body })).toMatchObject({ code: CODES.notFound.code });
    expect((await root.fetch('/api/auth/sys/dictionary/colours/export')).headers.get('content-type')).toContain('json');
  });
});

test('a full file is imported at once', async () => {
  const rows = Array.from({ length: 1_900 }, (_, index) => [`X-${index}`, `Alarm ${index}`, `告警 ${index}`]);
  const { data } = await take('alarmNames', await sheetOf(HEADINGS.slice(0, 3), rows));
  expect(data).toMatchObject({ added: 1_900, faulty: 0 });
  const more = Array.from({ length: 120 }, (_, index) => [`Y-${index}`, `More ${index}`, `更多 ${index}`]);
  const full = await send('alarmNames', await sheetOf(HEADINGS.slice(0, 3), more));
  expect(full.data.faulty).toBeGreaterThan(0);
  expect(full.data.rows.at(-1)?.problems).toEqual([expect.stringContaining('2000')]);
});
