import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { EndpointName } from '../../shared/api/client.ts';

/** Where a stretch begins, and how long it is. */
export interface Stretch {
  limit: 50;
  after?: string;
}

/**
 * A list that grows without end, a stretch at a time; the live stream has it asked again when something changes.
 * `query` is what narrows it, and its name in the cache.
 */
export function useStretches<Row>(
  name: EndpointName,
  query: object,
  ask: (stretch: Stretch, signal: AbortSignal) => Promise<{ items: Row[]; next: string | null }>,
) {
  return useInfiniteQuery({
    queryKey: [name, { query }],
    queryFn: ({ pageParam, signal }) => ask({ limit: 50, ...(pageParam !== null && { after: pageParam }) }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });
}
