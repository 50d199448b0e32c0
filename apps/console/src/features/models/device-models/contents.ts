import type {
  DataItemRow,
  DescribedControl,
  DescribedItem,
  ItemGroupRow,
  ModelControl,
  ModelItem,
} from '@chargehand/contract';
import { CONTROL_TYPES, type ControlType } from '@chargehand/domain';

/** Where an entry comes from: said here, inherited, said here in the place of an inherited one, or taken away here. */
export type State = 'own' | 'inherited' | 'overridden' | 'removed';

/** Which list of a model: readings and configuration items, or parameters. */
export type ItemField = 'configs' | 'parameters';

/** An item as a model has it, or has not although it inherits it. */
export interface ItemLine {
  id: number;
  item: DataItemRow;
  state: State;
  /** what holds in the end */
  rules: ModelItem;
  inherited: DescribedItem | null;
}

/** The items of a model in the order in which a device page shows them: what it says, and what it inherits. */
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
    (a, b) => rank(a) - rank(b) || a.rules.priority - b.rules.priority || (a.item.key < b.item.key ? -1 : 1),
  );
}

/** An inherited entry in the form in which a model says one itself: only what departs from the data item is said. */
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

/** What a model says after some of its lines were changed; an inherited one becomes its own. */
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

/** What a model says after lines were taken away: its own words go, what it inherits is marked as not wanted. */
export function withoutLines(own: readonly ModelItem[], lines: readonly ItemLine[]): ModelItem[] {
  const inherited = lines.filter((line) => line.inherited !== null);
  const ids = new Set(lines.map(({ id }) => id));
  return withRules(
    own.filter(({ dataItemId }) => !ids.has(dataItemId)),
    inherited,
    { removed: true },
  );
}

/** What a model says after it forgot its own words about lines: what it inherits holds again. */
export function asInherited(own: readonly ModelItem[], lines: readonly ItemLine[]): ModelItem[] {
  const ids = new Set(lines.map(({ id }) => id));
  return own.filter(({ dataItemId }) => !ids.has(dataItemId));
}

/** A control type as a model has it; `control` is null where it has none. */
export interface ControlLine {
  type: ControlType;
  state: State | 'absent';
  control: ModelControl | null;
  inherited: DescribedControl | null;
}

const TYPES = Object.keys(CONTROL_TYPES).map((type) => Number(type) as ControlType);

/** All control types, as a model has them or not. */
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

/** What a model says of its controls after one was set, taken away or left to what it inherits. */
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
