import { alarmEndpoints, CODES, dictionaryEndpoints, issueBulkEndpoints, issueEndpoints } from '@chargehand/contract';
import { DICTIONARY_DEFAULTS, type Dictionary } from '@chargehand/domain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../testing/client.ts';
import { textsOfXlsx } from '../testing/files/xlsx.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

const { listDictionary, createDictionaryEntry, updateDictionaryEntry, removeDictionaryEntry } = dictionaryEndpoints;
const { readDictionaryUses, listDictionaryChanges, undoDictionaryChange, readDictionaryNames } = dictionaryEndpoints;
const { createCustomerIssue, closeIssue, readIssue, listIssues, listIssueLabels } = issueEndpoints;
const { updateIssues } = issueBulkEndpoints;

let server: TestServer;
let root: Client;
beforeAll(async () => {
  server = await startTestServer({ captcha: false });
  root = await server.as('root');
});
afterAll(() => server.stop());

const entry = async (dictionary: Dictionary, code: string) =>
  (await root.data(listDictionary, { params: { dictionary } })).items.find((one) => one.code === code);
const changes = async (dictionary: Dictionary, code: string) =>
  (await root.data(listDictionaryChanges, { params: { dictionary }, query: { code } })).items;
const save = async (
  dictionary: Dictionary,
  code: string,
  body: { nameEn: string; nameZh: string; enabled?: boolean },
) =>
  await root.call(updateDictionaryEntry, {
    params: { dictionary },
    body: { code, change: (await entry(dictionary, code))?.change ?? 0, ...body },
  });
const undo = async (dictionary: Dictionary, code: string, index = 0) =>
  await root.call(undoDictionaryChange, { params: { id: (await changes(dictionary, code))[index]!.id }, body: {} });
const remove = async (dictionary: Dictionary, code: string) =>
  await root.call(removeDictionaryEntry, {
    params: { dictionary },
    query: { code, change: (await entry(dictionary, code))?.change ?? 0 },
  });
const rows = async <T extends object>(text: string, values: unknown[] = []) =>
  (await server.database.pool.query<T>(text, values)).rows;

async function raise(code: string) {
  const [device] = await rows<{ id: number }>('select id from devices order by id limit 1');
  const [alarm] = await rows<{ id: number }>(
    `insert into alarms (device_id, connector, code, kind, level, raised_at, last_at)
     values ($1, 0, $2, 'alarm', 'MA', now(), now()) returning id`,
    [device!.id, code],
  );
  return alarm!.id;
}
const nameOfAlarm = async (id: number) => {
  const { nameEn, nameZh } = await root.data(alarmEndpoints.readAlarm, { params: { id } });
  return [nameEn, nameZh];
};
const DEFAULT = ['Voltage too high', '过压'];

test('a fresh installation has the shipped alarm names', async () => {
  const stored = await rows<{ code: string; en: string; zh: string }>(
    'select code, name_en as en, name_zh as zh from alarm_codes where device_model_id is null',
  );
  expect(Object.fromEntries(stored.map(({ code, ...names }) => [code, names]))).toEqual(DICTIONARY_DEFAULTS.alarmNames);
});

test('a renamed alarm has its new name in alarms and exports; undo and reset return the old one', async () => {
  const id = await raise('OverVoltage');
  expect(await nameOfAlarm(id)).toEqual(DEFAULT);
  expect(await save('alarmNames', 'OverVoltage', { nameEn: ' Grid too high ', nameZh: '电网过压' })).toMatchObject({
    code: 0,
  });
  expect(await nameOfAlarm(id)).toEqual(['Grid too high', '电网过压']);
  const sheet = await root.fetch('/api/auth/sys/alarms/export?code=OverVoltage');
  expect(textsOfXlsx(Buffer.from(await sheet.arrayBuffer()))).toContain('Grid too high');

  const [last] = await changes('alarmNames', 'OverVoltage');
  expect(last).toMatchObject({ action: 'edit', by: 'root_user', before: null, undoable: true });
  expect(last!.after).toMatchObject({ nameEn: 'Grid too high', nameZh: '电网过压' });
  expect(await undo('alarmNames', 'OverVoltage')).toMatchObject({ code: 0 });
  expect(await nameOfAlarm(id)).toEqual(DEFAULT);
  expect(await entry('alarmNames', 'OverVoltage')).toMatchObject({ changed: false, nameEn: 'Voltage too high' });
  expect((await changes('alarmNames', 'OverVoltage')).map(({ action, undoable }) => [action, undoable])).toEqual([
    ['undo', true],
    ['edit', false],
  ]);
  // The undo is a change itself: undone, the name is back. Its reset returns to the default.
  expect(await undo('alarmNames', 'OverVoltage')).toMatchObject({ code: 0 });
  expect(await nameOfAlarm(id)).toEqual(['Grid too high', '电网过压']);
  expect(await remove('alarmNames', 'OverVoltage')).toMatchObject({ code: 0 });
  expect(await nameOfAlarm(id)).toEqual(DEFAULT);
  expect(await remove('alarmNames', 'OverVoltage')).toMatchObject({ code: CODES.dictionaryUnchanged.code });
});

test('an earlier change cannot be undone; the answer names who changed the entry later', async () => {
  await save('alarmNames', 'UnderVoltage', { nameEn: 'Low', nameZh: '低' });
  await save('alarmNames', 'UnderVoltage', { nameEn: 'Lower', nameZh: '更低' });
  const refused = await undo('alarmNames', 'UnderVoltage', 1);
  expect(refused).toMatchObject({
    code: CODES.dictionaryUndoLater.code,
    message: expect.stringContaining('root_user'),
  });
  expect(await entry('alarmNames', 'UnderVoltage')).toMatchObject({ nameEn: 'Lower' });
});

test('of two editors, the second one sees the change of the first one instead of replacing it', async () => {
  const body = { code: 'ReaderFailure', nameEn: 'A', nameZh: '甲', change: 0 };
  const params = { dictionary: 'alarmNames' as const };
  const answers = await Promise.all(
    ['A', 'B'].map((nameEn) => root.call(updateDictionaryEntry, { params, body: { ...body, nameEn } })),
  );
  expect(answers.map(({ code }) => code).toSorted()).toEqual([0, CODES.dictionaryChanged.code]);
  expect(await changes('alarmNames', 'ReaderFailure')).toHaveLength(1);
});

test('an own alarm code gets a name, and keeps it while an alarm has the code', async () => {
  const params = { dictionary: 'alarmNames' as const };
  const own = { code: 'E-77', nameEn: 'Pump stopped', nameZh: '水泵停止' };
  expect(await root.call(createDictionaryEntry, { params, body: own })).toMatchObject({ code: 0 });
  expect(await root.call(createDictionaryEntry, { params, body: own })).toMatchObject({
    ...{ code: CODES.dictionaryCodeTaken.code, field: 'code' },
  });
  expect(await root.call(createDictionaryEntry, { params, body: { ...own, code: 'E 77' } })).toMatchObject({
    ...{ code: CODES.dictionaryCodeForm.code, field: 'code' },
  });
  const id = await raise('E-77');
  expect(await nameOfAlarm(id)).toEqual(['Pump stopped', '水泵停止']);
  expect(await root.data(readDictionaryUses, { params, query: { code: 'E-77' } })).toEqual({
    items: [{ kind: 'alarms', count: 1 }],
  });
  expect(await remove('alarmNames', 'E-77')).toMatchObject({ code: CODES.dictionaryUsed.code });
  expect(await undo('alarmNames', 'E-77')).toMatchObject({ code: CODES.dictionaryUsed.code });
  await rows('delete from alarms where id = $1', [id]);
  expect(await remove('alarmNames', 'E-77')).toMatchObject({ code: 0 });
  expect(await entry('alarmNames', 'E-77')).toBeUndefined();
  expect(await rows(`select from alarm_codes where code = 'E-77'`)).toEqual([]);
});

test('issues are closed with the causes of the dictionary, and exported with their names', async () => {
  const params = { dictionary: 'causes' as const };
  const own = { code: 'water', nameEn: 'Water', nameZh: '进水', position: 15 };
  expect(await root.call(createDictionaryEntry, { params, body: { ...own, nameEn: 'hardware' } })).toMatchObject({
    ...{ code: CODES.dictionaryNameTaken.code, field: 'nameEn' },
  });
  expect(await root.call(createDictionaryEntry, { params, body: own })).toMatchObject({ code: 0 });
  const { causes } = await (await server.as('northAdmin')).data(readDictionaryNames, {});
  expect(causes.slice(0, 3).map(({ nameEn }) => nameEn)).toEqual(['Hardware', 'Water', 'Wear']);

  const { customers } = server.world;
  const report = async (title: string) => {
    const body = { title, type: 4 as const };
    return (await root.data(createCustomerIssue, { params: { id: customers.north }, body })).id;
  };
  const close = async (id: number, cause: string) =>
    await root.call(closeIssue, { params: { id }, body: { cause, remedy: 'cleaned' } });
  const [wet, dry] = [await report('Wet cabinet'), await report('Dry cabinet')];
  expect(await close(wet, 'water')).toMatchObject({ code: 0 });
  expect(await root.data(readDictionaryUses, { params, query: { code: 'water' } })).toEqual({
    items: [{ kind: 'issues', count: 1 }],
  });
  const sheet = await root.fetch('/api/auth/sys/issues/export?tab=all');
  expect(textsOfXlsx(Buffer.from(await sheet.arrayBuffer()))).toContain('Water');

  expect(await remove('causes', 'water')).toMatchObject({ code: CODES.dictionaryUsed.code });
  expect(await save('causes', 'water', { nameEn: 'Water', nameZh: '进水', enabled: false })).toMatchObject({ code: 0 });
  for (const cause of ['water', 'nothing']) {
    expect(await close(dry, cause)).toMatchObject({ code: CODES.issueEndUnknown.code, field: 'cause' });
  }
  expect(await close(dry, 'wear')).toMatchObject({ code: 0 });
});

test('labels of the dictionary have their names everywhere, and typed ones with such a name mean them', async () => {
  const params = { dictionary: 'labels' as const };
  const { customers } = server.world;
  const report = async (labels: string[]) => {
    const body = { title: labels.join(' '), type: 4 as const, labels };
    return (await root.data(createCustomerIssue, { params: { id: customers.north }, body })).id;
  };
  const labelsOf = async (id: number) => (await root.data(readIssue, { params: { id } })).labels;
  const found = async (label: string) =>
    (await root.data(listIssues, { query: { label, sort: 'number' } })).items.map(({ id }) => id);

  const typed = await report(['Wet cable', 'cold']);
  expect(await labelsOf(await report(['Safety', '安全隐患', 'safety']))).toEqual(['safety']);
  const own = { code: 'wet', nameEn: 'Wet Cable', nameZh: '电缆潮湿' };
  expect(await root.call(createDictionaryEntry, { params, body: own })).toMatchObject({ code: 0 });
  const chosen = await report(['wet cable']);
  expect(await labelsOf(chosen)).toEqual(['wet']);
  expect((await root.data(readDictionaryNames, {})).labels.at(-1)).toMatchObject(own);

  // The label that was typed before counts, and is found, with those of the entry.
  expect(await labelsOf(typed)).toEqual(['Wet cable', 'cold']);
  for (const label of ['wet', 'WET CABLE', '电缆潮湿']) expect(await found(label)).toEqual([typed, chosen]);
  expect(await found('Cold')).toEqual([typed]);
  const { items } = await root.data(listIssueLabels, {});
  expect(items.filter(({ name }) => /wet/i.test(name))).toEqual([{ name: 'wet', count: 2 }]);
  expect(await save('labels', 'wet', { nameEn: 'Moist', nameZh: '潮湿', enabled: false })).toMatchObject({ code: 0 });
  const sheet = await root.fetch('/api/auth/sys/issues/export?label=wet', { headers: { 'accept-language': 'zh-CN' } });
  expect(textsOfXlsx(Buffer.from(await sheet.arrayBuffer()))).toContain('潮湿');

  expect(await remove('labels', 'wet')).toMatchObject({ code: CODES.dictionaryUsed.code });
  expect(await root.data(readDictionaryUses, { params, query: { code: 'wet' } })).toEqual({
    items: [{ kind: 'issues', count: 1 }],
  });
  expect(await root.call(updateIssues, { body: { ids: [chosen], labels: ['SAFETY'] } })).toMatchObject({ code: 0 });
  expect(await labelsOf(chosen)).toEqual(['wet', 'safety']);
  await rows('delete from issues where id = $1', [chosen]);
  expect(await remove('labels', 'wet')).toMatchObject({ code: 0 });
});

test.each([
  ['code', 'c'.repeat(41), 'Name', '名称'],
  ['nameEn', 'longName', 'n'.repeat(41), '名称'],
])('the %s of a label has at most 40 characters, as a typed label', async (field, code, nameEn, nameZh) => {
  const params = { dictionary: 'labels' as const };
  expect(await root.call(createDictionaryEntry, { params, body: { code, nameEn, nameZh } })).toMatchObject({
    ...{ code: CODES.fieldTooLong.code, field },
  });
});

test('every change is in the action log', async () => {
  await save('remedies', 'cleaned', { nameEn: 'Washed', nameZh: '清洗' });
  const [logged] = await rows<{ before: unknown; after: unknown }>(
    `select before, after from action_logs where object_type = 'dictionaryEntry' and object_id = 'remedies/cleaned'`,
  );
  expect(logged).toMatchObject({ before: { nameEn: 'Cleaned' }, after: { nameEn: 'Washed' } });
});
