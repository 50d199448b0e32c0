import type { Traffic } from '@chargehand/contract';
import { formatSize } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import { AddFigures } from '../../shared/ui/issues/add/add-figures.tsx';
import { Panel } from '../../shared/ui/page/page-header.tsx';
import { EmptyState } from '../../shared/ui/states/empty-state.tsx';
import { FiguresTable } from './figures-table.tsx';
import { StackedBars } from './stacked-bars.tsx';
import css from './statistics.module.css';
import { bytesTop, stepLabel, stepTitle } from './steps.ts';

/** The device or site of the traffic. */
interface TrafficPlace {
  name: string;
  deviceId?: number;
  siteId?: number;
}

/** Bytes from and to devices over time, and their totals. */
export function TrafficChart({ traffic, title, of }: { traffic: Traffic; title: string; of: TrafficPlace }) {
  const { t } = useTranslation('statistics');
  const { step, steps } = traffic;
  const received = steps.reduce((sum, one) => sum + one.received, 0);
  const sent = steps.reduce((sum, one) => sum + one.sent, 0);
  if (received + sent === 0) return <EmptyState text={t('traffic.none')} />;
  const highest = Math.max(...steps.map((one) => one.received + one.sent));
  const { name, ...place } = of;
  return (
    <>
      <Panel
        title={title}
        extra={
          <>
            <span className="quiet">
              {t('traffic.total')} <strong>{formatSize(received + sent)}</strong>
            </span>
            <AddFigures
              name={title}
              {...place}
              figures={() => ({
                title: [title, name, t(step === 'hour' ? 'traffic.hours' : 'traffic.days')].join(' · '),
                heading: t('time'),
                rows: steps.map((one) => ({ name: stepTitle(one.at, step), values: [one.received, one.sent] })),
                series: [
                  { name: t('traffic.received'), tone: 'working' },
                  { name: t('traffic.sent'), tone: 'firmware-update' },
                ],
                bars: 'stacked',
                format: (bytes) => formatSize(Math.round(bytes)),
              })}
            />
          </>
        }
      >
        <StackedBars
          label={title}
          bars={steps.map((one) => ({
            at: one.at,
            label: stepLabel(one.at, step),
            title: stepTitle(one.at, step),
            parts: [one.received, one.sent],
          }))}
          keys={[
            { key: 'received', name: <span>{t('traffic.received')}</span> },
            { key: 'sent', name: <span>{t('traffic.sent')}</span> },
          ]}
          top={bytesTop(highest)}
          format={(bytes) => formatSize(Math.round(bytes))}
          overall={{ title: t('traffic.total'), values: [formatSize(received), formatSize(sent)] }}
          describe={({ title: time, parts: [from = 0, to = 0] }) =>
            `${time}, ${t('traffic.received')} ${formatSize(from)}, ${t('traffic.sent')} ${formatSize(to)}`
          }
        />
        <p className={`quiet ${css.statisticsNote}`}>{t('traffic.note')}</p>
      </Panel>
      <FiguresTable
        caption={title}
        headings={[t('traffic.received'), t('traffic.sent')]}
        rows={steps.map((one) => ({
          key: one.at,
          title: stepTitle(one.at, step),
          cells: [formatSize(one.received), formatSize(one.sent)],
        }))}
      />
    </>
  );
}
