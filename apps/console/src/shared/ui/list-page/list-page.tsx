import type { ReactNode } from 'react';
import type { DownloadOptions } from '../../api/client.ts';
import type { Listing } from '../../hooks/lists/use-list.ts';
import { type Filters, type WholeQuery, wholeOf } from '../../lib/lists/list-query.ts';
import { Page } from '../page/page-header.tsx';
import { DataTable, type TableProps } from './data-table.tsx';
import { ExportButton } from './export-button.tsx';
import { FilterBar } from './filter-bar.tsx';

interface ViewProps<Row extends { id: number }, F extends Filters, S extends string> extends TableProps<Row, F, S> {
  /** what the search field searches; the list's spec has a filter `search` */
  search?: string | undefined;
  /** further filters: `<FilterSelect {...list.field('status')} … />` */
  filters?: ReactNode;
  /** further filters that are collapsed on a phone */
  moreFilters?: ReactNode;
  /** Downloads the whole list; omitted: no export. */
  onExport?: ((query: WholeQuery<F, S>, options: DownloadOptions) => Promise<void>) | undefined;
}

/** A list as a part of a page: its filters, with the export at their end, and its rows. */
export function ListSection<Row extends { id: number }, F extends Filters, S extends string>(
  props: ViewProps<Row, F, S>,
) {
  const { search, filters, moreFilters, onExport, ...table } = props;
  return (
    <div className="stack">
      <FilterBar
        list={props.list}
        search={search}
        more={moreFilters}
        extra={onExport && <ListExport list={props.list} run={onExport} />}
      >
        {filters}
      </FilterBar>
      <DataTable {...table} />
    </div>
  );
}

interface PageProps<Row extends { id: number }, F extends Filters, S extends string> extends ViewProps<Row, F, S> {
  title: string;
  note?: ReactNode;
  /** page actions, after the export */
  actions?: ReactNode;
  /** between the heading and the filters */
  intro?: ReactNode;
  /** dialogs */
  children?: ReactNode;
}

/**
 * The page of a list: heading, export and actions, filters, rows. A list needs a spec and a call (`useList`), its
 * columns and its texts. Paging, order, saved columns, selection, keyboard shortcuts, and empty, loading and error
 * states are included.
 */
export function ListPage<Row extends { id: number }, F extends Filters, S extends string>(
  props: Omit<PageProps<Row, F, S>, 'label'>,
) {
  const { title, note, actions, intro, children, search, filters, moreFilters, onExport, ...table } = props;
  const filterable = search !== undefined || filters !== undefined;
  return (
    <Page
      title={title}
      note={note}
      actions={
        (onExport || actions) && (
          <>
            {onExport && <ListExport list={props.list} run={onExport} />}
            {actions}
          </>
        )
      }
    >
      {intro}
      {filterable && (
        <FilterBar list={props.list} search={search} more={moreFilters}>
          {filters}
        </FilterBar>
      )}
      <DataTable label={title} {...table} />
      {children}
    </Page>
  );
}

function ListExport<F extends Filters, S extends string>(props: {
  list: Listing<unknown, F, S>;
  run(query: WholeQuery<F, S>, options: DownloadOptions): Promise<void>;
}) {
  const { query, rows } = props.list;
  // A list without pages does not know its number of rows.
  const total = rows.more ? undefined : rows.data?.total;
  return <ExportButton fetch={(options) => props.run(wholeOf(query), options)} rows={total} disabled={total === 0} />;
}
