import { Fragment, type HTMLAttributes, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../states/empty-state.tsx';
import type { Column, ColumnSort } from './column.ts';
import './scroll-fade.css';
import css from './table.module.css';

interface Props<Row> {
  /** the accessible name */
  label: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  /** the field that identifies a row; default `id` */
  rowKey?: keyof Row & string;
  /** of the outermost element */
  className?: string | undefined;
  density?: 'compact' | 'comfortable';
  showHeader?: boolean;
  /** `fixed`: the widths of the columns do not depend on the content */
  layout?: 'fixed' | undefined;
  /** the width from which the table is scrolled horizontally in a narrower place */
  scrollWidth?: number | 'max-content' | undefined;
  /** the height from which the rows are scrolled below the header */
  scrollHeight?: number | string | undefined;
  rowClassName?(row: Row): string;
  onRow?(row: Row): HTMLAttributes<HTMLTableRowElement>;
  /** shown without rows */
  empty?: ReactNode;
}

/** A table. Its rows can be scrolled, but not loaded, sorted or selected by itself: see `DataTable`. */
export function Table<Row extends object>(props: Props<Row>) {
  const { columns, rows, rowKey = 'id' as keyof Row & string, scrollWidth, scrollHeight } = props;
  const { density = 'compact', showHeader = true, layout = scrollHeight === undefined ? undefined : 'fixed' } = props;
  const { t } = useTranslation();
  const scrolls = scrollWidth !== undefined || scrollHeight !== undefined;
  const table = (
    <table
      className={scrolls ? css.table : classOf(css.table, props.className)}
      aria-label={props.label}
      data-density={density}
      style={{ tableLayout: layout, width: scrollWidth }}
    >
      <colgroup>
        {columns.map(({ key, width }, index) => (
          <col key={key ?? index} style={{ width }} />
        ))}
      </colgroup>
      {showHeader && (
        <thead>
          <tr>
            {columns.map((column, index) => (
              <Header key={column.key ?? index} column={column} />
            ))}
          </tr>
        </thead>
      )}
      <tbody>
        {rows.map((row) => {
          const id = String(row[rowKey]);
          return (
            <tr key={id} data-row-key={id} className={props.rowClassName?.(row)} {...props.onRow?.(row)}>
              {columns.map((column, index) => (
                <Fragment key={column.key ?? index}>{cellOf(column, row)}</Fragment>
              ))}
            </tr>
          );
        })}
        {rows.length === 0 && (
          <tr>
            <td className={css.empty} colSpan={columns.length}>
              {props.empty ?? <EmptyState text={t('empty')} />}
            </td>
          </tr>
        )}
      </tbody>
    </table>
  );
  if (!scrolls) return table;
  return (
    <div
      className={classOf(css.scroll, scrollHeight === undefined ? 'scroll-fade' : undefined, props.className)}
      style={{ maxHeight: scrollHeight }}
      data-scroll={scrollHeight === undefined ? 'x' : 'y'}
    >
      {table}
    </div>
  );
}

function Header<Row>({ column: { title, align, className, sort } }: { column: Column<Row> }) {
  return (
    <th scope="col" className={className} data-align={align} aria-sort={sort?.order}>
      {sort ? <Sorter {...sort}>{title}</Sorter> : title}
    </th>
  );
}

function Sorter({ order, onPress, children }: ColumnSort & { children: ReactNode }) {
  return (
    <button type="button" className={css.sorter} data-order={order} onClick={onPress}>
      <span>{children}</span>
      <svg width="10" height="12" viewBox="0 0 10 12" aria-hidden="true">
        <path d="M5 0 9.5 5h-9z" />
        <path d="M5 12 .5 7h9z" />
      </svg>
    </button>
  );
}

function cellOf<Row extends object>(column: Column<Row>, row: Row): ReactNode {
  const { dataIndex, render, align } = column;
  const { className, ...attributes } = column.onCell?.(row) ?? {};
  if (attributes.colSpan === 0) return null;
  const value: unknown = dataIndex && (row as Record<string, unknown>)[dataIndex];
  return (
    <td className={classOf(column.className, className)} data-align={align} {...attributes}>
      {render ? render(value, row) : (value as ReactNode)}
    </td>
  );
}

function classOf(...names: (string | undefined)[]): string | undefined {
  return names.filter(Boolean).join(' ') || undefined;
}
