import type { DeviceEventRow } from '@chargehand/contract';
import { DEVICE_EVENT_TYPES, type DeviceEventType } from '@chargehand/domain';
import { Segmented } from 'antd';
import { useTranslation } from 'react-i18next';
import { useLongList } from '../../../shared/hooks/lists/use-list.ts';
import type { ListSpec } from '../../../shared/lib/lists/list-query.ts';
import type { DataColumn } from '../../../shared/ui/list-page/data-table.tsx';
import { CardLine, ListCard } from '../../../shared/ui/list-page/list-card.tsx';
import { ListSection } from '../../../shared/ui/list-page/list-page.tsx';
import { DeviceLink } from '../../../shared/ui/values/place-link.tsx';
import { ExactTime } from '../../../shared/ui/values/time-ago.tsx';
import { ConnectorName } from '../alarm-marks.tsx';
import { EventLasted, EventName, EventTag } from './event-marks.tsx';
import '../alarms.module.css';
import { useConnectionDetail } from '../../../shared/hooks/use-connection-detail.ts';

const filters = { type: 'number' } as const;
const SPEC: ListSpec<typeof filters, never> = { filters, sorts: [] };

/** The table of events (spec §3, system event types) of a site or a device, newest first. */
export function EventTable({ place }: { place: { deviceId?: number; siteId?: number } }) {
  const { t } = useTranslation('alarms');
  const detailOf = useConnectionDetail();
  const { t: common } = useTranslation();
  const list = useLongList(SPEC, 'listDeviceEvents', 'after', ({ type }) => ({ ...place, type }));
  const ofSite = place.deviceId === undefined;
  const columns: DataColumn<DeviceEventRow, never>[] = [
    { title: t('at'), width: 160, render: (_, event) => <ExactTime at={event.at} /> },
    { title: t('eventType'), width: 140, render: (_, event) => <EventTag type={event.type} /> },
    ...(ofSite
      ? [
          {
            title: t('device'),
            render: (_: unknown, event: DeviceEventRow) => (
              <span className="no-break">
                <DeviceLink id={event.deviceId} name={event.deviceName} />
              </span>
            ),
          },
        ]
      : []),
    { title: t('where'), render: (_, event) => <ConnectorName of={event} /> },
    {
      title: t('event'),
      render: (_, event) => (
        <>
          <EventName event={event} />
          {event.detail && <span className="quiet">{` · ${detailOf(event.detail)}`}</span>}
        </>
      ),
    },
    { title: t('endedAt'), render: (_, event) => <ExactTime at={event.endedAt} /> },
    { title: t('lasted'), render: (_, event) => <EventLasted event={event} /> },
  ];
  return (
    <ListSection
      label={t('events')}
      list={list}
      filters={
        <Segmented<number | 'all'>
          className="fit"
          value={list.query.type ?? 'all'}
          onChange={(next) => list.change({ type: next === 'all' ? undefined : next })}
          aria-label={t('eventType')}
          options={[
            { value: 'all' as const, label: common('all') },
            ...Object.entries(DEVICE_EVENT_TYPES).map(([name, value]) => ({
              value,
              label: t(`eventTypes.${name as DeviceEventType}`),
            })),
          ]}
        />
      }
      columns={columns}
      empty={t('noEvents')}
      compact={(event) => (
        <ListCard title={<EventName event={event} />} aside={<EventTag type={event.type} />}>
          <CardLine end={<EventLasted event={event} />}>
            {ofSite && <DeviceLink id={event.deviceId} name={event.deviceName} />}
            <ExactTime at={event.at} />
          </CardLine>
        </ListCard>
      )}
    />
  );
}
