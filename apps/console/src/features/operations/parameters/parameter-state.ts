import type { DeviceDetail, ExecutionRow, ParameterRow } from '@chargehand/contract';
import { parseRange, type ShownValue, showText } from '@chargehand/domain';
import type { Obstacle } from '../commands/command-state.ts';

/** What is looked at beside the table of parameters; kept in the address, so that it can be passed on. */
export const ASIDES = ['history', 'compare', 'baselines', 'execution'] as const;
export type Aside = (typeof ASIDES)[number];

/** What stands in the way of something that is done with parameters of a device: `may` is what levels say of it. */
export function parameterObstacle(device: Pick<DeviceDetail, 'enabled' | 'connected'>, may: boolean): Obstacle | null {
  if (!may) return 'noPermission';
  if (!device.enabled) return 'disabled';
  return device.connected ? null : 'offline';
}

type Item = ParameterRow['item'];

/** The value of a parameter as a reader is to see it; null when there is none. */
export function shownParameter(item: Item, value: string | null): ShownValue | null {
  if (value === null) return null;
  return item ? showText(item, value) : { text: value, unit: '', problem: null };
}

/** What an item admits, null when the model does not name the parameter. */
export function rangeOf(item: Item) {
  return item ? parseRange(item.type, item.range).range : null;
}

/** A heading or a parameter below it, as the table lists them. */
export type ParameterLine =
  | { kind: 'group'; key: string; name: NonNullable<Item>['groupName'] | null }
  | { kind: 'parameter'; key: string; row: ParameterRow };

/** Parameters under the headings of their groups, what the model does not name at the end; no headings where it names nothing. */
export function linesOf(rows: readonly ParameterRow[]): ParameterLine[] {
  const lines: ParameterLine[] = [];
  const described = rows.some(({ item }) => item !== null);
  let group: number | null | undefined;
  for (const row of rows) {
    const id = row.item?.groupId ?? null;
    if (described && id !== group) lines.push({ kind: 'group', key: `group ${id}`, name: row.item?.groupName ?? null });
    group = id;
    lines.push({ kind: 'parameter', key: row.key, row });
  }
  return lines;
}

/** True once nothing more will be heard of an execution: it ended, and what it set was read back. */
export function isOver({ state, verification }: Pick<ExecutionRow, 'state' | 'verification'>): boolean {
  return state === 'ended' && verification?.state !== 'pending';
}
