import type { DocumentContent } from '@chargehand/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeContents, mergeField } from './merge.ts';

const docOf = (letters: string): DocumentContent => ({
  type: 'doc',
  content: [...letters].map((text) => ({ type: 'paragraph', content: [{ type: 'text', text }] })),
});
const lettersOf = (content: DocumentContent | null) =>
  content?.content.map((node) => node.content?.[0]?.text ?? '').join('') ?? null;

test.each([
  ['abc', 'abc', 'abc', 'abc'],
  ['abc', 'aXc', 'abc', 'aXc'],
  ['abc', 'abc', 'aXc', 'aXc'],
  ['abc', 'Xbc', 'abY', 'XbY'],
  ['abc', 'Xbc', 'aYc', 'XYc'],
  ['abc', 'aXc', 'aXc', 'aXc'],
  ['abc', 'aXc', 'aYc', null],
  ['abc', 'ac', 'abcd', 'acd'],
  ['abc', 'ac', 'aXc', null],
  ['', 'a', '', 'a'],
])('%j changed to %j and %j becomes %j', (base, mine, theirs, merged) => {
  expect(lettersOf(mergeContents(docOf(base), docOf(mine), docOf(theirs)))).toBe(merged);
});

test('what only one author changed is never lost', () => {
  const letters = fc.array(fc.constantFrom(...'abcdefgh'), { maxLength: 12 }).map((list) => list.join(''));
  fc.assert(
    fc.property(letters, letters, (base, mine) => {
      expect(lettersOf(mergeContents(docOf(base), docOf(mine), docOf(base)))).toBe(mine);
      expect(lettersOf(mergeContents(docOf(base), docOf(base), docOf(mine)))).toBe(mine);
    }),
  );
});

test.each([
  ['a', 'a', 'b', 'b'],
  ['a', 'b', 'a', 'b'],
  ['a', 'b', 'b', 'b'],
  ['a', 'b', 'c', null],
])('the field %j changed to %j and %j becomes %j', (base, mine, theirs, merged) => {
  expect(mergeField(base, mine, theirs)).toBe(merged);
});
