import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../../shared/api/query.ts';
import { Panel } from '../../../shared/ui/page/page-header.tsx';
import { EmptyState } from '../../../shared/ui/states/empty-state.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { SiteLink } from '../../../shared/ui/values/place-link.tsx';
import { TimeAgo } from '../../../shared/ui/values/time-ago.tsx';
import css from './home.module.css';

/** The latest changes of the sites in scope. */
export function SiteEvents() {
  const { t } = useTranslation('home');
  const events = useQuery(queryOf('listSiteEvents', { query: { limit: 5 } }, { quiet: true }));
  return (
    <Panel title={t('siteEvents.title')}>
      {events.data ? (
        events.data.items.length === 0 ? (
          <EmptyState text={t('siteEvents.none')} />
        ) : (
          <ul className={`${css.homeEvents} ${css.homeSiteEvents}`}>
            {events.data.items.map(({ id, at, operation, siteId, siteName }) => (
              <li key={id}>
                <span>
                  {operation === 'delete' ? siteName : <SiteLink id={siteId} name={siteName} />}{' '}
                  <span className="quiet">{t(`siteEvents.${operation}`)}</span>
                </span>
                <span className={`${css.homeEventAt} quiet`}>
                  <TimeAgo at={at} />
                </span>
              </li>
            ))}
          </ul>
        )
      ) : events.isError ? (
        <ErrorState error={events.error} onRetry={() => void events.refetch()} />
      ) : (
        <SkeletonRows rows={3} />
      )}
    </Panel>
  );
}
