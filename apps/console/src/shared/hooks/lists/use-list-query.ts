import { useCallback, useMemo } from 'react';
import {
  type Filters,
  type FilterValue,
  isFiltered,
  type ListQuery,
  type ListSpec,
  readListQuery,
  writeListQuery,
} from '../../lib/lists/list-query.ts';
import { useAddress } from './use-address.ts';

/** A list's place in the address bar, and how it is changed. */
export interface List<F extends Filters, S extends string> {
  /** ready to be a call's `query` */
  query: ListQuery<F, S>;
  /** true when a filter narrows the list */
  filtered: boolean;
  /** Changes filters, page, size or order; `undefined` takes one away. */
  change(change: Partial<{ [K in keyof ListQuery<F, S>]: ListQuery<F, S>[K] | undefined }>): void;
  /** Takes every filter away. */
  clear(): void;
  /** A filter as the props of its field: `<CustomerPicker {...list.field('customerId')} />`. */
  field<K extends keyof F & string>(name: K): FilterField<FilterValue<F[K]>>;
}

/** The value of a filter, and how a field changes it. */
export interface FilterField<V> {
  value: V | undefined;
  onChange(value: V | undefined): void;
}

/**
 * Keeps page, page size, order and filters of a list in the address, so that a list can be sent to a colleague and is
 * still there after "back". `spec` must keep its identity: declare it outside the component.
 */
export function useListQuery<F extends Filters, S extends string>(spec: ListSpec<F, S>): List<F, S> {
  const [search, setSearch] = useAddress();
  const query = useMemo(() => readListQuery(search, spec), [search, spec]);
  const change = useCallback(
    (patch: Record<string, unknown>) => setSearch((before) => writeListQuery(before, patch)),
    [setSearch],
  );
  const clear = useCallback(
    () => change(Object.fromEntries(Object.keys(spec.filters).map((name) => [name, undefined]))),
    [change, spec],
  );
  return {
    query,
    filtered: isFiltered(query),
    change,
    clear,
    field: (name) => ({ value: query[name] as never, onChange: (value) => change({ [name]: value }) }),
  };
}
