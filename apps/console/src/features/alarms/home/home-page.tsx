import { SLOW_POLL_MS } from '@chargehand/contract/constants';
import { useQuery } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../../shared/api/query.ts';
import { usePermitted } from '../../../shared/session/permitted.tsx';
import { FigureSkeleton } from '../../../shared/ui/figures/figure-card.tsx';
import { Page, Panel } from '../../../shared/ui/page/page-header.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { latePart } from '../../../shared/ui/states/late-part.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { EVENTS_SHOWN, INCIDENTS_SHOWN } from '../alarm/home-data.ts';
import { Incidents } from './cockpit/incidents.tsx';
import { KeyFigureRow } from './cockpit/key-figures.tsx';
import { Platform } from './cockpit/platform.tsx';
import { SitesInTrouble } from './cockpit/sites-in-trouble.tsx';
import css from './home.module.css';
import { NewFleet } from './new-fleet.tsx';
import { RecentEvents } from './recent-events.tsx';
import { SiteEvents } from './site-events.tsx';
import type { StatisticsProps } from './statistics/fault-statistics.tsx';

/** Below the first screen, at the end of its column: loaded last. */
const FaultStatistics = latePart<StatisticsProps>(() => import('./statistics/fault-statistics.tsx'), 12);

/** The parts of Home from other features, which the application provides. */
export interface HomeParts {
  myIssues: ComponentType;
  map: ComponentType<{ query: object }>;
}

/** What needs the user now, and how the fleet is doing; below, events and statistics of faults. */
export function HomePage({ parts }: { parts: HomeParts }) {
  const { t } = useTranslation('home');
  const seesIssues = usePermitted(['auth_issue_list']);
  const seesMap = usePermitted(['auth_site_list']);
  const devices = useQuery(queryOf('countDevices', { query: {} }, { quiet: true }));
  const sites = useQuery(queryOf('readSiteStates', {}, { quiet: true }));
  const summary = useQuery(queryOf('summarizeAlarms', { query: {} }, { quiet: true }));
  const figures = useQuery({
    ...queryOf('readKeyFigures', { query: {} }, { quiet: true }),
    refetchInterval: SLOW_POLL_MS,
  });
  const incidents = useQuery(queryOf('listIncidents', { query: { limit: INCIDENTS_SHOWN } }, { quiet: true }));
  const events = useQuery(queryOf('listDeviceEvents', { query: { limit: EVENTS_SHOWN } }, { quiet: true }));
  // A panel that appears or grows moves the panels below it: the panels of the first screen appear together.
  const loading = [sites, summary, figures, incidents, events].some(({ isPending }) => isPending);

  if (!devices.data || (loading && devices.data.total > 0)) {
    return (
      <Page title={t('title')}>
        {devices.isError ? (
          <ErrorState error={devices.error} onRetry={() => void devices.refetch()} />
        ) : (
          <>
            <FigureSkeleton />
            <SkeletonRows rows={10} />
          </>
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
      <KeyFigureRow figures={figures} />
      <div className="home">
        <div className={css.homeWide}>
          <Incidents incidents={incidents} />
          <SitesInTrouble sites={sites}>{seesMap && <parts.map query={{}} />}</SitesInTrouble>
          <RecentEvents events={events} />
          <SiteEvents />
        </div>
        <div className={css.homeNarrow}>
          {seesIssues && (
            <Panel title={t('myIssues')}>
              <parts.myIssues />
            </Panel>
          )}
          <Platform />
          <FaultStatistics counts={devices.data} summary={summary.data} />
        </div>
      </div>
    </Page>
  );
}
