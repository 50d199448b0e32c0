import { hashKey, MutationCache, QueryCache, QueryClient, queryOptions } from '@tanstack/react-query';
import { call, type EndpointName, type InputOf } from './client.ts';
import { ApiProblem, isCancelled } from './problem.ts';

/** Responses are fresh for this time. Milliseconds. */
const FRESH_MS = 1_000;
/** The queries that were requested before their page was loaded, and are not displayed yet. */
const ahead = new Set<string>();
/** False once the live stream is open: from then on the code of pages is usually there. */
let fetchingAhead = true;

/**
 * The cache of server responses. The live stream or polling triggers refetches. A response that waits for its page stays
 * fresh: events change it or mark it as stale, also while it is not displayed.
 */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: logFailure }),
  mutationCache: new MutationCache({ onError: logFailure }),
  defaultOptions: {
    queries: {
      staleTime: ({ queryHash }) => (ahead.has(queryHash) ? Number.POSITIVE_INFINITY : FRESH_MS),
      refetchOnWindowFocus: true,
      retry: (failures, error) => failures < 1 && error instanceof ApiProblem && error.kind === 'network',
    },
    // By default, a change without a network waits and is sent when the network returns, perhaps hours later.
    mutations: { retry: false, networkMode: 'always' },
  },
});

queryClient.getQueryCache().subscribe(({ type, query }) => {
  // After all parts of the page that are displayed together have decided whether to fetch it.
  if (type === 'observerAdded' && ahead.has(query.queryHash)) setTimeout(() => ahead.delete(query.queryHash));
});

/** A read endpoint as a query. The same endpoint with the same input is one cache entry. */
export function queryOf<K extends EndpointName>(name: K, input: InputOf<K>, options: { quiet?: boolean } = {}) {
  return queryOptions({
    queryKey: [name, input] as const,
    queryFn: ({ signal }) => call(name, input, { signal, ...options }),
  });
}

/** Requests what the first page reads, while its code is loading. Does nothing once the live stream is open. */
export function fetchAhead<K extends EndpointName>(name: K, input: InputOf<K>): void {
  if (!fetchingAhead) return;
  const query = queryOf(name, input, { quiet: true });
  ahead.add(hashKey(query.queryKey));
  void queryClient.prefetchQuery(query);
}

/** Ends the time of `fetchAhead`. */
export function stopFetchingAhead(): void {
  fetchingAhead = false;
}

/** Refetches all queries of the given endpoints after a change. */
export function refresh(...names: EndpointName[]): Promise<void> {
  return queryClient.invalidateQueries({ predicate: (query) => names.includes(query.queryKey[0] as EndpointName) });
}

function logFailure(error: unknown): void {
  if (!isCancelled(error)) console.warn('A call failed', error);
}
