import { MutationCache, QueryCache, QueryClient, queryOptions } from '@tanstack/react-query';
import { call, type EndpointName, type InputOf } from './client.ts';
import { ApiProblem, isCancelled } from './problem.ts';

/** The cache of server responses. Responses are fresh for a second; the live stream or polling triggers refetches. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: logFailure }),
  mutationCache: new MutationCache({ onError: logFailure }),
  defaultOptions: {
    queries: {
      staleTime: 1_000,
      refetchOnWindowFocus: true,
      retry: (failures, error) => failures < 1 && error instanceof ApiProblem && error.kind === 'network',
    },
    mutations: { retry: false },
  },
});

/** A read endpoint as a query. The same endpoint with the same input is one cache entry. */
export function queryOf<K extends EndpointName>(name: K, input: InputOf<K>, options: { quiet?: boolean } = {}) {
  return queryOptions({
    queryKey: [name, input] as const,
    queryFn: ({ signal }) => call(name, input, { signal, ...options }),
  });
}

/** Refetches all queries of the given endpoints after a change. */
export function refresh(...names: EndpointName[]): Promise<void> {
  return queryClient.invalidateQueries({ predicate: (query) => names.includes(query.queryKey[0] as EndpointName) });
}

function logFailure(error: unknown): void {
  if (!isCancelled(error)) console.warn('A call failed', error);
}
