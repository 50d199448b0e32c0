import type { UseQueryResult } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Answer } from '../../../shared/api/client.ts';
import { Panel } from '../../../shared/ui/page/page-header.tsx';
import { EmptyState } from '../../../shared/ui/states/empty-state.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { DeviceLink, SiteLink } from '../../../shared/ui/values/place-link.tsx';
import { TimeAgo } from '../../../shared/ui/values/time-ago.tsx';
import alarmsCss from '../alarms.module.css';
import { EventLasted, EventName, EventTag } from '../events/event-marks.tsx';
import css from './home.module.css';

/** The latest events in scope. */
export function RecentEvents({ events }: { events: UseQueryResult<Answer<'listDeviceEvents'>> }) {
  const { t } = useTranslation('home');
  return (
    <Panel title={t('recentEvents')}>
      {events.data ? (
        events.data.items.length === 0 ? (
          <EmptyState text={t('noEvents')} />
        ) : (
          <ul className={css.homeEvents}>
            {events.data.items.map((event) => (
              <li key={event.id}>
                <EventTag type={event.type} />
                <span className={`${css.homeEventWhat} ${alarmsCss.twoLines}`}>
                  <EventName event={event} />
                  <span className="quiet">
                    <DeviceLink id={event.deviceId} name={event.deviceName} />
                    {' · '}
                    <SiteLink id={event.siteId} name={event.siteName} />
                  </span>
                </span>
                <span className={`${css.homeEventLasted} quiet`}>
                  <EventLasted event={event} />
                </span>
                <span className={`${css.homeEventAt} quiet`}>
                  <TimeAgo at={event.at} />
                </span>
              </li>
            ))}
          </ul>
        )
      ) : events.isError ? (
        <ErrorState error={events.error} onRetry={() => void events.refetch()} />
      ) : (
        <SkeletonRows rows={5} />
      )}
    </Panel>
  );
}
