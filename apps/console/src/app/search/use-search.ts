import type { SearchGroup } from '@chargehand/contract';
import { SEARCH_LIMIT } from '@chargehand/contract/constants';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { isCancelled } from '../../shared/api/problem.ts';
import { queryOf } from '../../shared/api/query.ts';

/** A pause in typing after which the server is called. Milliseconds. */
const PAUSE_MS = 120;
/** How long an answer is reused, when the user deletes a letter again. Milliseconds. */
const FRESH_MS = 10_000;

export interface Found {
  /** the answer to the text, or to the previous one while `waits` */
  groups: readonly SearchGroup[];
  /** the answer to the text has not arrived yet */
  waits: boolean;
  /** why there will be none */
  failed: 'offline' | 'server' | null;
  retry(): void;
}

/**
 * The rows that match a text, from the server, after a pause in typing. A newer text cancels the request of an older
 * one.
 */
export function useSearch(text: string): Found {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    if (text === settled) return;
    const timer = setTimeout(() => setSettled(text), text === '' ? 0 : PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, settled]);
  const query = useQuery({
    ...queryOf('search', { query: { search: settled, limit: SEARCH_LIMIT } }, { quiet: true }),
    enabled: settled !== '',
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
    retry: false,
  });
  const offline = query.fetchStatus === 'paused';
  const broken = query.isError && !isCancelled(query.error);
  const failed = offline ? 'offline' : broken ? 'server' : null;
  return {
    groups: text === '' || failed ? [] : (query.data?.groups ?? []),
    waits: text !== '' && failed === null && (text !== settled || query.isPending || query.isPlaceholderData),
    failed: text === '' ? null : failed,
    retry: () => void query.refetch(),
  };
}
