import type { CodeStatistics } from '@chargehand/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../../shared/api/query.ts';
import { useModelName } from '../../../shared/i18n/use-model-name.ts';
import { CodeEnds } from '../../../shared/ui/explanations/code-ends.tsx';
import rankingCss from '../../../shared/ui/explanations/ranking.module.css';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { TimeAgo } from '../../../shared/ui/values/time-ago.tsx';
import css from './reader.module.css';

/** How often the codes of a document occurred in the reader's fleet, where, and what was done about them. */
export function CodeFigures({ id, codes }: { id: number; codes: readonly string[] }) {
  const { t } = useTranslation('documents');
  const figures = useQuery(queryOf('readCodeStatistics', { params: { id } }, { quiet: true }));
  return (
    <section className={css.figures} aria-label={t('figures.title')}>
      {figures.data ? (
        <Figures of={figures.data} />
      ) : figures.isError ? (
        <ErrorState error={figures.error} onRetry={() => void figures.refetch()} />
      ) : (
        <SkeletonRows rows={2} />
      )}
      <CodeEnds codes={codes} />
    </section>
  );
}

function Figures({ of }: { of: CodeStatistics }) {
  const { t } = useTranslation('documents');
  const { days, alarms } = of;
  if (alarms === 0) return <p className="quiet">{t('figures.never', { days })}</p>;
  return (
    <>
      <p className={css.numbers}>
        <span className="quiet">{t('figures.period', { days })}</span>
        <strong>{t('figures.alarms', { count: alarms })}</strong>
        <span>{t('figures.devices', { count: of.devices })}</span>
        {of.open > 0 && <strong className={css.open}>{t('figures.open', { count: of.open })}</strong>}
        <span>
          {t('figures.last')} <TimeAgo at={of.lastAt} />
        </span>
      </p>
      <details>
        <summary>{t('figures.more')}</summary>
        <div className={css.rankings}>
          <Commands of={of} />
          <Ranking title={t('figures.models')} rows={of.models} named="model" />
          <Ranking title={t('figures.firmware')} rows={of.firmware} />
        </div>
      </details>
    </>
  );
}

function Ranking(props: { title: string; rows: CodeStatistics['models']; named?: 'model' }) {
  const { t } = useTranslation('documents');
  const modelName = useModelName();
  return (
    <Table
      title={props.title}
      columns={[t('figures.alarmCount')]}
      rows={props.rows.map(({ name, count }) => ({
        key: name,
        name: props.named === 'model' ? modelName(name) : <span className="mono">{name}</span>,
        values: [count],
      }))}
    />
  );
}

/** The commands within an hour after an alarm, and after how many of them it did not return. */
function Commands({ of }: { of: CodeStatistics }) {
  const { t } = useTranslation('documents');
  const { t: operations } = useTranslation('operations');
  return (
    <Table
      title={t('figures.commands')}
      columns={[t('figures.sent'), t('figures.resolved')]}
      rows={of.commands.map(({ kind, count, resolved }) => ({
        key: kind,
        name: operations(`kinds.${kind}.do` as 'kinds.softReset.do', { defaultValue: kind }),
        values: [count, resolved],
      }))}
    />
  );
}

function Table(props: {
  title: string;
  columns: readonly string[];
  rows: readonly { key: string; name: ReactNode; values: readonly number[] }[];
}) {
  const { t } = useTranslation('documents');
  if (props.rows.length === 0) {
    return (
      <p>
        <strong>{props.title}</strong> <span className="quiet">{t('figures.none')}</span>
      </p>
    );
  }
  return (
    <table className={`fact-table ${rankingCss.ranking}`}>
      <thead>
        <tr>
          <th scope="col">{props.title}</th>
          {props.columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {props.rows.map(({ key, name, values }) => (
          <tr key={key}>
            <th scope="row">{name}</th>
            {values.map((value, index) => (
              <td key={props.columns[index]}>{value.toLocaleString('en-US')}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
