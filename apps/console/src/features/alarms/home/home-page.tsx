import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../../shared/api/query.ts';
import { Page } from '../../../shared/ui/page/page-header.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { AlarmFigures } from './alarm-figures.tsx';
import { FaultRanking } from './fault-ranking.tsx';
import { FaultTrend } from './fault-trend.tsx';
import { DeviceStates, SiteStates } from './fleet-states.tsx';
import css from './home.module.css';
import { NewFleet } from './new-fleet.tsx';
import { OpenAlarms } from './open-alarms.tsx';
import { RecentEvents } from './recent-events.tsx';
import { SiteEvents } from './site-events.tsx';
import { SitesInTrouble } from './sites-in-trouble.tsx';
import { WaitingDevices } from './waiting-devices.tsx';

/** Problems with their place, age and actions. Each figure links to its list. */
export default function HomePage() {
  const { t } = useTranslation('home');
  const devices = useQuery(queryOf('countDevices', { query: {} }, { quiet: true }));
  const sites = useQuery(queryOf('readSiteStates', {}, { quiet: true }));

  if (!devices.data) {
    return (
      <Page title={t('title')}>
        {devices.isError ? (
          <ErrorState error={devices.error} onRetry={() => void devices.refetch()} />
        ) : (
          <SkeletonRows rows={10} />
        )}
      </Page>
    );
  }
  if (devices.data.total === 0) {
    return (
      <Page title={t('title')}>
        <NewFleet />
      </Page>
    );
  }
  return (
    <Page title={t('title')}>
      <AlarmFigures />
      <div className="home">
        <div className={css.homeWide}>
          <OpenAlarms />
          <SitesInTrouble sites={sites} />
          <RecentEvents />
          <SiteEvents />
        </div>
        <div className={css.homeNarrow}>
          <WaitingDevices />
          <DeviceStates counts={devices.data} />
          <SiteStates sites={sites} />
          <FaultRanking />
          <FaultTrend />
        </div>
      </div>
    </Page>
  );
}
