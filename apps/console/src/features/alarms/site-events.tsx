import { POLL_MS, type SiteEventRow } from '@chargehand/contract';
import { DEVICE_EVENT_TYPES, type DeviceEventType } from '@chargehand/domain';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Segmented } from 'antd';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../shared/api/query.ts';
import { useListQuery } from '../../shared/hooks/use-list-query.ts';
import type { ListSpec } from '../../shared/lib/list-query.ts';
import { type DataColumn, DataTable } from '../../shared/ui/data-table.tsx';
import { ExactTime } from '../../shared/ui/time-ago.tsx';
import { ConnectorName } from './alarms-section.tsx';
import { DeviceLink } from './device-link.tsx';
import { EventLasted, EventTag } from './events-section.tsx';
import './alarms.css';

const filters = { type: 'number' } as const;
const SPEC: ListSpec<typeof filters, 'at'> = { filters, sorts: ['at'] };

/** What happened at a site: the events of its devices, newest first. */
export default function SiteEvents({ siteId }: { siteId: number }) {
  const { t } = useTranslation('alarms');
  const { t: common } = useTranslation();
  const list = useListQuery(SPEC);
  const events = useQuery({
    ...queryOf('listSiteEvents', { params: { id: siteId }, query: list.query }, { quiet: true }),
    placeholderData: keepPreviousData,
    refetchInterval: POLL_MS,
  });
  const columns: DataColumn<SiteEventRow, 'at'>[] = [
    { title: t('at'), sortBy: 'at', width: 160, render: (_, event) => <ExactTime at={event.at} /> },
    { title: t('eventType'), width: 140, render: (_, event) => <EventTag type={event.type} /> },
    { title: t('device'), render: (_, event) => <DeviceLink id={event.deviceId} name={event.deviceName} /> },
    { title: t('connector'), render: (_, event) => <ConnectorName connector={event.connector} /> },
    {
      title: t('event'),
      render: (_, event) => (
        <>
          <strong className="alarm-code mono">{event.code}</strong>
          {event.detail && <span className="quiet">{` · ${event.detail}`}</span>}
        </>
      ),
    },
    { title: t('endedAt'), render: (_, event) => <ExactTime at={event.endedAt} /> },
    { title: t('lasted'), render: (_, event) => <EventLasted event={event} /> },
  ];
  return (
    <div className="stack">
      <Segmented<number | 'all'>
        className="fit"
        value={list.query.type ?? 'all'}
        onChange={(type) => list.change({ type: type === 'all' ? undefined : type })}
        aria-label={t('eventType')}
        options={[
          { value: 'all' as const, label: common('all') },
          ...Object.entries(DEVICE_EVENT_TYPES).map(([name, value]) => ({
            value,
            label: t(`eventTypes.${name as DeviceEventType}`),
          })),
        ]}
      />
      <DataTable<SiteEventRow, typeof filters, 'at'>
        label={t('siteEvents')}
        query={events}
        list={list}
        columns={columns}
        rowKey="id"
        empty={{ text: t('noEvents') }}
        compact={(event) => (
          <div className="alarm-card">
            <span className="alarm-card-line">
              <EventTag type={event.type} />
              <span className="mono">{event.code}</span>
            </span>
            <span className="alarm-card-line quiet">
              <DeviceLink id={event.deviceId} name={event.deviceName} />
              <ExactTime at={event.at} />
            </span>
          </div>
        )}
      />
    </div>
  );
}
