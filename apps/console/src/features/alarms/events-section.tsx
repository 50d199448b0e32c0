import type { DeviceDetail } from '@chargehand/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../shared/api/query.ts';
import { useListQuery } from '../../shared/hooks/use-list-query.ts';
import { EVENT_LIST, EventList } from './event-list.tsx';

/** What happened to a device. */
export default function EventsSection({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation('alarms');
  const list = useListQuery(EVENT_LIST);
  const events = useQuery({
    ...queryOf('listDeviceEvents', { params: { id: device.id }, query: list.query }, { quiet: true }),
    placeholderData: keepPreviousData,
  });
  return <EventList label={t('events')} events={events} list={list} />;
}
