import { expect, test } from 'vitest';
import { exceededJsonLimit } from '../text/json-limits.ts';
import { forbiddenCharacter, forbiddenInLine } from '../text/text.ts';
import { cleanContent, filesOf, safeLink, textOfContent, withFiles } from './content.ts';

const doc = (...content: unknown[]) => ({ type: 'doc', content });
const text = (value: string, ...marks: object[]) => ({ type: 'text', text: value, ...(marks.length ? { marks } : {}) });
const paragraph = (...content: unknown[]) => ({ type: 'paragraph', ...(content.length ? { content } : {}) });

test.each<[title: string, from: unknown, to: unknown]>([
  ['a text with marks', doc(paragraph(text('a', { type: 'bold' }))), doc(paragraph(text('a', { type: 'bold' })))],
  ['nothing', null, doc({ type: 'paragraph' })],
  ['a text instead of a document', 'x', doc({ type: 'paragraph' })],
  [
    'an unknown block: its content stays',
    doc({ type: 'iframe', content: [paragraph(text('a'))] }),
    doc(paragraph(text('a'))),
  ],
  ['an unknown mark', doc(paragraph(text('a', { type: 'style', attrs: { css: 'x' } }))), doc(paragraph(text('a')))],
  [
    'a link with a script',
    doc(paragraph(text('a', { type: 'link', attrs: { href: 'javascript:alert(1)' } }))),
    doc(paragraph(text('a'))),
  ],
  [
    'a link with more attributes',
    doc(paragraph(text('a', { type: 'link', attrs: { href: '/x', onclick: 'y' } }))),
    doc(paragraph(text('a', { type: 'link', attrs: { href: '/x' } }))),
  ],
  [
    'an image of another server',
    doc({ type: 'image', attrs: { src: 'https://a.example/x.png' } }),
    doc({ type: 'paragraph' }),
  ],
  [
    'a stored image',
    doc({ type: 'image', attrs: { file: '7', onerror: 'x' } }),
    doc({ type: 'image', attrs: { file: '7' } }),
  ],
  ['text outside a paragraph', doc(text('a'), text('b')), doc(paragraph(text('a'), text('b')))],
  ['a block in a paragraph', doc(paragraph({ type: 'table', content: [] }, text('a'))), doc(paragraph(text('a')))],
  ['a list without items', doc({ type: 'bulletList', content: [] }), doc({ type: 'paragraph' })],
  [
    'an item without content',
    doc({ type: 'bulletList', content: [{ type: 'listItem' }] }),
    doc({ type: 'bulletList', content: [{ type: 'listItem', content: [{ type: 'paragraph' }] }] }),
  ],
  [
    'a heading with a wrong level',
    doc({ type: 'heading', attrs: { level: 9 }, content: [text('a')] }),
    doc(paragraph(text('a'))),
  ],
  ['control characters', doc(paragraph(text('a\u0000\u202eb'))), doc(paragraph(text('ab')))],
  ['a prototype as the type', doc({ type: 'constructor', content: [text('a')] }), doc(paragraph(text('a')))],
  [
    'marks in code',
    doc({ type: 'codeBlock', content: [text('a', { type: 'bold' })] }),
    doc({ type: 'codeBlock', content: [text('a')] }),
  ],
])('cleans %s', (_, from, to) => {
  expect(cleanContent(from)).toEqual(to);
});

test('cleaning a clean content changes nothing', () => {
  const dirty = doc(
    {
      type: 'callout',
      attrs: { kind: 'warning' },
      content: [text('a'), { type: 'table', content: [{ type: 'tableRow', content: [{ type: 'tableCell' }] }] }],
    },
    { type: 'taskList', content: [{ type: 'taskItem', attrs: { checked: 'yes' }, content: [text('b')] }] },
  );
  const clean = cleanContent(dirty);
  expect(cleanContent(clean)).toEqual(clean);
});

test('nodes nested too deep are cut off, and do not exhaust the stack', () => {
  let nested: object = paragraph(text('deep'));
  for (let depth = 0; depth < 10_000; depth += 1) nested = { type: 'blockquote', content: [nested] };
  expect(textOfContent(cleanContent(doc(nested)))).toBe('');
});

test('10,000 nested lists become a flat content that can be opened and stored', () => {
  let nested: object = { type: 'bulletList', content: [{ type: 'listItem', content: [paragraph(text('deep'))] }] };
  for (let depth = 1; depth < 10_000; depth += 1) {
    const content = [paragraph(text(`level ${10_000 - depth}`)), nested];
    nested = { type: 'bulletList', content: [{ type: 'listItem', content }] };
  }
  const cleaned = cleanContent(doc(nested));
  expect(textOfContent(cleaned)).toMatch(/^level 1\nlevel 2\nlevel 3\n/);
  expect(exceededJsonLimit(JSON.stringify({ title: 'a', description: '', body: cleaned, baseVersion: 1 }))).toBeNull();
  expect(cleanContent(cleaned)).toEqual(cleaned);
});

test.each([
  ['https://example.org/a?b#c', true],
  ['mailto:a@example.org', true],
  ['tel:+852 1234-5678', true],
  ['/manage/docs', true],
  ['#section', true],
  ['//example.org', false],
  ['/\\example.org', false],
  ['JavaScript:alert(1)', false],
  ['java\nscript:alert(1)', false],
  ['data:text/html,x', false],
  ['vbscript:x', false],
  ['example.org', false],
  [`https://example.org/${'a'.repeat(2_000)}`, false],
])('link %j is accepted: %j', (href, accepted) => {
  expect(safeLink(href) !== null).toBe(accepted);
  // Again, because a pattern with state would answer differently.
  expect(safeLink(href) !== null).toBe(accepted);
});

test('a refused link does not change how the next one is checked', () => {
  expect(safeLink('https://example.org/\u202e')).toBeNull();
  expect(safeLink('/\u202e')).toBeNull();
});

test('finds the files of a content, each once', () => {
  const image = { type: 'image', attrs: { file: '7' } };
  const attachment = { type: 'attachment', attrs: { file: '9', name: 'a.pdf' } };
  expect(filesOf(cleanContent(doc(image, { type: 'blockquote', content: [image, attachment] })))).toEqual([7, 9]);
});

const within = (levels: number, wrap: (inner: unknown) => unknown, inner: unknown): unknown =>
  levels === 0 ? inner : wrap(within(levels - 1, wrap, inner));

test.each<[name: string, wrap: (inner: unknown) => unknown]>([
  [
    'lists',
    (inner) => ({ type: 'bulletList', content: [{ type: 'listItem', content: [paragraph(text('a')), inner] }] }),
  ],
  ['steps', (inner) => ({ type: 'taskList', content: [{ type: 'taskItem', content: [inner] }] })],
  ['quotes', (inner) => ({ type: 'blockquote', content: [inner] })],
  [
    'tables',
    (inner) => ({
      type: 'table',
      content: [{ type: 'tableRow', content: [{ type: 'tableCell', attrs: { colwidth: [90] }, content: [inner] }] }],
    }),
  ],
])('deeply nested %s are flattened without loss, so that the server accepts them', (_, wrap) => {
  const link = { type: 'link', attrs: { href: '/x' } };
  const cleaned = cleanContent(doc(within(12, wrap, paragraph(text('deepest', link)))));
  const request = { title: 'a', description: '', body: cleaned, baseVersion: 1 };
  expect(exceededJsonLimit(JSON.stringify(request))).toBeNull();
  expect(textOfContent(cleaned)).toContain('deepest');
  expect(textOfContent(cleaned).match(/\ba\b/g)?.length).toBe(_ === 'lists' ? 12 : undefined);
  expect(cleanContent(cleaned)).toEqual(cleaned);
});

test('texts of a content are accepted by the server', () => {
  const alt = `${'a'.repeat(499)}\u{1F600}\u2028`;
  const { content } = cleanContent(
    doc({ type: 'image', attrs: { file: '7', alt } }, paragraph(text('a\ud800\u200bb\tc'))),
  );
  expect(forbiddenInLine(String(content[0]?.attrs?.alt))).toBeNull();
  expect(forbiddenCharacter(textOfContent(content[1]!))).toBeNull();
});

test('files are replaced everywhere, in a copy', () => {
  const named = (...files: string[]) =>
    ({
      type: 'doc',
      content: files.map((file) => ({ type: 'blockquote', content: [{ type: 'image', attrs: { file } }] })),
    }) as const;
  const content = named('7', '9', '7');
  expect(withFiles(content, new Map([[7, 70]]))).toEqual(named('70', '9', '70'));
  expect(filesOf(content)).toEqual([7, 9]);
});
