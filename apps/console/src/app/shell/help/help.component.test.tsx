import { describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../../testing/accessibility.ts';
import { sample } from '../../../testing/sample.ts';
import { showConsole } from '../../../testing/show-console.tsx';
import { Refused } from '../../../testing/stub-server.ts';

const body = {
  type: 'doc' as const,
  content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Read this first.' }] }],
};
const manual = sample('readDocument', { id: 9, title: 'Working with the console', locale: 'en-US', body });

describe('the help', () => {
  test('shows the page of the manual for the current page, by mouse and by key', async () => {
    const stage = await showConsole('/manage/my', { answers: { readDocument: manual } });
    await stage.button('common:shell.help').click();
    await expect.element(page.getByText('Read this first.')).toBeVisible();
    expect(stage.server.sent('readDocument').map(({ query }) => query)).toEqual([{ shipped: 'manual-account' }]);
    const link = page.getByRole('link', { name: stage.t('help:open') });
    expect(link.element().getAttribute('href')).toBe('/manage/docs/detail/9');
    await expectAccessible();
    await userEvent.keyboard('{Escape}');
    await expect.element(stage.dialog).not.toBeInTheDocument();

    await stage.go('/manage/welcome');
    await userEvent.keyboard('{F1}');
    await expect.element(page.getByText('Read this first.')).toBeVisible();
    expect(stage.server.sent('readDocument').at(-1)?.query).toEqual({ shipped: 'manual-overview' });
  });

  test('says so when the page of the manual was deleted', async () => {
    const readDocument = () => {
      throw new Refused('notFound');
    };
    const stage = await showConsole('/manage/my', { answers: { readDocument } });
    await stage.button('common:shell.help').click();
    await expect.element(stage.text('help:missing')).toBeVisible();
  });

  test('does not exist for users who may not read documents', async () => {
    const stage = await showConsole('/manage/welcome', { user: { root: false, keys: ['auth_my'] } });
    await expect.element(stage.button('common:shell.theme')).toBeVisible();
    await userEvent.keyboard('{F1}');
    expect(stage.button('common:shell.help').elements()).toEqual([]);
    expect(stage.server.sent('readDocument')).toEqual([]);
  });
});
