import { useState } from 'react';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { show } from '../../../testing/show.tsx';
import { chosenRows } from './chosen-rows.tsx';
import { PagedTable } from './paged-table.tsx';
import { Table } from './table.tsx';

const ROWS = Array.from({ length: 95 }, (_, index) => ({ id: index + 1, name: `Row ${index + 1}` }));
const COLUMNS = [{ title: 'Name', dataIndex: 'name' as const }];
const cells = () => [...document.querySelectorAll('tbody td:last-child')].map((cell) => cell.textContent);
const button = (name: string) => page.getByRole('button', { name, exact: true });
const check = (name: string) => page.getByRole('checkbox', { name, exact: true });

test('pages are turned with the keyboard, and a new size keeps the first row', async () => {
  const { t } = await show(<PagedTable label="Rows" rows={ROWS} columns={COLUMNS} firstSize={10} choosesSize />);
  await expect.element(button('1')).toHaveAttribute('aria-current', 'page');
  await button(t('common:pages.jumpOn', { count: 5 })).click();
  await expect.poll(() => cells()[0]).toBe('Row 51');
  button('10').element().focus();
  await userEvent.keyboard('{Enter}');
  await expect.poll(cells).toEqual(['Row 91', 'Row 92', 'Row 93', 'Row 94', 'Row 95']);
  // At the end, the focus is not lost, and nothing happens.
  const next = button(t('common:pages.on'));
  next.element().focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(next).toHaveFocus();
  await expect.element(next).toHaveAttribute('aria-disabled', 'true');
  await expect.element(button('10')).toHaveAttribute('aria-current', 'page');
  await page.getByRole('combobox', { name: t('common:pages.size') }).click();
  await page.getByText(t('common:pages.perPage', { count: 20 }), { exact: true }).click();
  await expect.poll(() => cells()[0]).toBe('Row 81');
});

test('rows that are hidden stay selected', async () => {
  function Choice() {
    const [chosen, setChosen] = useState<number[]>([]);
    const [search, setSearch] = useState('');
    const rows = ROWS.slice(0, 4).filter(({ name }) => name.includes(search));
    const first = chosenRows({
      rows,
      keyOf: ({ id }) => id,
      chosen,
      onChange: setChosen,
      labels: { all: 'All', of: ({ name }) => name },
      choosable: ({ id }) => id !== 4,
    });
    return (
      <>
        <input aria-label="Search" value={search} onChange={({ target }) => setSearch(target.value)} />
        <Table label="Rows" rows={rows} columns={[first, ...COLUMNS]} />
        <output>{chosen.join(' ')}</output>
      </>
    );
  }
  await show(<Choice />);
  const chosen = () => document.querySelector('output')?.textContent;
  await check('All').click();
  await expect.poll(chosen).toBe('1 2 3');
  await expect.element(check('Row 4')).toBeDisabled();
  await page.getByLabelText('Search').fill('3');
  await check('Row 3').click();
  await expect.poll(chosen).toBe('1 2');
  await page.getByLabelText('Search').fill('');
  await expect.element(check('All')).toHaveProperty('indeterminate', true);
});

test('a header sorts with the keyboard', async () => {
  const pressed: string[] = [];
  const sort = { order: 'ascending' as const, onPress: () => pressed.push('name') };
  await show(<Table label="Rows" rows={ROWS.slice(0, 2)} columns={[{ ...COLUMNS[0], sort }]} />);
  await expect.element(page.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'ascending');
  await userEvent.tab();
  await userEvent.keyboard('{Enter} ');
  expect(pressed).toEqual(['name', 'name']);
});

test.each([undefined, 900])(
  'the class of a table is on its outermost element, scrolled from %s',
  async (scrollWidth) => {
    await show(
      <section>
        <Table label="Rows" className="flush" rows={ROWS.slice(0, 2)} columns={COLUMNS} scrollWidth={scrollWidth} />
      </section>,
    );
    await expect.element(page.getByRole('table', { name: 'Rows' })).toBeVisible();
    expect(document.querySelectorAll('section > .flush')).toHaveLength(1);
    expect(document.querySelectorAll('.flush')).toHaveLength(1);
  },
);

test('the end of a table that is too wide fades until the last column is reached', async () => {
  const wide = (title: string) => ({ title, render: () => <div style={{ width: 300 }}>{title}</div> });
  const table = (...titles: string[]) => (
    <Table label={titles.join()} rows={ROWS.slice(0, 2)} columns={titles.map(wide)} scrollWidth="max-content" />
  );
  await show(
    <>
      {table('First', 'Last')}
      {table('Only')}
    </>,
    { size: [390, 700] },
  );
  const scrolled = () => [...document.querySelectorAll('[data-scroll]')];
  const fades = () => scrolled().map((one) => getComputedStyle(one).getPropertyValue('--scroll-fade'));
  await expect.poll(fades).toEqual(['32px', '0px']);
  scrolled()[0]?.scrollTo({ left: 1_000 });
  await expect.poll(fades).toEqual(['0px', '0px']);
});
