import { expect, test } from 'vitest';
import { type Level, levelsAll } from '../access/levels.ts';
import {
  mayGrantDocumentLevels,
  mayWriteDocument,
  shownLocale,
  type TranslationState,
  translationState,
} from './documents.ts';

const levels = (read: Level, write: Level) => ({ ...levelsAll(5), wiki: { read, write, download: 5 as const } });

test.each<[read: Level, write: Level, document: [Level, Level], mayWrite: boolean]>([
  [0, 0, [0, 0], true],
  [3, 3, [3, 3], true],
  [3, 4, [3, 3], false],
  [4, 3, [3, 3], false],
])('levels %i/%i on a document with %j: write %s', (read, write, [readLevel, writeLevel], mayWrite) => {
  const document = { customerId: 7, readLevel, writeLevel, enabled: true };
  const user = { customerId: 7, platformVendor: false, levels: levels(read, write) };
  expect(mayWriteDocument(user, document)).toBe(mayWrite);
});

test.each([
  ['the platform vendor', 1, true, null, true],
  ['the platform vendor', 1, true, 7, true],
  ['customer 7', 7, false, 7, true],
  ['customer 7', 7, false, 8, false],
  ['customer 7', 7, false, null, false],
])('a user of %s (%i, %s) changes a document of customer %j: %s', (_, customerId, platformVendor, owner, may) => {
  const document = { customerId: owner, readLevel: 5, writeLevel: 5, enabled: true } as const;
  expect(mayWriteDocument({ customerId, platformVendor, levels: levels(0, 0) }, document)).toBe(may);
});

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
