import { useState } from 'react';
import { describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { misses, option, sees } from '../../../testing/on-screen.ts';
import { sampleList } from '../../../testing/sample.ts';
import { show } from '../../../testing/show.tsx';
import { type Answers, HttpFailure } from '../../../testing/stub-server.ts';
import { SitesPicker } from './pickers.tsx';

const SITES = Array.from({ length: 60 }, (_, index) => ({ id: index + 1, name: `Quay ${index + 1}` }));
const listSites: Answers['listSites'] = ({ query }) => {
  if (query.id !== undefined) {
    return sampleList(
      'listSites',
      SITES.filter(({ id }) => String(id) === query.id),
    );
  }
  const matching = SITES.filter(({ name }) => name.includes(query.search ?? ''));
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
          return sampleList('listSites', SITES.slice(0, 50));
        },
      },
    });
    await sees('59');
  });
});
