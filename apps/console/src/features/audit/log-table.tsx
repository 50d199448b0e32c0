import { Button, Table, type TableColumnType } from 'antd';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../shared/ui/empty-state.tsx';
import { ErrorState } from '../../shared/ui/error-state.tsx';
import { SkeletonRows } from '../../shared/ui/skeleton-rows.tsx';
import '../../shared/ui/data-table.css';

interface Props<Row> {
  label: string;
  log: {
    data: { pages: { items: Row[] }[] } | undefined;
    isError: boolean;
    error: unknown;
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    fetchNextPage(): Promise<unknown>;
    refetch(): Promise<unknown>;
  };
  columns: TableColumnType<Row>[];
  empty: string;
  onOpen?: (row: Row) => void;
}

/** A log as a table that is continued at its end. */
export function LogTable<Row extends { id: number }>({ label, log, columns, empty, onOpen }: Props<Row>) {
  const { t } = useTranslation();
  if (log.isError && !log.data) return <ErrorState error={log.error} onRetry={() => void log.refetch()} />;
  if (!log.data) return <SkeletonRows rows={10} />;
  return (
    <div className="data-table" data-openable={onOpen !== undefined}>
      <Table<Row>
        aria-label={label}
        size="small"
        rowKey="id"
        columns={columns}
        dataSource={log.data.pages.flatMap(({ items }) => items)}
        pagination={false}
        sticky={{ offsetHeader: 44 }}
        scroll={{ x: 'max-content' }}
        locale={{ emptyText: <EmptyState text={empty} /> }}
        onRow={
          onOpen &&
          ((row) => ({
            tabIndex: 0,
            onClick: () => getSelection()?.type !== 'Range' && onOpen(row),
            onKeyDown: (event) => event.key === 'Enter' && onOpen(row),
          }))
        }
      />
      {log.hasNextPage && (
        <div className="log-more">
          <Button loading={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
            {t('older')}
          </Button>
        </div>
      )}
    </div>
  );
}
