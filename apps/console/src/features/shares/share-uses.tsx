import { formatSize } from '@chargehand/domain';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { call } from '../../shared/api/client.ts';
import { ErrorState } from '../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../shared/ui/states/skeleton-rows.tsx';
import { ExactTime } from '../../shared/ui/values/time-ago.tsx';

/** The log of a share: who downloaded or uploaded what, from where, and whether it was completed. */
export function ShareUses({ id }: { id: number }) {
  const { t } = useTranslation('shares');
  const uses = useInfiniteQuery({
    queryKey: ['listShareUses', { params: { id } }],
    queryFn: ({ pageParam, signal }) =>
      call(
        'listShareUses',
        { params: { id }, query: pageParam === null ? {} : { before: pageParam } },
        { quiet: true, signal },
      ),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => page.next,
  });
  if (uses.isLoadingError) return <ErrorState error={uses.error} onRetry={() => void uses.refetch()} />;
  if (!uses.data) return <SkeletonRows rows={3} />;
  const items = uses.data.pages.flatMap((page) => page.items);
  return (
    <section aria-label={t('log')}>
      <h3>{t('log')}</h3>
      {items.length === 0 ? (
        <p className="quiet">{t('logEmpty')}</p>
      ) : (
        <table className="fact-table">
          <thead>
            <tr>
              <th>{t('atFrom')}</th>
              <th>{t('file')}</th>
              <th>{t('result')}</th>
            </tr>
          </thead>
          <tbody>
            {items.map((use) => (
              <tr key={use.id}>
                <td>
                  <ExactTime at={use.at} />
                  <br />
                  <span className="mono quiet">{use.address}</span>
                </td>
                <td>
                  <span className="two-lines" title={use.name}>
                    {use.name}
                  </span>
                  <span className="quiet">{t(`useKinds.${use.kind}`)}</span>
                </td>
                <td>
                  {t(`useStates.${use.state}`)}
                  <br />
                  <span className="quiet">
                    {use.state === 'complete'
                      ? formatSize(use.size)
                      : t('moved', { moved: formatSize(use.moved), size: formatSize(use.size) })}
                  </span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {uses.hasNextPage && (
        <Button type="link" loading={uses.isFetchingNextPage} onClick={() => void uses.fetchNextPage()}>
          {t('more')}
        </Button>
      )}
    </section>
  );
}
