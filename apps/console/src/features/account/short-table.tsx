import type { ReactNode } from 'react';
import { useMedia } from '../../shared/hooks/use-media.ts';
import type { Column } from '../../shared/ui/table/column.ts';
import { Table } from '../../shared/ui/table/table.tsx';
import '../../shared/ui/list-page/data-table.css';
import css from './account.module.css';

interface Props<Row> {
  /** the accessible name of the table */
  label: string;
  rows: readonly Row[];
  columns: Column<Row>[];
  /** a row on a phone: everything in one cell, without column headers */
  compact(row: Row): ReactNode;
  empty?: ReactNode;
}

/** A small table inside a panel, without paging and sorting. */
export function ShortTable<Row extends { id: number }>({ label, rows, columns, compact, empty }: Props<Row>) {
  const inOneCell = useMedia('(max-width: 760px)');
  return (
    <div className={`data-table ${css.shortTable}`}>
      <Table<Row>
        label={label}
        showHeader={!inOneCell}
        rows={rows}
        columns={inOneCell ? [{ key: 'row', render: (_, row) => compact(row) }] : columns}
        empty={empty}
      />
    </div>
  );
}
