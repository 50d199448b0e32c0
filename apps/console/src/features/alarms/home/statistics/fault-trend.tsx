import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { queryOf } from '../../../../shared/api/query.ts';
import { AddFigures } from '../../../../shared/ui/issues/add/add-figures.tsx';
import { Panel } from '../../../../shared/ui/page/page-header.tsx';
import { ErrorState } from '../../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../../shared/ui/states/skeleton-rows.tsx';
import { useAlarmRights } from '../../use-alarm-rights.ts';
import css from '../home.module.css';
import { alarmsPath } from '../paths.ts';
import { endOfDay, startOfDay, usePeriod } from './period.ts';

/** The numbers of alarms raised and cleared per day in a period. */
export function FaultTrend() {
  const { t } = useTranslation('home');
  const [days] = usePeriod();
  const trend = useQuery({
    ...queryOf('readAlarmTrend', { query: { days } }, { quiet: true }),
    placeholderData: keepPreviousData,
  });
  const shown = trend.isPlaceholderData ? undefined : trend.data?.days;
  return (
    <Panel
      title={t('trend')}
      extra={
        <>
          <span className={css.trendLegend}>
            <i data-of="raised" />
            {t('raised')}
            <i data-of="cleared" />
            {t('cleared')}
          </span>
          <AddFigures
            name={t('trend')}
            figures={
              shown &&
              (() => ({
                title: `${t('trend')} · ${t('lastDays', { count: days })}`,
                heading: t('day'),
                rows: shown.map(({ day, raised, cleared }) => ({ name: day, values: [raised, cleared] })),
                series: [
                  { name: t('raised'), tone: 'faulted' },
                  { name: t('cleared'), tone: 'idle' },
                ],
                bars: 'grouped',
              }))
            }
          />
        </>
      }
    >
      {trend.data ? (
        <Bars days={trend.data.days} />
      ) : trend.isError ? (
        <ErrorState error={trend.error} onRetry={() => void trend.refetch()} />
      ) : (
        <SkeletonRows rows={4} />
      )}
    </Panel>
  );
}

interface Day {
  day: string;
  raised: number;
  cleared: number;
}

function Bars({ days }: { days: Day[] }) {
  const { t } = useTranslation('home');
  const { list } = useAlarmRights();
  const most = Math.max(1, ...days.map(({ raised, cleared }) => Math.max(raised, cleared)));
  const bars = ({ raised, cleared }: Day) => (
    <>
      <i data-of="raised" style={{ blockSize: `${(raised / most) * 100}%` }} />
      <i data-of="cleared" style={{ blockSize: `${(cleared / most) * 100}%` }} />
    </>
  );
  return (
    <div className="trend">
      <div className={css.trendBars} data-many={days.length > 31} aria-hidden="true">
        <span className={css.trendMost}>{most.toLocaleString('en-US')}</span>
        {days.map((day) => {
          const title = `${day.day} · ${t('raised')} ${day.raised} · ${t('cleared')} ${day.cleared}`;
          const filters = { state: 'all', suppressed: 'false', from: startOfDay(day.day), to: endOfDay(day.day) };
          return list && day.raised > 0 ? (
            <Link key={day.day} tabIndex={-1} title={title} to={alarmsPath(filters)}>
              {bars(day)}
            </Link>
          ) : (
            <span key={day.day} title={title}>
              {bars(day)}
            </span>
          );
        })}
      </div>
      <div className={`${css.trendDays} quiet`} aria-hidden="true">
        <span>{days[0]?.day}</span>
        <span>{days.at(-1)?.day}</span>
      </div>
      <table className="visually-hidden">
        <caption>{t('trend')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('day')}</th>
            <th scope="col">{t('raised')}</th>
            <th scope="col">{t('cleared')}</th>
          </tr>
        </thead>
        <tbody>
          {days.map(({ day, raised, cleared }) => (
            <tr key={day}>
              <th scope="row">{day}</th>
              <td>{raised}</td>
              <td>{cleared}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
