import { useQuery } from '@tanstack/react-query';
import type { EndpointName, InputOf } from '../api/client.ts';
import { EDITED } from '../api/edited.ts';
import { queryOf } from '../api/query.ts';

/**
 * The row for a form, fetched from the server: a cached one may be old, and saving the form would restore old values.
 * Without a connection the cached one is used.
 */
export function useEditedRow<K extends EndpointName>(name: K, input: InputOf<K>) {
  const { data, error, isFetchedAfterMount, fetchStatus, refetch } = useQuery({
    ...queryOf(name, input, { quiet: true }),
    ...EDITED,
    staleTime: 0,
  });
  const checked = isFetchedAfterMount || fetchStatus === 'paused';
  return { data: checked ? data : undefined, error: checked ? error : null, refetch };
}
