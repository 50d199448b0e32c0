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
    { title: t('statements.text'), render: (_, { text }) => <Statement text={text} /> },
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
      <Statement text={text} />
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

/** What a statement does, and all of it when unfolded. */
function Statement({ text }: { text: string }) {
  return (
    <details className={css.statement}>
      <summary>{summaryOf(text)}</summary>
      <code>{text}</code>
    </details>
  );
}

const BEFORE_TABLES = new Set(['from', 'into', 'update', 'join']);

const NO_TABLES = new Set(['lateral', 'unnest', 'skip']);

/** The first word of a statement, and its first tables. */
function summaryOf(text: string): string {
  const words = text
    .slice(0, 2_000)
    .split(/\s/)
    .filter((word) => word !== '');
  const tables = words.flatMap((word, at) =>
    BEFORE_TABLES.has(word.toLowerCase()) ? (words[at + 1] ?? '').replaceAll(/[^a-z_]/g, '') : [],
  );
  const named = [...new Set(tables)].filter((table) => table.length > 2 && !NO_TABLES.has(table)).slice(0, 3);
  return `${words[0]?.toLowerCase() ?? ''} ${named.join(', ')}`.trim();
}

function timesOf(calls: number, meanMs: number, totalMs: number): string {
  return `${calls.toLocaleString('en-US')} × ${formatSpan(meanMs)} = ${formatSpan(totalMs)}`;
}
