import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { show } from '../../testing/show.tsx';
import { CrashPage } from './error-pages.tsx';

test.each([
  ['en-US', '404', 'notFoundTitle', []],
  ['en-US', '403', 'forbiddenTitle', []],
  ['en-US', '500', 'systemTitle', ['reload', 'back']],
  ['zh-CN', 'network', 'networkTitle', ['reload', 'back']],
] as const)('the error page in %s for %s says what happened and offers ways out', async (locale, type, title, ways) => {
  const { t, button } = await show(<CrashPage />, { locale, path: `/error?type=${type}` });
  await expect
    .element(page.getByRole('heading', { level: 1, name: t(`common:error.${title}`), exact: true }))
    .toBeVisible();
  for (const way of ways) await expect.element(button(`common:error.${way}`)).toBeVisible();
});
