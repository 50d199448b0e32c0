import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { PUSH_KEY } from '../../../shared/lib/browser/pushes.ts';
import { sees } from '../../../testing/on-screen.ts';
import { atEnd } from '../../../testing/show.tsx';
import { showConsole } from '../../../testing/show-console.tsx';

const browser = { id: 3, userAgent: 'Browser', createdAt: '2026-01-05T08:00:00.000Z', usedAt: null };
const registered = () => {
  localStorage.setItem(PUSH_KEY, '3');
  atEnd(() => localStorage.removeItem(PUSH_KEY));
};

test('a browser that was registered by another user is forgotten at the next sign-in', async () => {
  const { server, reload } = await showConsole('/manage/welcome', { answers: { listPushBrowsers: { items: [] } } });
  registered();
  await reload();
  await expect.poll(() => localStorage.getItem(PUSH_KEY)).toBe(null);
  expect(server.sent('listPushBrowsers')).toHaveLength(1);
  expect(server.sent('addPushBrowser')).toEqual([]);
});

test('a root account that views another user does not end the pushes of its browser', async () => {
  const at = '2026-01-05T08:00:00.000Z';
  const viewing = { userId: 3, userName: 'root_user', since: at, until: at };
  const { server, reload, settled, t } = await showConsole('/manage/welcome', { info: { viewing: viewing as never } });
  registered();
  await reload();
  await sees(page.getByRole('button', { name: t('common:shell.theme') }));
  await settled();
  expect(server.sent('listPushBrowsers')).toEqual([]);
  expect(localStorage.getItem(PUSH_KEY)).toBe('3');
});

test('signing out ends the pushes of the browser', async () => {
  const stage = await showConsole('/manage/welcome', {
    answers: { logout: null, listPushBrowsers: { items: [browser] } },
  });
  await sees(stage.button('common:shell.account', { name: 'root_user' }));
  registered();
  await stage.button('common:shell.account', { name: 'root_user' }).click();
  await stage.entry('common:shell.signOut').click();
  await expect.poll(stage.path).toBe('/login');
  expect(localStorage.getItem(PUSH_KEY)).toBe(null);
});
