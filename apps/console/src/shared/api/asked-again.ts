import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Options of a query that fills a form: it is asked again only on purpose, so that what somebody is editing stays as they
 * left it, on a bad network, too.
 */
export const EDITED = { refetchOnWindowFocus: false, refetchOnReconnect: false, meta: { edited: true } } as const;

/** Has the queries for which this is true asked again, but for what is being edited. */
export function askAgain(client: QueryClient, wanted: (queryKey: QueryKey) => boolean): Promise<void> {
  const predicate = ({ meta, queryKey }: Query) => meta?.edited !== true && wanted(queryKey);
  return client.invalidateQueries({ predicate });
}
