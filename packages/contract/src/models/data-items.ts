import { type ItemType, PROTOCOL_KEY_PATTERN } from '@chargehand/domain';
import { type Static, Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Exact, Id, IdParams, Lines, Matching } from '../schemas.ts';

/** A name in both languages. */
const BilingualName = Exact({
  en: Type.String({ minLength: 1, maxLength: 64 }),
  zh: Type.String({ minLength: 1, maxLength: 64 }),
});
export const ItemTypeSchema = Type.Unsafe<ItemType>({ type: 'integer', minimum: 1, maximum: 4 });
export const ItemKey = Matching(PROTOCOL_KEY_PATTERN, 'Energy.Active.Import.Register', {
  minLength: 1,
  maxLength: 100,
});
/** A range of spec §5 as text. The rules of the domain package parse it. */
export const RangeText = Lines({ maxLength: 20_000 });
export const UnitText = Type.String({ maxLength: 16 });

export const ItemGroupRow = Exact({
  id: Id,
  name: BilingualName,
  /** number of its data items */
  items: Type.Integer({ minimum: 0 }),
});
export type ItemGroupRow = Static<typeof ItemGroupRow>;

export const DataItemRow = Exact({
  id: Id,
  key: Type.String(),
  name: BilingualName,
  groupId: Id,
  type: ItemTypeSchema,
  range: Type.String(),
  unit: Type.String(),
  /** the device models that use it directly */
  usedBy: Type.Array(Exact({ id: Id, name: Type.String() })),
});
export type DataItemRow = Static<typeof DataItemRow>;

export const NewDataItem = Exact({
  key: ItemKey,
  name: BilingualName,
  groupId: Id,
  type: ItemTypeSchema,
  range: RangeText,
  unit: UnitText,
});
export type NewDataItem = Static<typeof NewDataItem>;

/** All ids of a list in their new order. */
const Order = Type.Array(Id, { maxItems: 5_000 });

export const dataItemEndpoints = {
  listItemGroups: endpoint({
    id: 'itemGroups.list',
    method: 'GET',
    path: '/api/auth/sys/item-groups',
    policy: { route: { keys: ['auth_dict', 'auth_dict_group', 'auth_deviceModel'] }, row: 'shared' },
    effect: 'list',
    summary: 'List the groups of data items, in their order',
    nameZh: '查询数据项分组',
    answer: Exact({ items: Type.Array(ItemGroupRow) }),
  }),
  createItemGroup: endpoint({
    id: 'itemGroups.create',
    method: 'POST',
    path: '/api/auth/sys/item-groups',
    policy: { route: { keys: ['auth_dict_group'] }, who: 'vendor', row: 'shared', level: 'edit' },
    effect: 'create',
    summary: 'Add a group of data items at the end; platform vendor only',
    nameZh: '新增数据项分组',
    body: Exact({ name: BilingualName }),
    answer: Exact({ id: Id }),
  }),
  updateItemGroup: endpoint({
    id: 'itemGroups.update',
    method: 'PATCH',
    path: '/api/auth/sys/item-groups/:id',
    policy: { route: { keys: ['auth_dict_group'] }, who: 'vendor', row: 'shared', level: 'edit' },
    effect: 'update',
    summary: 'Rename a group of data items; platform vendor only',
    nameZh: '编辑数据项分组',
    params: IdParams,
    body: Exact({ name: BilingualName }),
    answer: Type.Null(),
  }),
  deleteItemGroup: endpoint({
    id: 'itemGroups.delete',
    method: 'DELETE',
    path: '/api/auth/sys/item-groups/:id',
    policy: { route: { keys: ['auth_dict_group'] }, who: 'vendor', row: 'shared', level: 'edit' },
    effect: 'delete',
    summary: 'Delete an empty group of data items; platform vendor only',
    nameZh: '删除数据项分组',
    params: IdParams,
    answer: Type.Null(),
  }),
  orderItemGroups: endpoint({
    id: 'itemGroups.order',
    method: 'PUT',
    path: '/api/auth/sys/item-groups/order',
    policy: { route: { keys: ['auth_dict_group'] }, who: 'vendor', row: 'shared', level: 'edit' },
    effect: 'update',
    summary: 'Reorder all groups of data items; platform vendor only',
    nameZh: '排序数据项分组',
    body: Exact({ ids: Order }),
    answer: Type.Null(),
  }),
  listDataItems: endpoint({
    id: 'dataItems.list',
    method: 'GET',
    path: '/api/auth/sys/data-items',
    policy: { route: { keys: ['auth_dict', 'auth_deviceModel'] }, row: 'shared' },
    effect: 'list',
    summary: 'List data items by group, in their order',
    nameZh: '查询数据项',
    answer: Exact({ items: Type.Array(DataItemRow) }),
  }),
  createDataItem: endpoint({
    id: 'dataItems.create',
    method: 'POST',
    path: '/api/auth/sys/data-items',
    policy: { route: { keys: ['auth_dict'] }, who: 'vendor', row: 'shared', level: 'edit' },
    effect: 'create',
    summary: 'Add a data item at the end of its group; platform vendor only',
    nameZh: '新增数据项',
    body: NewDataItem,
    answer: Exact({ id: Id }),
  }),
  updateDataItem: endpoint({
    id: 'dataItems.update',
    method: 'PUT',
    path: '/api/auth/sys/data-items/:id',
    policy: { route: { keys: ['auth_dict'] }, who: 'vendor', row: 'shared', level: 'edit' },
    effect: 'update',
    summary: 'Update a data item. Its type and key are fixed while a device model uses it; platform vendor only',
    nameZh: '编辑数据项',
    params: IdParams,
    body: NewDataItem,
    answer: Type.Null(),
  }),
  deleteDataItem: endpoint({
    id: 'dataItems.delete',
    method: 'DELETE',
    path: '/api/auth/sys/data-items/:id',
    policy: { route: { keys: ['auth_dict'] }, who: 'vendor', row: 'shared', level: 'edit' },
    effect: 'delete',
    summary: 'Delete a data item that no device model uses; platform vendor only',
    nameZh: '删除数据项',
    params: IdParams,
    answer: Type.Null(),
  }),
  orderDataItems: endpoint({
    id: 'dataItems.order',
    method: 'PUT',
    path: '/api/auth/sys/data-items/order',
    policy: { route: { keys: ['auth_dict'] }, who: 'vendor', row: 'shared', level: 'edit' },
    effect: 'update',
    summary: 'Reorder all data items of a group; platform vendor only',
    nameZh: '排序数据项',
    body: Exact({ groupId: Id, ids: Order }),
    answer: Type.Null(),
  }),
};
