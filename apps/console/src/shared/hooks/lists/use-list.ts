import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type Answer, call, type EndpointName, type InputOf } from '../../api/client.ts';
import { queryOf } from '../../api/query.ts';
import { type Filters, type ListQuery, type ListSpec, type WholeQuery, wholeOf } from '../../lib/lists/list-query.ts';
import { type List, useListQuery } from './use-list-query.ts';

/** The rows of a list that are loaded. */
export interface Rows<Row> {
  data: { items: Row[]; total: number } | undefined;
  isPending: boolean;
  isSuccess: boolean;
  isError: boolean;
  /** the rows belong to the previous filters or page while the next ones are loading */
  isPlaceholderData: boolean;
  error: unknown;
  refetch(): Promise<unknown>;
  /** For lists without pages: loads further rows. Omitted for lists with pages. */
  more?: { has: boolean; busy: boolean; load(): Promise<unknown> };
}

/** A list from the server together with its state in the URL. */
export interface Listing<Row, F extends Filters, S extends string> extends List<F, S> {
  rows: Rows<Row>;
}

type RowsOf<A> = A extends { items: (infer Row)[] } ? Row : never;
/** The row type of a list call. */
export type RowOf<K extends EndpointName> = RowsOf<Answer<K>>;

interface Options<A, Row> {
  /** milliseconds between fetches, for a list without live updates */
  refetchInterval?: number;
  /** The rows of a response, when they are not in `items`. Must be stable: declare it outside the component. */
  rowsOf?(answer: A): Row[];
}

/**
 * A list with pages. Page, page size, order and filters are stored in the URL; rows stay visible until the next ones
 * arrive. `spec` must be stable: declare it outside the component.
 * @param input the input of the call; usually `(query) => ({ query })`
 */
export function useList<K extends EndpointName, const F extends Filters, S extends string, Row = RowOf<K>>(
  spec: ListSpec<F, S>,
  name: K,
  input: (query: ListQuery<F, S>) => InputOf<K>,
  options: Options<Answer<K>, Row> = {},
): Listing<Row, F, S> & { answer: Answer<K> | undefined } {
  const { refetchInterval, rowsOf } = options;
  const list = useListQuery(spec);
  const query = useQuery({
    ...queryOf(name, input(list.query), { quiet: true }),
    placeholderData: keepPreviousData as never,
    ...(refetchInterval !== undefined && { refetchInterval }),
  });
  const answer = query.data as Answer<K> | undefined;
  const data = useMemo(() => {
    if (!answer) return undefined;
    const { items, total } = answer as unknown as { items: Row[]; total: number };
    return { items: rowsOf ? rowsOf(answer) : items, total };
  }, [answer, rowsOf]);
  const { isPending, isSuccess, isError, isPlaceholderData, error, refetch } = query;
  return { ...list, answer, rows: { data, isPending, isSuccess, isError, isPlaceholderData, error, refetch } };
}

/** The number of rows fetched at once in a list without pages. */
const LIMIT = 50;
type Cursor = 'before' | 'after';

/**
 * A list without pages, newest first, that loads more at its end. Order and filters are stored in the URL.
 * @param cursor the name of the cursor input of the call
 * @param wanted the inputs of the call in addition to limit and cursor
 * @param options `refetchInterval`: milliseconds between fetches, for a list without live updates
 */
export function useLongList<K extends EndpointName, const F extends Filters, S extends string>(
  spec: ListSpec<F, S>,
  name: K,
  cursor: Cursor,
  wanted: (query: WholeQuery<F, S>) => Omit<NonNullable<QueryOf<K>>, 'limit' | Cursor>,
  options: { refetchInterval?: number } = {},
): Listing<RowOf<K>, F, S> {
  const list = useListQuery(spec);
  const query = wanted(wholeOf(list.query));
  const fetched = useInfiniteQuery({
    queryKey: [name, { query }],
    queryFn: async ({ pageParam, signal }) => {
      const from = pageParam !== null && { [cursor]: pageParam };
      const answer = await call(name, { query: { ...query, limit: LIMIT, ...from } } as never, { signal, quiet: true });
      return answer as unknown as { items: RowOf<K>[]; next: string | number | null };
    },
    initialPageParam: null as string | number | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    ...options,
  });
  const pages = fetched.data?.pages;
  const data = useMemo(() => {
    const items = pages?.flatMap((page) => page.items);
    return items && { items, total: items.length };
  }, [pages]);
  const { isPending, isSuccess, isError, isPlaceholderData, error, refetch } = fetched;
  const more = { has: fetched.hasNextPage, busy: fetched.isFetchingNextPage, load: () => fetched.fetchNextPage() };
  return { ...list, rows: { data, isPending, isSuccess, isError, isPlaceholderData, error, refetch, more } };
}

type QueryOf<K extends EndpointName> = InputOf<K> extends { query?: infer Q } ? Q : never;
