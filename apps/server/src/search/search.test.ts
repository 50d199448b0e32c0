import {
  categoryEndpoints,
  documentEndpoints,
  fleetEndpoints,
  issueEndpoints,
  peopleEndpoints,
  placesEndpoints,
  searchEndpoints,
} from '@chargehand/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '../platform/http/caller.ts';
import type { SearchSource } from '../ports/search-source.ts';
import type { Client } from '../testing/client.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import type { Person } from '../testing/world.ts';
import { searchService } from './search.service.ts';

const { search } = searchEndpoints;

let server: TestServer;
const clients = {} as Record<Person, Client>;
beforeAll(async () => {
  server = await startTestServer({ captcha: false });
  for (const person of ['root', 'northAdmin', 'northAssigned', 'northNoMenus', 'southAdmin'] as const) {
    clients[person] = await server.as(person);
  }
});
afterAll(() => server.stop());

/** The kinds and codes that a user finds, in order: `device northQuay-1`. */
async function found(person: Person, text: string): Promise<string[]> {
  const { groups } = await clients[person].data(search, { query: { search: text } });
  return groups.flatMap(({ kind, items }) => items.map(({ code }) => `${kind} ${code}`));
}

let numbered = 0;
/** Registers a device at the quay over the API. @returns its SN */
async function newDevice(name: string, chosen?: string): Promise<string> {
  const { sites, model } = server.world;
  numbered += 1;
  const sn = chosen ?? `new-${numbered}`;
  const body = { sn, name, siteId: sites.northQuay, deviceModelId: model };
  await clients.root.data(fleetEndpoints.createDevice, { body });
  return sn;
}

describe('what is found', () => {
  test('issues by number and title within the scope, open ones first', async () => {
    const { createSiteIssue, closeIssue } = issueEndpoints;
    const { sites } = server.world;
    const add = async (title: string, site: number) =>
      await clients.root.data(createSiteIssue, { params: { id: site }, body: { title, type: 3 } });
    const mill = await add('Zebra crossing is blocked', sites.northMill);
    const quay = await add('Zebra on the cable', sites.northQuay);
    const end = { cause: 'noFault', remedy: 'none' } as const;
    await clients.root.data(closeIssue, { params: { id: quay.id }, body: end });
    const { groups } = await clients.root.data(search, { query: { search: 'zebra' } });
    expect(groups).toMatchObject([
      {
        kind: 'issue',
        items: [
          { id: mill.id, name: 'Zebra crossing is blocked', code: mill.key, enabled: true },
          { id: quay.id, enabled: false, issueClosed: true, within: ['Site northQuay', 'Customer north'] },
        ],
      },
    ]);
    expect(await found('root', quay.key.toLowerCase())).toEqual([`issue ${quay.key}`]);
    expect(await found('northAdmin', 'zebra')).toHaveLength(2);
    expect(await found('southAdmin', 'zebra')).toEqual([]);
    expect(await found('northNoMenus', 'zebra')).toEqual([]);
  });

  test('devices, sites, customers and users, with what tells them apart', async () => {
    const { groups } = await clients.root.data(search, { query: { search: 'north', limit: 20 } });
    expect(groups.map(({ kind, items, more }) => [kind, items.length, more])).toEqual([
      ['device', 4, false],
      ['site', 2, false],
      ['customer', 1, false],
      ['user', 5, false],
    ]);
    expect(groups[0]?.items[0]).toEqual({
      id: server.world.devices.northMill1.id,
      name: 'Pile northMill-1',
      code: 'northMill-1',
      within: ['Site northMill', 'Customer north'],
      enabled: true,
      status: 'offline',
    });
    expect(groups[1]?.items[0]).toMatchObject({ code: 'northMill', within: ['Customer north'], status: null });
  });

  test('at most five of a kind, and whether there are more', async () => {
    const { groups } = await clients.root.data(search, { query: { search: 'pile' } });
    expect(groups.map(({ items, more }) => [items.length, more])).toEqual([[5, true]]);
  });

  test('the same SN first, then the same name, whole words, starts of words, and parts of words', async () => {
    const inside = await newDevice('Rank 5', 'xorder7x');
    const start = await newDevice('order78');
    const word = await newDevice('Rank 3 order7');
    const name = await newDevice('Order7');
    const sn = await newDevice('Rank 1', 'ORDER7');
    expect(await found('root', ' order7 ')).toEqual([sn, name, word, start, inside].map((code) => `device ${code}`));
  });

  test('all words of a search, in any order', async () => {
    const sn = await newDevice('Harbour crane west');
    expect(await found('root', 'west harb')).toEqual([`device ${sn}`]);
    expect(await found('root', 'west east')).toEqual([]);
  });

  test('Chinese names, by any of their characters and by pinyin in full or as initials', async () => {
    const sn = await newDevice('南山深圳湾1号桩');
    for (const text of ['深圳', '湾', 'shenzhen', 'SHENZHENWAN', 'nsszw', 'sz', 'nanshan 1号', 'ｎａｎｓｈａｎ']) {
      expect(await found('root', text), text).toEqual([`device ${sn}`]);
    }
    expect(await found('root', 'zs')).toEqual([]);
    const list = await clients.root.data(fleetEndpoints.listDevices, { query: { search: 'shenzhen' } });
    expect(list.items.map((device) => device.sn)).toEqual([sn]);
  });

  test('sites, customers and users by pinyin', async () => {
    const customer = await clients.root.data(placesEndpoints.createCustomer, {
      body: { code: 'WJ', name: '吴江充电' },
    });
    const place = { customerId: customer.id, code: 'WJ-1', name: '吴江汾湖站' };
    await clients.root.data(placesEndpoints.createSite, { body: place });
    await clients.root.data(peopleEndpoints.updateUser, {
      params: { id: server.world.users.southAdmin },
      body: { nickName: '吴江' },
    });
    expect(await found('root', 'wujiang')).toEqual(['site WJ-1', 'customer WJ', 'user south_admin']);
    expect(await found('root', 'fenhu')).toEqual(['site WJ-1']);
  });

  test('a new name is found and the old one is not', async () => {
    const sn = await newDevice('龙华');
    const { id } = await server.database.db
      .selectFrom('devices')
      .select('id')
      .where('sn', '=', sn)
      .executeTakeFirstOrThrow();
    await clients.root.data(fleetEndpoints.updateDevice, { params: { id }, body: { name: '坪山' } });
    expect(await found('root', 'longhua')).toEqual([]);
    expect(await found('root', 'pingshan')).toEqual([`device ${sn}`]);
  });

  test('names that were stored without their pinyin, after the job', async () => {
    const { devices } = server.world;
    await server.database.pool.query(`update devices set name = '盐田', search_words = null where id = $1`, [
      devices.southPark1.id,
    ]);
    expect(await found('root', 'yantian')).toEqual([]);
    await server.sweep();
    expect(await found('root', 'yantian')).toEqual([`device ${devices.southPark1.sn}`]);
  });

  test('disabled rows, marked as disabled', async () => {
    const { groups } = await clients.root.data(search, { query: { search: 'north_disabled' } });
    expect(groups).toMatchObject([{ kind: 'user', items: [{ code: 'north_disabled', enabled: false }] }]);
    const customer = await clients.root.data(search, { query: { search: 'closed' } });
    expect(customer.groups[0]).toMatchObject({ kind: 'customer', items: [{ code: 'closed', enabled: false }] });
  });

  test('wildcards and escapes are letters like others; blanks find nothing', async () => {
    const sn = await newDevice('100%_\\done');
    for (const text of ['100%', '100%_', '%_\\done']) expect(await found('root', text), text).toEqual([`device ${sn}`]);
    for (const text of ['%%%', '_ile', 'p%e', '   ']) expect(await found('root', text), text).toEqual([]);
  });

  test('too long a text is refused with the name of the field', async () => {
    const envelope = await clients.root.call(search, { query: { search: 'a'.repeat(101) } });
    expect(envelope).toMatchObject({ field: 'search', data: null });
  });
});

describe('who finds what', () => {
  test('nobody finds rows of another customer', async () => {
    expect(await found('southAdmin', 'north')).toEqual([]);
    expect(await found('southAdmin', server.world.devices.northQuay1.sn)).toEqual([]);
    expect(await found('northAdmin', server.world.devices.northQuay1.sn)).toEqual(['device northQuay-1']);
  });

  test('a user with assigned sites finds their devices, sites and users, and the customer', async () => {
    expect(await found('northAssigned', 'north')).toEqual([
      'device northQuay-1',
      'device northQuay-2',
      'site northQuay',
      'customer north',
      'user north_assigned',
    ]);
  });

  test('documents of the level of the user, once, with the heading in which they were found', async () => {
    const body = { parentId: null, nameEn: 'Faults', nameZh: '故障' };
    const { id: categoryId } = await clients.root.data(categoryEndpoints.createCategory, { body });
    const write = async (name: string, readLevel: 0 | 5) => {
      const values = { name, type: null, categoryId, readLevel, writeLevel: readLevel, title: name };
      const created = { body: { ...values, locale: 'zh-CN' as const } };
      const { id } = await clients.root.data(documentEndpoints.createDocument, created);
      const text = (value: string) => [{ type: 'text', text: value }];
      const content = [
        { type: 'heading', attrs: { level: 1 }, content: text('处理') },
        { type: 'paragraph', content: text('检查浪涌保护器') },
      ];
      for (const locale of ['zh-CN', 'en-US'] as const) {
        const baseVersion = locale === 'zh-CN' ? 1 : 0;
        const saved = { title: name, description: '', baseVersion, body: { type: 'doc', content } };
        await clients.root.data(documentEndpoints.saveText, { params: { id, locale }, body: saved as never });
      }
      return id;
    };
    const open = await write('漏电', 5);
    await write('机密', 0);
    const { groups } = await clients.northAdmin.data(search, { query: { search: 'langyong' } });
    const section = { locale: 'en-US', anchor: '处理' };
    const row = { id: open, name: '漏电', code: '', within: ['处理'], enabled: true, status: null, section };
    expect(groups).toEqual([{ kind: 'document', items: [row], more: false }]);
    expect((await clients.root.data(search, { query: { search: '浪涌' } })).groups[0]?.items).toHaveLength(2);
    expect((await clients.northNoMenus.data(search, { query: { search: '浪涌' } })).groups).toEqual([]);
  });

  test('kinds that the role may not list or open are missing', async () => {
    expect(await found('northNoMenus', 'north')).toEqual([]);
    const { db } = server.database;
    const keys = ['auth_site_list', 'auth_site_detail', 'auth_device_list', 'auth_user_detail'];
    const { role_id } = await db
      .selectFrom('users')
      .select('role_id')
      .where('id', '=', server.world.users.northNoMenus)
      .executeTakeFirstOrThrow();
    await db
      .insertInto('role_menus')
      .values(keys.map((menu_key) => ({ role_id: role_id ?? 0, menu_key })))
      .execute();
    expect(await found('northNoMenus', 'north')).toEqual(['site northMill', 'site northQuay']);
  });
});

test('once the client has closed the request, no further kind is read', async () => {
  const read: string[] = [];
  let left = false;
  const source = (kind: SearchSource['kind']): SearchSource => ({
    kind,
    keys: ['auth_device_list'],
    async find() {
      read.push(kind);
      left = true;
      return [];
    },
  });
  const caller = { root: true, keys: new Set(), scope: { customers: 'all', sites: 'all' } } as unknown as Caller;
  const { find } = searchService([source('device'), source('site')]);
  expect(await find(caller, { search: 'north', limit: 5 }, () => left)).toEqual({ groups: [] });
  expect(read).toEqual(['device']);
});
