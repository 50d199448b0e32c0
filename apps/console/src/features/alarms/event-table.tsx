import type { DeviceEventRow } from '@chargehand/contract';
import { DEVICE_EVENT_TYPES, type DeviceEventType } from '@chargehand/domain';
import { Segmented, type TableColumnType } from 'antd';
import { useTranslation } from 'react-i18next';
import { call } from '../../shared/api/client.ts';
import { useListQuery } from '../../shared/hooks/use-list-query.ts';
import type { ListSpec } from '../../shared/lib/list-query.ts';
import { ExactTime } from '../../shared/ui/time-ago.tsx';
import { ConnectorName } from './alarm-marks.tsx';
import { DeviceLink } from './device-link.tsx';
import { EventLasted, EventName, EventTag } from './event-marks.tsx';
import { LongTable } from './long-table.tsx';
import { useStretches } from './use-stretches.ts';
import './alarms.css';

const filters = { type: 'number' } as const;
const SPEC: ListSpec<typeof filters, never> = { filters, sorts: [] };

/** The one table of events (spec §3, system event types), newest first: of a site or of a device. */
export function EventTable({ place }: { place: { deviceId?: number; siteId?: number } }) {
  const { t } = useTranslation('alarms');
  const { t: common } = useTranslation();
  const list = useListQuery(SPEC);
  const { type } = list.query;
  const wanted = { ...place, type };
  const events = useStretches('listDeviceEvents', wanted, (stretch, signal) =>
    call('listDeviceEvents', { query: { ...wanted, ...stretch } }, { signal, quiet: true }),
  );
  const ofSite = place.deviceId === undefined;
  const columns: TableColumnType<DeviceEventRow>[] = [
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
        value={type ?? 'all'}
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
      <LongTable<DeviceEventRow>
        label={t('events')}
        rows={events.data?.pages.flatMap(({ items }) => items)}
        query={events}
        columns={columns}
        empty={list.filtered ? common('table.noMatch') : t('noEvents')}
        compact={(event) => (
          <div className="alarm-card">
            <span className="alarm-card-line">
              <EventTag type={event.type} />
              <span className="alarm-card-name">
                <EventName event={event} />
              </span>
            </span>
            <span className="alarm-card-line quiet">
              {ofSite && <DeviceLink id={event.deviceId} name={event.deviceName} />}
              <ExactTime at={event.at} />
              <EventLasted event={event} />
            </span>
          </div>
        )}
      />
    </div>
  );
}
