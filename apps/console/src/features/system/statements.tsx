import type { SystemState } from '@chargehand/contract';
import { formatSpan } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import { useMedia } from '../../shared/hooks/use-media.ts';
import type { Column } from '../../shared/ui/table/column.ts';
import { Table } from '../../shared/ui/table/table.tsx';
import '../../shared/ui/list-page/data-table.css';
import css from './system.module.css';

/** The statements that took the most time. */
export function Statements({ statements }: { statements: SystemState['statements'] }) {
  const { t } = useTranslation('system');
  const narrow = useMedia('(max-width: 760px)');
  const columns: Column<SystemState['statements'][number]>[] = [
    { title: t('statements.text'), render: (_, { text }) => <code className={css.statement}>{text}</code> },
    {
      title: t('statements.calls'),
      width: 100,
      align: 'end',
      render: (_, one) => one.calls.toLocaleString('en-US'),
    },
    { title: t('statements.mean'), width: 100, align: 'end', render: (_, one) => formatSpan(one.meanMs) },
    { title: t('statements.total'), width: 110, align: 'end', render: (_, one) => formatSpan(one.totalMs) },
  ];
  const compact = ({ text, calls, meanMs, totalMs }: SystemState['statements'][number]) => (
    <>
      <code className={css.statement}>{text}</code>
      <div className="quiet">{timesOf(calls, meanMs, totalMs)}</div>
    </>
  );
  return (
    <div className="data-table">
      <Table
        label={t('statements.title')}
        rowKey="text"
        rows={statements}
        showHeader={!narrow}
        columns={narrow ? [{ key: 'row', render: (_, row) => compact(row) }] : columns}
      />
    </div>
  );
}

function timesOf(calls: number, meanMs: number, totalMs: number): string {
  return `${calls.toLocaleString('en-US')} × ${formatSpan(meanMs)} = ${formatSpan(totalMs)}`;
}
