import type { DeviceEventRow } from '@chargehand/contract';
import {
  DEVICE_EVENT_TYPES,
  type DeviceEventType,
  DISCONNECT_REASONS,
  type DisconnectReason,
} from '@chargehand/domain';
import type { UseQueryResult } from '@tanstack/react-query';
import { Segmented } from 'antd';
import { useTranslation } from 'react-i18next';
import type { List } from '../../shared/hooks/use-list-query.ts';
import type { ListSpec } from '../../shared/lib/list-query.ts';
import { type DataColumn, DataTable } from '../../shared/ui/data-table.tsx';
import { Duration } from '../../shared/ui/duration.tsx';
import type { Glyph } from '../../shared/ui/status-glyph.tsx';
import { Tag, type Tone } from '../../shared/ui/tag.tsx';
import { ExactTime } from '../../shared/ui/time-ago.tsx';
import { ConnectorName } from './connector-name.tsx';
import { Whose } from './device-link.tsx';
import './alarms.css';

const filters = { type: 'number' } as const;
export const EVENT_LIST: ListSpec<typeof filters, 'at'> = { filters, sorts: ['at'] };
const LOOKS: Record<DeviceEventType, { tone: Tone; glyph: Glyph }> = {
  disconnect: { tone: 'offline', glyph: 'broken' },
  minorAlarm: { tone: 'firmware-update', glyph: 'alert' },
  alarm: { tone: 'faulted', glyph: 'alert' },
  unavailable: { tone: 'plain', glyph: 'bar' },
};

/** An event; in a list of several devices with whose it is. */
type Row = DeviceEventRow & { deviceId?: number; deviceName?: string };

interface Props {
  label: string;
  events: UseQueryResult<{ items: Row[]; total: number }>;
  list: List<typeof filters, 'at'>;
  /** the events are those of several devices */
  ofDevices?: boolean;
}

/** What happened (spec §3, system event types), newest first. */
export function EventList({ label, events, list, ofDevices = false }: Props) {
  const { t } = useTranslation('alarms');
  const { t: common } = useTranslation();
  const columns: DataColumn<Row, 'at'>[] = [
    { title: t('at'), sortBy: 'at', width: 160, render: (_, event) => <ExactTime at={event.at} /> },
    { title: t('eventType'), width: 140, render: (_, event) => <EventTag type={event.type} /> },
    ...(ofDevices ? [{ title: t('device'), render: (_: unknown, event: Row) => <Whose row={event} /> }] : []),
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
        label={label}
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
              {ofDevices && <Whose row={event} />}
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
function EventTag({ type }: { type: number }) {
  const { t } = useTranslation('alarms');
  const name = (Object.keys(DEVICE_EVENT_TYPES) as DeviceEventType[]).find((one) => DEVICE_EVENT_TYPES[one] === type);
  return name ? <Tag {...LOOKS[name]}>{t(`eventTypes.${name}`)}</Tag> : String(type);
}

/** How long what the event began lasted. */
function EventLasted({ event }: { event: Pick<DeviceEventRow, 'at' | 'endedAt'> }) {
  const { t } = useTranslation('alarms');
  if (!event.endedAt) return <span className="quiet">{t('ongoing')}</span>;
  return <Duration seconds={(Date.parse(event.endedAt) - Date.parse(event.at)) / 1_000} />;
}
