import { MODEL_FILE_FORMAT, MODEL_FILE_VERSION, type ModelFile } from '@chargehand/contract';
import type { Bilingual, ItemKind } from '@chargehand/domain';
import type { Family } from '../contents.store.ts';
import type { ModelRecord } from '../device-models/device-models.store.ts';

/** A model as a self-contained file: its definition, with the data items and groups it refers to. */
export function toModelFile(family: Family, model: ModelRecord): ModelFile {
  const { items, controls, rules } = family.models.get(model.id)!;
  const groupName = (id: number): Bilingual => family.groups.get(id)?.name ?? { en: String(id), zh: String(id) };
  const groups = new Map<number, Bilingual>();
  for (const item of items) {
    groups.set(item.of.groupId, groupName(item.of.groupId));
    if (item.groupId !== null) groups.set(item.groupId, groupName(item.groupId));
  }
  const described = new Map(items.map((item) => [item.dataItemId, item]));
  const own = (kind: ItemKind) =>
    items
      .filter((item) => item.kind === kind)
      .map(({ key, groupId, removed, priority, readLevel, writeLevel, batch, range, unit, secret }) => ({
        key,
        group: groupId === null ? null : groupName(groupId).en,
        ...{ removed, priority, readLevel, writeLevel, batch, range, unit },
        ...(secret && { secret }),
      }));
  return {
    format: MODEL_FILE_FORMAT,
    version: MODEL_FILE_VERSION,
    model: {
      ...{ name: model.name, type: model.type, parent: model.parentName, vendor: model.vendor },
      ...{ sshSupport: model.sshSupport, webSupport: model.webSupport, tolerant: model.tolerant },
      ...{ protocol: model.protocol, connectorCount: model.connectorCount },
      ...(model.silenceSeconds === null ? {} : { silenceSeconds: model.silenceSeconds }),
      parameterReadLevel: model.parameterReadLevel,
      parameterWriteLevel: model.parameterWriteLevel,
      controlLevel: model.controlLevel,
    },
    groups: [...groups.values()],
    items: [...described.values()].map(({ key, name, type, of }) => ({
      ...{ key, name, group: groupName(of.groupId).en, type, range: of.range, unit: of.unit },
    })),
    configs: own('config'),
    parameters: own('parameter'),
    controls,
    ...(rules.length > 0 && {
      rules: rules.map(({ itemName: _, type: __, unit: ___, dataItemId: ____, ...rule }) => rule),
    }),
  };
}
