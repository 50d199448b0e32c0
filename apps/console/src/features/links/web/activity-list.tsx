import type { LinkActivity, LinkRow } from '@chargehand/contract';
import { formatSize } from '@chargehand/domain';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { EmptyState } from '../../../shared/ui/states/empty-state.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import type { Column } from '../../../shared/ui/table/column.ts';
import { Table } from '../../../shared/ui/table/table.tsx';
import { ExactTime } from '../../../shared/ui/values/time-ago.tsx';
import css from '../links.module.css';

/** What was recorded of a link: requests, connections and file transfers, loaded when the user asks for them. */
export function LinkActivityList({ link }: { link: LinkRow }) {
  const { t } = useTranslation('links');
  const [shown, setShown] = useState(false);
  if (link.openedAt === null) return null;
  if (shown) return <Activity linkId={link.id} />;
  return (
    <Button type="link" onClick={() => setShown(true)}>
      {t('web.activity')}
    </Button>
  );
}

function Activity({ linkId }: { linkId: number }) {
  const { t } = useTranslation('links');
  const { t: common } = useTranslation();
  const list = useInfiniteQuery({
    queryKey: ['listLinkActivity', { id: linkId }],
    queryFn: ({ pageParam, signal }) =>
      call(
        'listLinkActivity',
        { params: { id: linkId }, query: pageParam === null ? {} : { before: pageParam } },
        { quiet: true, signal },
      ),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
  });
  if (list.isLoadingError) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />;
  if (!list.data) return <SkeletonRows rows={3} />;
  const columns: Column<LinkActivity>[] = [
    { key: 'time', title: t('web.time'), render: (_, { startedAt }) => <ExactTime at={startedAt} /> },
    {
      key: 'text',
      title: t('web.text'),
      render: (_, { text }) => <span className={`mono ${css.recorded}`}>{text}</span>,
    },
    {
      key: 'result',
      title: t('web.result'),
      render: (_, { result, status }) =>
        result === 'done' && status !== null ? status : t(`web.results.${result ?? 'running'}`),
    },
    {
      key: 'bytes',
      title: t('traffic'),
      align: 'end',
      render: (_, { bytesIn, bytesOut }) => (
        <span className="no-break">
          {t('trafficOf', { sent: formatSize(bytesOut), received: formatSize(bytesIn) })}
        </span>
      ),
    },
  ];
  return (
    <section aria-label={t('web.activity')} className="stack">
      <Table<LinkActivity>
        label={t('web.activity')}
        rows={list.data.pages.flatMap(({ items }) => items)}
        rowKey="number"
        columns={columns}
        empty={<EmptyState text={t('web.none')} />}
      />
      <Button type="link" loading={list.isFetching} onClick={() => void list.refetch()}>
        {t('web.refresh')}
      </Button>
      {list.hasNextPage && (
        <Button type="link" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {common('older')}
        </Button>
      )}
    </section>
  );
}
