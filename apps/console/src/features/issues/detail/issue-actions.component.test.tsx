import type { IssueDetail } from '@chargehand/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { LANGUAGES } from '../../../testing/languages.ts';
import { misses, option, sees } from '../../../testing/on-screen.ts';
import { sample, sampleList, sampleRow } from '../../../testing/sample.ts';
import { type Options, show } from '../../../testing/show.tsx';
import { Refused } from '../../../testing/stub-server.ts';
import IssuePage from './issue-page.tsx';

const ISSUE = sample('readIssue', {
  ...{ id: 7, key: 'HVC-12', title: 'No power at pile 3', status: 'open', priority: 2, type: 1, customerId: 4 },
  ...{ mergedInto: null, body: null, links: [], merged: [], watching: false, watchers: [], may: { edit: true } },
});
const OTHER = { id: 9, key: 'HVC-3', title: 'Breaker trips', status: 'pending', mergedInto: null } as const;
const rows = (more: object[]) =>
  more.map((values) => sampleRow('listIssues', { mergedInto: null, customerId: 4, ...values }));

/** The page of an issue, with a server that keeps what a test changes. */
async function open(initial: Partial<IssueDetail> = {}, options: Options = {}) {
  const stored = { ...ISSUE, ...initial };
  const change = (next: Partial<IssueDetail>) => {
    Object.assign(stored, next);
    return null;
  };
  const stage = await show(<IssuePage />, {
    path: '/manage/issue/detail/7',
    route: '/manage/issue/detail/:id',
    ...options,
    answers: {
      readIssue: ({ params }) => (params.id === '7' ? { ...stored } : { ...ISSUE, ...OTHER }),
      listIssueEntries: { items: [], next: null },
      listIssueLabels: { items: [] },
      listIssues: {
        ...sampleList('listIssues'),
        items: rows([ISSUE, OTHER, { id: 10, key: 'HVC-5', title: 'Merged before', mergedInto: 9 }]),
      },
      linkIssue: ({ input }) => {
        const { kind, issueId } = input.body;
        change({ links: [{ linkId: 1, kind, direction: 'to', ...OTHER, id: issueId }] });
        return { linkId: 1 };
      },
      unlinkIssue: () => change({ links: [] }),
      mergeIssue: ({ input }) => change({ mergedInto: input.body.issueId, status: 'closed' }),
      unmergeIssue: () => change({ mergedInto: null, status: 'open' }),
      watchIssue: ({ input }) => change({ watching: input.body.watching }),
      ...options.answers,
    },
  });
  await sees(page.getByRole('heading', { level: 1, name: /^HVC-12/ }));
  const { button, entry, dialog, t } = stage;
  return {
    ...stage,
    /** Opens the dialog for a way to connect the issue, and chooses the other issue. */
    async choose(way: 'duplicate' | 'cause' | 'merge') {
      await button('issue:action.more').click();
      await entry(`issue:link.${way}.do`).click();
      const ok = dialog.getByRole('button', { name: t(`issue:link.${way}.ok`), exact: true });
      await expect.element(ok).toBeDisabled();
      await dialog.getByRole('combobox', { name: t('issue:link.other') }).click();
      await option('HVC-3 Breaker trips').click();
      return ok;
    },
  };
}

beforeEach(() => localStorage.clear());

describe('connecting an issue with another one', () => {
  test.each([
    ['en-US', 'duplicate'],
    ['zh-CN', 'cause'],
  ] as const)('links them, shows the link, and removes it (%s)', async (locale, way) => {
    const { t, server, dialog, choose } = await open({}, { locale });
    await (await choose(way)).click();
    await misses(dialog);
    expect(server.sent('linkIssue').map(({ params, body }) => ({ ...params, body }))).toEqual([
      { id: '7', body: { issueId: 9, kind: way } },
    ]);
    const link = page.getByRole('listitem').filter({ hasText: 'HVC-3 Breaker trips' });
    await sees(link.getByText(t(`issue:link.${way}.to`), { exact: true }));
    await expect
      .element(link.getByRole('link', { name: 'HVC-3 Breaker trips' }))
      .toHaveAttribute('href', '/manage/issue/detail/9');
    await link.getByRole('button', { name: t('issue:link.removeOf', { issue: 'HVC-3' }) }).click();
    await misses(link);
    expect(server.sent('unlinkIssue').map(({ params }) => params)).toEqual([{ id: '7', linkId: '1' }]);
  });

  test('offers issues of the same customer that match, without the issue itself and merged ones', async () => {
    const { t, server, dialog, choose } = await open();
    await choose('merge');
    const field = dialog.getByRole('combobox', { name: t('issue:link.other') });
    await field.click();
    await sees(option('HVC-3 Breaker trips'));
    for (const title of ['HVC-12 No power at pile 3', 'HVC-5 Merged before']) {
      expect(document.querySelectorAll(`.ant-select-item-option[title="${title}"]`)).toHaveLength(0);
    }
    await field.fill('breaker');
    await expect
      .poll(() => server.sent('listIssues').at(-1)?.query)
      .toMatchObject({ search: 'breaker', customerId: '4', tab: 'all' });
  });

  test('merges it, which ends its editing until it is unmerged after a confirmation', async () => {
    const { t, server, button, dialog, choose } = await open();
    await (await choose('merge')).click();
    await misses(dialog);
    expect(server.sent('mergeIssue').map(({ params, body }) => ({ ...params, body }))).toEqual([
      { id: '7', body: { issueId: 9 } },
    ]);
    const note = page.getByRole('note');
    await sees(note.getByRole('link', { name: 'HVC-3 Breaker trips' }));
    await misses(button('issue:action.more'));
    await misses(button('issue:action.reopen'));

    await button('issue:action.unmerge').click();
    await sees(dialog.getByText(t('issue:unmerge.text')));
    expect(server.sent('unmergeIssue')).toEqual([]);
    await dialog.getByRole('button', { name: t('issue:action.unmerge'), exact: true }).click();
    await misses(dialog);
    await misses(note);
    await sees(button('issue:action.more'), button('issue:action.close'));
    expect(server.sent('unmergeIssue')).toHaveLength(1);
  });

  test('says why the server refuses, and keeps the choice', async () => {
    const { dialog, choose } = await open(
      {},
      {
        answers: {
          linkIssue: () => {
            throw new Refused('issueLinkCycle', { field: 'Other issue' });
          },
        },
      },
    );
    const ok = await choose('cause');
    await ok.click();
    await sees(dialog.getByRole('alert').getByText(/would cause each other/));
    await expect.element(ok).toBeEnabled();
  });

  test('is not offered to users who only read, who can watch', async () => {
    const merged = { mergedInto: 9, links: [{ linkId: 1, kind: 'cause', direction: 'to', ...OTHER }] } as const;
    const { t, button } = await open({ ...merged, links: [...merged.links], may: { edit: false } });
    await sees(button('issue:watch.start'), page.getByText(t('issue:link.cause.to'), { exact: true }));
    for (const key of ['action.more', 'action.unmerge']) await misses(button(`issue:${key}`));
    await misses(page.getByRole('button', { name: t('issue:link.removeOf', { issue: 'HVC-3' }) }));
  });
});

test.each(LANGUAGES)('an issue is watched and no longer watched (%s)', async (locale) => {
  const { t, server, button } = await open({}, { locale });
  const start = button('issue:watch.start');
  await expect.element(start).toHaveAttribute('aria-pressed', 'false');
  await start.click();
  await sees(t('issue:watch.started'));
  const stop = button('issue:watch.stop');
  await expect.element(stop).toHaveAttribute('aria-pressed', 'true');
  await stop.click();
  await sees(t('issue:watch.stopped'), start);
  expect(server.sent('watchIssue').map(({ body }) => body)).toEqual([{ watching: true }, { watching: false }]);
});
