import type { IssueEntry } from '@chargehand/contract';
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { call } from '../../../../shared/api/client.ts';

const PAGE = 50;

/** What the timeline shows, newest first. */
export interface ShownTimeline {
  entries: readonly IssueEntry[];
  /** entries of others that arrived since; they are shown on request, so that nothing moves while somebody reads */
  arrived: number;
  showArrived(): void;
}

/** The entries of an issue. */
export const entriesOf = (issueId: number) =>
  infiniteQueryOptions({
    queryKey: ['listIssueEntries', { params: { id: issueId } }],
    queryFn: ({ pageParam, signal }) =>
      call(
        'listIssueEntries',
        { params: { id: issueId }, query: { limit: PAGE, ...(pageParam !== null && { before: pageParam }) } },
        { signal, quiet: true },
      ),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
  });

/**
 * The entries of an issue, with earlier ones on request. New entries of others wait until the user asks for them; the
 * user's own appear at once.
 */
export function useTimeline(issueId: number) {
  const query = useInfiniteQuery(entriesOf(issueId));
  const all = useMemo(() => query.data?.pages.flatMap(({ items }) => items), [query.data]);
  const [seen, setSeen] = useState<number | null>(null);
  const newest = all?.[0]?.id ?? 0;
  const upTo = Math.max(seen ?? newest, ...(all ?? []).filter(({ own }) => own).map(({ id }) => id));
  if (all && seen !== upTo) setSeen(upTo);
  const shown: ShownTimeline | null = all
    ? {
        entries: all.filter(({ id }) => id <= upTo),
        arrived: all.filter(({ id }) => id > upTo).length,
        showArrived: () => setSeen(newest),
      }
    : null;
  return { query, shown };
}
