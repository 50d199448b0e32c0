import { useState } from 'react';
import { useNavigate } from 'react-router';
import { describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { misses, option, rowWith, sees, tooWide } from '../../../testing/on-screen.ts';
import { listed, sampleList } from '../../../testing/sample.ts';
import { show } from '../../../testing/show.tsx';
import { type Answers, HttpFailure } from '../../../testing/stub-server.ts';
import type { Answer } from '../../api/client.ts';
import { refresh } from '../../api/query.ts';
import { useList, useLongList } from '../../hooks/lists/use-list.ts';
import type { ListSpec } from '../../lib/lists/list-query.ts';
import { EnabledFilter, FilterSelect } from './filter-bar.tsx';
import { CardLine, ListCard } from './list-card.tsx';
import { ListPage } from './list-page.tsx';
import { SitesPicker } from './pickers.tsx';

const FILTERS = { search: 'text', enabled: 'flag', type: [1, 2] } as const;
const SPEC: ListSpec<typeof FILTERS, 'name'> = { filters: FILTERS, sorts: ['name'] };
const ROWS = Array.from({ length: 45 }, (_, index) => ({
  ...{ id: index + 1, name: `Pile ${String(index + 1).padStart(2, '0')}`, sn: `SN-${index + 1}` },
  ...{ enabled: index % 2 === 0, type: 1 as const },
}));

/** The smallest page of a list: a spec, a call, its columns and its words. */
function Piles() {
  const navigate = useNavigate();
  const list = useList(SPEC, 'listDevices', (query) => ({ query }));
  return (
    <ListPage
      title="Piles"
      list={list}
      search="Search piles"
      filters={<EnabledFilter label="State" on="Enabled" off="Disabled" {...list.field('enabled')} />}
      moreFilters={
        <FilterSelect
          label="Kind"
          options={[
            { value: 1, label: 'AC' },
            { value: 2, label: 'DC' },
          ]}
          {...list.field('type')}
        />
      }
      columns={[
        { title: 'Name', dataIndex: 'name', sortBy: 'name' },
        { title: 'SN', dataIndex: 'sn' },
      ]}
      compact={({ name, sn }) => (
        <ListCard title={name}>
          <CardLine>{sn}</CardLine>
        </ListCard>
      )}
      onOpen={({ id }) => navigate(`/piles/${id}`)}
      empty="No piles yet"
      emptyAction={<button type="button">Add a pile</button>}
    />
  );
}

const all = listed('listDevices', () => ROWS);
const open = (path = '/piles', listDevices: Answers['listDevices'] = all, size?: [number, number]) =>
  show(<Piles />, { path, answers: { listDevices }, ...(size && { size }) });
const search = page.getByRole('searchbox', { name: 'Search piles' });
const names = () => [...document.querySelectorAll('tbody tr')].map((row) => row.querySelector('td')?.textContent);

describe('a list', () => {
  test('shows that it is loading, and then its rows', async () => {
    const answer = Promise.withResolvers<Answer<'listDevices'>>();
    const { t } = await open('/piles', () => answer.promise);
    await expect.element(page.getByRole('status', { name: t('common:loading') })).toBeInTheDocument();
    answer.resolve(sampleList('listDevices', [{ id: 1, name: 'Pile 01' }]));
    await sees(rowWith('Pile 01'));
    await misses(page.getByRole('status', { name: t('common:loading') }));
  });

  test('without rows says so and offers its one action', async () => {
    const { button } = await open('/piles', sampleList('listDevices'));
    await sees('No piles yet', page.getByRole('button', { name: 'Add a pile' }));
    await misses(button('common:table.clear'));
  });

  test('without rows for its filters offers to clear them, not to add something', async () => {
    const { button, text, path } = await open('/piles?search=nothing&enabled=true&page=3');
    await sees(text('common:table.noMatch'));
    await misses(page.getByRole('button', { name: 'Add a pile' }));
    await button('common:table.clear').last().click();
    await sees(rowWith('Pile 01'));
    expect(path()).toBe('/piles');
    await expect.element(search).toHaveValue('');
  });

  test('that cannot be fetched says so, and is fetched again on request', async () => {
    let broken = true;
    const { button } = await open('/piles', () => {
      if (broken) throw new HttpFailure(500);
      return sampleList('listDevices', [{ id: 1, name: 'Pile 01' }]);
    });
    await sees(page.getByRole('alert'));
    broken = false;
    await button('common:error.retry').click();
    await sees(rowWith('Pile 01'));
    await misses(page.getByRole('alert'));
  });

  test('keeps its rows when it cannot be refreshed', async () => {
    let broken = false;
    const { server } = await open('/piles', () => {
      if (broken) throw new HttpFailure(500);
      return sampleList('listDevices', [{ id: 1, name: 'Pile 01' }]);
    });
    await sees(rowWith('Pile 01'));
    const row = rowWith('Pile 01').element();
    broken = true;
    await refresh('listDevices');
    const sent = server.sent('listDevices').length;
    expect(sent).toBeGreaterThan(1);
    broken = false;
    await refresh('listDevices');
    expect(server.sent('listDevices')).toHaveLength(sent + 1);
    // A message in its place would have removed the row and then created another one.
    expect(rowWith('Pile 01').element()).toBe(row);
  });

  test('reads its filters from the address, and ignores what does not fit', async () => {
    const { server } = await open('/piles?search=SN-4&enabled=false&type=9&page=x&sort=-name&pageSize=7');
    await sees(rowWith('Pile 44'));
    expect(server.sent('listDevices').at(-1)?.query).toEqual({
      ...{ page: '1', pageSize: '20', sort: '-name', search: 'SN-4', enabled: 'false' },
    });
    await expect.element(search).toHaveValue('SN-4');
    expect(names()).toEqual(['Pile 44', 'Pile 42', 'Pile 40', 'Pile 04']);
  });

  test('writes its filters to the address and begins at the first page again', async () => {
    const { path } = await open('/piles?page=2');
    await sees(rowWith('Pile 21'));
    await search.fill('SN-1');
    await expect.poll(path).toBe('/piles?search=SN-1');
    await page.getByRole('combobox', { name: 'State' }).click();
    await option('Disabled').click();
    await expect.poll(path).toBe('/piles?search=SN-1&enabled=false');
    await expect.poll(names).toEqual(['Pile 10', 'Pile 12', 'Pile 14', 'Pile 16', 'Pile 18']);
  });

  test('is sorted by a heading, in the address', async () => {
    const { path } = await open();
    await sees(rowWith('Pile 01'));
    const heading = page.getByRole('columnheader', { name: 'Name' });
    await heading.click();
    await expect.poll(path).toBe('/piles?sort=name');
    await heading.click();
    await expect.poll(path).toBe('/piles?sort=-name');
    await expect.poll(() => names()[0]).toBe('Pile 45');
  });

  test('has pages, and goes back to the last one from behind its end', async () => {
    const { text, path } = await open();
    await sees(text('common:table.range', { from: 1, to: 20, count: 45 }));
    await page.getByRole('button', { name: '3', exact: true }).click();
    await expect.poll(path).toBe('/piles?page=3');
    await sees(rowWith('Pile 45'), text('common:table.range', { from: 41, to: 45, count: 45 }));
    await page.getByRole('combobox', { name: 'Rows per page' }).click();
    await option('50 / page').click();
    await expect.poll(path).toBe('/piles?pageSize=50');
    await expect.poll(() => names().length).toBe(45);
  });

  test('that became shorter shows its last page', async () => {
    const { path } = await open('/piles?page=9');
    await sees(rowWith('Pile 45'));
    expect(path()).toBe('/piles?page=3');
  });

  test('is searched, walked and opened by keyboard', async () => {
    const { path } = await open();
    await sees(rowWith('Pile 01'));
    await userEvent.keyboard('/');
    await expect.element(search).toHaveFocus();
    await userEvent.keyboard('SN-2{Enter}');
    await expect.poll(path).toBe('/piles?search=SN-2');
    await expect.poll(() => names()[0]).toBe('Pile 02');
    (document.activeElement as HTMLElement).blur();
    await userEvent.keyboard('{ArrowDown}{ArrowDown}');
    await expect.element(rowWith('Pile 20')).toHaveFocus();
    await userEvent.keyboard('kj{Home}{End}{ArrowUp}');
    await expect.element(rowWith('Pile 28')).toHaveFocus();
    await userEvent.keyboard('jkkj');
    await expect.element(rowWith('Pile 28')).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect.poll(path).toBe('/piles/28');
  });

  test('shows cards on a phone, and further filters on request', async () => {
    const { t, text, path } = await open('/piles', all, [390, 844]);
    await sees(rowWith('Pile 01'), 'SN-1');
    await misses(page.getByRole('columnheader'));
    expect(tooWide()).toEqual([]);
    const kind = page.getByRole('combobox', { name: 'Kind' });
    await misses(kind);
    await text('common:table.filter').click();
    await kind.click();
    await option('DC').click();
    await expect.poll(path).toBe('/piles?type=2');
    await sees(t('common:table.noMatch'));
  });
});

const LOG: ListSpec<Record<never, never>, never> = { filters: {}, sorts: [] };

function Log() {
  const list = useLongList(LOG, 'listLoginLogs', 'before', () => ({}));
  return <ListPage title="Log" list={list} columns={[{ title: 'User', dataIndex: 'userName' }]} />;
}

test('a list without pages is continued at its end', async () => {
  const { button, server } = await show(<Log />, {
    path: '/log',
    answers: {
      listLoginLogs: ({ query }) => ({
        ...sampleList('listLoginLogs', [
          query.before ? { id: 1, userName: 'the older' } : { id: 2, userName: 'the newer' },
        ]),
        next: query.before ? null : 2,
      }),
    },
  });
  await sees(rowWith('the newer'));
  expect(document.querySelector('search')).toBeNull();
  await button('common:older').click();
  await sees(rowWith('the newer'), rowWith('the older'));
  await misses(button('common:older'));
  expect(server.sent('listLoginLogs').map(({ query }) => query.before)).toEqual([undefined, '2']);
});

const QUAYS = Array.from({ length: 60 }, (_, index) => ({ id: index + 1, name: `Quay ${index + 1}` }));
const listSites: Answers['listSites'] = ({ query }) => {
  if (query.id !== undefined) {
    return sampleList(
      'listSites',
      QUAYS.filter(({ id }) => String(id) === query.id),
    );
  }
  const matching = QUAYS.filter(({ name }) => name.includes(query.search ?? ''));
  return { ...sampleList('listSites', matching.slice(0, 50)), total: matching.length };
};

/** A form that can leave its picker out, as the one of a user does for other roles. */
function Sites({ first }: { first: number[] }) {
  const [ids, setIds] = useState(first);
  const [shown, setShown] = useState(true);
  return (
    <>
      <button type="button" onClick={() => setShown(!shown)}>
        Switch
      </button>
      {shown && <SitesPicker placeholder="Sites" customerId={2} value={ids} onChange={setIds} />}
    </>
  );
}

describe('the picker of several sites', () => {
  test('names chosen sites that are not on the first page of the list', async () => {
    const { server, t } = await show(<Sites first={[3, 59, 99]} />, { answers: { listSites } });
    await sees('Quay 3', 'Quay 59', t('common:siteDeleted'));
    await misses(page.getByText('59', { exact: true }));
    expect(server.sent('listSites').flatMap(({ query }) => query.id ?? [])).toEqual(['59', '99']);
  });

  test('names what was found by a search, also after it was left out and shown again', async () => {
    await show(<Sites first={[]} />, { answers: { listSites } });
    await page.getByRole('combobox').fill('Quay 60');
    await option('Quay 60').click();
    await page.getByRole('button', { name: 'Switch' }).click();
    await misses(page.getByRole('combobox'));
    await page.getByRole('button', { name: 'Switch' }).click();
    await sees('Quay 60');
    await misses(page.getByText('60', { exact: true }));
  });

  test('shows the number of a site whose name cannot be fetched', async () => {
    await show(<Sites first={[59]} />, {
      answers: {
        listSites: ({ query }) => {
          if (query.id !== undefined) throw new HttpFailure(500);
          return sampleList('listSites', QUAYS.slice(0, 50));
        },
      },
    });
    await sees('59');
  });
});
