import { expect, test } from 'vitest';
import type { DocumentContent } from './content.ts';
import { indexedTerms, questionTerms, searchTerms, termPieces } from './search-terms.ts';
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

test.each([
  ['绝缘电阻过低怎么办', ['绝缘电阻过低']],
  ['请问绝缘电阻过低了该怎么处理？', ['绝缘电阻过低']],
  ['为什么充不上电', ['充不上电']],
  ['E5101 是什么意思', ['e5101']],
  ['怎么办', ['怎么办']],
  ['what to do when insulation resistance is low', ['insulation', 'resistance', 'low']],
  ['How do I reset the ground fault?', ['reset', 'ground', 'fault']],
  ['what is this', ['what', 'is', 'this']],
])('the question %j is about %j', (text, about) => {
  expect(questionTerms(text).map((term) => term.text)).toEqual(about);
});

test('terms have pieces: pairs of Han characters, and words', () => {
  expect(termPieces(searchTerms('绝缘电阻 low 低温')).map(({ text }) => text)).toEqual([
    ...['绝缘', '缘电', '电阻', 'low', '低温'],
  ]);
  expect(termPieces(searchTerms('接'.repeat(200)))).toHaveLength(1);
});

test('lists of links are not searched; links in sentences are', () => {
  const link = (text: string) => ({ type: 'text', text, marks: [{ type: 'link', attrs: { href: '/x' } }] });
  const item = (...content: object[]) => ({ type: 'listItem', content: [{ type: 'paragraph', content }] });
  const list = (...items: object[]) => ({ type: 'bulletList', content: items });
  const words = { type: 'text', text: 'First read ' };
  const sections = sectionsOf({
    type: 'doc',
    content: [
      list(item(link('Ground failure')), item(link('Over-voltage'), { type: 'text', text: '.' })),
      list(item(words, link('Earthing'))),
    ],
  } as DocumentContent);
  expect(sections).toEqual([{ heading: null, text: 'First read Earthing' }]);
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
