import { CODES, ENDPOINTS } from '@chargehand/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { refused } from '../../testing/contract/refused.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

const {
  listItemGroups,
  createItemGroup,
  updateItemGroup,
  deleteItemGroup,
  orderItemGroups,
  listDataItems,
  createDataItem,
  updateDataItem,
  deleteDataItem,
  orderDataItems,
  readDeviceModel,
  createDeviceModel,
  updateDeviceModel,
} = ENDPOINTS;

let server: TestServer;
let staff: Client;
beforeAll(async () => {
  server = await startTestServer();
  staff = await server.as('vendorStaff');
});
afterAll(() => server.stop());

let count = 0;
const fresh = (text: string) => {
  count += 1;
  return `${text}${count}`;
};
const group = async (name = fresh('Group ')) =>
  (await staff.data(createItemGroup, { body: { name: { en: name, zh: `${name} 组` } } })).id;
const body = (groupId: number, more: object = {}) => ({
  ...{ key: fresh('Key.'), name: { en: 'Item', zh: '数据项' }, groupId, type: 1 as const, range: '', unit: '' },
  ...more,
});
const ofGroup = async (groupId: number) =>
  (await staff.data(listDataItems)).items.filter((item) => item.groupId === groupId);

async function actionsOn(type: string, id: number) {
  const { rows } = await server.database.pool.query(
    `select operation, object_name, before, after from action_logs where object_type = $1 and object_id = $2 order by id`,
    [type, String(id)],
  );
  return rows;
}

/** A model that uses an item, and the item. */
async function used() {
  const groupId = await group();
  const { id: itemId } = await staff.data(createDataItem, { body: body(groupId, { range: '0~10', unit: 'V' }) });
  const name = fresh('Model ');
  const { id } = await staff.data(createDeviceModel, { body: { name, type: 1, parentId: null, vendor: '' } });
  const {
    own: _,
    resolved: __,
    origins: ___,
    may: ____,
    ...model
  } = await staff.data(readDeviceModel, { params: { id } });
  const rules = {
    removed: false,
    groupId: null,
    range: null,
    unit: null,
    batch: true,
    readLevel: 5,
    writeLevel: 3,
  } as const;
  const { id: _id, parentName, changedBy, changedAt, devices, children, ...base } = model;
  await staff.data(updateDeviceModel, {
    params: { id },
    body: { ...base, configs: [], parameters: [{ ...rules, dataItemId: itemId, priority: 1 }], controls: [] },
  });
  return { groupId, itemId, modelId: id };
}

test('items are added, changed and deleted; ranges are stored in one notation, and each step is in the action log', async () => {
  const groupId = await group();
  const first = body(groupId, { type: 2, range: ' 0.50 ~ 99 ', unit: ' kW ' });
  const { id } = await staff.data(createDataItem, { body: first });
  expect(await ofGroup(groupId)).toEqual([{ ...first, id, range: '0.5~99|2', unit: 'kW', usedBy: [] }]);
  await staff.data(updateDataItem, {
    params: { id },
    body: { ...first, type: 4, range: 'On|1|number\nOff|00|number', unit: '' },
  });
  expect((await ofGroup(groupId))[0]).toMatchObject({ type: 4, range: 'On|1|number\nOff|0|number' });
  await staff.data(deleteDataItem, { params: { id } });
  expect(await ofGroup(groupId)).toEqual([]);
  expect(
    (await actionsOn('dataItem', id)).map(({ operation, before, after }) => [operation, before?.type, after?.type]),
  ).toEqual([
    ['new', undefined, 2],
    ['edit', 2, 4],
    ['delete', 4, undefined],
  ]);
});

describe('an error in a range is reported with its line, in the language of the caller', () => {
  test.each([
    [1, '5~1', 'rangeOrder', 'The first value must be below the second: 5 is not below 1.'],
    [1, '1~1e99', 'rangeNotInteger', '“1e99” is not a whole number written in digits.'],
    [2, '0~1|100', 'rangeDecimals', 'The number of decimals must be a whole number from 0 to 99, not “100”.'],
    [3, '5', 'rangeForm', 'Write the range as min~max with the tilde ~, for example 0~100.'],
    [4, 'On|1\nOff|1', 'enumValueTwice', 'Line 2: the value 1 is already in line 1.'],
    [4, 'On|1\nOff', 'enumBarMissing', 'Line 2: “Off” has no vertical bar. Write label|value or label|value|type.'],
  ] as const)('type %i, %j', async (type, range, code, message) => {
    const answer = await staff.call(createDataItem, { body: body(await group(), { type, range }) });
    expect(answer).toEqual({ code: CODES[code].code, data: null, field: 'range', message });
  });

  test('in Chinese', async () => {
    const chinese = await server.as('vendorStaff', 'zh-CN');
    const answer = await chinese.call(createDataItem, { body: body(await group(), { type: 4, range: '开|1\n关' }) });
    expect(answer).toMatchObject({
      message: '第 2 行：“关”缺少竖线，应写为 名称|值 或 名称|值|类型。',
      field: 'range',
    });
  });
});

test('keys and group names are unique ignoring case; a deleted group cannot be selected', async () => {
  const groupId = await group('Metering of cells');
  const first = body(groupId);
  await staff.data(createDataItem, { body: first });
  expect(await staff.call(createDataItem, { body: { ...first, key: first.key.toUpperCase() } })).toEqual(
    refused('itemKeyExists', 'key'),
  );
  expect(await staff.call(createDataItem, { body: { ...first, key: '电压' } })).toEqual(refused('fieldFormat', 'key'));
  expect(await staff.call(createItemGroup, { body: { name: { en: 'METERING OF CELLS', zh: 'x' } } })).toEqual(
    refused('itemGroupNameExists', 'name'),
  );
  expect(await staff.call(createDataItem, { body: body(2_000_000_000) })).toEqual(
    refused('itemGroupUnknown', 'groupId'),
  );
});

test('groups and items keep the order that users give them; an order of other items is refused', async () => {
  const groupId = await group();
  const ids: number[] = [];
  for (const _ of [1, 2, 3]) ids.push((await staff.data(createDataItem, { body: body(groupId) })).id);
  expect((await ofGroup(groupId)).map(({ id }) => id)).toEqual(ids);
  const turned = ids.toReversed();
  await staff.data(orderDataItems, { body: { groupId, ids: turned } });
  expect((await ofGroup(groupId)).map(({ id }) => id)).toEqual(turned);
  for (const wrong of [ids.slice(1), [...ids, ids[0]!], [...ids.slice(1), 2_000_000_000]]) {
    expect(await staff.call(orderDataItems, { body: { groupId, ids: wrong } })).toEqual(refused('orderStale', 'ids'));
  }
  const groups = (await staff.data(listItemGroups)).items.map(({ id }) => id);
  await staff.data(orderItemGroups, { body: { ids: groups.toReversed() } });
  expect((await staff.data(listItemGroups)).items.map(({ id }) => id)).toEqual(groups.toReversed());
  expect(await staff.call(orderItemGroups, { body: { ids: groups.slice(1) } })).toEqual(refused('orderStale', 'ids'));
});

test('a group with items cannot be deleted; an item that moves becomes the last of its new group', async () => {
  const [from, to] = [await group(), await group()];
  const there = (await staff.data(createDataItem, { body: body(to) })).id;
  const values = body(from);
  const { id } = await staff.data(createDataItem, { body: values });
  expect(await staff.call(deleteItemGroup, { params: { id: from } })).toEqual(refused('itemGroupInUse'));
  await staff.data(updateDataItem, { params: { id }, body: { ...values, groupId: to } });
  expect((await ofGroup(to)).map((item) => item.id)).toEqual([there, id]);
  await staff.data(updateItemGroup, {
    params: { id: from },
    body: { name: { en: fresh('Renamed '), zh: fresh('改名') } },
  });
  await staff.data(deleteItemGroup, { params: { id: from } });
  expect((await actionsOn('itemGroup', from)).map(({ operation }) => operation)).toEqual(['new', 'edit', 'delete']);
});

test('an item in use cannot be deleted or change its type; changing its range, unit or name creates a new version of the model', async () => {
  const { groupId, itemId, modelId } = await used();
  const item = (await ofGroup(groupId))[0]!;
  expect(item.usedBy).toEqual([{ id: modelId, name: expect.any(String) }]);
  const { id: _, usedBy: __, ...values } = item;
  expect(await staff.call(deleteDataItem, { params: { id: itemId } })).toEqual(refused('dataItemInUse'));
  expect(await staff.call(updateDataItem, { params: { id: itemId }, body: { ...values, type: 3 } })).toEqual(
    refused('dataItemInUse', 'type'),
  );
  const before = await staff.data(readDeviceModel, { params: { id: modelId } });
  await staff.data(updateDataItem, { params: { id: itemId }, body: { ...values, range: '0~20', unit: 'A' } });
  const after = await staff.data(readDeviceModel, { params: { id: modelId } });
  expect(after.version).toBe(before.version + 1);
  expect(after.resolved.parameters).toMatchObject([{ range: '0~20', unit: 'A' }]);
});

test('when an item is deleted while a model starts to use it, one of the two is refused', async () => {
  for (let round = 0; round < 5; round += 1) {
    const groupId = await group();
    const { id: itemId } = await staff.data(createDataItem, { body: body(groupId) });
    const { rows } = await server.database.pool.query(
      `insert into device_models (name, type) values ($1, 1) returning id`,
      [fresh('Race ')],
    );
    // Without the service, so that the database decides.
    const [deleted, taken] = await Promise.allSettled([
      server.database.pool.query('delete from data_items where id = $1', [itemId]),
      server.database.pool.query(
        `insert into device_model_items (device_model_id, kind, data_item_id, type, removed, priority, read_level, write_level, batch)
         values ($1, 'config', $2, 1, false, 0, 5, 3, false)`,
        [rows[0].id, itemId],
      ),
    ]);
    expect([deleted.status, taken.status].sort()).toEqual(['fulfilled', 'rejected']);
  }
});

test('when the type of an item changes while a model starts to use it, one of the two is refused', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { id: itemId } = await staff.data(createDataItem, { body: body(await group()) });
    const { rows } = await server.database.pool.query(
      `insert into device_models (name, type) values ($1, 1) returning id`,
      [fresh('Race ')],
    );
    const [changed, taken] = await Promise.allSettled([
      server.database.pool.query('update data_items set type = 2 where id = $1', [itemId]),
      server.database.pool.query(
        `insert into device_model_items (device_model_id, kind, data_item_id, type, removed, priority, read_level, write_level, batch)
         values ($1, 'config', $2, 1, false, 0, 5, 3, false)`,
        [rows[0].id, itemId],
      ),
    ]);
    expect([changed.status, taken.status].sort()).toEqual(['fulfilled', 'rejected']);
  }
});
