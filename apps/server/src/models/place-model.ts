import type { ModelFile, ModelRule } from '@chargehand/contract';
import { formatRange, type ItemType, parseRange } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import { type ItemValues, insertContents, replaceRules } from './contents.store.ts';
import {
  type DataItemRecord,
  type DataItemValues,
  dataItemsByKey,
  insertDataItems,
  insertGroup,
  listGroups,
} from './data-items/data-items.store.ts';
import { findModelByName, insertModel, type ModelBase, updateModel } from './device-models/device-models.store.ts';
import { describeAgain } from './versions.service.ts';

/**
 * Adds the model of a valid file to the database, with the data items and groups that are missing. Existing ones are
 * unchanged. With `into`, the model with that id gets the contents of the file. Returns the model's id.
 */
export async function placeModel(
  trx: Kysely<Database>,
  file: ModelFile,
  changedBy: string,
  into?: number,
): Promise<number> {
  const groups = await placedGroups(trx, file);
  const groupOf = (name: string) => groups.get(lower(name))!;
  const items = await placedItems(trx, file, groupOf);
  const { parent, ...rest } = file.model;
  const base: ModelBase = {
    ...{ protocol: null, connectorCount: null },
    ...rest,
    silenceSeconds: rest.silenceSeconds ?? null,
    parentId: parent === null ? null : ((await findModelByName(trx, parent))?.id ?? null),
    imageKey: null,
    iconKey: null,
  };
  const id = into ?? (await insertModel(trx, base));
  if (into !== undefined) await updateModel(trx, into, base);
  const values = (['configs', 'parameters'] as const).flatMap((field) =>
    file[field].map(({ key, group, ...rules }): ItemValues => {
      const { item, own } = items.get(lower(key))!;
      return {
        ...rules,
        secret: 'secret' in rules && rules.secret === true,
        kind: field === 'configs' ? 'config' : 'parameter',
        dataItemId: item.id,
        type: item.type,
        groupId: group === null ? null : groupOf(group),
        range: written(item.type, rules.range ?? own.range),
        unit: rules.unit ?? own.unit,
      };
    }),
  );
  const model = { id, parameterWriteLevel: base.parameterWriteLevel };
  await insertContents(trx, model, { items: values, controls: file.controls });
  await replaceRules(trx, id, await placedRules(trx, file));
  await describeAgain(trx, [id], changedBy);
  return id;
}

/** The alarm rules of a file with the ids of their items, which may belong to an ancestor. */
async function placedRules(trx: Kysely<Database>, file: ModelFile): Promise<(ModelRule & { type: ItemType })[]> {
  const rules = file.rules ?? [];
  const keys = rules.map(({ key }) => key);
  const items = new Map((await dataItemsByKey(trx, keys)).map((item) => [lower(item.key), item]));
  return rules.map(({ key, ...rule }) => {
    const item = items.get(lower(key))!;
    return { ...rule, dataItemId: item.id, type: item.type };
  });
}

/** The ids of all groups by English name, after adding the missing ones of the file. */
async function placedGroups(trx: Kysely<Database>, file: ModelFile): Promise<Map<string, number>> {
  const ids = new Map((await listGroups(trx)).map(({ id, name }) => [lower(name.en), id]));
  for (const name of file.groups) {
    if (!ids.has(lower(name.en))) ids.set(lower(name.en), await insertGroup(trx, name));
  }
  return ids;
}

interface PlacedItem {
  item: DataItemRecord;
  /** the definition of the file, when the existing data item differs */
  own: { range: string | null; unit: string | null };
}

async function placedItems(
  trx: Kysely<Database>,
  file: ModelFile,
  groupOf: (name: string) => number,
): Promise<Map<string, PlacedItem>> {
  const keys = file.items.map(({ key }) => key);
  const present = new Map((await dataItemsByKey(trx, keys)).map((item) => [lower(item.key), item]));
  const added = file.items
    .filter(({ key }) => !present.has(lower(key)))
    .map(
      ({ key, name, group, type, range, unit }): DataItemValues => ({
        ...{ key, name, type, unit: unit.trim(), groupId: groupOf(group), range: written(type, range) ?? '' },
      }),
    );
  const ids = await insertDataItems(trx, added);
  for (const [index, item] of added.entries()) present.set(lower(item.key), { ...item, id: ids[index]! });
  return new Map(
    file.items.map((fileItem): [string, PlacedItem] => {
      const item = present.get(lower(fileItem.key))!;
      const range = written(fileItem.type, fileItem.range) ?? '';
      const unit = fileItem.unit.trim();
      return [
        lower(fileItem.key),
        { item, own: { range: range === item.range ? null : range, unit: unit === item.unit ? null : unit } },
      ];
    }),
  );
}

/** A range in its stored notation; null stays null. */
function written(type: ItemType, text: string | null): string | null {
  if (text === null || text.trim() === '') return text === null ? null : '';
  const { range } = parseRange(type, text);
  return range ? formatRange(range) : text;
}

function lower(text: string): string {
  return text.trim().toLowerCase();
}
