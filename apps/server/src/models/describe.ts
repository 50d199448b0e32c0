import type { DescribedControl, DescribedItem, DescribedRule, ModelControl } from '@chargehand/contract';
import {
  ancestorsOf,
  compareNaturally,
  type ItemKind,
  type Levels,
  levelSuffices,
  resolveEntries,
} from '@chargehand/domain';
import type { Family, OwnItem, OwnRule } from './contents.store.ts';

/** A model with all it inherits, in the order of a device page. */
export interface Description {
  configs: DescribedItem[];
  parameters: DescribedItem[];
  controls: DescribedControl[];
  rules: DescribedRule[];
}

/** What a model effectively defines, including inherited contents. */
export function describe(family: Family, id: number): Description {
  const ancestors = ancestorsOf(id, (one) => family.models.get(one)?.parentId ?? null) ?? [id];
  const models = ancestors.flatMap((one) => family.models.get(one) ?? []);
  const items = (kind: ItemKind) =>
    resolveEntries(
      models.map((model) => ({ origin: model.id, entries: model.items.filter((item) => item.kind === kind) })),
      (item: OwnItem) => item.dataItemId,
    )
      .map((item) => describedItem(family, item))
      .sort((a, b) => a.rank - b.rank || a.item.priority - b.item.priority || compareNaturally(a.item.key, b.item.key))
      .map(({ item }) => item);
  const controls = resolveEntries(
    models.map((model) => ({ origin: model.id, entries: model.controls })),
    (control: ModelControl) => control.type,
  ).sort((a, b) => a.type - b.type);
  const configs = items('config');
  const units = new Map(configs.map(({ dataItemId, unit }) => [dataItemId, unit]));
  const rules = resolveEntries(
    models.map((model) => ({ origin: model.id, entries: model.rules })),
    (rule: OwnRule) => rule.code,
  )
    .map((rule) => ({ ...rule, unit: units.get(rule.dataItemId) ?? rule.unit }))
    .sort((a, b) => compareNaturally(a.code, b.code));
  return { configs, parameters: items('parameter'), controls, rules };
}

function describedItem(family: Family, item: OwnItem & { origin: number }): { item: DescribedItem; rank: number } {
  const groupId = item.groupId ?? item.of.groupId;
  const group = family.groups.get(groupId);
  return {
    rank: group?.position ?? 0,
    item: {
      dataItemId: item.dataItemId,
      key: item.key,
      name: item.name,
      type: item.type,
      groupId,
      groupName: group?.name ?? { en: '', zh: '' },
      range: item.range ?? item.of.range,
      unit: item.unit ?? item.of.unit,
      priority: item.priority,
      readLevel: item.readLevel,
      writeLevel: item.writeLevel,
      batch: item.batch,
      // Left out when false, so that an unchanged definition creates no new version.
      ...(item.secret && { secret: true }),
      origin: item.origin,
    },
  };
}

/**
 * The part of a description that a caller's levels allow them to read: config items are in the area "device",
 * parameters in "params".
 */
export function readable({ configs, parameters, controls, rules }: Description, levels: Levels): Description {
  const shown = configs.filter((item) => levelSuffices(levels.device.read, item.readLevel));
  const keys = new Set(shown.map(({ key }) => key));
  return {
    configs: shown,
    parameters: parameters.filter((item) => levelSuffices(levels.params.read, item.readLevel)),
    controls,
    rules: rules.filter(({ key }) => keys.has(key)),
  };
}
