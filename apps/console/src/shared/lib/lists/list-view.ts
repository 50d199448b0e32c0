import type { ListView } from '@chargehand/contract';

/** A column that users may hide and move. One without a name (the actions of a row) always stays at the end. */
export interface NamedColumn {
  name?: string;
  /** always shown: identifies the row */
  always?: boolean;
  /** hidden by default */
  optional?: boolean;
}

/** A column with the text of its header. */
export type Arrangeable = NamedColumn & { title?: unknown };

export const DEFAULT_VIEW: ListView = { density: 'compact', columns: [] };

/** The columns in the user's order, each with its visibility. Columns without a setting keep their default position. */
export function arranged<C extends NamedColumn>(
  columns: readonly C[],
  view: ListView,
): { column: C; shown: boolean }[] {
  const place = new Map(view.columns.map(({ name }, index) => [name, index]));
  const shown = new Map(view.columns.map((one) => [one.name, one.shown]));
  const named = columns.filter(({ name }) => name !== undefined);
  const known = named
    .filter(({ name }) => place.has(name as string))
    .sort((a, b) => (place.get(a.name as string) ?? 0) - (place.get(b.name as string) ?? 0));
  // A column that the settings do not contain is placed after its default predecessor.
  const order = [...known];
  named.forEach((column, index) => {
    if (place.has(column.name as string)) return;
    const before = named[index - 1];
    order.splice(before === undefined ? 0 : order.indexOf(before) + 1, 0, column);
  });
  return [...order, ...columns.filter(({ name }) => name === undefined)].map((column) => ({
    column,
    shown: column.always === true || column.name === undefined || (shown.get(column.name) ?? !column.optional),
  }));
}

/** A list with one entry moved by some positions, limited by the ends. */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const target = Math.min(Math.max(to, 0), list.length - 1);
  const rest = list.filter((_, index) => index !== from);
  return [...rest.slice(0, target), ...list.slice(from, from + 1), ...rest.slice(target)];
}
