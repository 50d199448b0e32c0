import { describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { Answer } from '../../shared/api/client.ts';
import { expectAccessible } from '../../testing/accessibility.ts';
import { LANGUAGES } from '../../testing/languages.ts';
import { misses, rowWith, sees, tooWide } from '../../testing/on-screen.ts';
import { sampleRow } from '../../testing/sample.ts';
import { showConsole } from '../../testing/show-console.tsx';

const entries = (numbers: number[]): Answer<'listActionLogs'> => ({
  items: numbers.map((number) =>
    sampleRow('listActionLogs', {
      ...{ id: number, userName: number % 2 === 0 ? 'even' : 'odd', operation: 'edit', objectType: 'site' },
      ...{ objectId: String(number), objectName: `Logged ${number}`, address: `203.0.113.${number}`, together: 1 },
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

test('a sign-in leads to the actions of its user', async () => {
  const { t, path } = await showConsole('/manage/logs/action', {
    answers: {
      listLoginLogs: { items: [sampleRow('listLoginLogs', { id: 1, userName: 'north_admin', type: 0 })], next: null },
      listActionLogs: entries([12]),
    },
  });
  await rowWith('north_admin').click();
  await page.getByRole('link', { name: t('audit:log.actionsOf', { name: 'north_admin' }) }).click();
  await sees(rowWith('Logged 12'));
  expect(path()).toBe('/manage/logs/action?tab=actions&userName=north_admin');
});

test('sign-ins are filtered by reason, and exported in the chosen format', async () => {
  const { t, button, server } = await showConsole('/manage/logs/action?reason=replaced', {
    answers: {
      listLoginLogs: { items: [sampleRow('listLoginLogs', { id: 1, userName: 'north_admin', type: 1 })], next: null },
      exportLoginLogs: new Response(''),
    },
  });
  await sees(rowWith('north_admin'));
  await page.getByRole('combobox', { name: t('audit:file.label') }).click();
  await page.getByText(t('audit:file.csv'), { exact: true }).click();
  await button('common:list.export').click();
  await expect.poll(() => server.sent('exportLoginLogs')[0]?.query).toEqual({ reason: 'replaced', format: 'csv' });
});

describe('the action log', () => {
  test.each(LANGUAGES)('names the application that acted for a user (%s)', async (locale) => {
    const [entry] = entries([12]).items;
    const { t } = await showConsole('/manage/logs/action?tab=actions', {
      ...{ locale, answers: { listActionLogs: { items: [{ ...entry!, applicationName: 'Billing' }], next: null } } },
    });
    await sees(rowWith(t('audit:log.through', { user: 'even', application: 'Billing' })));
  });

  test('is filtered by application, also from a link', async () => {
    const { field, server } = await showConsole('/manage/logs/action?tab=actions&applicationName=Billing', {
      answers: { listActionLogs: entries([12]) },
    });
    await sees(rowWith('Logged 12'));
    await expect.element(field('audit:log.application')).toHaveValue('Billing');
    await field('audit:log.application').fill('Meter');
    await expect
      .poll(() => server.sent('listActionLogs').map(({ query }) => query.applicationName))
      .toEqual(['Billing', 'Meter']);
  });

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
    await expectAccessible();
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

test('an import is one entry, which opens the entries of its devices', async () => {
  const entry = (id: number, together: number) =>
    sampleRow('listActionLogs', {
      ...{ id, userName: 'north_admin', operation: 'new', objectType: 'device', objectId: String(id), together },
      ...{ objectName: `Pile ${id}`, before: null, after: { sn: `SN-${id}`, enabled: true } },
    });
  const { t, dialog, button } = await showConsole('/manage/logs/action?tab=actions', {
    answers: {
      listActionLogs: ({ query }) => {
        if (query.group === undefined) return { items: [entry(5000, 5000)], next: null };
        return query.before === undefined
          ? { items: [entry(5000, 1)], next: 5000 }
          : { items: [entry(4999, 1)], next: null };
      },
    },
  });
  const text = t('audit:log.together', { name: 'Pile 5000', count: 4999 });
  await sees(rowWith(text));
  await rowWith(text).click();
  await sees(dialog.getByText(t('audit:log.entries', { count: 5000 })));
  await button('audit:log.more').click();
  await dialog.getByText('Pile 4999').click();
  await sees(dialog.getByText('SN-4999'), dialog.getByText('Yes', { exact: true }).last());
});

test('a command is logged with its words', async () => {
  const control = { ...{ operation: 'control' as const, objectType: 'device', objectId: '7' }, before: null };
  const items = [
    sampleRow('listActionLogs', { ...control, id: 1, objectName: 'Pile 7', together: 1, after: { kind: 'softReset' } }),
  ];
  const { t } = await showConsole('/manage/logs/action?tab=actions', {
    answers: { listActionLogs: { items, next: null } as never },
  });
  await sees(rowWith(t('operations:kinds.softReset.do')));
});

test.each([
  ['en-US', '3 (medium)', '5 (lowest)'],
  ['zh-CN', '3（中等）', '5（最低）'],
] as const)('a changed level is logged with its name (%s)', async (locale, before, after) => {
  const change = (level: number) => ({ levels: { device: { read: level } } });
  const { dialog } = await showConsole('/manage/logs/action?tab=actions', {
    locale,
    answers: {
      listActionLogs: {
        items: [
          sampleRow('listActionLogs', {
            ...{
              id: 1,
              operation: 'edit',
              objectType: 'role',
              objectId: '7',
              objectName: 'Night watch',
              together: 1,
            },
            ...{ before: change(3), after: change(5) },
          }),
        ],
        next: null,
      } as never,
    },
  });
  await sees(rowWith('Night watch'));
  await rowWith('Night watch').click();
  await sees(dialog.getByText(before, { exact: true }), dialog.getByText(after, { exact: true }));
});
