import type { ListLook } from '@chargehand/contract';

/** A column that people may hide and move; one without a name (the row's actions) stays where it is, at the end. */
export interface NamedColumn {
  name?: string;
  /** always shown: what tells the rows apart */
  always?: boolean;
  /** shown only to who asks for it */
  optional?: boolean;
}

/** A column with what its heading says. */
export type Arrangeable = NamedColumn & { title?: unknown };

export const PLAIN_LOOK: ListLook = { density: 'compact', columns: [] };

/** The columns in the order somebody chose, each with whether it is shown. Columns the look does not know stand where they come. */
export function arranged<C extends NamedColumn>(
  columns: readonly C[],
  look: ListLook,
): { column: C; shown: boolean }[] {
  const place = new Map(look.columns.map(({ name }, index) => [name, index]));
  const shown = new Map(look.columns.map((one) => [one.name, one.shown]));
  const named = columns.filter(({ name }) => name !== undefined);
  const known = named
    .filter(({ name }) => place.has(name as string))
    .sort((a, b) => (place.get(a.name as string) ?? 0) - (place.get(b.name as string) ?? 0));
  // A column that is new to this look takes the place after the one it follows by nature.
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

/** A list with one of its entries moved by some places; it stops at the ends. */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const target = Math.min(Math.max(to, 0), list.length - 1);
  const rest = list.filter((_, index) => index !== from);
  return [...rest.slice(0, target), ...list.slice(from, from + 1), ...rest.slice(target)];
}
