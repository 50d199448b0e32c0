import type { ActionLogRow } from '@chargehand/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import type { Static } from 'typebox';
import { call } from '../../../shared/api/client.ts';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import css from '../logs.module.css';
import { DifferenceTable } from './difference-table.tsx';
import { ObjectLink } from './object-link.tsx';

/** Entries per request. */
const LIMIT = 50;

/** The entries that one entry stands for, each with its changes. */
export function GroupEntries({ action }: { action: Static<typeof ActionLogRow> }) {
  const { t } = useTranslation('audit');
  const entries = useInfiniteQuery({
    queryKey: ['listActionLogs', { group: action.id }],
    queryFn: ({ pageParam, signal }) => {
      const query = { group: action.id, limit: LIMIT, ...(pageParam > 0 && { before: pageParam }) };
      return call('listActionLogs', { query }, { signal, quiet: true });
    },
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next ?? undefined,
  });
  if (entries.isLoadingError) return <ErrorState error={entries.error} onRetry={() => void entries.refetch()} />;
  if (!entries.data) return <SkeletonRows rows={6} />;
  return (
    <>
      <ul className={`plain-list ${css.groupEntries}`}>
        {entries.data.pages.flatMap(({ items }) =>
          items.map((entry) => (
            <li key={entry.id}>
              <details>
                <summary>{entry.objectName}</summary>
                <ObjectLink type={entry.objectType} id={entry.objectId} name={t('log.open')} />
                <DifferenceTable before={entry.before} after={entry.after} />
              </details>
            </li>
          )),
        )}
      </ul>
      {entries.hasNextPage && (
        <Button loading={entries.isFetchingNextPage} onClick={() => void entries.fetchNextPage()}>
          {t('log.more')}
        </Button>
      )}
    </>
  );
}
