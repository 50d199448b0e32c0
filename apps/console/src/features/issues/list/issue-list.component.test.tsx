import { describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../../testing/accessibility.ts';
import { misses, pick, rowWith, sees, tooWide } from '../../../testing/on-screen.ts';
import { sample, sampleList, sampleRow } from '../../../testing/sample.ts';
import { showConsole } from '../../../testing/show-console.tsx';
import { Refused } from '../../../testing/stub-server.ts';

const relay = sampleRow('listIssues', {
  ...{ id: 7, key: 'HVC-12', title: 'Relay sticks', status: 'open', priority: 2, type: 3, labels: ['warranty'] },
  ...{ siteId: 3, siteName: 'Pier 9', deviceId: 5, deviceName: 'Pile 5', deviceSn: 'SN5', customerName: 'Harbor' },
  ...{ alarmCode: 'GroundFailure', dueAt: '2026-01-02T00:00:00Z', assignee: { id: 4, name: 'Ann' } },
});
const cable = sampleRow('listIssues', {
  ...{ id: 8, key: 'HVC-13', title: 'Cable worn', status: 'pending', priority: 0, type: 1, customerName: 'Harbor' },
});
const solved = sampleRow('listIssues', {
  ...{ id: 9, key: 'HVC-3', title: 'No display', status: 'closed', priority: 1, type: 2, customerName: 'Harbor' },
});
const answers = {
  listIssues: { ...sampleList('listIssues', [relay, cable]), counts: { open: 2, closed: 1 } },
  listIssueLabels: { items: [{ name: 'warranty', count: 4 }] },
};
const path = '/manage/issue/list';

describe('the list of issues', () => {
  test('shows what is wrong, where, and what is late; filters are in the URL', async () => {
    const { t, server, path: now } = await showConsole(path, { answers });
    await sees(rowWith('Relay sticks').getByText('HVC-12'), rowWith('Relay sticks').getByText('Pier 9'));
    await sees(rowWith('Relay sticks').getByText(t('issues:overdue')), rowWith('Relay sticks').getByText('warranty'));
    await sees(rowWith('Relay sticks').getByText('2026-01-02 08:00', { exact: true }));
    await sees(rowWith('Cable worn').getByText(t('issues:status.pending')));
    await sees(rowWith('Cable worn').getByText(t('issues:unassigned')));
    await expectAccessible();
    await page.getByRole('checkbox', { name: t('issues:filter.mine') }).click();
    await pick(t('issues:label'), 'warranty (4)');
    await expect.poll(() => server.sent('listIssues').at(-1)?.query).toMatchObject({ mine: 'true', label: 'warranty' });
    await page.getByRole('tab', { name: `${t('issues:tab.closed')} 1` }).click();
    await expect.poll(() => server.sent('listIssues').at(-1)?.query).toMatchObject({ tab: 'closed', mine: 'true' });
    expect(now()).toContain('tab=closed');
    await page
      .getByRole('button', { name: t('common:table.clear') })
      .first()
      .click();
    await expect.poll(now).toBe(`${path}?tab=closed`);
  });

  test('edits only checked properties of several issues, and lists those that could not be changed', async () => {
    const { t, server, dialog } = await showConsole(path, {
      answers: {
        ...answers,
        updateIssues: {
          results: [
            { id: 7, code: 0, message: '' },
            { id: 8, code: 20013, message: 'Not yours' },
          ],
        },
      },
    });
    for (const title of ['Relay sticks', 'Cable worn']) await rowWith(title).getByRole('checkbox').click();
    await page.getByRole('button', { name: t('issues:bulk.edit'), exact: true }).click();
    const ok = dialog.getByRole('button', { name: t('issues:bulk.edit'), exact: true });
    await expect.element(ok).toBeDisabled();
    await dialog.getByRole('checkbox', { name: t('issues:bulk.priority') }).click();
    await expect.element(ok).toBeEnabled();
    await expectAccessible();
    await ok.click();
    await sees(dialog.getByText('Not yours'));
    expect(server.sent('updateIssues')[0]?.body).toEqual({ ids: [7, 8], priority: 0 });
  });

  test('closes all matching issues with their cause and remedy', async () => {
    const { t, server, dialog } = await showConsole(path, {
      answers: {
        ...answers,
        listIssues: { ...sampleList('listIssues', [relay, cable]), total: 3, counts: { open: 3, closed: 1 } },
        selectIssues: { items: [7, 8, 20].map((id) => ({ id, name: `#${id}` })) },
        closeIssues: ({ input }) => ({ results: input.body.ids.map((id) => ({ id, code: 0, message: '' })) }),
      },
    });
    await rowWith('Relay sticks').getByRole('checkbox').click();
    await page.getByRole('button', { name: t('common:list.selectAll', { total: 3 }) }).click();
    await sees(page.getByRole('toolbar').getByText(t('common:list.selected', { count: 3 })));
    await page.getByRole('button', { name: t('issues:bulk.close'), exact: true }).click();
    const ok = dialog.getByRole('button').filter({ hasText: t('issues:bulk.close') });
    await expect.element(ok).toBeDisabled();
    await pick(t('issues:end.cause'), t('issues:cause.wear'));
    await pick(t('issues:end.remedy'), t('issues:remedy.replaced'));
    await ok.click();
    await expect
      .poll(() => server.sent('closeIssues')[0]?.body)
      .toEqual({ ids: [7, 8, 20], cause: 'wear', causeText: '', remedy: 'replaced', remedyText: '' });
  });

  test('closes with the causes and remedies of the dictionary, by their names', async () => {
    const named = (code: string, nameEn: string, enabled = true) => ({ code, nameEn, nameZh: nameEn, enabled });
    const { t, server, dialog } = await showConsole(path, {
      answers: {
        ...answers,
        readDictionaryNames: {
          causes: [named('water', 'Water'), named('wear', 'Ageing', false)],
          remedies: [named('replaced', 'Swapped')],
          labels: [],
        },
        closeIssues: ({ input }) => ({ results: input.body.ids.map((id) => ({ id, code: 0, message: '' })) }),
      },
    });
    await rowWith('Relay sticks').getByRole('checkbox').click();
    await page.getByRole('button', { name: t('issues:bulk.close'), exact: true }).click();
    await pick(t('issues:end.cause'), 'Water');
    // An entry that is turned off cannot be chosen.
    expect(
      page
        .getByRole('option')
        .elements()
        .map((one) => one.textContent),
    ).not.toContain('Ageing');
    await pick(t('issues:end.remedy'), 'Swapped');
    await dialog
      .getByRole('button')
      .filter({ hasText: t('issues:bulk.close') })
      .click();
    await expect
      .poll(() => server.sent('closeIssues')[0]?.body)
      .toMatchObject({ ids: [7], cause: 'water', remedy: 'replaced' });
  });

  test('saves its filters as a view, and applies a saved one', async () => {
    const {
      t,
      server,
      dialog,
      path: now,
      entry,
    } = await showConsole(`${path}?overdue=true`, {
      answers: {
        ...answers,
        listIssueViews: { items: [{ id: 1, name: 'Night shift', filters: { tab: 'all', priority: 2 } }] },
        createIssueView: { id: 2 },
      },
    });
    await page.getByRole('button', { name: t('issues:views.title') }).click();
    await entry('issues:views.save').click();
    await dialog.getByLabelText(t('issues:views.name')).fill('night SHIFT');
    await sees(dialog.getByText(t('issues:views.replaces')));
    await dialog.getByLabelText(t('issues:views.name')).fill('Late');
    await dialog.getByRole('button', { name: t('common:save') }).click();
    await expect
      .poll(() => server.sent('createIssueView')[0]?.body)
      .toEqual({ name: 'Late', filters: { overdue: true } });
    await misses(page.getByRole('dialog'));
    await page.getByRole('button', { name: t('issues:views.title') }).click();
    await page.getByRole('menuitem', { name: 'Night shift' }).click();
    await expect.poll(now).toBe(`${path}?tab=all&priority=2`);
    await sees(t('issues:views.current', { name: 'Night shift' }));
  });

  test('offers a reader no changes, and a natural start without issues', async () => {
    const { t } = await showConsole(path, {
      answers: { ...answers, listIssues: { ...sampleList('listIssues', []), counts: { open: 0, closed: 0 } } },
      user: { root: false, platformVendor: false, readOnly: true, keys: ['auth_issue', 'auth_issue_list'] },
    });
    await sees(t('issues:empty.open'));
    await misses(page.getByText(t('routes:issueAdd'), { exact: true }));
  });

  test.each(['en-US', 'zh-CN'] as const)('fits a phone (%s)', async (locale) => {
    const { go, t } = await showConsole(path, { answers: { ...answers, ...board() }, locale, size: [390, 844] });
    await sees(page.getByText(/Relay sticks/));
    expect(tooWide()).toEqual([]);
    await go(`${path}?display=board`);
    await sees(page.getByRole('tab', { name: `${t('issues:status.open')} 1` }));
    expect(tooWide()).toEqual([]);
    await go(`${path}?display=times`);
    await sees(t('issues:times.hint'));
    expect(tooWide()).toEqual([]);
  });
});

/** The board while `rows` have these statuses. */
function board(rows = [relay, cable, solved]) {
  const statuses = ['open', 'pending', 'closed', 'reopen'] as const;
  const columns = statuses.map((status) => {
    const items = rows.filter((row) => row.status === status);
    return { status, items, total: items.length };
  });
  return { readIssueBoard: { columns } };
}

describe('the board', () => {
  const column = (text: RegExp) => page.getByRole('region', { name: text });
  const drag = (title: RegExp, target: ReturnType<typeof column>) => {
    const card = page.getByRole('listitem').filter({ hasText: title });
    return userEvent.dragAndDrop(card, target);
  };

  test('moves a card when the server has done it', async () => {
    let rows = [relay, cable, solved];
    const { promise, resolve } = Promise.withResolvers<null>();
    const { t, server } = await showConsole(`${path}?display=board`, {
      answers: {
        ...answers,
        readIssueBoard: () => board(rows).readIssueBoard,
        startIssue: async () => {
          await promise;
          rows = [{ ...relay, status: 'pending' }, cable, solved];
          return null;
        },
      },
    });
    await sees(column(/Pending: 1/).getByText(/Cable worn/));
    await expectAccessible();
    await drag(/Relay sticks/, column(/Pending/));
    await sees(column(/Open: 1/).getByText(t('issues:board.moving')));
    await expect.poll(() => server.sent('startIssue')[0]?.params).toEqual({ id: '7' });
    resolve(null);
    await sees(column(/Pending: 2/).getByText(/Relay sticks/));
    await misses(column(/Open/).getByText(/Relay sticks/));
  });

  test('leaves a card where it is when the server refuses, and does not ask for impossible moves', async () => {
    const { t, server } = await showConsole(`${path}?display=board`, {
      answers: {
        ...answers,
        ...board(),
        startIssue: () => {
          throw new Refused('issueAction');
        },
      },
    });
    await sees(column(/Closed: 1/).getByText(/No display/));
    await drag(/No display/, column(/Pending/));
    await drag(/Relay sticks/, column(/Pending/));
    await sees(page.getByText(/was changed meanwhile/));
    await sees(column(/Open: 1/).getByText(/Relay sticks/));
    await misses(page.getByText(t('issues:board.moving')));
    expect(server.sent('reopenIssue')).toEqual([]);
  });

  test('moves with the keyboard and the menu; closing asks for the cause', async () => {
    const { t, server, entry, dialog } = await showConsole(`${path}?display=board`, {
      answers: {
        ...answers,
        ...board(),
        readIssueEnds: { closed: 3, items: [{ cause: 'wear', remedy: 'replaced', count: 3, texts: [] }] },
        ...{ closeIssue: null, reopenIssue: null },
      },
    });
    const card = page.getByRole('link', { name: /No display/ });
    await expect.element(card).toBeVisible();
    card.element().focus();
    await userEvent.keyboard('{Shift>}{ArrowRight}{/Shift}');
    await expect.poll(() => server.sent('reopenIssue')[0]?.params).toEqual({ id: '9' });
    await page.getByRole('button', { name: t('issues:board.move', { issue: 'HVC-12' }) }).click();
    await entry('issues:move.close').click();
    const usual = { cause: t('issues:cause.wear'), remedy: t('issues:remedy.replaced'), count: 3 };
    await sees(dialog.getByTitle(t('issues:end.usualOf', usual)).last());
    await dialog
      .getByRole('button')
      .filter({ hasText: t('issues:move.close') })
      .click();
    await expect
      .poll(() => server.sent('closeIssue')[0])
      .toMatchObject({ params: { id: '7' }, body: { cause: 'wear', remedy: 'replaced' } });
    await misses(page.getByRole('dialog'));
  });
});

test('times are shown by customer, site and priority, with the 90th percentile', async () => {
  const times = sample('readIssueTimes', {
    items: [
      {
        ...{ customerId: 1, customerName: 'Harbor', siteId: 3, siteName: 'Pier 9', priority: 2, issues: 4, open: 1 },
        ...{ responseMs: 600_000, responseP90Ms: 5_400_000, resolutionMs: 7_200_000, resolutionP90Ms: null },
      },
    ],
  });
  const { t, path: now } = await showConsole(`${path}?display=times`, {
    answers: { ...answers, readIssueTimes: times },
  });
  const row = rowWith('Pier 9');
  await sees(
    row.getByText('10 min', { exact: true }),
    row.getByText('1 h 30 min'),
    row.getByText('2 h', { exact: true }),
  );
  await expectAccessible();
  await page.getByRole('button', { name: t('issues:times.show', { count: 4, place: 'Pier 9' }) }).click();
  await expect.poll(now).toBe(`${path}?tab=all&priority=2&siteId=3`);
});

test('a site shows its open issues first, with links to all and to a report', async () => {
  const { t } = await showConsole('/manage/site/detail/3?tab=issues', {
    answers: {
      readSite: sample('readSite', { id: 3, name: 'Pier 9' }),
      listIssues: ({ query }) => ({
        ...sampleList('listIssues', query.tab === 'open' ? [relay] : [solved]),
        counts: { open: 1, closed: 1 },
      }),
    },
  });
  await sees(page.getByText(/Relay sticks/), page.getByText(/No display/));
  await expect
    .element(page.getByRole('link', { name: t('issues:section.all', { count: 2 }) }))
    .toHaveAttribute('href', '/manage/issue/list?tab=all&siteId=3');
  await expect
    .element(page.getByRole('link', { name: t('routes:issueAdd') }))
    .toHaveAttribute('href', '/manage/issue/add?siteId=3');
  await expectAccessible();
});
