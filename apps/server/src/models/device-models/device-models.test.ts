import {
  type BodyOf,
  type CODES,
  type DeviceModelDetail,
  ENDPOINTS,
  type ModelControl,
  type ModelItem,
  type ModelRule,
} from '@chargehand/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { refused } from '../../testing/contract/refused.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

const {
  listDeviceModels,
  readDeviceModel,
  createDeviceModel,
  updateDeviceModel,
  copyDeviceModel,
  deleteDeviceModel,
  listDeviceModelVersions,
  readDeviceDescription,
  createItemGroup,
  createDataItem,
} = ENDPOINTS;

let server: TestServer;
let staff: Client;
const items = {} as Record<'power' | 'interval' | 'mode', number>;
beforeAll(async () => {
  server = await startTestServer();
  staff = await server.as('vendorStaff');
  const { id: groupId } = await staff.data(createItemGroup, { body: { name: { en: 'Tested', zh: '测试' } } });
  const add = async (key: string, type: 1 | 2 | 4, range: string, unit: string) =>
    (await staff.data(createDataItem, { body: { key, name: { en: key, zh: key }, groupId, type, range, unit } })).id;
  items.power = await add('T.Power', 2, '0~100|1', 'kW');
  items.interval = await add('T.Interval', 1, '10~3600', 's');
  items.mode = await add('T.Mode', 4, 'Slow|0|number\nFast|1|number', '');
});
afterAll(() => server.stop());

let count = 0;
const fresh = (text: string) => {
  count += 1;
  return `${text} ${count}`;
};
const make = async (parentId: number | null = null, name = fresh('Model')) =>
  (await staff.data(createDeviceModel, { body: { name, type: 1, parentId, vendor: 'Acme' } })).id;
const read = (id: number) => staff.data(readDeviceModel, { params: { id } });

const item = (dataItemId: number, more: Partial<ModelItem> = {}): ModelItem => ({
  ...{ dataItemId, removed: false, groupId: null, priority: 1, readLevel: 5, writeLevel: 3, batch: false },
  ...{ range: null, unit: null },
  ...more,
});
const control = (type: ModelControl['type'], more: Partial<ModelControl> = {}): ModelControl => ({
  ...{ type, removed: false, name: { en: `Control ${type}`, zh: `控制 ${type}` }, level: 4 },
  ...{ param1: null, param2: null, reading: null, precondition: null },
  ...more,
});

const rule = (code: string, more: Partial<ModelRule> = {}): ModelRule => ({
  ...{ code, removed: false, enabled: true, name: { en: code, zh: code }, kind: 'alarm', level: 'MA' },
  ...{ dataItemId: items.power, connector: null, condition: 'above', low: null, high: 50, values: [] },
  ...{ hysteresis: 0, durationSeconds: 0 },
  ...more,
});

type Body = BodyOf<typeof updateDeviceModel>;

/** A model as it was read, to send it back with changes. */
function bodyOf(model: DeviceModelDetail): Body {
  const { name, type, parentId, vendor, sshSupport, webSupport, tolerant, imageKey, iconKey, version } = model;
  const { parameterReadLevel, parameterWriteLevel, controlLevel, own } = model;
  return {
    ...{ version, name, type, parentId, vendor, sshSupport, webSupport, tolerant, imageKey, iconKey },
    ...{ parameterReadLevel, parameterWriteLevel, controlLevel, ...own },
  };
}
const edit = async (id: number, changes: Partial<Body>) =>
  staff.call(updateDeviceModel, { params: { id }, body: { ...bodyOf(await read(id)), ...changes } });

async function actionsOn(id: number) {
  const { rows } = await server.database.pool.query(
    `select operation, before, after from action_logs where object_type = 'deviceModel' and object_id = $1 order by id`,
    [String(id)],
  );
  return rows;
}

test('the silence timeout of a model is set, kept when a request leaves it out, and removed', async () => {
  const id = await make();
  expect(await read(id)).toMatchObject({ silenceSeconds: null });
  expect(await edit(id, { silenceSeconds: 45 })).toMatchObject({ code: 0 });
  expect(await edit(id, { vendor: 'Other' })).toMatchObject({ code: 0 });
  expect(await read(id)).toMatchObject({ silenceSeconds: 45 });
  expect(await edit(id, { silenceSeconds: 5 })).toMatchObject({ field: 'silenceSeconds', data: null });
  expect(await edit(id, { silenceSeconds: null })).toMatchObject({ code: 0 });
  expect(await read(id)).toMatchObject({ silenceSeconds: null });
});

test('a model is added, described, copied and deleted; changes are in the action log', async () => {
  const id = await make();
  expect(await read(id)).toMatchObject({ version: 1, changedBy: 'vendor_staff', resolved: { configs: [] } });
  const answer = await edit(id, {
    sshSupport: true,
    configs: [item(items.power, { unit: 'MW' })],
    parameters: [item(items.interval, { range: '20 ~ 60', batch: true }), item(items.mode)],
    controls: [control(9, { reading: 'restartCcu' }), control(1, { precondition: 'noSession' })],
  });
  expect(answer).toMatchObject({ code: 0, data: { version: 2 } });
  const model = await read(id);
  expect(model.resolved.configs).toMatchObject([{ key: 'T.Power', range: '0~100|1', unit: 'MW', origin: id }]);
  expect(model.resolved.parameters.map(({ key, range, batch }) => [key, range, batch])).toEqual([
    ['T.Interval', '20~60', true],
    ['T.Mode', 'Slow|0|number\nFast|1|number', false],
  ]);
  expect(model.resolved.controls.map(({ type, reading }) => [type, reading])).toEqual([
    [1, null],
    [9, 'restartCcu'],
  ]);

  const { id: copy } = await staff.data(copyDeviceModel, { params: { id }, body: { name: fresh('Copy') } });
  expect((await read(copy)).own).toEqual(model.own);
  await staff.data(deleteDeviceModel, { params: { id: copy } });
  expect(await staff.call(readDeviceModel, { params: { id: copy } })).toEqual(refused('notFound'));

  const [made, edited] = await actionsOn(id);
  expect(made).toMatchObject({ operation: 'new', after: { vendor: 'Acme' } });
  expect(edited.before).toEqual({ sshSupport: false });
  expect(Object.keys(edited.after).sort()).toEqual([
    'config.T.Power',
    'control.1',
    'control.9',
    'parameter.T.Interval',
    'parameter.T.Mode',
    'sshSupport',
  ]);
  const again = await edit(id, {});
  expect(again).toMatchObject({ code: 0, data: { version: 2 } });
  expect(await actionsOn(id)).toHaveLength(2);
});

describe('invalid contents are refused with the item', () => {
  test.each<[string, Partial<Body>, keyof typeof CODES, string]>([
    ['an invalid range', { configs: [item(1, { range: '5~1' })] }, 'modelItemRange', 'configs'],
    ['an item twice', { parameters: [item(1), item(1)] }, 'modelItemTwice', 'parameters'],
    ['an unknown item', { configs: [item(2_000_000_000)] }, 'dataItemUnknown', 'configs'],
    ['an unknown group', { configs: [item(1, { groupId: 2_000_000_000 })] }, 'itemGroupUnknown', 'configs'],
    ['a control type twice', { controls: [control(1), control(1)] }, 'controlTypeTwice', 'controls'],
    ['a control at the write level', { controls: [control(1, { level: 3 })] }, 'controlLevelLow', 'controls'],
    ['type 9 without a reading', { controls: [control(9)] }, 'controlReadingWrong', 'controls'],
    ['type 1 with a reading', { controls: [control(1, { reading: 'restartCcu' })] }, 'controlReadingWrong', 'controls'],
    [
      'an alarm rule twice',
      { rules: [rule('A', { dataItemId: 1 }), rule('A', { dataItemId: 1 })] },
      'modelItemTwice',
      'rules',
    ],
    ['a rule without its limit', { rules: [rule('A', { dataItemId: 1, high: null })] }, 'ruleBounds', 'rules'],
    [
      'a rule for an item that the model does not report',
      { rules: [rule('A', { dataItemId: 1 })] },
      'ruleItemMissing',
      'rules',
    ],
    ['levels in the wrong order', { controlLevel: 3 }, 'modelLevelsOrder', 'controlLevel'],
    ['an unknown parent', { parentId: 2_000_000_000 }, 'deviceModelParentUnknown', 'parentId'],
    ['an empty name', { name: '  ' }, 'fieldRequired', 'name'],
  ])('%s', async (_, changes, code, field) => {
    const id = await make();
    const named = JSON.parse(JSON.stringify(changes).replaceAll('"dataItemId":1,', `"dataItemId":${items.power},`));
    expect(await edit(id, named)).toEqual(refused(code, field));
    expect((await read(id)).version).toBe(1);
  });

  test('the message about a range names the item and the error', async () => {
    const chinese = await server.as('vendorStaff', 'zh-CN');
    const id = await make();
    const changed = { ...bodyOf(await read(id)), configs: [item(items.mode, { range: '慢|0\n快|0' })] };
    expect(await chinese.call(updateDeviceModel, { params: { id }, body: changed })).toMatchObject({
      message: 'T.Mode 的取值范围不正确：第 2 行：值 0 与第 1 行重复。',
    });
  });
});

describe('inheritance', () => {
  test('a child inherits from its parent, overrides items, excludes items, and follows its changes', async () => {
    const parent = await make();
    await edit(parent, { parameters: [item(items.interval), item(items.mode)], controls: [control(1), control(2)] });
    const child = await make(parent);
    await edit(child, {
      parameters: [item(items.interval, { range: '30~40' }), item(items.mode, { removed: true })],
      controls: [control(2, { removed: true }), control(11)],
    });
    const before = await read(child);
    expect(before.resolved.parameters).toMatchObject([{ key: 'T.Interval', range: '30~40', origin: child }]);
    expect(before.resolved.controls.map(({ type, origin }) => [type, origin])).toEqual([
      [1, parent],
      [11, child],
    ]);
    expect(before.origins.map(({ id }) => id).sort()).toEqual([parent, child].sort());

    await edit(parent, { configs: [item(items.power)] });
    const after = await read(child);
    expect(after.resolved.configs).toMatchObject([{ key: 'T.Power', origin: parent }]);
    expect(after.version).toBe(before.version + 1);
    expect(await staff.call(deleteDeviceModel, { params: { id: parent } })).toEqual(refused('deviceModelHasChildren'));
  });

  test('alarm rules are inherited by code, and only for items that the model reports', async () => {
    const parent = await make();
    await edit(parent, { configs: [item(items.power, { unit: 'MW' })], rules: [rule('HOT'), rule('COLD')] });
    const child = await make(parent);
    const resolved = async () =>
      (await read(child)).resolved.rules.map(({ code, high, unit, origin }) => [code, high, unit, origin]);
    expect(await resolved()).toEqual([
      ['COLD', 50, 'MW', parent],
      ['HOT', 50, 'MW', parent],
    ]);
    await edit(child, { rules: [rule('HOT', { high: 60 }), rule('COLD', { removed: true })] });
    expect(await resolved()).toEqual([['HOT', 60, 'MW', child]]);
    // A request without rules changes none.
    const { rules: _, ...rest } = bodyOf(await read(child));
    await staff.data(updateDeviceModel, { params: { id: child }, body: { ...rest, vendor: 'Other' } });
    expect(await resolved()).toEqual([['HOT', 60, 'MW', child]]);

    const lost = await edit(parent, { configs: [] });
    expect(lost).toEqual(refused('ruleItemMissing', 'rules'));
    const { id: copy } = await staff.data(copyDeviceModel, { params: { id: child }, body: { name: fresh('Copy') } });
    expect((await read(copy)).own.rules).toEqual((await read(child)).own.rules);
    const edited = (await actionsOn(child)).find(({ after }) => after?.['rule.HOT']);
    expect(edited).toMatchObject({ after: { 'rule.HOT': { high: 60 }, 'rule.COLD': { removed: true } } });
  });

  test('a model cannot inherit from itself, and a change cannot break the levels of its child models', async () => {
    const parent = await make();
    const child = await make(parent);
    expect(await edit(parent, { parentId: child })).toEqual(refused('deviceModelCircle', 'parentId'));
    expect(await edit(child, { parentId: child })).toEqual(refused('deviceModelCircle', 'parentId'));
    await edit(child, { parameterWriteLevel: 4, controlLevel: 5 });
    const answer = await edit(parent, { controls: [control(1, { level: 4 })] });
    expect(answer).toEqual(refused('controlLevelLow', 'controls'));
    expect(answer.message).toContain((await read(child)).name);
  });

  test('when two concurrent changes create a circle, the database allows one of them', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [a, b] = [await make(), await make()];
      const become = (id: number, parent: number) =>
        server.database.pool.query('update device_models set parent_id = $2 where id = $1', [id, parent]);
      const results = await Promise.allSettled([become(a, b), become(b, a)]);
      expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    }
  });
});

describe('versions', () => {
  test('when many users save the same version, one succeeds, and the others learn who was first', async () => {
    const id = await make();
    const root = await server.as('root');
    const body = bodyOf(await read(id));
    const answers = await Promise.all(
      [staff, root, staff, root].map((client, number) =>
        client.call(updateDeviceModel, { params: { id }, body: { ...body, vendor: `Vendor ${number}` } }),
      ),
    );
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1);
    const { changedBy, version } = await read(id);
    expect(version).toBe(2);
    for (const answer of answers.filter(({ code }) => code !== 0)) {
      expect(answer).toEqual(refused('deviceModelChanged'));
      expect(answer.message).toContain(changedBy);
    }
  });

  test('a version never changes, and earlier values are described by the version of their time', async () => {
    const id = await make();
    await edit(id, { configs: [item(items.power, { unit: 'kW' })] });
    const device = server.world.devices.northQuay1.id;
    await server.database.pool.query('update devices set device_model_id = $1 where id = $2', [id, device]);
    const { rows } = await server.database.pool.query('select clock_timestamp() as at');
    await edit(id, { configs: [item(items.power, { unit: 'MW' })] });

    const admin = await server.as('northAdmin');
    const unit = async (query: { at?: string }) =>
      (await admin.data(readDeviceDescription, { params: { id: device }, query })).configs.map((one) => one.unit);
    expect(await unit({})).toEqual(['MW']);
    expect(await unit({ at: rows[0].at.toISOString() })).toEqual(['kW']);
    expect(await unit({ at: '2020-01-01T00:00:00Z' })).toEqual([]);

    await expect(
      server.database.pool.query(`update device_model_versions set changed_by = 'x' where device_model_id = $1`, [id]),
    ).rejects.toThrow('a version is never changed');
    const { items: versions } = await staff.data(listDeviceModelVersions, { params: { id } });
    expect(versions.map(({ version, configs }) => [version, configs])).toEqual([
      [3, 1],
      [2, 1],
      [1, 0],
    ]);
    expect(await staff.call(deleteDeviceModel, { params: { id } })).toEqual(refused('deviceModelInUse'));
    await server.database.pool.query('update devices set device_model_id = $1 where id = $2', [
      server.world.model,
      device,
    ]);
    await staff.data(deleteDeviceModel, { params: { id } });
  });
});

test('users of a customer read only the models of their devices, as far as their levels allow', async () => {
  const [admin, reader] = [await server.as('northAdmin'), await server.as('northReader')];
  const id = await make();
  await edit(id, {
    configs: [item(items.power, { readLevel: 1 }), item(items.mode)],
    parameters: [item(items.interval, { readLevel: 4 })],
  });
  expect(await admin.call(readDeviceModel, { params: { id } })).toEqual(refused('notFound'));
  const device = server.world.devices.northQuay2.id;
  await server.database.pool.query('update devices set device_model_id = $1 where id = $2', [id, device]);
  const keys = async (client: Client) => {
    const model = await client.data(readDeviceModel, { params: { id } });
    expect(model.own).toEqual({ configs: [], parameters: [], controls: [], rules: [] });
    return [...model.resolved.configs, ...model.resolved.parameters].map(({ key }) => key);
  };
  expect(await keys(admin)).toEqual(['T.Mode', 'T.Power', 'T.Interval']);
  expect(await keys(reader)).toEqual(['T.Mode']);
  const described = await reader.data(readDeviceDescription, { params: { id: device } });
  expect(described.configs.map(({ key }) => key)).toEqual(['T.Mode']);
  expect(described.parameters).toEqual([]);
});

test('names are unique ignoring case; the list searches and sorts', async () => {
  const name = fresh('Unique');
  await make(null, name);
  const again = { name: name.toUpperCase(), type: 2, parentId: null, vendor: '' };
  expect(await staff.call(createDeviceModel, { body: again })).toEqual(refused('deviceModelNameExists', 'name'));
  const found = await staff.data(listDeviceModels, { query: { search: name } });
  expect(found).toMatchObject({ total: 1, items: [{ name, type: 1, parentName: null, version: 1 }] });
});

test('a ready-made model is found by its Chinese name', async () => {
  const found = await staff.data(listDeviceModels, { query: { search: '家用储能' } });
  expect(found.items.map(({ name }) => name)).toEqual(['Home storage unit']);
});

test('a model defines the protocol and the number of connectors of its devices; when left out, they are unchanged', async () => {
  const id = await make();
  expect(await read(id)).toMatchObject({ protocol: null, connectorCount: null });
  await edit(id, { protocol: 'ocpp2', connectorCount: 2 });
  expect(await read(id)).toMatchObject({ protocol: 'ocpp2', connectorCount: 2 });
  await edit(id, { sshSupport: true });
  expect(await read(id)).toMatchObject({ protocol: 'ocpp2', connectorCount: 2, sshSupport: true });
  expect(await edit(id, { connectorCount: 129 })).toMatchObject({ field: 'connectorCount', data: null });
  await edit(id, { protocol: null, connectorCount: null });
  expect(await read(id)).toMatchObject({ protocol: null, connectorCount: null });
});
