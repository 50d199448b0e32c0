import { PAGE_SIZES } from '@chargehand/contract/constants';
import { type ComponentProps, useState } from 'react';
import type { PageSize } from '../../lib/lists/list-query.ts';
import { Pager } from './pager.tsx';
import { Table } from './table.tsx';

type Props<Row extends object> = ComponentProps<typeof Table<Row>> & {
  /** the number of rows of a page at first */
  firstSize: PageSize;
  /** users can choose the number of rows of a page */
  choosesSize: boolean;
};

/** A table in pages, of rows that are all loaded. */
export function PagedTable<Row extends object>({ rows, firstSize, choosesSize, ...table }: Props<Row>) {
  const [wanted, setWanted] = useState(1);
  const [pageSize, setPageSize] = useState(firstSize);
  const page = Math.min(wanted, Math.max(1, Math.ceil(rows.length / pageSize)));
  const first = (page - 1) * pageSize;
  return (
    <>
      <Table<Row> {...table} rows={rows.slice(first, first + pageSize)} />
      <Pager
        page={page}
        pageSize={pageSize}
        total={rows.length}
        sizes={PAGE_SIZES}
        onPage={setWanted}
        onSize={
          choosesSize
            ? (size) => {
                // The first row that is shown stays on the page.
                setWanted(Math.floor(first / size) + 1);
                setPageSize(size);
              }
            : undefined
        }
      />
    </>
  );
}
