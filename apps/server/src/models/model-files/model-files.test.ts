import { CODES, ENDPOINTS, type ModelFile } from '@chargehand/contract';
import { MAX_CONTROL_TYPE } from '@chargehand/domain';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { refused } from '../../testing/contract/refused.ts';
import { createTestDatabase } from '../../testing/database/database.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { ensureReadyMadeModels } from '../index.ts';
import { V2G_PILE } from '../ready-made/ocpp201.ts';

/** The contents of a complete model: every control type. */
const CONTROL_TYPES = Array.from({ length: MAX_CONTROL_TYPE }, (_, index) => index + 1);

const {
  listDeviceModels,
  readDeviceModel,
  deleteDeviceModel,
  importDeviceModel,
  listDataItems,
  listModelAliases,
  createModelAlias,
  updateModelAlias,
  deleteModelAlias,
  listWaitingDevices,
  listUnmatchedNames,
  readDeviceDescription,
} = ENDPOINTS;

let server: TestServer;
let staff: Client;
beforeAll(async () => {
  server = await startTestServer();
  staff = await server.as('vendorStaff');
});
afterAll(() => server.stop());

const idOf = async (name: string) => (await staff.data(listDeviceModels, { query: { search: name } })).items[0]!.id;
const exported = async (id: number) => await (await staff.fetch(`/api/auth/sys/device-models/${id}/export`)).text();
const imported = (file: unknown, more: object = {}) =>
  staff.call(importDeviceModel, { body: { text: JSON.stringify(file), dryRun: false, ...more } });
const report = async (file: unknown, more: object = {}) =>
  (await staff.data(importDeviceModel, { body: { text: JSON.stringify(file), dryRun: true, ...more } })).report;

describe('ready-made models', () => {
  test('are complete: every item has its range, every control its level', async () => {
    const { items } = await staff.data(listDeviceModels, { query: { pageSize: 100 } });
    const names = items.filter(({ version }) => version > 0).map(({ name }) => name);
    expect(names).toEqual([
      'Generic OCPP 1.6 pile',
      'Generic OCPP 2.0.1 pile',
      'Home storage unit',
      'Off-spec OCPP 1.6 pile',
      'V2G pile',
    ]);
    const off = await staff.data(readDeviceModel, { params: { id: await idOf('Off-spec') } });
    expect(off).toMatchObject({ tolerant: true, parentName: 'Generic OCPP 1.6 pile', own: { configs: [] } });
    expect(off.resolved.controls.map(({ type }) => type)).toEqual(CONTROL_TYPES);
    const parameters = new Map(off.resolved.parameters.map((item) => [item.key, item]));
    expect(parameters.get('HeartbeatInterval')).toMatchObject({ type: 1, range: '10~86400', unit: 's', writeLevel: 3 });
    expect(parameters.has('AuthorizationKey')).toBe(false);
    const v2g = await staff.data(readDeviceModel, { params: { id: await idOf('V2G') } });
    expect(v2g.resolved.parameters.length).toBeGreaterThan(V2G_PILE.parameters.length);
  });

  test('are created once, also by several starts at once; changed and deleted ones are not created again', async () => {
    const database = await createTestDatabase();
    const { db, pool } = database;
    try {
      await pool.query(`insert into device_models (name, type) values ('Generic OCPP 1.6 pile', 1), ('Mine', 2)`);
      await Promise.all([1, 2, 3].map(() => ensureReadyMadeModels(db)));
      const count = async () =>
        (
          await pool.query(
            'select (select count(*)::int from device_models) as models, (select count(*)::int from data_items) as items',
          )
        ).rows[0];
      const first = await count();
      expect(first).toMatchObject({ models: 6 });
      await pool.query(`delete from device_models where name = 'V2G pile'`);
      await pool.query(`update device_models set name = 'Ours' where name = 'Home storage unit'`);
      await pool.query(`update data_items set unit = 'min' where key = 'HeartbeatInterval'`);
      await ensureReadyMadeModels(db);
      expect(await count()).toEqual({ ...first, models: 5 });
      const { rows } = await pool.query(`select unit from data_items where key = 'HeartbeatInterval'`);
      expect(rows).toEqual([{ unit: 'min' }]);
    } finally {
      await database.drop();
    }
  });

  test('describe the devices that existed before', async () => {
    const { id } = server.world.devices.southPark1;
    await server.database.pool.query('update devices set device_model_id = $1 where id = $2', [
      await idOf('Generic OCPP 1.6'),
      id,
    ]);
    const south = await server.as('southAdmin');
    const described = await south.data(readDeviceDescription, { params: { id } });
    expect(described).toMatchObject({ deviceModelName: 'Generic OCPP 1.6 pile', version: 1 });
    expect(described.configs[0]).toMatchObject({ key: 'Power.Active.Import', unit: 'W' });
  });
});

describe('files', () => {
  test('a model that is exported, deleted and imported is unchanged', async () => {
    const id = await idOf('Home storage unit');
    const { dataItemId } = (await staff.data(readDeviceModel, { params: { id } })).own.configs[0]!;
    await server.database.pool.query(
      `insert into device_model_rules (device_model_id, code, removed, enabled, name_en, name_zh, kind, level,
         data_item_id, type, condition, named_values, hysteresis, duration_seconds)
       select $1, 'SILENT', false, true, 'Silent', '无数据', 'alarm', 'OA', id, type, 'missing', '{}', 0, 60
         from data_items where id = $2`,
      [id, dataItemId],
    );
    const before = await staff.data(readDeviceModel, { params: { id } });
    const text = await exported(id);
    expect(JSON.parse(text).rules).toMatchObject([{ code: 'SILENT', durationSeconds: 60 }]);
    await staff.data(deleteDeviceModel, { params: { id } });
    const answer = await staff.data(importDeviceModel, { body: { text, dryRun: false } });
    const after = await staff.data(readDeviceModel, { params: { id: answer.id! } });
    expect({ ...after.own, name: after.name }).toEqual({ ...before.own, name: before.name });
    expect(JSON.parse(await exported(answer.id!))).toEqual(JSON.parse(text));
  });

  test('a dry run changes nothing and reports what is new, what is kept and what differs', async () => {
    const file = JSON.parse(await exported(await idOf('Generic OCPP 1.6'))) as ModelFile;
    const known = file.items.find(({ key }) => key === 'HeartbeatInterval')!;
    const item = {
      key: 'Acme.Fan',
      name: { en: 'Fan', zh: '风扇' },
      group: 'Cooling',
      type: 1 as const,
      range: '0~9',
      unit: '',
    };
    const entry = { ...file.parameters[0]!, key: 'Acme.Fan' };
    const changed = {
      ...file,
      model: { ...file.model, name: 'Acme pile' },
      groups: [...file.groups, { en: 'Cooling', zh: '散热' }],
      items: [{ ...known, unit: 'min' }, item],
      configs: [],
      parameters: [entry, { ...entry, key: 'HeartbeatInterval' }],
    };
    const before = (await staff.data(listDataItems)).items.length;
    expect(await report(changed)).toEqual({
      ...{ name: 'Acme pile', problems: [], newGroups: ['Cooling'], newItems: ['Acme.Fan'] },
      keptItems: [{ key: 'HeartbeatInterval', differs: true }],
      ...{ configs: 0, parameters: 2, controls: CONTROL_TYPES.length },
    });
    expect((await staff.data(listDataItems)).items).toHaveLength(before);

    const { data } = await imported(changed);
    const model = await staff.data(readDeviceModel, { params: { id: data.id! } });
    // For an item that already exists, the file overrides it in the model only; the data item is unchanged.
    expect(model.resolved.parameters.map(({ key, unit }) => [key, unit])).toEqual(
      expect.arrayContaining([
        ['HeartbeatInterval', 'min'],
        ['Acme.Fan', ''],
      ]),
    );
    expect((await staff.data(listDataItems)).items.find(({ key }) => key === 'HeartbeatInterval')?.unit).toBe('s');
  });

  test.each<[string, (file: ModelFile) => unknown, string, keyof typeof CODES | null]>([
    ['a name in use', (file) => file, 'model/name', 'deviceModelNameExists'],
    [
      'an unknown parent',
      (file) => ({ ...file, model: { ...file.model, parent: 'Nobody' } }),
      'model/parent',
      'deviceModelParentUnknown',
    ],
    [
      'an item of another type',
      (file) => ({ ...file, items: file.items.map((item) => ({ ...item, type: 3, range: '' })) }),
      'items/0/type',
      'importTypeDiffers',
    ],
    ['an item that is not described', (file) => ({ ...file, items: file.items.slice(1) }), '', 'importItemMissing'],
    [
      'an invalid range',
      (file) => ({ ...file, items: [{ ...file.items[0], range: '5~1' }, ...file.items.slice(1)] }),
      'items/0/range',
      'modelItemRange',
    ],
    [
      'a group that is not described',
      (file) => ({ ...file, items: [{ ...file.items[0], group: 'Nowhere' }, ...file.items.slice(1)] }),
      'items/0/group',
      'importGroupMissing',
    ],
    [
      'a control type twice',
      (file) => ({ ...file, controls: file.controls.slice(0, 5).flatMap((one) => [one, one]) }),
      'controls/1',
      'controlTypeTwice',
    ],
    [
      'an invalid level',
      (file) => ({ ...file, configs: [{ ...file.configs[0], readLevel: 9 }] }),
      'configs/0/readLevel',
      null,
    ],
    [
      'a group that is new in one language only',
      (file) => ({ ...file, groups: [...file.groups, { en: 'Not here yet', zh: file.groups[0]!.zh }] }),
      'groups/',
      'itemGroupNameExists',
    ],
    [
      'a forbidden character',
      (file) => ({ ...file, items: [{ ...file.items[0], unit: 'V\u0000' }, ...file.items.slice(1)] }),
      'items/0/unit',
      null,
    ],
    ['something else', () => ({ hello: 'world' }), '', null],
    ['a newer version of the file format', (file) => ({ ...file, version: 2 }), 'version', null],
    ['no object', () => [], '', null],
  ])('%s is reported by the dry run and refuses the import as a whole', async (_, change, path, code) => {
    const file = JSON.parse(await exported(await idOf('Generic OCPP 1.6'))) as ModelFile;
    const text = change(file);
    const { problems } = await report(text);
    expect(problems).toContainEqual({
      path: expect.stringContaining(path),
      message: code === null ? expect.any(String) : expect.stringContaining(CODES[code].en.split('{')[0]!),
    });
    const before = (await staff.data(listDeviceModels)).total;
    expect(await imported(text)).toEqual(refused('importRefused', 'text'));
    expect((await staff.data(listDeviceModels)).total).toBe(before);
  });

  test('another name can be given; invalid JSON is reported with its position', async () => {
    const text = await exported(await idOf('Generic OCPP 2.0.1'));
    expect(await staff.call(importDeviceModel, { body: { text, dryRun: false, name: 'Second of it' } })).toMatchObject({
      code: 0,
    });
    const broken = await staff.call(importDeviceModel, { body: { text: '{\n  "format": nothing\n}', dryRun: true } });
    expect(broken).toEqual(refused('importNotJson', 'text'));
    expect(broken.message).toContain('line 2');
  });
});

test('unknown names are sorted with numbers by value', async () => {
  await server.database.pool.query(`
    insert into blacklist_entries (sn, protocol_version, remote_address, vendor, model) values
      ('N-1', 'ocpp1.6', '10.0.0.1', 'Acme', 'Fast 100'), ('N-2', 'ocpp1.6', '10.0.0.2', 'Acme', 'Fast 60')`);
  const { items } = await staff.data(listUnmatchedNames);
  expect(items.map(({ model }) => model)).toEqual(['Fast 60', 'Fast 100']);
  await server.database.pool.query(`delete from blacklist_entries where sn in ('N-1', 'N-2')`);
});

test('a reported name is an alias of one model, ignoring case; unknown names are listed', async () => {
  const deviceModelId = await idOf('V2G');
  await server.database.pool.query(`
    insert into blacklist_entries (sn, protocol_version, remote_address, vendor, model) values
      ('U-1', 'ocpp1.6', '10.0.0.1', 'Acme', 'Fast 60'), ('U-2', 'ocpp1.6', '10.0.0.2', 'Acme', 'Fast 60'),
      ('U-3', 'ocpp1.6', '10.0.0.3', 'Bolt', 'One'), ('U-4', 'ocpp1.6', '10.0.0.4', null, null)`);
  const unmatched = async () =>
    (await staff.data(listUnmatchedNames)).items.map(({ model, devices }) => [model, devices]);
  expect(await unmatched()).toEqual([
    ['Fast 60', 2],
    ['One', 1],
  ]);
  const body = { vendor: ' ACME ', model: 'fast 60', deviceModelId };
  const { id } = await staff.data(createModelAlias, { body });
  expect(await unmatched()).toEqual([['One', 1]]);
  const { items: refusedDevices } = await staff.data(listWaitingDevices, { query: { sort: 'sn' } });
  expect(refusedDevices.map(({ sn, deviceModel }) => [sn, deviceModel?.name])).toEqual([
    ['U-1', 'V2G pile'],
    ['U-2', 'V2G pile'],
    ['U-3', undefined],
    ['U-4', undefined],
  ]);
  expect(await staff.call(createModelAlias, { body: { ...body, vendor: 'acme' } })).toEqual(
    refused('modelAliasExists', 'model'),
  );
  expect(await staff.call(createModelAlias, { body: { ...body, model: 'x', deviceModelId: 2_000_000_000 } })).toEqual(
    refused('deviceModelUnknown', 'deviceModelId'),
  );
  expect(await staff.data(listModelAliases, { query: { search: 'acme' } })).toMatchObject({
    total: 1,
    items: [{ id, vendor: 'ACME', model: 'fast 60', deviceModelName: 'V2G pile' }],
  });
  await staff.data(updateModelAlias, { params: { id }, body: { ...body, vendor: 'Bolt', model: 'One' } });
  expect(await unmatched()).toEqual([['Fast 60', 2]]);
  const race = await Promise.all(
    [1, 2, 3].map(() => staff.call(createModelAlias, { body: { ...body, model: 'Race' } })),
  );
  expect(race.filter(({ code }) => code === 0)).toHaveLength(1);
  await staff.data(deleteModelAlias, { params: { id } });
  expect((await staff.data(listModelAliases)).total).toBe(1);
});
