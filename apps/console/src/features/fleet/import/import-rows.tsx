import type { ImportRow } from '@chargehand/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Answer } from '../../../shared/api/client.ts';
import { useMedia } from '../../../shared/hooks/use-media.ts';
import { FilterCheck } from '../../../shared/ui/list-page/filter-check.tsx';
import { PagedTable } from '../../../shared/ui/table/paged-table.tsx';
import { Dash } from '../../../shared/ui/values/time-ago.tsx';
import '../../../shared/ui/list-page/data-table.css';
import css from './import.module.css';

/** Every row of a file with its result, rows with problems first. */
export function ImportRows({ answer }: { answer: Answer<'importDevices'> }) {
  const { t } = useTranslation('devices');
  const { t: fleet } = useTranslation('fleet');
  const inOneCell = useMedia('(max-width: 760px)');
  const [onlyBad, setOnlyBad] = useState(answer.faulty > 0);
  const rows = onlyBad ? answer.rows.filter(({ problems }) => problems.length > 0) : answer.rows;
  const text = (value: string) => (value === '' ? <Dash /> : value);
  const columns = [
    { key: 'row', title: t('import.row'), width: 70, render: (_: unknown, row: ImportRow) => row.row },
    {
      key: 'sn',
      title: fleet('sn'),
      render: (_: unknown, row: ImportRow) => <span className="mono no-break">{text(row.sn)}</span>,
    },
    { key: 'name', title: fleet('name'), render: (_: unknown, row: ImportRow) => text(row.name) },
    { key: 'site', title: fleet('site'), render: (_: unknown, row: ImportRow) => text(row.site) },
    { key: 'model', title: fleet('model'), render: (_: unknown, row: ImportRow) => text(row.model) },
    { key: 'result', title: t('import.result'), render: (_: unknown, row: ImportRow) => <ImportResult row={row} /> },
  ];
  const compact = [
    {
      key: 'row',
      render: (_: unknown, row: ImportRow) => (
        <div className={css.importCard}>
          <span>
            <span className="quiet">{`${row.row}. `}</span>
            <strong>{row.name}</strong> <span className="mono">{row.sn}</span>
          </span>
          <span className="quiet">{[row.site, row.model].filter((part) => part !== '').join(' · ')}</span>
          <ImportResult row={row} />
        </div>
      ),
    },
  ];
  return (
    <>
      {answer.faulty > 0 && (
        <FilterCheck checked={onlyBad} onChange={setOnlyBad}>
          {t('import.onlyBad')}
        </FilterCheck>
      )}
      <div className="data-table">
        <PagedTable<ImportRow>
          label={t('import.rows')}
          rowKey="row"
          showHeader={!inOneCell}
          columns={inOneCell ? compact : columns}
          rows={rows}
          firstSize={50}
          choosesSize={!inOneCell}
        />
      </div>
    </>
  );
}

function ImportResult({ row }: { row: ImportRow }) {
  const { t } = useTranslation('devices');
  if (row.problems.length === 0) return <span className="quiet">{t('import.ready')}</span>;
  return (
    <ul className="import-problems">
      {row.problems.map((problem) => (
        <li key={problem}>{problem}</li>
      ))}
    </ul>
  );
}
