import type { DocumentHit } from '@chargehand/contract';
import { describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../../testing/accessibility.ts';
import { sees } from '../../../testing/on-screen.ts';
import { showConsole } from '../../../testing/show-console.tsx';

const hit = (values: Partial<DocumentHit> = {}): DocumentHit => ({
  ...{ documentId: 7, locale: 'en-US', title: 'Ground failure', heading: 'Repair', anchor: 'repair' },
  ...{ excerpt: 'Replace the cable if the ground wire is damaged.', marks: [{ start: 25, length: 6 }] },
  ...values,
});
const nothing = { items: [], partial: false, corrected: null, suggestion: null };
const found = (items: DocumentHit[]) => ({ searchDocuments: { ...nothing, items } });
const field = (t: (key: string) => string) => page.getByRole('searchbox', { name: t('documents:search.label') });

describe('the search of documents', () => {
  test('finds while typing, marks what it found, and leads to the heading', async () => {
    const { t, path, server } = await showConsole('/manage/docs/search', {
      answers: found([hit(), hit({ documentId: 8, locale: 'zh-CN', title: '接地故障', heading: null, anchor: null })]),
    });
    await field(t).fill('ground');
    await expect.poll(path).toBe('/manage/docs/search?q=ground');
    await sees(t('documents:search.count', { count: 2, text: 'ground' }));
    expect(server.sent('searchDocuments').at(-1)?.query).toEqual({ search: 'ground', limit: '20' });
    expect([...document.querySelectorAll('mark')].map((mark) => mark.textContent)).toEqual(['ground', 'ground']);
    await expect
      .element(page.getByRole('link', { name: /^Ground failure/ }))
      .toHaveAttribute('href', '/manage/docs/detail/7#repair');
    await expect
      .element(page.getByRole('link', { name: '接地故障' }))
      .toHaveAttribute('href', '/manage/docs/detail/8?locale=zh-CN');
    await expectAccessible();
  });

  test('does not search what an input method is composing', async () => {
    const { t, path, server } = await showConsole('/manage/docs/search', { answers: found([hit()]) });
    await sees(field(t));
    const input = field(t).element() as HTMLInputElement;
    const compose = (text: string, isComposing: boolean) => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text);
      input.dispatchEvent(new InputEvent('input', { bubbles: true, isComposing }));
    };
    input.dispatchEvent(new CompositionEvent('compositionstart', { bubbles: true }));
    compose('jie', true);
    compose('jie di', true);
    await expect.element(field(t)).toHaveValue('jie di');
    compose('接地', true);
    input.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true, data: '接地' }));
    await expect.poll(path).toBe(`/manage/docs/search?q=${encodeURIComponent('接地')}`);
    await sees(t('documents:search.count', { count: 1, text: '接地' }));
    expect(server.sent('searchDocuments').map(({ query }) => query.search)).toEqual(['接地']);
  });

  test('suggests a similar heading, and says what to do when nothing is found', async () => {
    const { t, path } = await showConsole('/manage/docs/search?q=grond', {
      answers: {
        searchDocuments: ({ query }) =>
          query.search === 'grond' ? { ...nothing, suggestion: 'Ground failure' } : { ...nothing, items: [hit()] },
      },
    });
    await sees(t('documents:search.count', { count: 0, text: 'grond' }), t('documents:search.tipWords'));
    await page.getByRole('button', { name: 'Ground failure' }).click();
    await expect.poll(path).toBe('/manage/docs/search?q=Ground+failure');
    await sees(page.getByRole('link', { name: /^Ground failure/ }));
  });

  test('says that typing errors were corrected, and leads to the exact search', async () => {
    const { t, path, server } = await showConsole('/manage/docs/search?q=grond', {
      answers: {
        searchDocuments: ({ query }) => (query.exact ? nothing : { ...nothing, items: [hit()], corrected: 'ground' }),
      },
    });
    await sees(
      t('documents:search.count', { count: 1, text: 'ground' }),
      t('documents:search.corrected', { corrected: 'ground', text: 'grond' }),
    );
    await expectAccessible();
    await page.getByRole('link', { name: t('documents:search.exactly') }).click();
    await expect.poll(path).toBe('/manage/docs/search?q=grond&exact=1');
    await sees(t('documents:search.count', { count: 0, text: 'grond' }), t('documents:search.tipWords'));
    expect(server.sent('searchDocuments').at(-1)?.query).toEqual({ search: 'grond', limit: '20', exact: 'true' });
    // Another text is searched with corrections again.
    await field(t).fill('cable');
    await expect.poll(path).toBe('/manage/docs/search?q=cable');
  });

  test('shows the best results first, and more on request', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => hit({ documentId: index + 1 }));
    const { t, server } = await showConsole('/manage/docs/search?q=cable', {
      answers: { searchDocuments: ({ query }) => ({ ...nothing, items: many(Number(query.limit)) }) },
    });
    await sees(t('documents:search.first', { count: 20 }));
    await page.getByRole('button', { name: t('documents:search.more') }).click();
    await sees(t('documents:search.first', { count: 50 }), t('documents:search.narrow'));
    expect(server.sent('searchDocuments').at(-1)?.query.limit).toBe('50');
  });
});
