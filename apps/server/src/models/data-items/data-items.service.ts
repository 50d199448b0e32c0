import type { BodyOf, dataItemEndpoints, ResultOf } from '@chargehand/contract';
import { formatRange, isProtocolKey, parseRange } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { explained } from '../../platform/database/violations.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import { difference, entered, enteredNames, lockModels, logPlatformAction } from '../editing.ts';
import { EXPLANATIONS } from '../tables.ts';
import { describeAgain } from '../versions.service.ts';
import {
  type DataItemValues,
  deleteDataItem,
  deleteGroup,
  insertDataItems,
  insertGroup,
  listDataItems,
  listGroups,
  lockDataItem,
  lockGroup,
  modelsUsing,
  orderedIds,
  renameGroup,
  updateDataItem,
  writeOrder,
} from './data-items.store.ts';

type Endpoints = typeof dataItemEndpoints;
export type DataItemsService = ReturnType<typeof dataItemsService>;

/**
 * The data model: quantities and parameters with their groups. They belong to the platform. A change of one creates a
 * new version of every model that uses it.
 */
export function dataItemsService(db: Kysely<Database>) {
  const change = <T>(work: (trx: Kysely<Database>) => Promise<T>): Promise<T> => {
    return db.transaction().execute(async (trx) => {
      await lockModels(trx);
      return await explained(work(trx), EXPLANATIONS);
    });
  };
  return {
    async groups(): Promise<ResultOf<Endpoints['listItemGroups']>> {
      return { items: await listGroups(db) };
    },

    async items(): Promise<ResultOf<Endpoints['listDataItems']>> {
      return { items: await listDataItems(db) };
    },

    addGroup: (caller: Caller, body: BodyOf<Endpoints['createItemGroup']>) =>
      change(async (trx) => {
        const name = enteredNames(body.name);
        const id = await insertGroup(trx, name);
        await logPlatformAction(trx, caller, 'new', { type: 'itemGroup', id, name: name.en }, { after: { name } });
        return { id };
      }),

    editGroup: (caller: Caller, id: number, body: BodyOf<Endpoints['updateItemGroup']>) =>
      change(async (trx) => {
        const group = await requireGroup(trx, id);
        const name = enteredNames(body.name);
        const changed = difference({ name: group.name }, { name });
        if (!changed) return;
        await renameGroup(trx, id, name);
        await describeAgain(trx, await modelsUsing(trx, { group: id }), caller.userName);
        await logPlatformAction(trx, caller, 'edit', { type: 'itemGroup', id, name: name.en }, changed);
      }),

    removeGroup: (caller: Caller, id: number) =>
      change(async (trx) => {
        const { name } = await requireGroup(trx, id);
        await deleteGroup(trx, id);
        await logPlatformAction(trx, caller, 'delete', { type: 'itemGroup', id, name: name.en }, { before: { name } });
      }),

    orderGroups: (caller: Caller, body: BodyOf<Endpoints['orderItemGroups']>) =>
      change(async (trx) => {
        const changed = await reorder(trx, 'item_groups', await orderedIds(trx, 'groups'), body.ids);
        if (!changed) return;
        await logPlatformAction(trx, caller, 'edit', { type: 'itemGroup', id: 0, name: '*' }, changed);
      }),

    addItem: (caller: Caller, body: BodyOf<Endpoints['createDataItem']>) =>
      change(async (trx) => {
        const values = enteredItem(body);
        const id = (await insertDataItems(trx, [values]))[0]!;
        await logPlatformAction(
          trx,
          caller,
          'new',
          { type: 'dataItem', id, name: values.key },
          { after: { ...values } },
        );
        return { id };
      }),

    editItem: (caller: Caller, id: number, body: BodyOf<Endpoints['updateDataItem']>) =>
      change(async (trx) => {
        const { id: _, ...before } = await requireItem(trx, id);
        const values = enteredItem(body);
        const changed = difference({ ...before }, { ...values });
        if (!changed) return;
        await updateDataItem(trx, id, values);
        await describeAgain(trx, await modelsUsing(trx, { items: [id] }), caller.userName);
        await logPlatformAction(trx, caller, 'edit', { type: 'dataItem', id, name: values.key }, changed);
      }),

    removeItem: (caller: Caller, id: number) =>
      change(async (trx) => {
        const { id: _, ...before } = await requireItem(trx, id);
        await deleteDataItem(trx, id);
        await logPlatformAction(trx, caller, 'delete', { type: 'dataItem', id, name: before.key }, { before });
      }),

    orderItems: (caller: Caller, body: BodyOf<Endpoints['orderDataItems']>) =>
      change(async (trx) => {
        const group = await lockGroup(trx, body.groupId);
        if (!group) throw new Problem('itemGroupUnknown', { field: 'groupId' });
        const before = await orderedIds(trx, { groupId: body.groupId });
        const changed = await reorder(trx, 'data_items', before, body.ids);
        if (!changed) return;
        await logPlatformAction(trx, caller, 'edit', { type: 'itemGroup', id: group.id, name: group.name.en }, changed);
      }),
  };
}

/** Writes an order of exactly the existing rows; null when it is the current one. @throws Problem `orderStale` */
async function reorder(
  trx: Kysely<Database>,
  table: 'item_groups' | 'data_items',
  before: readonly number[],
  ids: readonly number[],
) {
  const wanted = new Set(ids);
  if (wanted.size !== ids.length || ids.length !== before.length || before.some((id) => !wanted.has(id))) {
    throw new Problem('orderStale', { field: 'ids' });
  }
  const changed = difference({ order: before }, { order: ids });
  if (changed) await writeOrder(trx, table, ids);
  return changed;
}

async function requireGroup(trx: Kysely<Database>, id: number) {
  const group = await lockGroup(trx, id);
  if (!group) throw notFound('itemGroup');
  return group;
}

async function requireItem(trx: Kysely<Database>, id: number) {
  const item = await lockDataItem(trx, id);
  if (!item) throw notFound('dataItem');
  return item;
}

/** @throws Problem with the field, and for a range with the line and the expected form */
function enteredItem(body: BodyOf<Endpoints['createDataItem']>): DataItemValues {
  const { type, groupId } = body;
  const key = body.key.trim();
  if (!isProtocolKey(key)) throw new Problem('itemKeyFormat', { field: 'key' });
  const { range, problem } = parseRange(type, body.range);
  if (problem) throw new Problem(problem.fault, { field: 'range', values: problem.values });
  const written = body.range.trim() === '' ? '' : formatRange(range);
  return {
    key: entered(key, 'key'),
    name: enteredNames(body.name),
    groupId,
    type,
    range: written,
    unit: body.unit.trim(),
  };
}
