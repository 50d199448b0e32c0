import type { RankedRow } from '@chargehand/contract';
import { ALARM_RANKINGS, STATISTICS_DAYS } from '@chargehand/contract/constants';
import type { AlarmKind, AlarmLevel } from '@chargehand/domain';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Segmented } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { queryOf } from '../../../../shared/api/query.ts';
import { usePermitted } from '../../../../shared/session/permitted.tsx';
import { AddFigures } from '../../../../shared/ui/issues/add/add-figures.tsx';
import { Panel } from '../../../../shared/ui/page/page-header.tsx';
import { EmptyState } from '../../../../shared/ui/states/empty-state.tsx';
import { ErrorState } from '../../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../../shared/ui/states/skeleton-rows.tsx';
import { useCodeName } from '../../alarm-marks.tsx';
import { useAlarmRights } from '../../use-alarm-rights.ts';
import css from '../home.module.css';
import { alarmsPath } from '../paths.ts';
import { type Days, startOf, usePeriod } from './period.ts';

type Ranking = (typeof ALARM_RANKINGS)[number];

/** The sites, devices, models, codes, kinds or levels with most alarms in a period. */
export function FaultRanking() {
  const { t } = useTranslation('home');
  const [by, setBy] = useState<Ranking>('site');
  const [days, setDays] = usePeriod();
  const ranking = useQuery({
    ...queryOf('rankAlarms', { query: { by, days } }, { quiet: true }),
    placeholderData: keepPreviousData,
  });
  const nameOf = useRankedName(by);
  const items = ranking.isPlaceholderData ? [] : (ranking.data?.items ?? []);
  const most = ranking.data?.items[0]?.count ?? 0;
  return (
    <Panel
      title={t('ranking')}
      extra={
        <>
          <Segmented<Days>
            size="small"
            aria-label={t('period')}
            value={days}
            options={STATISTICS_DAYS.map((value) => ({ value, label: t('lastDays', { count: value }) }))}
            onChange={setDays}
          />
          <AddFigures
            name={t('ranking')}
            figures={
              items.length === 0
                ? undefined
                : () => ({
                    title: [t('ranking'), t(`by.${by}`), t('lastDays', { count: days })].join(' · '),
                    heading: t(`by.${by}`),
                    rows: items.map((row) => ({
                      name: row.place ? `${nameOf(row)} (${row.place})` : nameOf(row),
                      values: [row.count],
                    })),
                    series: [{ name: t('raised'), tone: 'faulted' }],
                    bars: 'lying',
                  })
            }
          />
        </>
      }
    >
      <div className="stack">
        <Segmented<Ranking>
          size="small"
          className={css.homeBy}
          aria-label={t('rankedBy')}
          value={by}
          options={ALARM_RANKINGS.map((value) => ({ value, label: t(`by.${value}`) }))}
          onChange={setBy}
        />
        {ranking.data ? (
          ranking.data.items.length === 0 ? (
            <EmptyState text={t('noneRaised')} />
          ) : (
            <ol className={css.homeRanking} data-refreshing={ranking.isPlaceholderData}>
              {ranking.data.items.map((row) => (
                <Place key={row.id ?? row.name} row={row} by={by} days={days} share={row.count / most} />
              ))}
            </ol>
          )
        ) : ranking.isError ? (
          <ErrorState error={ranking.error} onRetry={() => void ranking.refetch()} />
        ) : (
          <SkeletonRows rows={6} />
        )}
      </div>
    </Panel>
  );
}

function Place({ row, by, days, share }: { row: RankedRow; by: Ranking; days: Days; share: number }) {
  const { list } = useAlarmRights();
  const mayOpen = usePermitted(['auth_device_detail']);
  const name = useRankedName(by)(row);
  const to = by === 'device' ? (mayOpen ? devicePath(row) : null) : list ? listPath(row, by, days) : null;
  return (
    <li>
      <span className={css.homeRankName}>
        {to === null ? name : <Link to={to}>{name}</Link>}
        {row.place && <span className="quiet">{row.place}</span>}
      </span>
      <span className={css.homeRankCount}>{row.count.toLocaleString('en-US')}</span>
      <span className={css.homeRankBar} style={{ inlineSize: `${Math.max(1, share * 100)}%` }} />
    </li>
  );
}

/** The names of rows in the user's language. */
function useRankedName(by: Ranking): (row: RankedRow) => string {
  const { t: alarms } = useTranslation('alarms');
  const { t: common } = useTranslation();
  const codeName = useCodeName();
  return (row) =>
    by === 'kind'
      ? alarms(`kinds.${row.name as AlarmKind}`)
      : by === 'level'
        ? common(`alarmLevel.${row.name as AlarmLevel}`)
        : (codeName(row) ?? row.name);
}

function devicePath({ id }: RankedRow): string {
  return `/manage/device/detail/${id}?tab=details&section=alarms&state=all`;
}

function listPath({ id, name }: RankedRow, by: Exclude<Ranking, 'device'>, days: Days): string {
  const field = { site: 'siteId', model: 'deviceModelId', code: 'code', kind: 'kind', level: 'level' }[by];
  const from = startOf(days, Date.now());
  return alarmsPath({ state: 'all', suppressed: 'false', [field]: id === null ? name : String(id), from });
}
