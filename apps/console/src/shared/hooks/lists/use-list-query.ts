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

/** The state of a list in the URL, and functions to change it. */
export interface List<F extends Filters, S extends string> {
  /** the `query` of the call */
  query: ListQuery<F, S>;
  /** true when a filter is set */
  filtered: boolean;
  /** Changes filters, page, size or order; `undefined` removes a value. */
  change(change: Partial<{ [K in keyof ListQuery<F, S>]: ListQuery<F, S>[K] | undefined }>): void;
  /** Clears all filters. */
  clear(): void;
  /** A filter as the props of its field: `<CustomerPicker {...list.field('customerId')} />`. */
  field<K extends keyof F & string>(name: K): FilterField<FilterValue<F[K]>>;
}

/** The value of a filter, and the handler of its field. */
export interface FilterField<V> {
  value: V | undefined;
  onChange(value: V | undefined): void;
}

/**
 * Stores page, page size, order and filters of a list in the URL, so that links can be shared and "back" restores the
 * list. `spec` must be stable: declare it outside the component.
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
