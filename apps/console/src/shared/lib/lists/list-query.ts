import { DEFAULT_PAGE_SIZE, PAGE_SIZES } from '@chargehand/contract/constants';

/**
 * How a filter is read from the address: any text, a number, a moment (ISO 8601), `true` or `false`, or one of the listed
 * values. The contract's list calls take the result as it is.
 */
export type FilterKind = 'text' | 'number' | 'time' | 'flag' | readonly (string | number)[];
export type Filters = Record<string, FilterKind>;
/** The value of a filter, by its kind. */
export type FilterValue<K extends FilterKind> = K extends 'number'
  ? number
  : K extends 'flag'
    ? boolean
    : K extends readonly (infer V)[]
      ? V
      : string;
export type PageSize = (typeof PAGE_SIZES)[number];

export interface ListSpec<F extends Filters, S extends string> {
  filters: F;
  /** the fields one can sort by */
  sorts: readonly S[];
  /** the order while the address has none, where the list is not to come in the server's */
  defaultSort?: S | `-${S}`;
}

export type FilterValues<F extends Filters> = { [K in keyof F]?: FilterValue<F[K]> };

/** A list's place: page, size, order and filters, as the contract's list calls take them. */
export type ListQuery<F extends Filters, S extends string> = {
  page: number;
  pageSize: PageSize;
  sort?: S | `-${S}`;
} & FilterValues<F>;

/** What a list is filtered and sorted by, without its page. */
export type WholeQuery<F extends Filters, S extends string> = Omit<ListQuery<F, S>, 'page' | 'pageSize'>;

/** A list's filters and order without its page, as an export takes them. */
export function wholeOf<F extends Filters, S extends string>(query: ListQuery<F, S>): WholeQuery<F, S> {
  const { page: _page, pageSize: _size, ...whole } = query;
  return whole;
}

const PAGING = ['page', 'pageSize', 'sort'];

/** The list's place in an address. What does not fit the list is left out, as if it were not there. */
export function readListQuery<F extends Filters, S extends string>(
  search: URLSearchParams,
  spec: ListSpec<F, S>,
): ListQuery<F, S> {
  const page = Number(search.get('page'));
  const wantedSize = Number(search.get('pageSize'));
  const sort = search.get('sort');
  const query: Record<string, unknown> = {
    page: Number.isInteger(page) && page > 0 ? page : 1,
    pageSize: PAGE_SIZES.find((size) => size === wantedSize) ?? DEFAULT_PAGE_SIZE,
  };
  if (sort && spec.sorts.includes(sort.replace(/^-/, '') as S)) query.sort = sort;
  else if (spec.defaultSort) query.sort = spec.defaultSort;
  for (const [name, kind] of Object.entries(spec.filters)) {
    const text = search.get(name);
    const value = text ? readFilter(text, kind) : undefined;
    if (value !== undefined) query[name] = value;
  }
  return query as ListQuery<F, S>;
}

function readFilter(text: string, kind: FilterKind): string | number | boolean | undefined {
  if (kind === 'text') return text;
  if (kind === 'number') return Number.isFinite(Number(text)) ? Number(text) : undefined;
  if (kind === 'time') return Number.isNaN(Date.parse(text)) ? undefined : text;
  if (kind === 'flag') return text === 'true' ? true : text === 'false' ? false : undefined;
  return kind.find((value) => String(value) === text);
}

/**
 * The address after a change: defaults and empty values are not written, what is not the list's own stays, and a
 * changed filter, size or order begins at the first page again.
 */
export function writeListQuery(search: URLSearchParams, change: Record<string, unknown>): URLSearchParams {
  const next = new URLSearchParams(search);
  if (Object.keys(change).some((name) => name !== 'page')) next.delete('page');
  for (const [name, value] of Object.entries(change)) {
    const isDefault = (name === 'page' && value === 1) || (name === 'pageSize' && value === DEFAULT_PAGE_SIZE);
    if (isDefault || value === undefined || value === null || value === '') next.delete(name);
    else next.set(name, String(value));
  }
  return next;
}

/**
 * The order of a list once the heading of one of its fields was pressed: rising, then falling, then none.
 * @param sort the order until then, as the address has it
 */
export function turnedSort(sort: string | null, field: string): string | undefined {
  if (sort === field) return `-${field}`;
  return sort === `-${field}` ? undefined : field;
}

/** True when a list is narrowed by anything but its paging and order. */
export function isFiltered(query: Record<string, unknown>): boolean {
  return Object.entries(query).some(([name, value]) => !PAGING.includes(name) && value !== undefined);
}
