import type { ListName } from '@chargehand/contract';
import { Button, Table, type TableColumnType } from 'antd';
import { lazy, type ReactNode, Suspense, useCallback, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useListKeys } from '../../shared/hooks/use-list-keys.ts';
import { useListLook } from '../../shared/hooks/use-list-look.ts';
import { useMedia } from '../../shared/hooks/use-media.ts';
import type { NamedColumn } from '../../shared/lib/list-look.ts';
import { loadChunk } from '../../shared/lib/load-chunk.ts';
import { onRowKey } from '../../shared/lib/row-keys.ts';
import { EmptyState } from '../../shared/ui/empty-state.tsx';
import { ErrorState } from '../../shared/ui/error-state.tsx';
import { arrangedColumns } from '../../shared/ui/list/arranged-columns.tsx';
import { SkeletonRows } from '../../shared/ui/skeleton-rows.tsx';
import '../../shared/ui/data-table.css';

const KeysDialog = lazy(() => loadChunk(() => import('../../shared/ui/list/keys-dialog.tsx')));

export type LogColumn<Row> = TableColumnType<Row> & NamedColumn;

interface Props<Row> {
  label: string;
  /** under which name everybody's own arrangement of the columns is kept */
  keep: ListName;
  log: {
    data: { pages: { items: Row[] }[] } | undefined;
    isError: boolean;
    isPlaceholderData: boolean;
    error: unknown;
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    fetchNextPage(): Promise<unknown>;
    refetch(): Promise<unknown>;
  };
  columns: LogColumn<Row>[];
  /** a row on a phone: everything in one cell, without headings */
  compact(row: Row): ReactNode;
  /** what is said of an empty log; with filters, how to be rid of them */
  empty: string;
  filtered: boolean;
  onClear(): void;
  onOpen?: (row: Row) => void;
}

/** A log as a table that is continued at its end. */
export function LogTable<Row extends { id: number }>(props: Props<Row>) {
  const { label, keep, log, compact, empty, filtered, onClear, onOpen } = props;
  const { t } = useTranslation();
  const look = useListLook(keep);
  const inOneCell = useMedia('(max-width: 760px)');
  const table = useRef<HTMLDivElement>(null);
  const [helped, setHelped] = useState(false);
  useListKeys(
    table,
    useCallback(() => setHelped(true), []),
  );
  if (log.isError && !log.data) return <ErrorState error={log.error} onRetry={() => void log.refetch()} />;
  if (!log.data) return <SkeletonRows rows={10} />;
  const wide = arrangedColumns<Row>(props.columns, look, keep)
    .map((column) => (column.key === 'arrange' ? { ...column, fixed: 'end' as const } : column))
    .map(({ name, always: _, optional: __, ...column }) => ({ key: name, ...column }));
  const columns = inOneCell ? [{ key: 'row', render: (_: unknown, row: Row) => compact(row) }] : wide;
  return (
    <div
      ref={table}
      className="data-table"
      data-openable={onOpen !== undefined}
      data-refreshing={log.isPlaceholderData}
    >
      <Table<Row>
        aria-label={label}
        size={look.density === 'comfortable' ? 'middle' : 'small'}
        rowKey="id"
        columns={columns}
        showHeader={!inOneCell}
        dataSource={log.data.pages.flatMap(({ items }) => items)}
        pagination={false}
        {...(!inOneCell && { sticky: { offsetHeader: 44 }, scroll: { x: 'max-content' } })}
        locale={{
          emptyText: filtered ? (
            <EmptyState
              text={t('table.noMatch')}
              action={
                <button type="button" className="text-button" onClick={onClear}>
                  {t('table.clear')}
                </button>
              }
            />
          ) : (
            <EmptyState text={empty} />
          ),
        }}
        onRow={(row) => ({
          tabIndex: 0,
          onClick: () => getSelection()?.type !== 'Range' && onOpen?.(row),
          onKeyDown: (event) => onRowKey(event, () => onOpen?.(row)),
        })}
      />
      {log.hasNextPage && (
        <div className="log-more">
          <Button loading={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
            {t('older')}
          </Button>
        </div>
      )}
      {helped && (
        <Suspense>
          <KeysDialog selects={false} onClose={() => setHelped(false)} />
        </Suspense>
      )}
    </div>
  );
}
