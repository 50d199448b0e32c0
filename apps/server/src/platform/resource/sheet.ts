import type { Field, Fields, Locale } from '@chargehand/contract';
import { type ExportColumn, yesNo } from '../xlsx/list-export.ts';

/** The fields that are exported, as columns by their names. The caller puts them in order, and may replace any. */
export function sheetColumns<const F extends Fields>(fields: F): Exported<F> {
  const columns = Object.entries(fields).flatMap(([name, field]) =>
    field.width === undefined ? [] : [[name, columnOf(name, field, field.width)]],
  );
  return Object.fromEntries(columns);
}

type Exported<F extends Fields> = Columns<keyof { [K in keyof F as F[K] extends { width: number } ? K : never]: K }>;
type Columns<Names extends PropertyKey> = { [K in Names]: Column<Names> } & Record<string, Column<Names>>;
type Column<Names extends PropertyKey> = ExportColumn<{ readonly [K in Names]: unknown }>;

function columnOf(name: string, { en, zh }: Field, width: number): ExportColumn<Record<string, unknown>> {
  return { en, zh, width, cell: (row, locale) => cellOf(row[name], locale) };
}

function cellOf(value: unknown, locale: Locale): string | number | null {
  return typeof value === 'boolean' ? yesNo(value, locale) : (value as string | number | null);
}
