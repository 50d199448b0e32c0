import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { sees } from '../../testing/on-screen.ts';
import { show } from '../../testing/show.tsx';
import { ChunkPage, CrashPage } from './error-pages.tsx';

test.each([
  ['en-US', '404', 'notFoundTitle', []],
  ['en-US', '403', 'forbiddenTitle', []],
  ['en-US', '500', 'systemTitle', ['reload', 'back']],
  ['zh-CN', 'network', 'networkTitle', ['reload', 'back']],
] as const)('the error page in %s for %s explains the error and offers actions', async (locale, type, title, ways) => {
  const { t, button } = await show(<CrashPage />, { locale, path: `/error?type=${type}` });
  await expect
    .element(page.getByRole('heading', { level: 1, name: t(`common:error.${title}`), exact: true }))
    .toBeVisible();
  for (const way of ways) await expect.element(button(`common:error.${way}`)).toBeVisible();
});

test.each([
  [false, 'chunkTitle'],
  [true, 'networkTitle'],
] as const)(
  'a missing chunk of the console while the server is unreachable (%s) shows %s',
  async (unreachable, title) => {
    const { server, go, t } = await show(<ChunkPage code="CHUNK_LOAD_FAILED" />, { path: '/', route: '/broken' });
    server.away = unreachable;
    await go('/broken');
    await sees(page.getByRole('heading', { level: 1, name: t(`common:error.${title}`), exact: true }));
  },
);
