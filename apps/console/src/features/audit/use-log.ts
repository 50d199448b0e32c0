import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { EndpointName } from '../../shared/api/client.ts';

/** Where a stretch of a log begins, and how long it is. */
export interface Stretch {
  limit: number;
  /** only what is older than this id */
  before?: number;
}

const LIMIT = 50;

/**
 * A log that grows without end, newest first, a stretch at a time. `filters` is part of its name in the cache; what is on
 * screen stays while other filters are asked for.
 */
export function useLog<Row>(
  name: EndpointName,
  filters: object,
  ask: (stretch: Stretch, signal: AbortSignal) => Promise<{ items: Row[]; next: number | null }>,
) {
  return useInfiniteQuery({
    queryKey: [name, filters],
    queryFn: ({ pageParam, signal }) => ask({ limit: LIMIT, ...(pageParam !== null && { before: pageParam }) }, signal),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });
}
