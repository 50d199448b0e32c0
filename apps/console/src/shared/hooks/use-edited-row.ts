import { useQuery } from '@tanstack/react-query';
import type { EndpointName, InputOf } from '../api/client.ts';
import { EDITED } from '../api/edited.ts';
import { queryOf } from '../api/query.ts';

/**
 * The row that a form begins with, as the server has it now: what the cache still knows from another screen may be old,
 * and saving the form would put it back. Without a connection the cache is what there is.
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
