import type { ReactNode, TdHTMLAttributes } from 'react';

/** A column of a table. */
export interface Column<Row> {
  key?: string | undefined;
  title?: ReactNode;
  /** the field that is shown, unless `render` shows something else */
  dataIndex?: string;
  /** The content of a cell. The first argument is the value of `dataIndex`. */
  render?(value: unknown, row: Row): ReactNode;
  width?: number | string;
  align?: 'end';
  className?: string;
  /** Attributes of a cell. With `colSpan: 0` there is none, because the one before it covers its place. */
  onCell?(row: Row): TdHTMLAttributes<HTMLTableCellElement>;
  /** makes the header a button that sorts */
  sort?: ColumnSort;
}

export interface ColumnSort {
  order: 'ascending' | 'descending' | 'none';
  onPress(): void;
}
