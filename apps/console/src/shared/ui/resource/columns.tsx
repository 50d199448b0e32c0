import type { Field, Fields, ValueOf } from '@chargehand/contract/resource';
import { useNames } from '../../i18n/use-names.ts';
import type { DataColumn } from '../list-page/data-table.tsx';
import { Dash } from '../values/time-ago.tsx';

type Listed<F extends Fields> = keyof { [K in keyof F as F[K] extends { list: string } ? K : never]: K };
type FieldColumn<F extends Fields> = DataColumn<Rows<F>, never>;
type Rows<F extends Fields> = { readonly [K in Listed<F>]: ValueOf<F[K]> };

/** The columns of the fields that a list shows, by their names. The caller puts them in order, and may replace any. */
export function useFieldColumns<const F extends Fields>(fields: F) {
  const { nameOf } = useNames();
  const columns = Object.entries(fields).flatMap(([name, field]) =>
    field.list ? [[name, columnOf(name, field, nameOf(field))]] : [],
  );
  return Object.fromEntries(columns) as { [K in Listed<F>]: FieldColumn<F> } & Record<string, FieldColumn<F>>;
}

function columnOf(name: string, { list }: Field, title: string): DataColumn<Readonly<Record<string, unknown>>, never> {
  return {
    ...{ name, title, ...(list === 'optional' && { optional: true }) },
    render: (_, row) => (row[name] as string | number | null) || <Dash />,
  };
}
