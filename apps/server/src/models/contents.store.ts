import type { ModelControl, ModelRule } from '@chargehand/contract';
import type { Bilingual, ItemKind, ItemType, Level } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import { naturally } from '../platform/database/order/natural-order.ts';
import type { Database } from '../platform/database/schema.ts';

/** A config or parameter item of a model, with the data item it refers to. */
export interface OwnItem {
  kind: ItemKind;
  dataItemId: number;
  key: string;
  name: Bilingual;
  type: ItemType;
  removed: boolean;
  /** null: as in the data item */
  groupId: number | null;
  range: string | null;
  unit: string | null;
  /** from the data item */
  of: { groupId: number; range: string; unit: string };
  priority: number;
  readLevel: Level;
  writeLevel: Level;
  batch: boolean;
  secret: boolean;
}

/** An alarm rule of a model, with its data item. */
export interface OwnRule extends ModelRule {
  key: string;
  itemName: Bilingual;
  type: ItemType;
  /** from the data item */
  unit: string;
}

/** What a model defines itself, without inherited contents. */
export interface ModelContents {
  id: number;
  name: string;
  parentId: number | null;
  parameterWriteLevel: Level;
  items: OwnItem[];
  controls: ModelControl[];
  rules: OwnRule[];
}

/** Models with all they inherit from, and the groups in order. */
export interface Family {
  models: Map<number, ModelContents>;
  groups: Map<number, { name: Bilingual; position: number }>;
}

/** The contents that these models and all their ancestors define. */
export async function readFamily(db: Kysely<Database>, ids: readonly number[]): Promise<Family> {
  const { rows } = await sql<Omit<ModelContents, 'items' | 'controls' | 'rules'>>`
    with recursive line (id) as (
      select unnest(${[...ids]}::int[])
      union
      select m.parent_id from device_models m join line on line.id = m.id where m.parent_id is not null
    )
    select m.id, m.name, m.parent_id as "parentId", m.parameter_write_level as "parameterWriteLevel"
      from device_models m join line on line.id = m.id`.execute(db);
  const models = new Map(
    rows.map((row): [number, ModelContents] => [row.id, { ...row, items: [], controls: [], rules: [] }]),
  );
  const all = [...models.keys()];
  const [items, controls, rules, groups] = await Promise.all([
    sql<OwnItem & { model: number }>`
      select u.device_model_id as model, u.kind, u.data_item_id as "dataItemId", i.key,
             json_build_object('en', i.name_en, 'zh', i.name_zh) as name, i.type, u.removed, u.group_id as "groupId",
             u.range, u.unit, json_build_object('groupId', i.group_id, 'range', i.range, 'unit', i.unit) as of,
             u.priority, u.read_level as "readLevel", u.write_level as "writeLevel", u.batch, u.secret
        from device_model_items u join data_items i on i.id = u.data_item_id
       where u.device_model_id = any(${all}::int[]) order by u.priority, ${naturally(sql`i.key`)}`.execute(db),
    sql<ModelControl & { model: number }>`
      select device_model_id as model, control_type as type, removed, level, reading, precondition,
             json_build_object('en', name_en, 'zh', name_zh) as name,
             case when param1_en is not null then json_build_object('en', param1_en, 'zh', param1_zh) end as param1,
             case when param2_en is not null then json_build_object('en', param2_en, 'zh', param2_zh) end as param2
        from device_model_controls where device_model_id = any(${all}::int[]) order by control_type`.execute(db),
    sql<OwnRule & { model: number }>`
      select r.device_model_id as model, r.code, r.removed, r.enabled,
             json_build_object('en', r.name_en, 'zh', r.name_zh) as name, r.kind, r.level,
             r.data_item_id as "dataItemId", r.connector, r.condition, r.low, r.high, r.named_values as values,
             r.hysteresis, r.duration_seconds as "durationSeconds", i.key, i.type, i.unit,
             json_build_object('en', i.name_en, 'zh', i.name_zh) as "itemName"
        from device_model_rules r join data_items i on i.id = r.data_item_id
       where r.device_model_id = any(${all}::int[]) order by ${naturally(sql`r.code`)}`.execute(db),
    sql<{ id: number; name: Bilingual; position: number }>`
      select id, json_build_object('en', name_en, 'zh', name_zh) as name, position from item_groups`.execute(db),
  ]);
  for (const { model, ...item } of items.rows) models.get(model)?.items.push(item);
  for (const { model, ...control } of controls.rows) models.get(model)?.controls.push(control);
  for (const { model, ...rule } of rules.rows) models.get(model)?.rules.push(rule);
  return { models, groups: new Map(groups.rows.map(({ id, ...group }) => [id, group])) };
}

/** An item as it is written. It includes the type, because the foreign key contains it. */
export interface ItemValues {
  kind: ItemKind;
  dataItemId: number;
  type: ItemType;
  removed: boolean;
  groupId: number | null;
  range: string | null;
  unit: string | null;
  priority: number;
  readLevel: Level;
  writeLevel: Level;
  batch: boolean;
  secret: boolean;
}

/** Removes the items and controls that a model defines itself. */
export async function deleteContents(trx: Kysely<Database>, id: number): Promise<void> {
  await trx.deleteFrom('device_model_items').where('device_model_id', '=', id).execute();
  await trx.deleteFrom('device_model_controls').where('device_model_id', '=', id).execute();
}

/** Writes what a model defines itself. @throws violations of database constraints, such as a deleted group */
export async function insertContents(
  trx: Kysely<Database>,
  model: { id: number; parameterWriteLevel: Level },
  contents: { items: readonly ItemValues[]; controls: readonly ModelControl[] },
): Promise<void> {
  if (contents.items.length > 0) {
    await sql`
      insert into device_model_items (device_model_id, kind, data_item_id, type, removed, group_id, range, unit,
                                      priority, read_level, write_level, batch, secret)
      select ${model.id}, kind, "dataItemId", type, removed, "groupId", range, unit, priority, "readLevel",
             "writeLevel", batch, secret
        from jsonb_to_recordset(${JSON.stringify(contents.items)}::jsonb)
          as item (kind text, "dataItemId" int, type smallint, removed boolean, "groupId" int, range text, unit text,
                   priority int, "readLevel" smallint, "writeLevel" smallint, batch boolean, secret boolean)`.execute(
      trx,
    );
  }
  if (contents.controls.length === 0) return;
  await trx
    .insertInto('device_model_controls')
    .values(
      contents.controls.map((control) => ({
        device_model_id: model.id,
        control_type: control.type,
        removed: control.removed,
        name_en: control.name.en,
        name_zh: control.name.zh,
        level: control.level,
        write_level: model.parameterWriteLevel,
        param1_en: control.param1?.en ?? null,
        param1_zh: control.param1?.zh ?? null,
        param2_en: control.param2?.en ?? null,
        param2_zh: control.param2?.zh ?? null,
        reading: control.reading,
        precondition: control.precondition,
      })),
    )
    .execute();
}

/** Writes the alarm rules that a model defines itself. They replace the previous ones. */
export async function replaceRules(
  trx: Kysely<Database>,
  id: number,
  rules: readonly (ModelRule & { type: ItemType })[],
): Promise<void> {
  await trx.deleteFrom('device_model_rules').where('device_model_id', '=', id).execute();
  if (rules.length === 0) return;
  await trx
    .insertInto('device_model_rules')
    .values(
      rules.map((rule) => ({
        device_model_id: id,
        code: rule.code,
        removed: rule.removed,
        enabled: rule.enabled,
        name_en: rule.name.en,
        name_zh: rule.name.zh,
        kind: rule.kind,
        level: rule.level,
        data_item_id: rule.dataItemId,
        type: rule.type,
        connector: rule.connector,
        condition: rule.condition,
        low: rule.low,
        high: rule.high,
        named_values: [...rule.values],
        hysteresis: rule.hysteresis,
        duration_seconds: rule.durationSeconds,
      })),
    )
    .execute();
}
