import type { SystemPoint, SystemState } from '@chargehand/contract';
import { formatSize, formatSpan, type JobName, type SystemQueue } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../shared/api/query.ts';
import { useUser } from '../../shared/session/use-user.ts';
import { Panel } from '../../shared/ui/page/page-header.tsx';
import { ErrorState } from '../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../shared/ui/states/skeleton-rows.tsx';
import { Tag } from '../../shared/ui/tags/tag.tsx';
import { Describe } from '../../shared/ui/values/describe.tsx';
import { Dash, ExactTime } from '../../shared/ui/values/time-ago.tsx';
import { Chart } from './chart.tsx';
import { Deletions } from './deletions.tsx';
import { Figures } from './figures.tsx';
import { Release } from './release.tsx';
import { Statements } from './statements.tsx';
import css from './system.module.css';

/** Names of protocols, the same in all languages. */
const WAYS = { ocpp: 'OCPP', mqtt: 'MQTT' } as const;

/** Problems first, then the probe device, the figures, the charts and the slowest statements. */
export function Dashboard() {
  const { t } = useTranslation('system');
  const state = useQuery(queryOf('readSystem', {}));
  const history = useQuery(queryOf('readSystemHistory', {}));
  if (!state.data) {
    return state.isError ? <ErrorState error={state.error} onRetry={() => void state.refetch()} /> : <SkeletonRows />;
  }
  const { problems, probe, figures, statements, processes, deletions } = state.data;
  const replicaText = ({ state: name, lagSeconds }: NonNullable<(typeof processes)[number]['replica']>) =>
    t(`processes.replica.${name}`, { span: lagSeconds === null ? '–' : formatSpan(lagSeconds * 1_000) });
  const points = history.data?.points ?? [];
  const of = (name: Exclude<keyof SystemPoint, 'at' | 'probeFailed' | 'mqttProbeFailed'>) =>
    points.map((point) => ({ at: point.at, value: point[name], failed: failedIn(point, name) }));
  return (
    <div className="stack">
      <Problems problems={problems} />
      <Panel title={t('probe.title')} extra={<span className="quiet">{t('probe.note')}</span>}>
        {probe.ways.length === 0 && <p className="quiet">{t('probe.off')}</p>}
        <div className={css.probes}>
          {probe.ways.map((way) => (
            <ProbeResult key={way.way} {...way} limitMs={probe.limitMs} />
          ))}
        </div>
      </Panel>
      <div className={css.charts}>
        {probe.ways.map(({ way }) => (
          <Chart
            key={way}
            title={t('charts.probeMs', { way: WAYS[way] })}
            points={of(way === 'ocpp' ? 'probeMs' : 'mqttProbeMs')}
            format={formatSpan}
            limit={probe.limitMs}
          />
        ))}
        <Chart
          title={t('charts.messagesPerSecond')}
          points={of('messagesPerSecond')}
          format={(one) => one.toFixed(1)}
        />
        <Chart title={t('charts.storedMs')} points={of('storedMs')} format={formatSpan} />
        <Chart
          title={t('charts.memoryBytes')}
          points={of('memoryBytes')}
          format={(one) => formatSize(Math.round(one))}
        />
        <Chart title={t('charts.eventLoopMs')} points={of('eventLoopMs')} format={formatSpan} />
      </div>
      <Figures figures={figures} />
      <Panel title={t('statements.title')} extra={<span className="quiet">{t('statements.note')}</span>}>
        <Statements statements={statements} />
      </Panel>
      <Panel title={t('deletions.title')} extra={<span className="quiet">{t('deletions.note')}</span>}>
        <Deletions deletions={deletions} />
      </Panel>
      <Panel title={t('processes.title')}>
        {processes.map((process) => (
          <Describe
            key={process.name}
            items={[
              { key: 'name', label: t('processes.name'), value: process.name },
              { key: 'version', label: t('processes.version'), value: process.version },
              ...(process.node === null ? [] : [{ key: 'node', label: t('processes.node'), value: process.node }]),
              { key: 'roles', label: t('processes.roles'), value: process.roles.join(', ') },
              { key: 'startedAt', label: t('processes.startedAt'), value: <ExactTime at={process.startedAt} /> },
              { key: 'addresses', label: t('processes.addresses'), value: process.addresses.join(', ') || '–' },
              {
                key: 'lease',
                label: t('processes.lease'),
                value: t('processes.renewed', { span: formatSpan(process.renewedSeconds * 1_000) }),
              },
              { key: 'devices', label: t('processes.devices'), value: String(process.devices) },
              { key: 'streams', label: t('processes.streams'), value: String(process.streams) },
              ...(process.replica === null
                ? []
                : [{ key: 'replica', label: t('processes.replica.title'), value: replicaText(process.replica) }]),
            ]}
          />
        ))}
      </Panel>
    </div>
  );
}

function Problems({ problems }: { problems: SystemState['problems'] }) {
  const { t } = useTranslation('system');
  const { user } = useUser();
  return (
    <Panel title={t('problems.title')}>
      {problems.length === 0 ? (
        <Tag tone="idle" glyph="check">
          {t('problems.none')}
        </Tag>
      ) : (
        <ul className={`row-list ${css.problems}`}>
          {problems.map(({ kind, severity, values }) => (
            <li key={`${kind} ${JSON.stringify(values)}`}>
              <Tag
                tone={severity === 'error' ? 'faulted' : 'firmware-update'}
                glyph={severity === 'error' ? 'cross' : 'alert'}
              >
                {t(`problems.severity.${severity}`)}
              </Tag>
              <div>
                <strong>{t(`problems.${kind}.text`, named(values, t))}</strong>
                <p>{t(`problems.${kind}.remedy`)}</p>
                {kind === 'outgoingHeld' && user.root && <Release />}
              </div>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

type SystemWords = ReturnType<typeof useTranslation<'system'>>['t'];

/** The values of a problem, with names for jobs, steps and certificates, and with units for times. */
function named(values: SystemState['problems'][number]['values'], t: SystemWords): Record<string, string | number> {
  const { job, step, way, queue, certificate, ms, limit, seconds, ...others } = values;
  return {
    // decides about the plural of its unit
    count: Number(others.days ?? others.hours ?? others.minutes ?? 0),
    ...others,
    ...(ms === undefined ? {} : { time: formatSpan(Number(ms)) }),
    ...(limit === undefined ? {} : { limit: formatSpan(Number(limit)) }),
    ...(seconds === undefined ? {} : { time: formatSpan(Number(seconds) * 1_000) }),
    ...(way === undefined ? {} : { way: WAYS[way as keyof typeof WAYS] }),
    ...(queue === undefined ? {} : { queue: t(`queues.${queue as SystemQueue}`) }),
    ...(job === undefined ? {} : { job: t(`jobNames.${job as JobName}`) }),
    ...(step === undefined ? {} : { step: t(`probe.steps.${step as 'connect' | 'status' | 'command'}`) }),
    ...(certificate === undefined
      ? {}
      : { certificate: t(`certificates.${certificate as 'server' | 'client_authority' | 'signing'}`) }),
  };
}

/** Whether a point of the chart of a probe is a failure. */
function failedIn(point: SystemPoint, name: keyof SystemPoint): boolean {
  return (name === 'probeMs' && point.probeFailed) || (name === 'mqttProbeMs' && point.mqttProbeFailed);
}

function ProbeResult({ way, last, limitMs }: SystemState['probe']['ways'][number] & { limitMs: number }) {
  const { t } = useTranslation('system');
  const time = (value: number | null) => (value === null ? <Dash /> : formatSpan(value));
  const ok = last?.step === null;
  const late = ok && (last.ms ?? 0) > limitMs;
  return (
    <section aria-label={t('probe.over', { way: WAYS[way] })}>
      <h3>{t('probe.over', { way: WAYS[way] })}</h3>
      {last === null ? (
        <p className="quiet">{t('probe.none')}</p>
      ) : (
        <>
          <Tag
            tone={ok ? (late ? 'firmware-update' : 'idle') : 'faulted'}
            glyph={ok ? (late ? 'alert' : 'check') : 'cross'}
          >
            {last.step === null
              ? t(late ? 'probe.late' : 'probe.ok', { time: formatSpan(last.ms ?? 0), limit: formatSpan(limitMs) })
              : t('probe.failed', { step: t(`probe.steps.${last.step}`) })}
          </Tag>
          {last.error !== null && <p>{last.error}</p>}
          <Describe
            items={[
              { key: 'at', label: t('probe.at'), value: <ExactTime at={last.at} /> },
              { key: 'connect', label: t('probe.steps.connect'), value: time(last.connectMs) },
              { key: 'status', label: t('probe.steps.status'), value: time(last.statusMs) },
              { key: 'command', label: t('probe.steps.command'), value: time(last.commandMs) },
            ]}
          />
        </>
      )}
    </section>
  );
}
