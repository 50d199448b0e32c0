import { POLL_MS } from '@chargehand/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../shared/api/query.ts';
import { useListQuery } from '../../shared/hooks/use-list-query.ts';
import { EVENT_LIST, EventList } from './event-list.tsx';

/** What happened at a site: the events of its devices. */
export default function SiteEvents({ siteId }: { siteId: number }) {
  const { t } = useTranslation('alarms');
  const list = useListQuery(EVENT_LIST);
  const events = useQuery({
    ...queryOf('listSiteEvents', { params: { id: siteId }, query: list.query }, { quiet: true }),
    placeholderData: keepPreviousData,
    refetchInterval: POLL_MS,
  });
  return <EventList label={t('siteEvents')} events={events} list={list} ofDevices />;
}
