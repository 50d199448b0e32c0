import { expect, test } from 'vitest';
import type { DocumentContent } from './content.ts';
import { indexedTerms, searchTerms } from './search-terms.ts';
import { headingsOf, sectionsOf } from './sections.ts';

test.each([
  ['接地故障', '接地 地故 故障 障'],
  ['CCU重启', 'ccu 重启 启'],
  ['Ｖ２Ｇ 桩', 'v2g 桩'],
  ['Error 0x1F, retry!', 'error 0x1f retry'],
  ['', ''],
])('%j is indexed as %j', (text, terms) => {
  expect(indexedTerms(text)).toBe(terms);
});

test.each([
  ['接地', ["'接地'"]],
  ['接地故障', ["'接地' <-> '地故' <-> '故障'"]],
  ['桩', ["'桩':*"]],
  ['Ground failure', ["'ground':*", "'failure':*"]],
  ["x' | '!", ["'x':*"]],
  ['!!!', []],
])('%j is searched as %j', (text, queries) => {
  expect(searchTerms(text).map(({ query }) => query)).toEqual(queries);
});

test('a query has at most twelve words', () => {
  expect(searchTerms('a '.repeat(100))).toHaveLength(12);
});

const heading = (text: string, level = 1) => ({ type: 'heading', attrs: { level }, content: [{ type: 'text', text }] });
const paragraph = (text: string) => ({ type: 'paragraph', content: [{ type: 'text', text }] });
const doc = (...content: DocumentContent['content']): DocumentContent => ({ type: 'doc', content });

test('a document has a section for each heading, and one for the text before the first', () => {
  expect(
    sectionsOf(doc(paragraph('a'), heading('Cause'), paragraph('b'), paragraph('c'), heading('Cause', 2))),
  ).toEqual([
    { heading: null, text: 'a' },
    { heading: { text: 'Cause', anchor: 'cause', level: 1 }, text: 'b\nc' },
    { heading: { text: 'Cause', anchor: 'cause-2', level: 2 }, text: '' },
  ]);
});

test('every text of 40 characters of a long section is in one of its parts', () => {
  const long = Array.from({ length: 9_000 }, (_, at) => String.fromCodePoint(0x4e00 + (at % 5_000))).join('');
  const parts = sectionsOf(doc(heading('A'), paragraph(long)));
  expect(parts.every(({ text }) => text.length <= 3_000)).toBe(true);
  for (let at = 0; at + 40 <= long.length; at += 1) {
    if (!parts.some(({ text }) => text.includes(long.slice(at, at + 40)))) expect.unreachable(`position ${at}`);
  }
});

test('anchors keep the letters of every language', () => {
  expect(headingsOf(doc(heading('原因 & 处理'), heading('???'))).map(({ anchor }) => anchor)).toEqual([
    '原因-处理',
    'section',
  ]);
});
