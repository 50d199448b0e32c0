import type { Bilingual, ItemType } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import { naturally } from '../../platform/database/order/natural-order.ts';
import type { Database } from '../../platform/database/schema.ts';

export interface GroupRecord {
  id: number;
  name: Bilingual;
  items: number;
}

/** The fields of a data item that users edit. */
export interface DataItemValues {
  key: string;
  name: Bilingual;
  groupId: number;
  type: ItemType;
  range: string;
  unit: string;
}

export interface DataItemRecord extends DataItemValues {
  id: number;
}

const GROUP = sql`g.id, json_build_object('en', g.name_en, 'zh', g.name_zh) as name`;
const ITEM = sql`
  i.id, i.key, json_build_object('en', i.name_en, 'zh', i.name_zh) as name, i.group_id as "groupId", i.type, i.range,
  i.unit`;

/** All groups in order, with the number of items in each. */
export async function listGroups(db: Kysely<Database>): Promise<GroupRecord[]> {
  const { rows } = await sql<GroupRecord>`
    select ${GROUP}, (select count(*) from data_items where group_id = g.id) as items
      from item_groups g order by g.position, g.id`.execute(db);
  return rows;
}

export async function lockGroup(trx: Kysely<Database>, id: number): Promise<{ id: number; name: Bilingual } | null> {
  const { rows } = await sql<{ id: number; name: Bilingual }>`
    select ${GROUP} from item_groups g where g.id = ${id} for update`.execute(trx);
  return rows[0] ?? null;
}

/** Adds a group after all others. */
export async function insertGroup(trx: Kysely<Database>, name: Bilingual): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into item_groups (name_en, name_zh, position)
    select ${name.en}, ${name.zh}, coalesce(max(position), 0) + 1 from item_groups returning id`.execute(trx);
  return rows[0]!.id;
}

export async function renameGroup(trx: Kysely<Database>, id: number, name: Bilingual): Promise<void> {
  await trx.updateTable('item_groups').set({ name_en: name.en, name_zh: name.zh }).where('id', '=', id).execute();
}

/** @throws foreign key violation while it contains items or models use it */
export async function deleteGroup(trx: Kysely<Database>, id: number): Promise<void> {
  await trx.deleteFrom('item_groups').where('id', '=', id).execute();
}

/** The ids of all groups, or of the items of one group, in order. */
export async function orderedIds(trx: Kysely<Database>, of: 'groups' | { groupId: number }): Promise<number[]> {
  const query =
    of === 'groups'
      ? sql<{ id: number }>`select id from item_groups order by position, id`
      : sql<{ id: number }>`select id from data_items where group_id = ${of.groupId} order by position, id`;
  return (await query.execute(trx)).rows.map(({ id }) => id);
}

/** Numbers rows in the given order. */
export async function writeOrder(
  trx: Kysely<Database>,
  table: 'item_groups' | 'data_items',
  ids: readonly number[],
): Promise<void> {
  await sql`
    update ${sql.table(table)} t set position = wanted.position
      from unnest(${[...ids]}::int[]) with ordinality as wanted (id, position) where wanted.id = t.id`.execute(trx);
}

/** All data items, by group in order, with the models that refer to each. */
export async function listDataItems(
  db: Kysely<Database>,
): Promise<(DataItemRecord & { usedBy: { id: number; name: string }[] })[]> {
  const { rows } = await sql<DataItemRecord & { usedBy: { id: number; name: string }[] }>`
    select ${ITEM}, coalesce(u.models, '[]') as "usedBy"
      from data_items i join item_groups g on g.id = i.group_id
      left join (
        select data_item_id, json_agg(json_build_object('id', m.id, 'name', m.name) order by ${naturally(sql`m.name`)}) as models
          from (select distinct data_item_id, device_model_id from device_model_items) used
          join device_models m on m.id = used.device_model_id
         group by data_item_id
      ) u on u.data_item_id = i.id
     order by g.position, g.id, i.position, i.id`.execute(db);
  return rows;
}

export async function lockDataItem(trx: Kysely<Database>, id: number): Promise<DataItemRecord | null> {
  const { rows } = await sql<DataItemRecord>`
    select ${ITEM} from data_items i where i.id = ${id} for update`.execute(trx);
  return rows[0] ?? null;
}

/** Adds items, each after the others of its group. Returns their ids in the given order. */
export async function insertDataItems(trx: Kysely<Database>, items: readonly DataItemValues[]): Promise<number[]> {
  if (items.length === 0) return [];
  const { rows } = await sql<{ id: number; key: string }>`
    with wanted as (
      select * from jsonb_to_recordset(${JSON.stringify(items.map((item, number) => ({ ...item, number })))}::jsonb)
        as item (key text, name jsonb, "groupId" int, type smallint, range text, unit text, number int)
    )
    insert into data_items (key, name_en, name_zh, group_id, type, range, unit, position)
    select w.key, w.name ->> 'en', w.name ->> 'zh', w."groupId", w.type, w.range, w.unit,
           w.number + 1 + coalesce((select max(position) from data_items where group_id = w."groupId"), 0)
      from wanted w order by w.number
    returning id, key`.execute(trx);
  const ids = new Map(rows.map(({ id, key }) => [key, id]));
  return items.map(({ key }) => ids.get(key)!);
}

/**
 * Changes an item. When it moves to another group, it becomes the last. @throws foreign key violation when the type of
 * a used item changes
 */
export async function updateDataItem(trx: Kysely<Database>, id: number, values: DataItemValues): Promise<void> {
  await sql`
    update data_items i
       set key = ${values.key}, name_en = ${values.name.en}, name_zh = ${values.name.zh}, type = ${values.type},
           range = ${values.range}, unit = ${values.unit}, group_id = ${values.groupId},
           position = case when i.group_id = ${values.groupId} then i.position
             else 1 + coalesce((select max(position) from data_items where group_id = ${values.groupId}), 0) end
     where i.id = ${id}`.execute(trx);
}

/** @throws foreign key violation while a model uses it */
export async function deleteDataItem(trx: Kysely<Database>, id: number): Promise<void> {
  await trx.deleteFrom('data_items').where('id', '=', id).execute();
}

/** The models that refer to items themselves. */
export async function modelsUsing(
  trx: Kysely<Database>,
  what: { items: readonly number[] } | { group: number },
): Promise<number[]> {
  const found =
    'items' in what
      ? sql`u.data_item_id = any(${[...what.items]}::int[])`
      : sql`(u.group_id = ${what.group} or i.group_id = ${what.group})`;
  const { rows } = await sql<{ id: number }>`
    select distinct u.device_model_id as id
      from device_model_items u join data_items i on i.id = u.data_item_id where ${found}`.execute(trx);
  return rows.map(({ id }) => id);
}

/** The items with these keys, ignoring case. */
export async function dataItemsByKey(db: Kysely<Database>, keys: readonly string[]): Promise<DataItemRecord[]> {
  const { rows } = await sql<DataItemRecord>`
    select ${ITEM} from data_items i where lower(i.key) = any(${keys.map((key) => key.toLowerCase())}::text[])`.execute(
    db,
  );
  return rows;
}

/** The items with these ids. */
export async function dataItemsById(db: Kysely<Database>, ids: readonly number[]): Promise<DataItemRecord[]> {
  const { rows } = await sql<DataItemRecord>`
    select ${ITEM} from data_items i where i.id = any(${[...ids]}::int[])`.execute(db);
  return rows;
}
