import { DEFAULT_PAGE_SIZE, PAGE_SIZES } from '@chargehand/contract/constants';
import { instantOf } from '../time/wall-time.ts';

/**
 * How a filter is parsed from the URL: any text, a number, a time (ISO 8601), `true` or `false`, or one of the listed
 * values. The result is the input of the contract's list calls.
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
  /** the sort fields */
  sorts: readonly S[];
  /** the order when the URL has none; omitted for the server's default */
  defaultSort?: S | `-${S}`;
}

export type FilterValues<F extends Filters> = { [K in keyof F]?: FilterValue<F[K]> };

/** The state of a list: page, size, order and filters, as in the contract's list calls. */
export type ListQuery<F extends Filters, S extends string> = {
  page: number;
  pageSize: PageSize;
  sort?: S | `-${S}`;
} & FilterValues<F>;

/** The filters and order of a list, without its page. */
export type WholeQuery<F extends Filters, S extends string> = Omit<ListQuery<F, S>, 'page' | 'pageSize'>;

/** The filters and order of a list without its page, for an export. */
export function wholeOf<F extends Filters, S extends string>(query: ListQuery<F, S>): WholeQuery<F, S> {
  const { page: _page, pageSize: _size, ...whole } = query;
  return whole;
}

/** The filters of a list alone. */
export function filtersIn<Q extends object>(query: Q): Omit<Q, 'page' | 'pageSize' | 'sort'> {
  const {
    page: _page,
    pageSize: _size,
    sort: _sort,
    ...filters
  } = query as Q & Record<'page' | 'pageSize' | 'sort', unknown>;
  return filters;
}

const PAGING = ['page', 'pageSize', 'sort'];

/** Parses the state of a list from a URL. Invalid values are ignored. */
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
  if (kind === 'time') return readTime(text);
  if (kind === 'flag') return text === 'true' ? true : text === 'false' ? false : undefined;
  return kind.find((value) => String(value) === text);
}

/**
 * A time in a URL, as ISO 8601. Older bookmarks contain a time without a zone, which is in the installation's time
 * zone. In URLs from other programs, the `+` of an offset may have become a space.
 */
function readTime(text: string): string | undefined {
  const written = text.replace(/ (?=\d\d:\d\d$)/, '+');
  const at = /(Z|[+-]\d\d:\d\d)$/i.test(written) ? Date.parse(written) : instantOf(written);
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}

/**
 * The URL after a change: default and empty values are omitted, parameters of others are kept, and a new filter, size
 * or order resets the page to the first.
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
 * The order of a list after a click on the header of a field: ascending, then descending, then none.
 * @param sort the previous order, as in the URL
 */
export function nextSort(sort: string | null, field: string): string | undefined {
  if (sort === field) return `-${field}`;
  return sort === `-${field}` ? undefined : field;
}

/** True when a filter is set, regardless of paging and order. */
export function isFiltered(query: Record<string, unknown>): boolean {
  return Object.entries(query).some(([name, value]) => !PAGING.includes(name) && value !== undefined);
}
