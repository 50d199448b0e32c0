import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../../testing/accessibility.ts';
import { misses, rowWith, sees, tooWide } from '../../../testing/on-screen.ts';
import { sample, sampleRow } from '../../../testing/sample.ts';
import { showConsole } from '../../../testing/show-console.tsx';

const ERROR = {
  ...{ id: 7, source: 'browser' as const, name: 'TypeError', message: 'x is undefined', state: 'new' as const },
  ...{ count: 41, returnedAt: '2026-01-01T00:00:00Z' },
};
const answers = {
  listErrors: { items: [sampleRow('listErrors', ERROR)], total: 1 },
  readError: sample('readError', {
    ...ERROR,
    stack: 'at x (home.js:1:2)',
    hours: [{ at: new Date().toISOString(), count: 41 }],
    occurrences: [
      {
        ...{ id: 1, at: '2026-01-01T00:00:00Z', version: '1.2.0', requestId: '3f2b8c1d-1111-4222-8333-abcdefabcdef' },
        ...{ userName: 'ada', deviceId: null, deviceSn: null, path: '/manage/home', userAgent: null, address: null },
        ...{ message: 'x is undefined', details: { kind: 'page' } },
      },
    ],
  }),
  setErrorState: null,
};

test.each([
  ['en-US', [1280, 800]],
  ['zh-CN', [390, 844]],
] as const)('in %s, an error is found, opened and marked as solved (%j)', async (locale, size) => {
  const { t, dialog, button, server } = await showConsole('/manage/logs/error', { locale, size: [...size], answers });
  const narrow = size[0] < 760;
  await page.getByPlaceholder(t('errors:search')).fill('3f2b8c1d');
  await expect.poll(() => server.sent('listErrors').at(-1)?.query).toMatchObject({ search: '3f2b8c1d' });
  expect(tooWide()).toEqual([]);
  await sees(rowWith(t('errors:returned')).first());
  if (narrow) await rowWith('x is undefined').click();
  else await button('errors:open', { name: 'TypeError: x is undefined' }).click();
  await sees(dialog.getByText('at x (home.js:1:2)'));
  await sees(dialog.getByRole('img', { name: t('errors:trendLabel', { count: 41, most: 41 }) }));
  // Only what has happened.
  await sees(dialog.getByText(t('errors:returned'), { exact: true }));
  await misses(dialog.getByText(t('errors:stateAt')));
  await dialog.getByText(/ada · /).click();
  await sees(dialog.getByText('3f2b8c1d-1111-4222-8333-abcdefabcdef'));
  await expectAccessible();
  await button('errors:do.solvedNext').click();
  await sees(t('errors:changed', { state: t('errors:states.solved') }));
  expect(server.sent('setErrorState')[0]?.body).toEqual({ state: 'solved', solvedIn: 'nextVersion' });
});

test('a long message leaves room for the other columns', async () => {
  const error = { ...ERROR, message: 'an event could not be delivered to the webhook of '.repeat(8) };
  const { t } = await showConsole('/manage/logs/error', {
    size: [1280, 800],
    answers: { ...answers, listErrors: { items: [sampleRow('listErrors', error)], total: 1 } },
  });
  await sees(rowWith(t('errors:returned')).first());
  expect(tooWide()).toEqual([]);
});

test('the list is exported with its filters in the chosen format', async () => {
  const { t, button, server } = await showConsole('/manage/logs/error?state=new', {
    answers: { ...answers, exportErrors: new Response(''), downloadSupportBundle: new Response('') },
  });
  await sees(rowWith('x is undefined'));
  await page.getByRole('combobox', { name: t('errors:format') }).click();
  await page.getByText(t('errors:formats.jsonl'), { exact: true }).click();
  await button('common:list.export').click();
  await expect.poll(() => server.sent('exportErrors')[0]?.query).toEqual({ state: 'new', format: 'jsonl' });
  await button('errors:supportBundle').click();
  await expect.poll(() => server.sent('downloadSupportBundle')).toHaveLength(1);
});
