import type { ListName, ListView } from '@chargehand/contract';
import type { ReactNode } from 'react';
import { arranged, type NamedColumn } from '../../lib/lists/list-view.ts';
import type { Column } from '../table/column.ts';
import { ColumnsButton } from './columns-button.tsx';

type Named<Row> = Column<Row> & NamedColumn;

/**
 * The columns in the user's settings. The header of the last one has a button for the settings. Not TanStack Table: Ant
 * Design's table renders the columns, and what it leaves, their order and visibility, is these lines.
 */
export function arrangedColumns<Row, More extends object = object>(
  columns: readonly (Named<Row> & More)[],
  view: ListView,
  list: ListName,
): (Named<Row> & Partial<More>)[] {
  const shown = arranged(columns, view).flatMap((one) => (one.shown ? [one.column] : []));
  const last = shown.at(-1);
  // The column with the row's actions has no name and is the last one; a list without it gets one for the button.
  const actions = last && last.name === undefined ? last : undefined;
  const title = (
    <>
      {actions?.title as ReactNode}
      <ColumnsButton list={list} columns={columns} />
    </>
  );
  const closing: Named<Row> = actions ? { ...actions, title } : { key: 'arrange', width: 44, align: 'end', title };
  return [...(actions ? shown.slice(0, -1) : shown), closing as Named<Row> & Partial<More>];
}
