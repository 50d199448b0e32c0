import { type Country, ENDPOINTS } from '@chargehand/contract';
import readExcelFile from 'read-excel-file/node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { refused } from '../../testing/contract/refused.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { allRegions, shippedRegions } from './regions.ts';

const { listRegions, createSite, updateSite, readSite, listSites, updateCustomer, readCustomer, listCustomers } =
  ENDPOINTS;

let server: TestServer;
let admin: Client;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.as('northAdmin');
});
afterAll(() => server.stop());

describe('the region data', () => {
  const country = (code: string) => allRegions().find((one) => one.code === code)!;

  test.each([
    ['CN', 'China', '中国'],
    ['HK', 'Hong Kong SAR China', '中国香港特别行政区'],
    ['DE', 'Germany', '德国'],
    ['BR', 'Brazil', '巴西'],
  ])('contains %s as %s and %s', (code, en, zh) => expect(country(code)).toMatchObject({ en, zh }));

  test.each([
    ['广东省', 'Guangdong', '深圳市', 'Shenzhen'],
    ['陕西省', 'Shaanxi', '西安市', "Xi'an"],
    ['山西省', 'Shanxi', '太原市', 'Taiyuan'],
    ['内蒙古自治区', 'Inner Mongolia', '呼和浩特市', 'Hohhot'],
    ['新疆维吾尔自治区', 'Xinjiang', '乌鲁木齐市', 'Urumqi'],
    ['西藏自治区', 'Xizang', '拉萨市', 'Lhasa'],
    ['重庆市', 'Chongqing', '忠县', 'Zhongxian'],
    ['北京市', 'Beijing', '海淀区', 'Haidian District'],
    ['云南省', 'Yunnan', '大理白族自治州', 'Dali Prefecture'],
    ['贵州省', 'Guizhou', '黔西南布依族苗族自治州', 'Qianxinan Prefecture'],
    ['湖北省', 'Hubei', '仙桃市', 'Xiantao'],
  ])('contains %s %s, and in it %s %s', (zh, en, cityZh, cityEn) => {
    const province = country('CN').provinces.find((one) => one.zh === zh);
    expect(province?.en).toBe(en);
    expect(province?.cities.find((one) => one.zh === cityZh)?.en).toBe(cityEn);
  });

  test('has unique codes, no empty name, and Chinese names for all of China', () => {
    const paths = new Set<string>();
    const look = (path: string, { en, zh }: { en: string; zh: string }) => {
      expect(paths.has(path)).toBe(false);
      paths.add(path);
      expect(en.trim()).not.toBe('');
      if (path.startsWith('CN/')) {
        expect(zh).toMatch(/^\p{Script=Han}+$/u);
        expect(en).toMatch(/^[A-Z][a-zü' A-Z]+$/);
      }
    };
    for (const one of allRegions()) {
      look(one.code, one);
      for (const province of one.provinces) {
        look(`${one.code}/${province.code}`, province);
        for (const city of province.cities) look(`${one.code}/${province.code}/${city.code}`, city);
      }
    }
    // The dictionary of regions has one entry for each code.
    expect(shippedRegions().size).toBe(paths.size);
    expect(country('CN').provinces).toHaveLength(31);
    expect(paths.size).toBeGreaterThan(5_000);
  });

  test('is sent completely and compressed, and not again to a client that has it', async () => {
    const path = listRegions.path;
    const first = await admin.fetch(path, { headers: { 'accept-encoding': 'gzip' } });
    expect(first.headers.get('content-encoding')).toBe('gzip');
    expect(Number(first.headers.get('content-length'))).toBeLessThan(100_000);
    const { data } = (await first.json()) as { data: Country[] };
    expect(data.map(({ code }) => code)).toEqual(allRegions().map(({ code }) => code));
    const tag = first.headers.get('etag')!;
    const again = await admin.fetch(path, { headers: { 'if-none-match': tag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const plain = await admin.fetch(path, { headers: { 'accept-encoding': 'identity' } });
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(((await plain.json()) as { data: Country[] }).data).toHaveLength(data.length);
  });
});

describe('a site', () => {
  const params = () => ({ id: server.world.sites.northQuay });
  const edit = (body: object) => admin.call(updateSite, { params: params(), body });
  const site = async (client = admin) => await client.data(readSite, { params: params() });

  test('has a region and a position, shown in the language of the reader', async () => {
    const { id } = await admin.data(createSite, {
      body: {
        customerId: server.world.customers.north,
        code: 'SZ',
        name: 'Shenzhen',
        country: 'CN',
        province: '440000',
        city: '440300',
        latitude: 22.54720012345,
        longitude: 113.9465,
      },
    });
    expect(await admin.data(readSite, { params: { id } })).toMatchObject({
      country: 'CN',
      province: '440000',
      city: '440300',
      regionName: 'China · Guangdong · Shenzhen',
      latitude: 22.5472,
      longitude: 113.9465,
    });
    const chinese = await server.as('northAdmin', 'zh-CN');
    expect((await chinese.data(readSite, { params: { id } })).regionName).toBe('中国 · 广东省 · 深圳市');
    await admin.data(ENDPOINTS.deleteSite, { params: { id } });
  });

  test('refuses codes that do not exist or do not belong to each other, with the wrong field', async () => {
    expect(await edit({ country: 'XX' })).toEqual(refused('regionUnknown', 'country'));
    expect(await edit({ country: 'CN', province: 'DE-BY' })).toEqual(refused('regionUnknown', 'province'));
    expect(await edit({ country: 'CN', province: '440000', city: '110101' })).toEqual(refused('regionUnknown', 'city'));
    expect(await edit({ province: '440000' })).toEqual(refused('regionWithoutWhole', 'province'));
    expect(await edit({ country: 'CN', city: '440300' })).toEqual(refused('regionWithoutWhole', 'city'));
    expect(await edit({ country: '' })).toMatchObject({ field: 'country', data: null });
    expect(await site()).toMatchObject({ country: null, province: null, city: null, regionName: '' });
  });

  test('clears the levels below a changed part of its region, and keeps parts that are not given', async () => {
    await admin.data(updateSite, { params: params(), body: { country: 'CN', province: '440000', city: '440300' } });
    await admin.data(updateSite, { params: params(), body: { contact: 'Ada' } });
    expect(await site()).toMatchObject({ province: '440000', city: '440300' });
    await admin.data(updateSite, { params: params(), body: { province: '330000' } });
    expect(await site()).toMatchObject({ country: 'CN', province: '330000', city: null });
    await admin.data(updateSite, { params: params(), body: { country: null } });
    expect(await site()).toMatchObject({ country: null, province: null, city: null });
  });

  test('refuses an incomplete position and one that is not on the earth', async () => {
    expect(await edit({ latitude: 22 })).toEqual(refused('positionIncomplete', 'longitude'));
    expect(await edit({ longitude: 22 })).toEqual(refused('positionIncomplete', 'latitude'));
    expect(await edit({ latitude: 90.1, longitude: 0 })).toMatchObject({ field: 'latitude', data: null });
    expect(await edit({ latitude: 0, longitude: -180.5 })).toMatchObject({ field: 'longitude', data: null });
    expect(await edit({ latitude: '1', longitude: 2 })).toMatchObject({ field: 'latitude', data: null });
    await admin.data(updateSite, { params: params(), body: { latitude: -90, longitude: 180 } });
    expect(await edit({ latitude: null })).toEqual(refused('positionIncomplete', 'latitude'));
    await admin.data(updateSite, { params: params(), body: { latitude: null, longitude: null } });
    expect(await site()).toMatchObject({ latitude: null, longitude: null });
  });
});

test('customers and sites are found by their region and every region that contains it, and exported with it', async () => {
  const root = await server.as('root');
  const { north, south } = server.world.customers;
  const { northQuay, northMill, southPark } = server.world.sites;
  const place = { country: 'CN', province: '440000', city: '440300' };
  await admin.data(updateCustomer, { params: { id: north }, body: place });
  await root.data(updateCustomer, { params: { id: south }, body: { country: 'CN' } });
  await root.data(updateSite, { params: { id: northQuay }, body: place });
  await root.data(updateSite, { params: { id: northMill }, body: { country: 'CN', province: '440000' } });
  await root.data(updateSite, { params: { id: southPark }, body: { country: 'CN', province: '330000' } });
  const sites = async (client: Client, region: string) =>
    (await client.data(listSites, { query: { region } })).items.map(({ code }) => code);
  const customers = async (client: Client, region: string) =>
    (await client.data(listCustomers, { query: { region } })).items.map(({ code }) => code);
  expect(await sites(root, 'CN')).toEqual(['northMill', 'northQuay', 'southPark']);
  expect(await sites(root, 'CN/440000')).toEqual(['northMill', 'northQuay']);
  expect(await sites(root, 'CN/440000/440300')).toEqual(['northQuay']);
  expect(await sites(root, 'DE')).toEqual([]);
  expect(await sites(admin, 'CN')).toEqual(['northMill', 'northQuay']);
  expect(await customers(root, 'CN')).toEqual(['north', 'south']);
  expect(await customers(root, 'CN/440000')).toEqual(['north']);
  expect(await root.call(listSites, { query: { region: 'CN/1' } })).toEqual(refused('regionUnknown', 'region'));
  expect((await root.data(readCustomer, { params: { id: north } })).regionName).toBe('China · Guangdong · Shenzhen');
  const response = await root.fetch('/api/auth/sys/sites/export?region=CN%2F440000%2F440300', {
    headers: { 'accept-language': 'zh-CN' },
  });
  const [sheet] = await readExcelFile(Buffer.from(await response.arrayBuffer()));
  expect(sheet?.data[0]).toContain('所在地区');
  expect(sheet?.data[1]).toContain('中国 · 广东省 · 深圳市');
  expect(sheet?.data).toHaveLength(2);
});

test('open alarms are counted by level for customers and sites, and the lists filter by it', async () => {
  const { northQuay, northMill } = server.world.sites;
  const { northQuay1, northQuay2, northMill1 } = server.world.devices;
  const raise = (device: number, code: string, level: string, cleared: Date | null = null) =>
    server.database.pool.query(
      `insert into alarms (device_id, connector, code, kind, level, raised_at, last_at, cleared_at)
       values ($1, 1, $2, 'fault', $3, now(), now(), $4)`,
      [device, code, level, cleared],
    );
  await raise(northQuay1.id, 'GroundFailure', 'CA');
  await raise(northQuay2.id, 'GroundFailure', 'CA');
  await raise(northQuay1.id, 'WeakSignal', 'OA');
  await raise(northQuay1.id, 'Past', 'MA', new Date());
  await raise(northMill1.id, 'Elsewhere', 'MA');
  expect(await admin.data(readSite, { params: { id: northQuay } })).toMatchObject({
    alarmsByLevel: { OA: 1, MA: 0, CA: 2 },
  });
  expect(await admin.data(readSite, { params: { id: northMill } })).toMatchObject({
    alarmsByLevel: { OA: 0, MA: 1, CA: 0 },
  });
  const params = { id: server.world.customers.north };
  expect(await admin.data(readCustomer, { params })).toMatchObject({ alarmsByLevel: { OA: 1, MA: 1, CA: 2 } });
  const assigned = await server.as('northAssigned');
  expect(await assigned.data(readCustomer, { params })).toMatchObject({ alarmsByLevel: { OA: 1, MA: 0, CA: 2 } });
  const { items } = await admin.data(ENDPOINTS.listAlarms, {
    query: { siteId: northQuay, state: 'open', level: 'CA' },
  });
  expect(items.map(({ code }) => code)).toEqual(['GroundFailure', 'GroundFailure']);
});
