import type { DeviceDetail, ExecutionRow, ParameterRow } from '@chargehand/contract';
import { type Bilingual, parseRange, type ShownValue, showText } from '@chargehand/domain';
import type { Obstacle } from '../commands/command-state.ts';

/** The panels next to the parameter table; stored in the URL, so that links can be shared. */
export const PANELS = ['history', 'compare', 'baselines', 'execution'] as const;
export type OpenPanel = (typeof PANELS)[number];

/** Why an action on parameters of a device is not possible. `may` is the permission by level. */
export function parameterObstacle(device: Pick<DeviceDetail, 'enabled' | 'connected'>, may: boolean): Obstacle | null {
  if (!may) return 'noPermission';
  if (!device.enabled) return 'disabled';
  return device.connected ? null : 'offline';
}

type Item = ParameterRow['item'];

/** The displayed value of a parameter; null when there is none. */
export function shownParameter(item: Item, value: string | null, language: keyof Bilingual): ShownValue | null {
  if (value === null) return null;
  return item ? showText(item, value, language) : { text: value, unit: '', problem: null };
}

/** The range of an item, null when the parameter is not in the model. */
export function rangeOf(item: Item) {
  return item ? parseRange(item.type, item.range).range : null;
}

/** A heading, or a parameter below it, in the order of the table. */
export type ParameterLine =
  | { kind: 'group'; key: string; name: NonNullable<Item>['groupName'] | null }
  | { kind: 'parameter'; key: string; row: ParameterRow };

/**
 * Parameters with the headings of their groups, followed by those that are not in the model; no headings when the model
 * has no parameters.
 */
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

/** True when an execution will not change any more: it ended, and the value that it set was read back. */
export function isOver({ state, verification }: Pick<ExecutionRow, 'state' | 'verification'>): boolean {
  return state === 'ended' && verification?.state !== 'pending';
}

/** When the latest of some parameters was read; null if the device has reported none. */
export function newestRead(rows: readonly Pick<ParameterRow, 'readAt'>[]): string | null {
  return rows.reduce<string | null>(
    (newest, { readAt }) => (readAt !== null && (newest === null || readAt > newest) ? readAt : newest),
    null,
  );
}
