import type {
  BodyOf,
  DeviceModelDetail,
  deviceModelEndpoints,
  QueryOf,
  ResultOf,
  WithDates,
} from '@chargehand/contract';
import { mayEditModels } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { explained } from '../../platform/database/violations.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import { listOrder, pageOf, searchOf } from '../../platform/http/serve/list-queries.ts';
import type { Pictures } from '../../ports/pictures.ts';
import { deleteContents, insertContents, readFamily, replaceRules } from '../contents.store.ts';
import { dataItemsById } from '../data-items/data-items.store.ts';
import { describe, readable } from '../describe.ts';
import { difference, entered, lockModels, logPlatformAction } from '../editing.ts';
import {
  enteredControls,
  enteredItems,
  enteredRules,
  loggedContents,
  loggedRules,
  requireLevels,
  toModelItems,
  toModelRules,
} from '../entered-contents.ts';
import { EXPLANATIONS } from '../tables.ts';
import { describeAgain } from '../versions.service.ts';
import { listVersions } from '../versions.store.ts';
import {
  childrenOf,
  countDevicesOf,
  deleteModel,
  findModel,
  insertModel,
  listDeviceModels,
  type ModelBase,
  type ModelRecord,
  updateModel,
} from './device-models.store.ts';

type Endpoints = typeof deviceModelEndpoints;
export type DeviceModelsService = ReturnType<typeof deviceModelsService>;

/**
 * Manages device models, which belong to the platform. Users of the platform vendor change them, and every change
 * creates a new version. Other users read the models of devices in their scope, as far as their levels allow.
 */
export function deviceModelsService(db: Kysely<Database>, pictures: Pictures) {
  return {
    async list(query: QueryOf<Endpoints['listDeviceModels']>): Promise<ResultOf<Endpoints['listDeviceModels']>> {
      const filters = { id: query.id, search: searchOf(query.search), type: query.type };
      return await listDeviceModels(db, filters, listOrder(query.sort, 'name'), pageOf(query));
    },

    async read(caller: Caller, id: number): Promise<WithDates<DeviceModelDetail>> {
      const { model, devices } = await visibleModel(db, caller, id);
      const [family, children] = await Promise.all([readFamily(db, [id]), childrenOf(db, id)]);
      const edit = mayEditModels(caller);
      const own = family.models.get(id);
      const all = describe(family, id);
      return {
        ...model,
        devices,
        children: edit ? children : [],
        own: {
          configs: edit && own ? toModelItems(own.items, 'config') : [],
          parameters: edit && own ? toModelItems(own.items, 'parameter') : [],
          controls: edit && own ? own.controls : [],
          rules: edit && own ? toModelRules(own.rules) : [],
        },
        resolved: edit ? all : readable(all, caller.levels),
        origins: [...family.models.values()].map(({ id: origin, name }) => ({ id: origin, name })),
        may: { edit },
      };
    },

    create: (caller: Caller, body: BodyOf<Endpoints['createDeviceModel']>): Promise<{ id: number }> =>
      changing(db, async (trx) => {
        const parent = body.parentId === null ? null : await findModel(trx, body.parentId);
        if (body.parentId !== null && !parent) throw new Problem('deviceModelParentUnknown', { field: 'parentId' });
        const base = newBase({ ...body, name: entered(body.name, 'name'), vendor: body.vendor.trim() }, parent);
        const id = await insertModel(trx, base);
        await describeAgain(trx, [id], caller.userName);
        await logPlatformAction(trx, caller, 'new', objectOf(id, base.name), { after: { ...base } });
        return { id };
      }),

    async update(
      caller: Caller,
      id: number,
      body: BodyOf<Endpoints['updateDeviceModel']>,
    ): Promise<{ version: number }> {
      const { settle, ...answer } = await changing(db, async (trx) => {
        const { version, configs, parameters, controls: wanted, rules: wantedRules, ...rest } = body;
        const before = await findModel(trx, id, 'update');
        if (!before) throw notFound('deviceModel');
        if (before.version !== version) {
          throw new Problem('deviceModelChanged', { field: 'version', values: { name: before.changedBy } });
        }
        const { protocol = before.protocol, connectorCount = before.connectorCount, ...changes } = rest;
        const { silenceSeconds = before.silenceSeconds } = rest;
        const base: ModelBase = {
          ...{ ...changes, protocol, connectorCount, silenceSeconds },
          ...{ name: entered(rest.name, 'name'), vendor: rest.vendor.trim() },
        };
        requireLevels(base);
        if (base.parentId !== null && !(await findModel(trx, base.parentId))) {
          throw new Problem('deviceModelParentUnknown', { field: 'parentId' });
        }
        const former = (await readFamily(trx, [id])).models.get(id)!;
        const items = await enteredItems(trx, { configs, parameters }, former.items);
        const controls = enteredControls(base, wanted);
        const rules = wantedRules === undefined ? former.rules : await enteredRules(trx, wantedRules);
        const settle = await takePictures(caller, before, base);
        await deleteContents(trx, id);
        await updateModel(trx, id, base);
        await insertContents(trx, { id, parameterWriteLevel: base.parameterWriteLevel }, { items, controls });
        if (wantedRules !== undefined) await replaceRules(trx, id, rules);
        await describeAgain(trx, [id], caller.userName);
        const keys = new Map(former.items.map(({ dataItemId, key }) => [dataItemId, key]));
        const unnamed = items.map(({ dataItemId }) => dataItemId).filter((one) => !keys.has(one));
        for (const { id: one, key } of await dataItemsById(trx, unnamed)) keys.set(one, key);
        const keyOf = (one: number) => keys.get(one) ?? String(one);
        const changed = difference(
          { ...baseOf(before), ...loggedContents(former.items, former.controls, keyOf), ...loggedRules(former.rules) },
          { ...base, ...loggedContents(items, controls, keyOf), ...loggedRules(rules) },
        );
        if (changed) await logPlatformAction(trx, caller, 'edit', objectOf(id, base.name), changed);
        return { version: (await findModel(trx, id))!.version, settle };
      });
      await settle();
      return answer;
    },

    copy: (caller: Caller, id: number, body: BodyOf<Endpoints['copyDeviceModel']>): Promise<{ id: number }> =>
      changing(db, async (trx) => {
        const original = await findModel(trx, id);
        if (!original) throw notFound('deviceModel');
        const contents = (await readFamily(trx, [id])).models.get(id)!;
        // A picture belongs to one row, so a copy starts without one.
        const base = { ...baseOf(original), name: entered(body.name, 'name'), imageKey: null, iconKey: null };
        const copy = await insertModel(trx, base);
        await insertContents(trx, { id: copy, parameterWriteLevel: base.parameterWriteLevel }, contents);
        await replaceRules(trx, copy, contents.rules);
        await describeAgain(trx, [copy], caller.userName);
        const after = { ...base, copyOf: original.name };
        await logPlatformAction(trx, caller, 'new', objectOf(copy, base.name), { after });
        return { id: copy };
      }),

    remove: (caller: Caller, id: number): Promise<void> =>
      changing(db, async (trx) => {
        const model = await findModel(trx, id, 'update');
        if (!model) throw notFound('deviceModel');
        const { items, controls, rules } = (await readFamily(trx, [id])).models.get(id)!;
        await deleteModel(trx, id);
        const keys = new Map(items.map(({ dataItemId, key }) => [dataItemId, key]));
        const logged = loggedContents(items, controls, (one) => keys.get(one)!);
        await logPlatformAction(trx, caller, 'delete', objectOf(id, model.name), {
          before: { ...baseOf(model), ...logged, ...loggedRules(rules) },
        });
      }),

    async versions(
      caller: Caller,
      id: number,
      query: QueryOf<Endpoints['listDeviceModelVersions']>,
    ): Promise<ResultOf<Endpoints['listDeviceModelVersions']>> {
      await visibleModel(db, caller, id);
      const { descending } = listOrder(query.sort, '-version');
      return await listVersions(db, id, descending, pageOf(query));
    },
  };

  /** Moves the uploads that a user entered for a model. Call the returned function after the commit. */
  async function takePictures(caller: Caller, before: ModelBase, base: ModelBase): Promise<() => Promise<void>> {
    const settles: (() => Promise<void>)[] = [];
    for (const [field, purpose] of [
      ['imageKey', 'image'],
      ['iconKey', 'icon'],
    ] as const) {
      const picture = { field, purpose, entered: base[field], current: before[field], customerId: null };
      const { key, settle } = await pictures.change(caller, picture);
      base[field] = key === undefined ? before[field] : key;
      settles.push(settle);
    }
    return async () => {
      for (const settle of settles) await settle();
    };
  }
}

/** Applies an action to models, one after the other. @throws Problem when the database refuses it */
async function changing<T>(db: Kysely<Database>, work: (trx: Kysely<Database>) => Promise<T>): Promise<T> {
  return await db.transaction().execute(async (trx) => {
    await lockModels(trx);
    return await explained(work(trx), EXPLANATIONS);
  });
}

/**
 * A model that a caller may read: any for users of the platform vendor; for others the models of devices in their
 * scope.
 */
async function visibleModel(
  db: Kysely<Database>,
  caller: Caller,
  id: number,
): Promise<{ model: ModelRecord; devices: number }> {
  const [model, devices] = await Promise.all([findModel(db, id), countDevicesOf(caller.scope, db, id)]);
  if (!model) throw notFound('deviceModel');
  if (!caller.root && !caller.platformVendor && devices === 0) throw notFound('deviceModel');
  return { model, devices };
}

/** The levels of a new model until a user changes them: those of its parent. */
function newBase(
  given: Pick<ModelBase, 'name' | 'type' | 'parentId' | 'vendor'>,
  parent: ModelRecord | null,
): ModelBase {
  return {
    ...{ sshSupport: parent?.sshSupport ?? false, webSupport: parent?.webSupport ?? false },
    ...{ tolerant: parent?.tolerant ?? false, silenceSeconds: parent?.silenceSeconds ?? null },
    ...{ imageKey: null, iconKey: null },
    ...{ protocol: parent?.protocol ?? null, connectorCount: parent?.connectorCount ?? null },
    parameterReadLevel: parent?.parameterReadLevel ?? 5,
    parameterWriteLevel: parent?.parameterWriteLevel ?? 3,
    controlLevel: parent?.controlLevel ?? 4,
    ...given,
  };
}

function baseOf(model: ModelRecord): ModelBase {
  const { id: _, parentName: __, version: ___, changedBy: ____, changedAt: _____, ...base } = model;
  return base;
}

export const objectOf = (id: number, name: string) => ({ type: 'deviceModel' as const, id, name });
