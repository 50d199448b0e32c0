import { describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { Answer } from '../../shared/api/client.ts';
import { misses, rowWith, sees, tooWide } from '../../testing/on-screen.ts';
import { sampleRow } from '../../testing/sample.ts';
import { showConsole } from '../../testing/show-console.tsx';

const entries = (numbers: number[]): Answer<'listActionLogs'> => ({
  items: numbers.map((number) =>
    sampleRow('listActionLogs', {
      ...{ id: number, userName: number % 2 === 0 ? 'even' : 'odd', operation: 'edit', objectType: 'site' },
      ...{ objectId: String(number), objectName: `Logged ${number}`, address: `203.0.113.${number}` },
    }),
  ),
  next: null,
});

test('the sign-in log comes first', async () => {
  const { t } = await showConsole('/manage/logs', {
    answers: {
      listLoginLogs: { items: [sampleRow('listLoginLogs', { id: 1, userName: 'north_admin', type: 0 })], next: null },
      listActionLogs: entries([12]),
    },
  });
  await sees(rowWith('north_admin'));
  expect(
    page
      .getByRole('tab')
      .elements()
      .map((tab) => tab.textContent),
  ).toEqual([t('audit:logins'), t('audit:actions')]);
  await page.getByRole('tab', { name: t('audit:actions') }).click();
  await sees(rowWith('Logged 12'));
});

describe('the action log', () => {
  test('stays visible while a filter is applied', async () => {
    const wait = Promise.withResolvers<void>();
    const { field } = await showConsole('/manage/logs/action?tab=actions', {
      answers: {
        listActionLogs: async ({ query }) => {
          if (query.userName === undefined) return entries([40, 39]);
          await wait.promise;
          return entries([40]);
        },
      },
    });
    await sees(rowWith('Logged 39'));
    await field('audit:log.user').fill('even');
    await expect.poll(() => document.querySelector('.data-table[data-refreshing="true"]')).not.toBeNull();
    expect(rowWith('Logged 39').elements()).toHaveLength(1);
    wait.resolve();
    await misses(rowWith('Logged 39'));
    await sees(rowWith('Logged 40'));
  });

  test('fits on a phone, and an entry opens with its details', async () => {
    const { t, dialog } = await showConsole('/manage/logs/action?tab=actions', {
      ...{ size: [390, 844], answers: { listActionLogs: entries([12, 11]) } },
    });
    const row = rowWith('Logged 12');
    await sees(row.getByText('even'), row.getByText(t('audit:operations.edit')));
    expect(tooWide()).toEqual([]);
    await row.click();
    await sees(dialog.getByText('203.0.113.12'));
    await misses(page.getByText('203.0.113.11'));
  });

  test.each([
    ['en-US', { recoveryCodes: 'renewed' }, 'Renewed'],
    ['zh-CN', { recoveryCodes: 'renewed' }, '已重新生成'],
    ['en-US', { recoveryCode: 'used' }, 'Used'],
    ['zh-CN', { recoveryCode: 'used' }, '已使用'],
    ['en-US', { passwordState: 'own' }, 'Chosen by the user'],
    ['zh-CN', { link: 'invitation' }, '邀请'],
    ['en-US', { name: 'used' }, 'used'],
  ] as const)('in %s, an entry that logged %j shows %s', async (locale, after, text) => {
    const { items, next } = entries([7]);
    const answers = { listActionLogs: { items: items.map((item) => ({ ...item, before: null, after })), next } };
    const { dialog } = await showConsole('/manage/logs/action?tab=actions', { locale, answers });
    await rowWith('Logged 7').click();
    await sees(dialog.getByText(text, { exact: true }));
  });
});
