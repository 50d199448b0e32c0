import type { ListName } from '@chargehand/contract';
import { PAGE_SIZES } from '@chargehand/contract/constants';
import { Button } from 'antd';
import {
  type ComponentProps,
  lazy,
  type MouseEvent,
  type ReactNode,
  Suspense,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { addressNow } from '../../hooks/lists/use-address.ts';
import { useChanged } from '../../hooks/lists/use-changed.ts';
import type { Listing } from '../../hooks/lists/use-list.ts';
import { useListKeys } from '../../hooks/lists/use-list-keys.ts';
import { useListView } from '../../hooks/lists/use-list-view.ts';
import { type ReadMatching, useChosen, useSelection } from '../../hooks/lists/use-selection.ts';
import { useMedia } from '../../hooks/use-media.ts';
import { loadChunk } from '../../lib/browser/load-chunk.ts';
import { type Filters, nextSort } from '../../lib/lists/list-query.ts';
import type { NamedColumn } from '../../lib/lists/list-view.ts';
import { onRowKey } from '../../lib/lists/row-keys.ts';
import { lazyDialog } from '../dialogs/lazy/lazy-dialog.tsx';
import { arrangedColumns } from '../list/arranged-columns.tsx';
import type { BulkAction } from '../list/bulk-action.ts';
import { PageCheck, RowCheck } from '../list/row-check.tsx';
import { EmptyState } from '../states/empty-state.tsx';
import { ErrorState } from '../states/error-state.tsx';
import { SkeletonRows } from '../states/skeleton-rows.tsx';
import type { Column, ColumnSort } from '../table/column.ts';
import { Pager } from '../table/pager.tsx';
import { Table } from '../table/table.tsx';
import { ClearFilters } from './filter-bar.tsx';
import './data-table.css';

const BulkBar = lazy(() => loadChunk(() => import('../list/bulk-bar.tsx')));
const ChooseBar = lazy(() => loadChunk(() => import('../list/choose-bar.tsx')));
const KeysDialog = lazyDialog(() => import('../list/keys-dialog.tsx'));

const ACTIONS = { key: 'actions', width: 40, align: 'end', className: 'row-actions' } as const;
const noHighlight = () => '';

/** A column. With `sortBy` its header sorts the list on the server. One with a `name` may be hidden and moved. */
export type DataColumn<Row, S extends string = string> = Column<Row> & NamedColumn & { sortBy?: S };

export interface TableProps<Row, F extends Filters, S extends string> {
  /** the accessible name of the table */
  label: string;
  list: Listing<Row, F, S>;
  columns: DataColumn<Row, S>[];
  /** the buttons of a row, in a separate column at the end */
  rowActions?: ((row: Row) => ReactNode) | undefined;
  /** Enter or a click on a row */
  onOpen?: ((row: Row) => void) | undefined;
  /** shown when the list is empty without a filter */
  empty?: string;
  /** below `empty`: the first step */
  emptyAction?: ReactNode;
  rowClassName?: (row: Row) => string | undefined;
  /**
   * A text that changes when a row changes visibly. Rows that change while they are displayed are highlighted for a
   * moment.
   */
  lookOf?(row: Row): string;
  /** the name under which the user's column settings are stored; omitted: no settings */
  keep?: ListName | undefined;
  /** bulk actions */
  bulk?: Bulk<Row> | undefined;
  /** a row on a phone: everything in one cell, without column headers */
  compact?: (row: Row) => ReactNode;
}

/** Bulk actions, the name of a row, and which rows can be selected. */
export interface Bulk<Row> {
  actions: readonly BulkAction[];
  nameOf(row: Row): string;
  choosable?(row: Row): boolean;
  /** the page was opened to select rows: cards are in selection mode */
  choosesFirst?: boolean;
  /** Reads all rows that match the filters, to select them; omitted: only rows that are shown can be selected. */
  matching?: ReadMatching | undefined;
}

/**
 * The rows of a list from the server. Paging, order and filters are stored in the URL. Arrow keys move between rows.
 * Rows stay visible while the next page is loaded or the list is refreshed.
 */
export function DataTable<Row extends { id: number }, F extends Filters, S extends string>(
  props: TableProps<Row, F, S>,
) {
  const { list, onOpen, compact, keep, bulk, lookOf, rowActions } = props;
  const { rows: query } = list;
  const { t } = useTranslation();
  // On a wide screen the table header sticks below the page header; on a narrow one the table scrolls horizontally
  // instead.
  const narrow = useMedia('(max-width: 1000px)');
  const inOneCell = useMedia('(max-width: 760px)') && compact !== undefined;
  const { page, pageSize, sort } = list.query;
  const total = query.data?.total ?? 0;
  const lastPage = Math.max(1, Math.ceil(total / pageSize));

  const changed = useChanged(lookOf && query.data?.items, lookOf ?? noHighlight);
  const view = useListView(keep);
  const selection = useSelection();
  const selectable = bulk !== undefined && bulk.actions.length > 0;
  // A card has no room for a checkbox that is rarely used, so it only appears in selection mode.
  const [choosing, setChoosing] = useState(false);
  const choosesFirst = bulk?.choosesFirst === true;
  useEffect(() => {
    if (choosesFirst) setChoosing(true);
  }, [choosesFirst]);
  const selects = selectable && (!inOneCell || choosing);
  const table = useRef<HTMLDivElement>(null);
  const [helped, setHelped] = useState(false);
  useListKeys(
    table,
    useCallback(() => setHelped(true), []),
  );

  const beyondEnd = query.isSuccess && !query.isPlaceholderData && !query.more && page > lastPage;
  useEffect(() => {
    if (beyondEnd) list.change({ page: lastPage } as Parameters<typeof list.change>[0]);
  }, [beyondEnd, lastPage, list]);

  if (query.isError && !query.data) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <SkeletonRows rows={Math.min(pageSize, 12)} />;

  const items = query.data.items;
  const all: DataColumn<Row, S>[] = rowActions
    ? [...props.columns, { ...ACTIONS, title: <HiddenTitle />, render: (_, row) => rowActions(row) }]
    : props.columns;
  const kept = keep === undefined ? all : arrangedColumns<Row, { sortBy?: S }>(all, view, keep);
  const change = (next: { page?: number; pageSize?: number; sort?: string | undefined }) =>
    list.change(next as Parameters<typeof list.change>[0]);
  // Based on the URL instead of the rendered state, which may be one step behind: two quick clicks are two steps.
  const press = (field: S) => change({ sort: nextSort(addressNow().get('sort'), field) });
  const wide = kept.map(({ sortBy, name, always: _, optional: __, ...column }) => ({
    key: sortBy ?? name,
    ...column,
    ...(sortBy && { sort: { order: orderOf(sort, sortBy), onPress: () => press(sortBy) } }),
  }));
  const columns = inOneCell ? [{ key: 'row', render: (_: unknown, row: Row) => compact(row) }] : wide;
  const named = (row: Row) => ({ id: row.id, name: bulk?.nameOf(row) ?? '' });
  const choosable = (row: Row) => bulk?.choosable?.(row) !== false;
  const choosableRows = items.filter(choosable).map(named);
  const toggle = (row: Row) => {
    if (choosable(row)) selection.choose([named(row)], !selection.names.has(row.id));
  };
  const checks: Column<Row> = {
    key: 'check',
    className: 'row-check',
    width: 36,
    title: <PageCheck selection={selection} rows={choosableRows} />,
    render: (_, row) => <RowCheck selection={selection} row={named(row)} disabled={!choosable(row)} />,
  };

  return (
    <div
      ref={table}
      className="data-table"
      data-openable={onOpen !== undefined}
      data-refreshing={query.isPlaceholderData}
    >
      {selectable && inOneCell && (
        <Suspense fallback={<div className="choose-bar" />}>
          <ChooseBar
            choosing={choosing}
            onTurn={(on) => {
              selection.keep([]);
              setChoosing(on);
            }}
            onAll={() => selection.choose(choosableRows, true)}
          />
        </Suspense>
      )}
      {selects && (
        <Chosen
          selection={selection}
          actions={bulk.actions}
          matching={bulk.matching}
          total={query.more || bulk.choosable ? undefined : total}
        />
      )}
      <Table<Row>
        label={props.label}
        density={view.density}
        columns={selects ? [checks, ...columns] : columns}
        showHeader={!inOneCell}
        rows={items}
        scrollWidth={narrow && !inOneCell ? 'max-content' : undefined}
        rowClassName={(row) => `${changed.has(row.id) ? 'row-changed' : ''} ${props.rowClassName?.(row) ?? ''}`}
        empty={
          list.filtered ? (
            <EmptyState text={t('table.noMatch')} action={<ClearFilters onClear={list.clear} />} />
          ) : (
            <EmptyState text={props.empty ?? t('empty')} action={props.emptyAction} />
          )
        }
        onRow={(row) => ({
          tabIndex: 0,
          onClick: (event) => {
            if (isOwnClick(event)) return;
            if (inOneCell && selects) toggle(row);
            else onOpen?.(row);
          },
          onKeyDown: (event) => onRowKey(event, () => onOpen?.(row), selects ? () => toggle(row) : undefined),
        })}
      />
      {!query.more && (
        <Pager
          page={Math.min(page, lastPage)}
          pageSize={pageSize}
          total={total}
          sizes={PAGE_SIZES}
          onPage={(next) => change({ page: next })}
          onSize={inOneCell ? undefined : (next) => change({ pageSize: next })}
        />
      )}
      {query.more?.has && (
        <div className="data-table-more">
          <Button loading={query.more.busy} onClick={() => void query.more?.load()}>
            {t('older')}
          </Button>
        </div>
      )}
      {helped && (
        <Suspense>
          <KeysDialog selects={selects} onClose={() => setHelped(false)} />
        </Suspense>
      )}
    </div>
  );
}

/**
 * The bulk actions of the selected rows; loaded with the first selection, and afterwards responsible for its own
 * visibility.
 */
function Chosen(props: ComponentProps<typeof BulkBar>) {
  const ever = useRef(false);
  const any = useChosen(props.selection, (names) => names.size > 0);
  ever.current ||= any;
  return (
    ever.current && (
      <Suspense>
        <BulkBar {...props} />
      </Suspense>
    )
  );
}

function HiddenTitle() {
  const { t } = useTranslation();
  return <span className="visually-hidden">{t('table.actions')}</span>;
}

function orderOf(sort: string | undefined, field: string): ColumnSort['order'] {
  if (sort === field) return 'ascending';
  return sort === `-${field}` ? 'descending' : 'none';
}

/** True for a click on an element inside the row, or at the end of a text selection. */
function isOwnClick(event: MouseEvent<HTMLElement>): boolean {
  const target = event.target as HTMLElement;
  const inRow = event.currentTarget.contains(target);
  return !inRow || target.closest('a, button, input, label') !== null || getSelection()?.type === 'Range';
}
