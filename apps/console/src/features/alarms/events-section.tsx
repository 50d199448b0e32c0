import type { DeviceDetail, DeviceEventRow } from '@chargehand/contract';
import {
  DEVICE_EVENT_TYPES,
  type DeviceEventType,
  DISCONNECT_REASONS,
  type DisconnectReason,
} from '@chargehand/domain';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Segmented } from 'antd';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../shared/api/query.ts';
import { useListQuery } from '../../shared/hooks/use-list-query.ts';
import type { ListSpec } from '../../shared/lib/list-query.ts';
import { type DataColumn, DataTable } from '../../shared/ui/data-table.tsx';
import { Duration } from '../../shared/ui/duration.tsx';
import type { Glyph } from '../../shared/ui/status-glyph.tsx';
import { Tag, type Tone } from '../../shared/ui/tag.tsx';
import { ExactTime } from '../../shared/ui/time-ago.tsx';
import { ConnectorName } from './alarms-section.tsx';
import './alarms.css';

const filters = { type: 'number' } as const;
const SPEC: ListSpec<typeof filters, 'at'> = { filters, sorts: ['at'] };
const LOOKS: Record<DeviceEventType, { tone: Tone; glyph: Glyph }> = {
  disconnect: { tone: 'offline', glyph: 'broken' },
  minorAlarm: { tone: 'firmware-update', glyph: 'alert' },
  alarm: { tone: 'faulted', glyph: 'alert' },
  unavailable: { tone: 'plain', glyph: 'bar' },
};

/** What happened to a device (spec §3, system event types), newest first. */
export default function EventsSection({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation('alarms');
  const { t: common } = useTranslation();
  const list = useListQuery(SPEC);
  const events = useQuery({
    ...queryOf('listDeviceEvents', { params: { id: device.id }, query: list.query }, { quiet: true }),
    placeholderData: keepPreviousData,
  });
  const columns: DataColumn<DeviceEventRow, 'at'>[] = [
    { title: t('at'), sortBy: 'at', width: 160, render: (_, event) => <ExactTime at={event.at} /> },
    { title: t('eventType'), width: 140, render: (_, event) => <EventTag type={event.type} /> },
    { title: t('connector'), render: (_, event) => <ConnectorName connector={event.connector} /> },
    {
      title: t('event'),
      render: (_, event) => (
        <>
          <EventCode event={event} />
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
      <DataTable
        label={t('events')}
        query={events}
        list={list}
        columns={columns}
        rowKey="id"
        empty={{ text: t('noEvents') }}
        compact={(event) => (
          <div className="alarm-card">
            <span className="alarm-card-line">
              <EventTag type={event.type} />
              <EventCode event={event} />
            </span>
            <span className="alarm-card-line quiet">
              <ExactTime at={event.at} />
              <EventLasted event={event} />
            </span>
          </div>
        )}
      />
    </div>
  );
}

/** What happened: the reason of a disconnect in words, the code of anything else as the device gave it. */
function EventCode({ event }: { event: DeviceEventRow }) {
  const { t } = useTranslation('alarms');
  const reason = (Object.keys(DISCONNECT_REASONS) as DisconnectReason[]).find((one) => one === event.code);
  if (event.type === DEVICE_EVENT_TYPES.disconnect && reason)
    return <strong>{t(`disconnectReasons.${reason}`)}</strong>;
  return <strong className="alarm-code mono">{event.code}</strong>;
}

/** What kind of event it was. */
export function EventTag({ type }: { type: number }) {
  const { t } = useTranslation('alarms');
  const name = (Object.keys(DEVICE_EVENT_TYPES) as DeviceEventType[]).find((one) => DEVICE_EVENT_TYPES[one] === type);
  return name ? <Tag {...LOOKS[name]}>{t(`eventTypes.${name}`)}</Tag> : String(type);
}

/** How long what the event began lasted. */
export function EventLasted({ event }: { event: Pick<DeviceEventRow, 'at' | 'endedAt'> }) {
  const { t } = useTranslation('alarms');
  if (!event.endedAt) return <span className="quiet">{t('ongoing')}</span>;
  return <Duration seconds={(Date.parse(event.endedAt) - Date.parse(event.at)) / 1_000} />;
}
