import type { LinkRow } from '@chargehand/contract';
import type { LinkKind } from '@chargehand/domain';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from '../../../shared/api/client.ts';

/** Whose links a list shows; empty: those of all devices. */
export interface LinkPlace {
  deviceId?: number;
  siteId?: number;
  issueId?: number;
}

export interface LinkFilters {
  deviceId?: number;
  kind?: LinkKind;
  user?: string;
  from?: string;
  to?: string;
  recorded?: boolean;
}

/** The links of a place: those that have ended, or the others. Newest first. */
export function useLinks(place: LinkPlace, ended: boolean, filters: LinkFilters = {}) {
  const query = ended ? { ...place, ...filters, ended } : place;
  const links = useInfiniteQuery({
    queryKey: ['listLinks', { query }],
    queryFn: ({ pageParam, signal }) =>
      call(
        'listLinks',
        { query: pageParam === null ? query : { ...query, before: pageParam } },
        { quiet: true, signal },
      ),
    placeholderData: keepPreviousData,
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
  });
  const pages = links.data?.pages;
  const items: LinkRow[] | undefined = useMemo(() => pages?.flatMap((page) => page.items), [pages]);
  return { ...links, items };
}
