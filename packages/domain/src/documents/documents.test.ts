import { expect, test } from 'vitest';
import { type Level, levelsAll } from '../access/levels.ts';
import {
  mayGrantDocumentLevels,
  mayReadDocument,
  mayWriteDocument,
  shownLocale,
  type TranslationState,
  translationState,
} from './documents.ts';

const levels = (read: Level, write: Level) => ({ ...levelsAll(5), wiki: { read, write, download: 5 as const } });

test.each<[read: Level, write: Level, document: [Level, Level, boolean], mayRead: boolean, mayWrite: boolean]>([
  [0, 0, [0, 0, true], true, true],
  [3, 3, [3, 3, true], true, true],
  [3, 4, [3, 3, true], true, false],
  [4, 3, [3, 3, true], false, false],
  [3, 4, [3, 3, false], false, false],
  [3, 3, [3, 3, false], true, true],
])(
  'levels %i/%i on a document %j: read %s, write %s',
  (read, write, [readLevel, writeLevel, enabled], mayRead, mayWrite) => {
    const document = { readLevel, writeLevel, enabled };
    expect(mayReadDocument(levels(read, write), document)).toBe(mayRead);
    expect(mayWriteDocument(levels(read, write), document)).toBe(mayWrite);
  },
);

test('nobody gives a document a level that they do not hold', () => {
  expect(mayGrantDocumentLevels(levels(2, 3), { readLevel: 2, writeLevel: 3 })).toBe(true);
  expect(mayGrantDocumentLevels(levels(2, 3), { readLevel: 1, writeLevel: 3 })).toBe(false);
  expect(mayGrantDocumentLevels(levels(2, 3), { readLevel: 2, writeLevel: 2 })).toBe(false);
});

test.each<[state: TranslationState, follows: number | null, other: number | null, version?: number]>([
  ['missing', null, 4],
  ['current', null, 4, 1],
  ['current', 4, 4, 1],
  ['outdated', 3, 4, 1],
  ['current', 3, null, 1],
])('a text is %s when it follows %j and the other has version %j', (state, follows, other, version) => {
  const at = new Date(0);
  const text = version === undefined ? null : { updatedAt: at, follows, version };
  expect(translationState(text, other === null ? null : { updatedAt: at, follows: null, version: other })).toBe(state);
});

test('a reader sees their own language, or the other one', () => {
  expect(shownLocale('zh-CN', ['en-US', 'zh-CN'])).toBe('zh-CN');
  expect(shownLocale('zh-CN', ['en-US'])).toBe('en-US');
  expect(shownLocale('zh-CN', [])).toBeNull();
});
