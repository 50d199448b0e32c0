import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { queryClient } from '../../../shared/api/query.ts';
import { MOST_FRAMES } from './frames.ts';

/** Frames, newest first. */
export interface GrowingLog<Row> {
  frames: Row[];
  /** the cursor for older frames, null at the start of the log */
  next: number | null;
}

/**
 * A log whose query adds new frames to the known ones, and whose older frames are fetched on demand.
 * @param fetchOlder fetches frames before a cursor, and returns how they are added
 */
export function useGrowingLog<Log extends GrowingLog<unknown>, Key extends QueryKey>(
  log: UseQueryOptions<Log, Error, Log, Key>,
  fetchOlder: (before: number) => Promise<(now: Log) => Log>,
) {
  const query = useQuery(log);
  const [fetchingOlder, setFetchingOlder] = useState(false);

  async function older() {
    const known = queryClient.getQueryData<Log>(log.queryKey);
    if (fetchingOlder || !known || known.next === null || known.frames.length >= MOST_FRAMES) return;
    setFetchingOlder(true);
    try {
      const add = await fetchOlder(known.next);
      queryClient.setQueryData<Log>(log.queryKey, (now) => now && add(now));
    } finally {
      setFetchingOlder(false);
    }
  }

  return { query, older, fetchingOlder };
}
