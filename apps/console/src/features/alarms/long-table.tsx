import { Button, Table, type TableColumnType, type TableProps } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useMedia } from '../../shared/hooks/use-media.ts';
import { onRowKey } from '../../shared/lib/row-keys.ts';
import { EmptyState } from '../../shared/ui/empty-state.tsx';
import { ErrorState } from '../../shared/ui/error-state.tsx';
import { pressedSort } from '../../shared/ui/list/pressed-sort.ts';
import { SkeletonRows } from '../../shared/ui/skeleton-rows.tsx';
import type { useStretches } from './use-stretches.ts';
import '../../shared/ui/data-table.css';

interface Props<Row> {
  label: string;
  rows: Row[] | undefined;
  query: Pick<
    ReturnType<typeof useStretches>,
    'isError' | 'error' | 'refetch' | 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage' | 'isPlaceholderData'
  >;
  columns: TableColumnType<Row>[];
  empty: ReactNode;
  /** a row on a phone: everything in one cell, without headings */
  compact(row: Row): ReactNode;
  onOpen?: (row: Row) => void;
  rowClassName?: (row: Row) => string;
  rowSelection?: TableProps<Row>['rowSelection'];
  onSort?: (sort: string | undefined) => void;
}

/** A list that is continued at its end. Rows can be opened with Enter; what is on screen stays while it is refreshed. */
export function LongTable<Row extends { id: number }>(props: Props<Row>) {
  const { rows, query, onOpen, compact } = props;
  const { t } = useTranslation();
  const narrow = useMedia('(max-width: 1000px)');
  const inOneCell = useMedia('(max-width: 760px)');
  if (query.isError && !rows) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (!rows) return <SkeletonRows rows={8} />;
  return (
    <div className="data-table" data-openable={onOpen !== undefined} data-refreshing={query.isPlaceholderData}>
      <Table<Row>
        aria-label={props.label}
        size="small"
        rowKey="id"
        columns={inOneCell ? [{ key: 'id', render: (_: unknown, row: Row) => compact(row) }] : props.columns}
        showHeader={!inOneCell}
        dataSource={rows}
        pagination={false}
        scroll={narrow && !inOneCell ? { x: 'max-content' } : undefined}
        rowSelection={props.rowSelection}
        rowClassName={props.rowClassName}
        locale={{ emptyText: typeof props.empty === 'string' ? <EmptyState text={props.empty} /> : props.empty }}
        onRow={
          onOpen &&
          ((row) => ({
            tabIndex: 0,
            onClick: (event) => {
              const own = (event.target as HTMLElement).closest('a, button, input, label, .ant-table-selection-column');
              if (own === null && getSelection()?.type !== 'Range') onOpen(row);
            },
            onKeyDown: (event) => {
              onRowKey(event, () => onOpen(row));
            },
          }))
        }
        onChange={(_pagination, _filters, sorter) => props.onSort?.(pressedSort(sorter, props.columns))}
      />
      {query.hasNextPage && (
        <div className="long-more">
          <Button loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {t('older')}
          </Button>
        </div>
      )}
    </div>
  );
}
