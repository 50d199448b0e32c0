import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../../shared/api/query.ts';
import { Page } from '../../../shared/ui/page/page-header.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { EVENTS_SHOWN, WORST_FIRST } from '../alarm/home-data.ts';
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
  const summary = useQuery(queryOf('summarizeAlarms', { query: {} }, { quiet: true }));
  const alarms = useQuery(queryOf('listAlarms', { query: WORST_FIRST }, { quiet: true }));
  const events = useQuery(queryOf('listDeviceEvents', { query: { limit: EVENTS_SHOWN } }, { quiet: true }));
  // A panel that appears or grows moves the panels below it: the panels of the first screen appear together.
  const loading = [sites, summary, alarms, events].some(({ isPending }) => isPending);

  if (!devices.data || (loading && devices.data.total > 0)) {
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
      <AlarmFigures summary={summary.data} />
      <div className="home">
        <div className={css.homeWide}>
          <OpenAlarms alarms={alarms} />
          <SitesInTrouble sites={sites} />
          <RecentEvents events={events} />
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
