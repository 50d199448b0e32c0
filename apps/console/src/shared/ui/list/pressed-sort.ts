import type { TableColumnType, TableProps } from 'antd';
import { addressNow } from '../../hooks/lists/use-address.ts';
import { nextSort } from '../../lib/lists/list-query.ts';

type Sorter<Row> = Parameters<NonNullable<TableProps<Row>['onChange']>>[2];

/**
 * The order of a list after a click on a header. It is based on the current URL instead of the rendered state, which
 * may be one step behind, so that two clicks in quick succession are two steps.
 * @param sorter the table's description of the click: the column, or none where the rendered order would end
 */
export function pressedSort<Row>(sorter: Sorter<Row>, columns: readonly TableColumnType<Row>[]): string | undefined {
  const { columnKey } = [sorter].flat()[0] ?? {};
  const field = columnKey ?? columns.find(({ sortOrder }) => sortOrder)?.key;
  const sort = addressNow().get('sort');
  return field === undefined ? (sort ?? undefined) : nextSort(sort, String(field));
}
