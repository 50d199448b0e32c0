import type { SystemState } from '@chargehand/contract';
import { formatSize, formatSpan, type SystemFigure } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import { Panel } from '../../shared/ui/page/page-header.tsx';
import { Describe } from '../../shared/ui/values/describe.tsx';
import { Dash } from '../../shared/ui/values/time-ago.tsx';
import css from './system.module.css';

const GROUPS = {
  connections: ['connectedDevices', 'ocppConnections', 'mqttConnections', 'liveStreams', 'openLinks'],
  ingest: ['messagesPerSecond', 'storedMs', 'storedMsP95', 'queuedBytes', 'queueDelayMs', 'refusedTelemetry'],
  work: ['waitingCommands', 'waitingMails', 'failedMails', 'waitingSends', 'readingMarks'],
  database: [
    ...(['databaseBytes', 'databaseBusy', 'databaseConnections', 'databaseWaiting'] as const),
    ...(['queryMs', 'queryMsP95', 'databaseClockSeconds'] as const),
  ],
  storage: ['objectBytes', 'diskFreeBytes', 'diskBytes'],
  process: ['memoryBytes', 'heapBytes', 'eventLoopMs'],
} as const satisfies Record<string, readonly SystemFigure[]>;

/** All figures of the server, in groups. */
export function Figures({ figures }: { figures: SystemState['figures'] }) {
  const { t } = useTranslation('system');
  return (
    <div className={css.groups}>
      {Object.entries(GROUPS).map(([group, names]) => (
        <Panel key={group} title={t(`groups.${group as keyof typeof GROUPS}`)}>
          <Describe
            items={names.map((name) => ({
              key: name,
              label: t(`figures.${name}`),
              value: figures[name] === null ? <Dash /> : textOf(name, figures[name]),
            }))}
          />
        </Panel>
      ))}
    </div>
  );
}

function textOf(name: SystemFigure, value: number): string {
  if (name.endsWith('Bytes')) return formatSize(Math.round(value));
  if (/Ms(P95)?$/.test(name)) return formatSpan(value);
  if (name.endsWith('Seconds')) return formatSpan(value * 1_000);
  return name === 'messagesPerSecond' ? value.toFixed(1) : value.toLocaleString('en-US');
}
