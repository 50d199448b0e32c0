import type { TableColumnType, TableProps } from 'antd';
import { addressNow } from '../../hooks/lists/use-address.ts';
import { turnedSort } from '../../lib/lists/list-query.ts';

type Sorter<Row> = Parameters<NonNullable<TableProps<Row>['onChange']>>[2];

/**
 * The order of a list after one of its headings was pressed. It follows from the address of the moment and not from what
 * is drawn, which may be a step behind: two presses soon after each other are two steps.
 * @param sorter what the table says about the press: the column, or none where the order that is drawn would end
 */
export function pressedSort<Row>(sorter: Sorter<Row>, columns: readonly TableColumnType<Row>[]): string | undefined {
  const { columnKey } = [sorter].flat()[0] ?? {};
  const field = columnKey ?? columns.find(({ sortOrder }) => sortOrder)?.key;
  const sort = addressNow().get('sort');
  return field === undefined ? (sort ?? undefined) : turnedSort(sort, String(field));
}
