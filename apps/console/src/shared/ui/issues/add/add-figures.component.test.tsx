import { useState } from 'react';
import { describe, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { cleanup } from 'vitest-browser-react';
import { expectAccessible } from '../../../../testing/accessibility.ts';
import { misses, pick, sees } from '../../../../testing/on-screen.ts';
import { sampleList } from '../../../../testing/sample.ts';
import { show } from '../../../../testing/show.tsx';
import type { Answers } from '../../../../testing/stub-server.ts';
import { stubUploads, UPLOAD_CREDENTIAL } from '../../../../testing/stub-uploads.ts';
import { useLate } from '../../../hooks/late/use-late.ts';
import { AddFigures } from './add-figures.tsx';
import type { Figures } from './figures.ts';

const answers: Answers = {
  listIssues: ({ query }) =>
    sampleList('listIssues', query.siteId === '6' ? [] : [{ id: 8, key: 'HVC-3', title: 'Plug melts', siteId: 4 }]),
  writeCredentials: UPLOAD_CREDENTIAL,
  registerAttachment: ({ body }) => ({ id: 71, name: (body as { name: string }).name }),
  commentIssue: { id: 1 },
  createSiteIssue: { id: 9, key: 'HVC-4', existing: false },
};

const traffic = (received: number): Figures => ({
  title: 'Traffic / North quay',
  heading: 'Time',
  rows: [
    { name: '2026-01-01 00:00', values: [received, 2] },
    { name: '=SUM(A1)', values: [0, 0] },
  ],
  series: [
    { name: 'Received', tone: 'working' },
    { name: 'Sent', tone: 'idle' },
  ],
  bars: 'stacked',
});

/** A chart whose figures change with a click. */
function Chart({ siteId = 4, bars = 'stacked' }: { siteId?: number; bars?: Figures['bars'] }) {
  const [received, setReceived] = useState(1.23456);
  return (
    <main>
      <AddFigures name="Traffic" siteId={siteId} figures={() => ({ ...traffic(received), bars })} />
      <button type="button" id="next" onClick={() => setReceived(99)}>
        {received}
      </button>
    </main>
  );
}

test('a part that could not be loaded is loaded when its page is opened again, and when the browser is online', async () => {
  const lost = new Error('No connection');
  const load = vi.fn(async () => ({ default: () => <p>Loaded</p> }));
  load.mockRejectedValueOnce(lost).mockRejectedValueOnce(lost);
  function Part() {
    const Late = useLate(load);
    return Late ? <Late /> : <p>Missing</p>;
  }
  await show(<Part />);
  await expect.poll(() => load.mock.calls.length).toBe(1);
  await cleanup();
  await show(<Part />);
  await expect.poll(() => load.mock.calls.length).toBe(2);
  await sees('Missing');
  dispatchEvent(new Event('online'));
  await sees('Loaded');
});

describe('the figures of a chart', () => {
  test.each(['stacked', 'grouped', 'lying'] as const)(
    'are added as a picture and a table, as they were when the button was clicked (%s)',
    async (bars) => {
      const received = stubUploads();
      const { t, server, button } = await show(<Chart bars={bars} />, { answers });
      await page.getByRole('button', { name: t('common:issue.addOf', { name: 'Traffic' }) }).click();
      await sees(page.getByText('Traffic / North quay', { exact: true }));
      document.querySelector<HTMLButtonElement>('#next')?.click();
      await expect.poll(() => document.querySelector('#next')?.textContent).toBe('99');
      await expectAccessible();
      await pick(t('issue-files:issue'), 'HVC-3 Plug melts');
      expect(server.sent('listIssues')[0]?.query).toMatchObject({ tab: 'open', siteId: '4' });
      await button('issue-files:add').click();
      await sees(t('issue-files:added', { issue: 'HVC-3' }));
      const names = server.sent('registerAttachment').map(({ body }) => (body as { name: string }).name);
      expect(names.map((name) => name.split('.').at(-1)).sort()).toEqual(['csv', 'png']);
      expect(names.every((name) => name.startsWith('Traffic - North quay'))).toBe(true);
      const texts = await Promise.all(received.map((file) => file.text()));
      expect(texts).toContain("Time,Received,Sent\r\n2026-01-01 00:00,1.235,2\r\n'=SUM(A1),0,0\r\n");
      expect(texts.some((text) => text.slice(1, 4) === 'PNG')).toBe(true);
      expect(server.sent('commentIssue')[0]?.body).toMatchObject({
        body: { content: [{ type: 'paragraph' }, { type: 'image' }, { type: 'attachment' }] },
      });
    },
  );

  test('start a new issue of the site', async () => {
    stubUploads();
    const { t, server, button, field, text } = await show(<Chart siteId={6} />, { answers });
    await page.getByRole('button', { name: t('common:issue.addOf', { name: 'Traffic' }) }).click();
    await text('issue-files:new').click();
    await field('issue-files:newTitle').fill('Too much traffic');
    await button('issue-files:add').click();
    await sees(t('issue-files:added', { issue: 'HVC-4' }));
    expect(server.sent('createSiteIssue')).toMatchObject([
      { params: { id: '6' }, body: { title: 'Too much traffic' } },
    ]);
  });

  test('are not offered to users who may not comment on issues', async () => {
    const { t } = await show(<Chart />, { answers, user: { root: false, keys: ['auth_issue_list'] } });
    await expect.poll(() => document.querySelector('#next')).not.toBeNull();
    await misses(page.getByRole('button', { name: t('common:issue.addOf', { name: 'Traffic' }) }));
  });
});
