import type { DayField, Field, Fields, NumberField, TextField, ValueOf, ValuesOf } from '@chargehand/contract';
import { type Generated, type RawBuilder, sql } from 'kysely';

/** The name of the column of a field: `buildDate` is stored in `build_date`. */
export type ColumnOf<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${ColumnOf<Rest>}`
  : Name;

/** A column has no default if a value is required, or if it is null when nothing was entered. */
type StoredOf<F extends Field> = F extends { required: true } | DayField | NumberField
  ? ValueOf<F>
  : Generated<ValueOf<F>>;

/** The columns of the fields of a resource in its table. */
export type ColumnsOf<F extends Fields> = {
  -readonly [K in keyof F & string as ColumnOf<K>]: StoredOf<F[K]>;
};

/** Values by the names of their columns. */
export type ByColumn<Values> = { [K in keyof Values & string as ColumnOf<K>]: Values[K] };

/** The columns of the fields in a select, named as the fields: `s.code, s.build_date as "buildDate"`. */
export function selected(fields: Fields, table: string): RawBuilder<unknown> {
  return sql.join(Object.keys(fields).map((name) => sql`${sql.ref(`${table}.${columnOf(name)}`)} as ${sql.id(name)}`));
}

/** Values of fields for an insert or an update. */
export function byColumn<Values extends object>(values: Values): ByColumn<Values> {
  const entries = Object.entries(values).map(([name, value]) => [columnOf(name), value]);
  return Object.fromEntries(entries) as ByColumn<Values>;
}

/** The empty value of each field: what a row has when nothing was entered. */
export function emptyValues<const F extends Fields>(fields: F): ValuesOf<F> {
  const empty = ({ kind }: Field) => (isText(kind) ? '' : kind === 'flag' ? false : null);
  const values = Object.entries(fields).map(([name, field]) => [name, empty(field)]);
  return Object.fromEntries(values) as ValuesOf<F>;
}

/** The fields of a row, without what else it has. */
export function picked<const F extends Fields>(fields: F, row: ValuesOf<F>): ValuesOf<F> {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, row[name as keyof F]])) as ValuesOf<F>;
}

function isText(kind: Field['kind']): kind is TextField['kind'] {
  return kind === 'text' || kind === 'lines';
}

function columnOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
