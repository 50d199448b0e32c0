import type { SiteDetail, SiteStatusStatistics } from '@chargehand/contract';
import { POLL_MS } from '@chargehand/contract/constants';
import { addedSeconds, availability, DEVICE_STATUSES, type DeviceStatus } from '@chargehand/domain';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../shared/api/query.ts';
import { AddFigures } from '../../shared/ui/issues/add/add-figures.tsx';
import { Panel } from '../../shared/ui/page/page-header.tsx';
import { EmptyState } from '../../shared/ui/states/empty-state.tsx';
import { ErrorState } from '../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../shared/ui/states/skeleton-rows.tsx';
import { StatusTag } from '../../shared/ui/tags/status-tag.tsx';
import { ExportFigures } from './export-figures.tsx';
import { FiguresTable } from './figures-table.tsx';
import { type Bar, StackedBars } from './stacked-bars.tsx';
import css from './statistics.module.css';
import { StepSwitch, useStep } from './step-switch.tsx';
import { axisTop, stepLabel, stepTitle } from './steps.ts';

/** The number of devices of a site in each status over time, and the share of each status. */
export default function SiteStatuses({ site }: { site: SiteDetail }) {
  const siteId = site.id;
  const { t } = useTranslation('statistics');
  const [step, setStep] = useStep();
  const figures = useQuery({
    ...queryOf('readSiteStatuses', { params: { id: siteId }, query: { step } }, { quiet: true }),
    placeholderData: keepPreviousData,
    refetchInterval: POLL_MS,
  });
  return (
    <div className="stack">
      <div className="field-row">
        <StepSwitch
          value={step}
          onChange={setStep}
          names={{ hour: t('statuses.lastDay'), day: t('statuses.lastMonth') }}
        />
        <span className={css.statisticsExport}>
          <ExportFigures of="exportSiteStatuses" siteId={siteId} step={step} />
        </span>
      </div>
      {figures.data ? (
        <Figures site={site} figures={figures.data} />
      ) : figures.isError ? (
        <ErrorState error={figures.error} onRetry={() => void figures.refetch()} />
      ) : (
        <SkeletonRows rows={8} />
      )}
    </div>
  );
}

/** The order of the segments of a bar from the bottom: available statuses, then the others. */
const ORDER = ['working', 'idle', 'maintain', 'firmwareUpdate', 'disabled', 'faulted', 'offline'] as const;

/** The colors of the segments, as in the style sheet. */
const TONES: Record<DeviceStatus, string> = {
  working: 'working',
  idle: 'idle',
  maintain: 'maintain',
  firmwareUpdate: 'firmware-update',
  disabled: 'line-strong',
  faulted: 'faulted',
  offline: 'offline',
};

function Figures({ site, figures }: { site: SiteDetail; figures: SiteStatusStatistics }) {
  const { t } = useTranslation('statistics');
  const { t: common } = useTranslation();
  const { step, steps } = figures;
  const total = addedSeconds(steps.map(({ seconds }) => seconds));
  const unknown = steps.reduce((sum, one) => sum + one.unknown, 0);
  const known = DEVICE_STATUSES.reduce((sum, status) => sum + total[status], 0);
  if (known + unknown === 0) return <EmptyState text={t('statuses.none')} />;
  const share = availability(total);

  // The mean number of devices: their time in a status divided by the length of the step so far.
  const bars: Bar[] = steps.map(({ at, lasted, seconds, unknown: unseen }) => ({
    at,
    label: stepLabel(at, step),
    title: stepTitle(at, step),
    parts: ORDER.map((status) => (lasted > 0 ? seconds[status] / lasted : 0)),
    unknown: lasted > 0 ? unseen / lasted : 0,
  }));
  const highest = Math.max(...bars.map(({ parts, unknown: gap = 0 }) => parts.reduce((sum, part) => sum + part, gap)));
  const percent = (seconds: number) => percentOf(known + unknown > 0 ? seconds / (known + unknown) : 0);
  const shown = ORDER.filter((status) => total[status] > 0 || status === 'working' || status === 'idle');
  return (
    <>
      <Panel
        title={t('statuses.devices')}
        extra={
          <>
            <span className={css.statisticsAvailability} title={t('statuses.availabilityHint')}>
              {t('statuses.availability')} <strong>{share === null ? '–' : percentOf(share)}</strong>
            </span>
            <AddFigures
              name={t('statuses.devices')}
              siteId={site.id}
              figures={() => ({
                title: [
                  ...[t('statuses.chart'), site.name],
                  t(step === 'hour' ? 'statuses.lastDay' : 'statuses.lastMonth'),
                ].join(' · '),
                heading: t('time'),
                rows: bars.map(({ title, parts, unknown: gap = 0 }) => ({ name: title, values: [...parts, gap] })),
                series: [
                  ...ORDER.map((status) => ({ name: common(`deviceStatus.${status}`), tone: TONES[status] })),
                  { name: t('unknown'), tone: 'line' },
                ],
                bars: 'stacked',
                format: devicesOf,
              })}
            />
          </>
        }
      >
        <StackedBars
          label={t('statuses.chart')}
          bars={bars.map((bar) => ({ ...bar, parts: shown.map((status) => bar.parts[ORDER.indexOf(status)] ?? 0) }))}
          keys={shown.map((status) => ({ key: status, name: <StatusTag status={status} /> }))}
          top={axisTop(Number(highest.toFixed(3)), 1)}
          format={devicesOf}
          unknownName={unknown > 0 ? t('unknown') : undefined}
          overall={{
            title: t('statuses.share'),
            values: shown.map((status) => percent(total[status])),
            unknown: percent(unknown),
          }}
          describe={(bar) =>
            [
              bar.title,
              ...shown.map((status, part) => `${common(`deviceStatus.${status}`)} ${devicesOf(bar.parts[part] ?? 0)}`),
              ...(bar.unknown ? [`${t('unknown')} ${devicesOf(bar.unknown)}`] : []),
            ].join(', ')
          }
        />
        <p className={`quiet ${css.statisticsNote}`}>
          {t('statuses.note')} {unknown > 0 && t('unknownNote')}
        </p>
      </Panel>
      <FiguresTable
        caption={t('statuses.chart')}
        headings={[...ORDER.map((status) => common(`deviceStatus.${status}`)), t('unknown')]}
        rows={[
          {
            key: 'share',
            title: t('statuses.share'),
            cells: [...ORDER.map((status) => percent(total[status])), percent(unknown)],
          },
          ...bars.map(({ at, title, parts, unknown: gap = 0 }) => ({
            key: at,
            title,
            cells: [...parts, gap].map(devicesOf),
          })),
        ]}
      />
    </>
  );
}

/** A mean number of devices, with the significant digits. */
function devicesOf(devices: number): string {
  return devices.toLocaleString('en-US', { maximumFractionDigits: devices < 10 ? 2 : 1 });
}

function percentOf(share: number): string {
  return `${(share * 100).toFixed(1)}%`;
}
