import { afterEach, describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { misses, sees } from '../../../testing/on-screen.ts';
import { listed } from '../../../testing/sample.ts';
import { show } from '../../../testing/show.tsx';
import { useList } from '../../hooks/lists/use-list.ts';
import type { ListSpec } from '../../lib/lists/list-query.ts';
import { DataTable } from './data-table.tsx';

const SPEC: ListSpec<Record<never, never>, 'name' | 'sn'> = { filters: {}, sorts: ['name', 'sn'] };
const ROWS = Array.from({ length: 30 }, (_, index) => ({ id: index + 1, sn: `PILE${index}`, name: `Pile ${index}` }));

/** How often a cell was rendered. */
let drawn = 0;

function Piles() {
  const list = useList(SPEC, 'listDevices', (query) => ({ query }));
  return (
    <DataTable
      label="Piles"
      list={list}
      columns={[
        {
          title: 'Name',
          sortBy: 'name',
          render: (_, { name }) => {
            drawn += 1;
            return name;
          },
        },
        { title: 'SN', dataIndex: 'sn', sortBy: 'sn' },
        { title: 'Site', dataIndex: 'siteName' },
      ]}
      bulk={{ actions: [{ key: 'count', label: 'Count', open: () => undefined }], nameOf: ({ name }) => name }}
    />
  );
}

const open = () =>
  show(<Piles />, { path: '/piles?pageSize=50', answers: { listDevices: listed('listDevices', () => ROWS) } });
const heading = (name: string) => page.getByRole('columnheader', { name, exact: true });

afterEach(() => {
  drawn = 0;
});

describe('a table', () => {
  test('does not render cells again when rows are selected', async () => {
    const { t, text } = await open();
    await sees('Pile 29');
    const before = drawn;
    await page.getByRole('checkbox', { name: t('common:list.selectPage') }).click();
    await sees(text('common:list.selected', { count: 30 }));
    await page.getByRole('checkbox', { name: t('common:list.selectRow', { name: 'Pile 7' }), exact: true }).click();
    await sees(text('common:list.selected', { count: 29 }));
    await expect
      .element(page.getByRole('checkbox', { name: t('common:list.selectPage') }))
      .toHaveProperty('indeterminate', true);
    await page.getByRole('button', { name: t('common:list.clearSelection'), exact: true }).click();
    await misses(page.getByRole('checkbox', { checked: true }));
    expect(drawn).toBe(before);
  });

  test('announces for each sortable column whether it is sorted, and nothing for others', async () => {
    await open();
    await expect.element(heading('Name')).toHaveAttribute('aria-sort', 'none');
    await heading('Name').click();
    await expect.element(heading('Name')).toHaveAttribute('aria-sort', 'ascending');
    await expect.element(heading('SN')).toHaveAttribute('aria-sort', 'none');
    await expect.element(heading('Site')).not.toHaveAttribute('aria-sort');
  });
});
