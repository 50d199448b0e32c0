import type {
  DataItemRow,
  DescribedControl,
  DescribedItem,
  ItemGroupRow,
  ModelControl,
  ModelItem,
} from '@chargehand/contract';
import { CONTROL_TYPES, type ControlType, compareNaturally } from '@chargehand/domain';

/** The origin of an entry: defined by this model, inherited, overriding an inherited one, or removed by this model. */
export type State = 'own' | 'inherited' | 'overridden' | 'removed';

/** The lists of a model: configuration items, or parameters. */
export type ItemField = 'configs' | 'parameters';

/** An item of a model, or an inherited item that the model removes. */
export interface ItemLine {
  id: number;
  item: DataItemRow;
  state: State;
  /** the effective values */
  rules: ModelItem;
  inherited: DescribedItem | null;
}

/** The items of a model in the order of a device page: its own and the inherited ones. */
export function itemLines(
  own: readonly ModelItem[],
  inherited: readonly DescribedItem[],
  items: ReadonlyMap<number, DataItemRow>,
  groups: readonly ItemGroupRow[],
): ItemLine[] {
  const ownEntries = new Map(own.map((entry) => [entry.dataItemId, entry]));
  const given = new Map(inherited.map((entry) => [entry.dataItemId, entry]));
  const place = new Map(groups.map(({ id }, index) => [id, index]));
  const lines = [...new Set([...given.keys(), ...ownEntries.keys()])].flatMap((id): ItemLine[] => {
    const item = items.get(id);
    const entry = ownEntries.get(id);
    const from = given.get(id) ?? null;
    if (!item || (!from && (!entry || entry.removed))) return [];
    const state = !entry ? 'inherited' : entry.removed ? 'removed' : from ? 'overridden' : 'own';
    const rules = entry && !entry.removed ? entry : asOwn(from!, item);
    return [{ id, item, state, rules, inherited: from }];
  });
  const rank = ({ rules, item }: ItemLine) => place.get(rules.groupId ?? item.groupId) ?? groups.length;
  return lines.sort(
    (a, b) => rank(a) - rank(b) || a.rules.priority - b.rules.priority || compareNaturally(a.item.key, b.item.key),
  );
}

/** An inherited entry as the model's own: only the differences from the data item. */
function asOwn(from: DescribedItem, item: DataItemRow): ModelItem {
  const { dataItemId, priority, readLevel, writeLevel, batch, secret } = from;
  return {
    ...{ dataItemId, removed: false, priority, readLevel, writeLevel, batch },
    ...(secret && { secret }),
    groupId: from.groupId === item.groupId ? null : from.groupId,
    range: from.range === item.range ? null : from.range,
    unit: from.unit === item.unit ? null : from.unit,
  };
}

/** The model's own entries after a change of some lines. An inherited line becomes its own. */
export function withRules(
  own: readonly ModelItem[],
  lines: readonly ItemLine[],
  change: Partial<ModelItem>,
): ModelItem[] {
  const changed = new Map(lines.map((line) => [line.id, { ...line.rules, removed: false, ...change }]));
  const rest = own.map((entry) => {
    const next = changed.get(entry.dataItemId);
    changed.delete(entry.dataItemId);
    return next ?? entry;
  });
  return [...rest, ...changed.values()];
}

/** The model's own entries after removing lines: its own entries are deleted, inherited ones are marked as removed. */
export function withoutLines(own: readonly ModelItem[], lines: readonly ItemLine[]): ModelItem[] {
  const inherited = lines.filter((line) => line.inherited !== null);
  const ids = new Set(lines.map(({ id }) => id));
  return withRules(
    own.filter(({ dataItemId }) => !ids.has(dataItemId)),
    inherited,
    { removed: true },
  );
}

/** The model's own entries after resetting lines to the inherited values. */
export function asInherited(own: readonly ModelItem[], lines: readonly ItemLine[]): ModelItem[] {
  const ids = new Set(lines.map(({ id }) => id));
  return own.filter(({ dataItemId }) => !ids.has(dataItemId));
}

/** A control type of a model; `control` is null when the model does not have it. */
export interface ControlLine {
  type: ControlType;
  state: State | 'absent';
  control: ModelControl | null;
  inherited: DescribedControl | null;
}

const TYPES = Object.keys(CONTROL_TYPES).map((type) => Number(type) as ControlType);

/** All control types, with the controls of the model. */
export function controlLines(own: readonly ModelControl[], inherited: readonly DescribedControl[]): ControlLine[] {
  return TYPES.map((type) => {
    const entry = own.find((control) => control.type === type);
    const from = inherited.find((control) => control.type === type) ?? null;
    if (!entry) return { type, state: from ? 'inherited' : 'absent', control: from && toOwn(from), inherited: from };
    if (entry.removed)
      return { type, state: from ? 'removed' : 'absent', control: from && toOwn(from), inherited: from };
    return { type, state: from ? 'overridden' : 'own', control: entry, inherited: from };
  });
}

function toOwn({ origin: _, ...control }: DescribedControl): ModelControl {
  return control;
}

/** The model's own controls after one was set, removed, or reset to the inherited one. */
export function withControl(
  own: readonly ModelControl[],
  line: ControlLine,
  next: ModelControl | 'removed' | 'inherited',
): ModelControl[] {
  const rest = own.filter(({ type }) => type !== line.type);
  if (next === 'inherited') return rest;
  if (next !== 'removed') return [...rest, next].sort((a, b) => a.type - b.type);
  return line.inherited ? [...rest, { ...toOwn(line.inherited), removed: true }] : rest;
}
