import type { AlarmRow, DeviceDetail, DeviceEventRow, ExecutionRow } from '@chargehand/contract';
import { DEVICE_EVENT_TYPES } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { AlarmLasted, CodeName } from '../../../features/alarms/alarm-marks.tsx';
import { EventLasted, EventName } from '../../../features/alarms/events/event-marks.tsx';
import { useControlNames } from '../../../features/operations/commands/use-control-names.ts';
import type { Answer } from '../../../shared/api/client.ts';
import { queryOf } from '../../../shared/api/query.ts';
import { useConnectorName } from '../../../shared/hooks/use-connector-name.ts';
import { mergeByTime } from '../../../shared/lib/lists/merge-by-time.ts';
import { EmptyState } from '../../../shared/ui/states/empty-state.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { AlarmLevel } from '../../../shared/ui/tags/alarm-level.tsx';
import { ResultTag } from '../../../shared/ui/tags/result-tag.tsx';
import { type Glyph, StatusGlyph } from '../../../shared/ui/tags/status-glyph.tsx';
import { Duration } from '../../../shared/ui/values/duration.tsx';
import { ExactTime } from '../../../shared/ui/values/time-ago.tsx';
import css from './device-timeline.module.css';

/** The newest entries of each kind that are read. */
const READ = 20;

type Entry = { at: string; key: string } & (
  | { kind: 'alarm'; row: AlarmRow }
  | { kind: 'command'; row: ExecutionRow }
  | { kind: 'session'; row: Answer<'listTransactions'>['items'][number] }
  | { kind: 'event'; row: DeviceEventRow }
);

const LOOKS: Record<Entry['kind'], { tone: string; glyph: Glyph }> = {
  alarm: { tone: 'faulted', glyph: 'alert' },
  command: { tone: 'maintain', glyph: 'diamond' },
  session: { tone: 'working', glyph: 'bolt' },
  event: { tone: 'offline', glyph: 'broken' },
};

/** What happened to a device, newest first: alarms, commands, charging sessions, and lost connections. */
export default function DeviceTimeline({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation('hero');
  const input = { params: { id: device.id } };
  const page = { page: 1, pageSize: READ } as const;
  const alarms = useQuery(
    queryOf('listAlarms', { query: { deviceId: device.id, sort: '-raisedAt', limit: READ } }, { quiet: true }),
  );
  const commands = useQuery(
    queryOf('listExecutions', { ...input, query: { ...page, sort: '-queuedAt' } }, { quiet: true }),
  );
  const sessions = useQuery(
    queryOf('listTransactions', { ...input, query: { ...page, sort: '-startedAt' } }, { quiet: true }),
  );
  const events = useQuery(
    queryOf('listDeviceEvents', { query: { deviceId: device.id, limit: READ } }, { quiet: true }),
  );
  const all = [alarms, commands, sessions, events];
  const failed = all.find(({ isError, data }) => isError && !data);
  if (failed) return <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />;
  if (!alarms.data || !commands.data || !sessions.data || !events.data) return <SkeletonRows rows={10} />;
  // The other events are those of alarms, which are listed themselves.
  const lost = events.data.items.filter(({ type }) => type === DEVICE_EVENT_TYPES.disconnect);
  const { entries, until } = mergeByTime<Entry>([
    {
      entries: alarms.data.items.map((row) => ({ kind: 'alarm', at: row.raisedAt, key: `alarm ${row.id}`, row })),
      more: alarms.data.next !== null,
    },
    {
      entries: commands.data.items.map((row) => ({ kind: 'command', at: row.queuedAt, key: row.id, row })),
      more: commands.data.total > commands.data.items.length,
    },
    {
      entries: sessions.data.items.map((row) => ({
        kind: 'session',
        at: row.startedAt,
        key: `session ${row.id}`,
        row,
      })),
      more: sessions.data.total > sessions.data.items.length,
    },
    {
      entries: lost.map((row) => ({ kind: 'event', at: row.at, key: `event ${row.id}`, row })),
      more: events.data.items.length === READ,
    },
  ]);
  if (entries.length === 0) return <EmptyState text={t('timeline.none')} />;
  return (
    <>
      <ol className={`plain-list ${css.timeline}`}>
        {entries.map((entry) => (
          <li key={entry.key}>
            <span className={`${css.mark} tag-${LOOKS[entry.kind].tone}`} title={t(`timeline.kind.${entry.kind}`)}>
              <StatusGlyph glyph={LOOKS[entry.kind].glyph} />
            </span>
            <span className="breaks">
              <What entry={entry} device={device} />
            </span>
            <span className={`${css.at} quiet`}>
              <ExactTime at={entry.at} />
            </span>
          </li>
        ))}
      </ol>
      {until !== null && (
        <p className="quiet">
          {t('timeline.until')} <ExactTime at={until} />
        </p>
      )}
    </>
  );
}

function What({ entry, device }: { entry: Entry; device: DeviceDetail }) {
  const { t } = useTranslation('hero');
  const { nameOf } = useControlNames();
  const connectorName = useConnectorName(device.protocol);
  switch (entry.kind) {
    case 'alarm':
      return (
        <>
          <AlarmLevel level={entry.row.level} />{' '}
          <Link to={`?tab=details&section=alarms&state=all&alarm=${entry.row.id}`}>
            <CodeName of={entry.row} />
          </Link>{' '}
          <span className="quiet">
            {t(entry.row.clearedAt === null ? 'timeline.lasts' : 'timeline.lasted')} <AlarmLasted alarm={entry.row} />
          </span>
        </>
      );
    case 'command':
      return (
        <>
          <strong>{nameOf(entry.row.kind, { name: null }, device.protocol)}</strong> <ResultTag execution={entry.row} />{' '}
          <span className="quiet">{entry.row.requestedBy}</span>
        </>
      );
    case 'session': {
      const { connector, startedAt, stoppedAt, meterStart, meterStop } = entry.row;
      return (
        <>
          <strong>{t('timeline.session', { connector: connectorName(connector, 'inText') })}</strong>{' '}
          <span className="quiet">
            {meterStop !== null && [((meterStop - meterStart) / 1_000).toFixed(1), 'kWh', '· '].join(' ')}
            {stoppedAt === null ? (
              t('timeline.open')
            ) : (
              <Duration seconds={(Date.parse(stoppedAt) - Date.parse(startedAt)) / 1_000} />
            )}
          </span>
        </>
      );
    }
    case 'event':
      return (
        <>
          <EventName event={entry.row} />{' '}
          <span className="quiet">
            <EventLasted event={entry.row} />
          </span>
        </>
      );
  }
}
