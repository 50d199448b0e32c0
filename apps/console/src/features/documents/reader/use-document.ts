import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { InputOf } from '../../../shared/api/client.ts';
import { ApiProblem } from '../../../shared/api/problem.ts';
import { queryOf } from '../../../shared/api/query.ts';

/** How long a document stays fresh without an event: the server counts every request as read. Milliseconds. */
const FRESH_MS = 5 * 60_000;

/**
 * A document. While another language is loading, the current one stays visible. `missing`: it does not exist, or the
 * user may not read it.
 */
export function useDocument(query: InputOf<'readDocument'>['query']) {
  const { data, error, refetch } = useQuery({
    ...queryOf('readDocument', { query }, { quiet: true }),
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
    refetchOnWindowFocus: false,
  });
  const missing = error instanceof ApiProblem && error.kind === 'business';
  return { document: missing ? undefined : data, missing, error, refetch };
}
