import { sql } from 'kysely';
import { OCPP16_PILE } from '../../models/ready-made/ocpp16.ts';
import { type EndpointCase, fresh, type Ground, onDevice, readsDevice } from './ground.ts';

const names = () => ({ en: fresh('Group'), zh: fresh('分组') });

async function newGroup({ db }: Ground): Promise<number> {
  const { en, zh } = names();
  const { rows } = await sql<{ id: number }>`
    insert into item_groups (name_en, name_zh, position) values (${en}, ${zh}, 1000) returning id`.execute(db);
  return rows[0]!.id;
}

async function newItem(ground: Ground, into?: number): Promise<{ id: number; groupId: number }> {
  const groupId = into ?? (await newGroup(ground));
  const { rows } = await sql<{ id: number }>`
    insert into data_items (key, name_en, name_zh, group_id, type, range, unit, position)
    values (${fresh('Key')}, 'Item', '数据项', ${groupId}, 1, '0~9', 'V', 1) returning id`.execute(ground.db);
  return { id: rows[0]!.id, groupId };
}

async function newModel({ db }: Ground): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into device_models (name, type) values (${fresh('Model')}, 1) returning id`.execute(db);
  return rows[0]!.id;
}

async function newAlias(ground: Ground): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into device_model_aliases (device_model_id, vendor, model)
    values (${await newModel(ground)}, ${fresh('V')}, 'M') returning id`.execute(ground.db);
  return rows[0]!.id;
}

const item = (groupId: number) => ({
  ...{ key: fresh('Key'), name: { en: 'Item', zh: '数据项' }, groupId, type: 1, range: '0~10', unit: 'V' },
});

/** Only users of the platform vendor change what belongs to the platform. */
const onModel: EndpointCase = {
  call: async (ground) => ({ params: { id: await newModel(ground) } }),
};

export const MODEL_CASES: Record<string, EndpointCase> = {
  'itemGroups.list': {},
  'itemGroups.create': { call: () => ({ body: { name: names() } }) },
  'itemGroups.update': {
    call: async (ground) => ({ params: { id: await newGroup(ground) }, body: { name: names() } }),
  },
  'itemGroups.delete': { call: async (ground) => ({ params: { id: await newGroup(ground) } }) },
  'itemGroups.order': {
    call: async ({ db }) => {
      const { rows } = await sql<{ id: number }>`select id from item_groups order by random()`.execute(db);
      return { body: { ids: rows.map(({ id }) => id) } };
    },
  },
  'dataItems.list': {},
  'dataItems.create': { call: async (ground) => ({ body: item(await newGroup(ground)) }) },
  'dataItems.update': {
    call: async (ground) => {
      const { id, groupId } = await newItem(ground);
      return { params: { id }, body: item(groupId) };
    },
  },
  'dataItems.delete': {
    call: async (ground) => ({ params: { id: (await newItem(ground)).id } }),
  },
  'dataItems.order': {
    call: async (ground) => {
      const { id, groupId } = await newItem(ground);
      const last = await newItem(ground, groupId);
      return { body: { groupId, ids: [last.id, id] } };
    },
  },

  'deviceModels.list': {},
  'deviceModels.read': { call: ({ world }) => ({ params: { id: world.model } }) },
  'deviceModels.versions': { call: ({ world }) => ({ params: { id: world.model } }) },
  'deviceModels.create': {
    call: () => ({ body: { name: fresh('Model'), type: 1, parentId: null, vendor: '' } }),
  },
  'deviceModels.update': {
    call: async (ground) => ({
      params: { id: await newModel(ground) },
      body: {
        ...{ version: 0, name: fresh('Model'), type: 2, parentId: null, vendor: 'Vendor' },
        ...{ sshSupport: true, webSupport: false, tolerant: false, imageKey: null, iconKey: null },
        ...{ parameterReadLevel: 5, parameterWriteLevel: 3, controlLevel: 4 },
        ...{ configs: [], parameters: [], controls: [], rules: [] },
      },
    }),
  },
  'deviceModels.copy': {
    call: async (ground) => ({ params: { id: await newModel(ground) }, body: { name: fresh('Copy') } }),
  },
  'deviceModels.delete': onModel,
  'deviceModels.export': onModel,
  'deviceModels.import': {
    call: () => ({
      body: {
        text: JSON.stringify({ ...OCPP16_PILE, model: { ...OCPP16_PILE.model, name: fresh('Model') } }),
        dryRun: false,
      },
    }),
  },
  'deviceDescriptions.read': { ...readsDevice, call: onDevice },

  'modelAliases.list': {},
  'modelAliases.unmatched': {},
  'modelAliases.create': {
    call: ({ world }) => ({ body: { vendor: fresh('V'), model: 'M', deviceModelId: world.model } }),
  },
  'modelAliases.update': {
    call: async (ground) => ({
      params: { id: await newAlias(ground) },
      body: { vendor: fresh('V'), model: 'M', deviceModelId: ground.world.model },
    }),
  },
  'modelAliases.delete': { call: async (ground) => ({ params: { id: await newAlias(ground) } }) },
};
