import { MutationCache, QueryCache, QueryClient, queryOptions } from '@tanstack/react-query';
import { call, type EndpointName, type InputOf } from './client.ts';
import { ApiProblem, isCancelled } from './problem.ts';

/** The one cache of what the server said. Answers are fresh for a second; the live stream and the fallback poll say when to ask again. */
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

/** A read of the contract as a query: the same call with the same input is one entry of the cache. */
export function queryOf<K extends EndpointName>(name: K, input: InputOf<K>, options: { quiet?: boolean } = {}) {
  return queryOptions({
    queryKey: [name, input] as const,
    queryFn: ({ signal }) => call(name, input, { signal, ...options }),
  });
}

/** Has every query of an endpoint asked again, after something was changed. */
export function refresh(...names: EndpointName[]): Promise<void> {
  return queryClient.invalidateQueries({ predicate: (query) => names.includes(query.queryKey[0] as EndpointName) });
}

function logFailure(error: unknown): void {
  if (!isCancelled(error)) console.warn('A call failed', error);
}
