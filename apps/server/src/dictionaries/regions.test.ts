import { CODES, type Country, dictionaryEndpoints, placesEndpoints } from '@chargehand/contract';
import readExcelFile from 'read-excel-file/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../testing/client.ts';
import { refused } from '../testing/contract/refused.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

const { listRegionEntries, createDictionaryEntry, updateDictionaryEntry, removeDictionaryEntry } = dictionaryEndpoints;
const { readDictionaryUses, listDictionaryChanges, undoDictionaryChange } = dictionaryEndpoints;
const { listRegions, createSite, updateSite, readSite, deleteSite, updateCustomer, listCustomers } = placesEndpoints;

let server: TestServer;
let root: Client;
beforeAll(async () => {
  server = await startTestServer({ captcha: false });
  root = await server.as('root');
});
afterAll(() => server.stop());

const params = { dictionary: 'regions' as const };
const entry = async (code: string) =>
  (await root.data(listRegionEntries, { query: { search: code } })).items.find((one) => one.code === code);
const save = async (code: string, body: { nameEn: string; nameZh: string; enabled?: boolean }) =>
  await root.call(updateDictionaryEntry, { params, body: { code, change: (await entry(code))?.change ?? 0, ...body } });
const add = (code: string, parent: string | undefined, nameEn: string, nameZh: string) =>
  root.call(createDictionaryEntry, { params, body: { code, nameEn, nameZh, ...(parent !== undefined && { parent }) } });
const remove = async (code: string) =>
  await root.call(removeDictionaryEntry, { params, query: { code, change: (await entry(code))?.change ?? 0 } });
const undo = async (code: string) => {
  const { items } = await root.data(listDictionaryChanges, { params, query: { code } });
  return await root.call(undoDictionaryChange, { params: { id: items[0]!.id }, body: {} });
};
const newSite = (code: string, place: object) =>
  root.call(createSite, { body: { customerId: server.world.customers.north, code, name: code, ...place } });
const done = { code: 0 };
const countries = async () => await root.data(listRegions, {});
const country = async (code: string): Promise<Country | undefined> =>
  (await countries()).find((one) => one.code === code);

test('a renamed region has its new name in the list of customers, exports and the picker; undo returns the old one', async () => {
  const { north } = server.world.customers;
  const place = { country: 'CN', province: '440000', city: '440300' };
  await root.data(updateCustomer, { params: { id: north }, body: place });
  const nameIn = async (client: Client) =>
    (await client.data(listCustomers, { query: { region: 'CN/440000' } })).items.map(({ regionName }) => regionName);
  const before = await root.fetch(listRegions.path);
  expect(await save('440300', { nameEn: ' Shenzhen Bay ', nameZh: '深圳湾' })).toMatchObject(done);
  expect(await nameIn(root)).toEqual(['China · Guangdong · Shenzhen Bay']);
  expect(await nameIn(await server.as('root', 'zh-CN'))).toEqual(['中国 · 广东省 · 深圳湾']);
  const file = await root.fetch('/api/auth/sys/customers/export?region=CN', {
    headers: { 'accept-language': 'zh-CN' },
  });
  const [sheet] = await readExcelFile(Buffer.from(await file.arrayBuffer()));
  expect(sheet?.data[1]).toContain('中国 · 广东省 · 深圳湾');
  const guangdong = (await country('CN'))!.provinces.find(({ code }) => code === '440000')!;
  expect(guangdong.cities.find(({ code }) => code === '440300')).toMatchObject({ en: 'Shenzhen Bay', zh: '深圳湾' });
  // A browser with the old list gets the new one.
  const headers = { 'if-none-match': before.headers.get('etag')! };
  expect((await root.fetch(listRegions.path, { headers })).status).toBe(200);

  expect(await undo('440300')).toMatchObject(done);
  expect(await nameIn(root)).toEqual(['China · Guangdong · Shenzhen']);
  expect((await root.fetch(listRegions.path, { headers })).status).toBe(304);
  expect(await entry('440300')).toMatchObject({ changed: false, level: 'city', parentName: 'China · Guangdong' });
});

test('a region that is turned off is refused for a new site, and kept by a site that has it', async () => {
  const place = { country: 'CN', province: '330000', city: '330100' };
  const { data } = await newSite('old', place);
  const { id } = data as { id: number };
  expect(await save('330000', { nameEn: 'Zhejiang', nameZh: '浙江省', enabled: false })).toMatchObject(done);
  expect(await newSite('new', place)).toEqual(refused('regionOff', 'province'));
  expect((await country('CN'))!.provinces.find(({ code }) => code === '330000')?.off).toBe(true);
  const edit = (body: object) => root.call(updateSite, { params: { id }, body });
  expect(await edit({ ...place, contact: 'Ada' })).toMatchObject(done);
  expect(await edit({ city: '330200' })).toMatchObject(done);
  expect(await root.data(readSite, { params: { id } })).toMatchObject({
    ...{ contact: 'Ada', regionName: 'China · Zhejiang · Ningbo' },
  });
  expect(await edit({ province: '440000' })).toMatchObject(done);
  expect(await edit({ province: '330000' })).toEqual(refused('regionOff', 'province'));
  expect(await remove('330000')).toMatchObject(done);
  expect(await edit({ province: '330000' })).toMatchObject(done);
  await root.data(deleteSite, { params: { id } });
});

test('an installation adds a city to a province, uses it, and removes it when nothing uses it', async () => {
  expect(await add('CN-X1', '440000', 'Harbour City', '海港城')).toMatchObject(done);
  expect(await entry('CN-X1')).toMatchObject({ level: 'city', parent: '440000', byDefault: null, enabled: true });
  const { data } = await newSite('harbour', { country: 'CN', province: '440000', city: 'CN-X1' });
  const { id } = data as { id: number };
  expect((await root.data(readSite, { params: { id } })).regionName).toBe('China · Guangdong · Harbour City');
  expect(await newSite('wrong', { country: 'CN', province: '330000', city: 'CN-X1' })).toEqual(
    refused('regionUnknown', 'city'),
  );
  expect(await root.data(readDictionaryUses, { params, query: { code: 'CN-X1' } })).toEqual({
    items: [{ kind: 'sites', count: 1 }],
  });
  expect(await remove('CN-X1')).toMatchObject({ code: CODES.dictionaryUsed.code });
  expect(await undo('CN-X1')).toMatchObject({ code: CODES.dictionaryUsed.code });
  await root.data(deleteSite, { params: { id } });
  expect(await remove('CN-X1')).toMatchObject(done);
  expect(await entry('CN-X1')).toBeUndefined();
  expect(await newSite('late', { country: 'CN', province: '440000', city: 'CN-X1' })).toEqual(
    refused('regionUnknown', 'city'),
  );
  expect(await undo('CN-X1')).toMatchObject(done);
  expect(await entry('CN-X1')).toMatchObject({ parentName: 'China · Guangdong' });
});

test('a region is not removed while a region below it exists, and its parent must exist', async () => {
  expect(await add('ZZ', undefined, 'Testland', '测试国')).toMatchObject(done);
  expect(await add('ZZ-1', 'ZZ', 'North', '北部')).toMatchObject(done);
  expect(await root.data(readDictionaryUses, { params, query: { code: 'ZZ' } })).toEqual({
    items: [{ kind: 'regions', count: 1 }],
  });
  expect(await remove('ZZ')).toMatchObject({ code: CODES.dictionaryUsed.code });
  expect((await country('ZZ'))?.provinces).toEqual([{ code: 'ZZ-1', en: 'North', zh: '北部', cities: [] }]);
  expect(await remove('ZZ-1')).toMatchObject(done);
  expect(await remove('ZZ')).toMatchObject(done);
  expect(await country('ZZ')).toBeUndefined();
  expect(await undo('ZZ-1')).toEqual(refused('regionUnknown', 'parent'));
});

test.each([
  ['a code that is taken', ['DE', undefined, 'A', '甲'], 'dictionaryCodeTaken', 'code'],
  ['a code that is too long', ['A2345678901', 'DE', 'A', '甲'], 'regionCodeLength', 'code'],
  ['a parent that does not exist', ['AA', 'nowhere', 'A', '甲'], 'regionUnknown', 'parent'],
  ['a parent that is a city', ['AA', '440300', 'A', '甲'], 'regionTooDeep', 'parent'],
  ['the name of a sibling', ['AA', undefined, 'germany', '甲'], 'dictionaryNameTaken', 'nameEn'],
] as const)('refused: %s', async (_, [code, parent, en, zh], problem, field) => {
  expect(await add(code, parent, en, zh)).toMatchObject({ code: CODES[problem].code, field });
});

test('other dictionaries have no parents', async () => {
  const body = { code: 'wet', nameEn: 'Wet', nameZh: '潮湿', parent: 'CN' };
  expect(await root.call(createDictionaryEntry, { params: { dictionary: 'causes' }, body })).toEqual(
    refused('regionUnknown', 'parent'),
  );
});

test('of two editors, the second one sees the change of the first one', async () => {
  const answers = await Promise.all(
    ['Deutschland', 'Allemagne'].map((nameEn) =>
      root.call(updateDictionaryEntry, { params, body: { code: 'DE', nameEn, nameZh: '德国', change: 0 } }),
    ),
  );
  expect(answers.map(({ code }) => code).toSorted()).toEqual([0, CODES.dictionaryChanged.code]);
});

test('the list has pages in the order of the tree, is searched, and filtered by what changed', async () => {
  const page = await root.data(listRegionEntries, { query: { pageSize: 10 } });
  expect(page.items).toHaveLength(10);
  expect(page.total).toBeGreaterThan(5_000);
  expect(page.items.slice(0, 2).map(({ code, level, parentName }) => [code, level, parentName])).toEqual([
    ['AF', 'country', ''],
    [expect.stringMatching(/^AF-/), 'province', 'Afghanistan'],
  ]);
  const { items } = await (await server.as('root', 'zh-CN')).data(listRegionEntries, { query: { search: '深圳' } });
  expect(items.map(({ code, parentName }) => [code, parentName])).toEqual([['440300', '中国 · 广东省']]);
  const changed = await root.data(listRegionEntries, { query: { changed: true } });
  expect(changed.items.map(({ code }) => code)).toContain('CN-X1');
  expect(changed.items.every((one) => one.changed)).toBe(true);
});
