import { type ContentNode, type DocumentContent, headingsOf } from '@chargehand/domain';
import { describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { cleanup } from 'vitest-browser-react';
import { expectAccessible } from '../../../testing/accessibility.ts';
import { LANGUAGES } from '../../../testing/languages.ts';
import { misses, sees, tooWide } from '../../../testing/on-screen.ts';
import { atEnd, show } from '../../../testing/show.tsx';
import { DocumentContentView } from './document-content-view.tsx';
import { pageSections } from './sections.ts';

const text = (value: string, ...marks: { type: string; attrs?: Record<string, unknown> }[]): ContentNode => ({
  ...{ type: 'text', text: value },
  ...(marks.length > 0 && { marks }),
});
const paragraph = (...content: ContentNode[]): ContentNode => ({ type: 'paragraph', content });
const heading = (value: string, level = 1): ContentNode => ({
  ...{ type: 'heading', attrs: { level }, content: [text(value)] },
});
const step = (value: string): ContentNode => ({ type: 'taskItem', content: [paragraph(text(value))] });
const steps = (...values: string[]): ContentNode => ({ type: 'taskList', content: values.map(step) });
const doc = (...content: ContentNode[]): DocumentContent => ({ type: 'doc', content });
const cell = (type: string, value: string): ContentNode => ({ type, content: [paragraph(text(value))] });

const everything = doc(
  paragraph(
    text('Stop the '),
    text('device', { type: 'bold' }, { type: 'italic' }),
    { type: 'hardBreak' },
    { type: 'mention', attrs: { kind: 'device', id: '7', label: 'Pile 7' } },
  ),
  heading('Cause'),
  { type: 'callout', attrs: { kind: 'danger' }, content: [paragraph(text('High voltage'))] },
  { type: 'orderedList', attrs: { start: 3 }, content: [{ type: 'listItem', content: [paragraph(text('Third'))] }] },
  { type: 'codeBlock', content: [text(`reset ${'--option '.repeat(60)}`)] },
  {
    type: 'table',
    content: [
      { type: 'tableRow', content: [cell('tableHeader', 'Code'), cell('tableHeader', 'Meaning')] },
      { type: 'tableRow', content: [cell('tableCell', 'E01'), cell('tableCell', 'Ground failure')] },
    ],
  },
  { type: 'attachment', attrs: { file: '9', name: 'Manual.pdf', size: 2048 } },
  paragraph(
    text('outside', { type: 'link', attrs: { href: 'https://example.org/a' } }),
    text('inside', { type: 'link', attrs: { href: '/manage/home' } }),
    text('harmful', { type: 'link', attrs: { href: 'javascript:alert(1)' } }),
  ),
);

describe('the content of a document', () => {
  test.each(LANGUAGES)('shows every kind of block (%s)', async (locale) => {
    const { t } = await show(<DocumentContentView content={everything} lang="en" />, { locale, size: [390, 844] });
    await sees('High voltage', t('content:callout.danger'), 'Third');
    await expect.element(page.getByRole('heading', { level: 2, name: 'Cause' })).toHaveAttribute('id', 'cause');
    await expect
      .element(page.getByRole('link', { name: '@Pile 7' }))
      .toHaveAttribute('href', '/manage/device/detail/7');
    await expect.element(page.getByRole('columnheader', { name: 'Meaning' })).toBeVisible();
    await expect
      .element(page.getByRole('link', { name: /^Manual.pdf/ }))
      .toHaveAttribute('href', '/api/auth/sys/attachments/9/content?download=true');
    expect(document.querySelector('ol')?.start).toBe(3);
    expect(document.querySelector('strong em, em strong')?.textContent).toBe('device');
    expect(tooWide()).toEqual([]);
    await expectAccessible();
  });

  test('opens other servers in a new tab, pages in place, and drops other schemes', async () => {
    const { path } = await show(<DocumentContentView content={everything} />);
    await expect.element(page.getByRole('link', { name: 'outside' })).toHaveAttribute('target', '_blank');
    expect(page.getByRole('link', { name: 'harmful' }).elements()).toEqual([]);
    await page.getByRole('link', { name: 'inside' }).click();
    await expect.poll(path).toBe('/manage/home');
  });

  test('scrolls to the heading in the URL, and to another by a link in the text', async () => {
    const long = Array.from({ length: 200 }, (_, index) => paragraph(text(`Line ${index}`)));
    const content = doc(
      paragraph(text('below', { type: 'link', attrs: { href: '#处理-2' } })),
      ...[...long, heading('处理'), ...long, heading('处理'), ...long],
    );
    await show(<DocumentContentView content={content} />, { path: '/manage/docs/detail/1#%E5%A4%84%E7%90%86' });
    const top = (index: number) => document.querySelectorAll('h2')[index]!.getBoundingClientRect().top;
    await expect.poll(() => Math.abs(top(0)) < 200).toBe(true);
    scrollTo(0, 0);
    await page.getByRole('link', { name: 'below' }).click();
    await expect.poll(() => Math.abs(top(1)) < 200).toBe(true);
  });
});

describe('steps', () => {
  const content = doc(steps('Open the door', 'Wait', 'Wait'));
  const box = (index: number) => page.getByRole('checkbox').nth(index);
  const clear = () => atEnd(() => localStorage.removeItem('chargehand.steps.1.5.en-US'));

  test('are ticked off by a reader, also after a reload, and cleared', async () => {
    clear();
    const { t } = await show(<DocumentContentView content={content} steps="5.en-US" />);
    await box(0).click();
    await box(2).click();
    await sees(t('content:steps.done', { done: 2, total: 3 }));
    await cleanup();
    const { button } = await show(
      <DocumentContentView content={doc(steps('New'), ...content.content)} steps="5.en-US" />,
    );
    await sees(t('content:steps.done', { done: 2, total: 4 }));
    expect(document.querySelectorAll(':checked')).toHaveLength(2);
    await expect.element(box(1)).toBeChecked();
    await expect.element(box(3)).toBeChecked();
    await expectAccessible();
    await button('content:steps.reset').click();
    await expect.element(box(1)).not.toBeChecked();
    expect(localStorage.getItem('chargehand.steps.1.5.en-US')).toBeNull();
  });

  test('cannot be ticked off where the document is only previewed', async () => {
    const { t } = await show(<DocumentContentView content={content} />);
    await expect.element(box(0)).toBeDisabled();
    await misses(page.getByText(t('content:steps.done', { done: 0, total: 3 })));
  });
});

test('a heading far below the first parts is scrolled to once its part is rendered', async () => {
  const blocks = Array.from({ length: 900 }, (_, index) =>
    index % 30 === 0 ? heading(`Far ${index}`) : paragraph(text(String(index))),
  );
  await show(<DocumentContentView content={doc(...blocks)} />, { path: '/#far-870' });
  await expect.poll(() => document.activeElement?.textContent).toBe('Far 870');
  expect(document.querySelectorAll('p')).toHaveLength(870);
});

test('a long document is shown in parts that start at headings and lose nothing', () => {
  const blocks = Array.from({ length: 500 }, (_, index) =>
    index % 25 === 7 ? heading(`Heading ${index}`) : paragraph(text(String(index))),
  );
  const content = doc(...blocks);
  const sections = pageSections(content);
  expect(sections.flatMap((section) => section.blocks)).toEqual(blocks);
  expect(Math.max(...sections.map((section) => section.blocks.length))).toBeLessThanOrEqual(40);
  expect(sections.slice(1).every((section) => section.blocks[0]!.type === 'heading')).toBe(true);
  expect(sections.flatMap((section) => [...section.anchors.values()])).toEqual(
    headingsOf(content).map(({ anchor }) => anchor),
  );
});
