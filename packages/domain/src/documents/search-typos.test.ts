import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allowedEdits, correctableWords, editDistance, searchedTypoKeys, storedTypoKeys } from './search-typos.ts';

test.each([
  ['can', 0],
  ['pile', 1],
  ['charger', 1],
  ['contacts', 2],
  ['insulation', 2],
  ['überlast', 2],
  // Codes are never changed.
  ['0x1fab', 0],
  ['v2gcharger', 0],
  ['接地故障', 0],
  ['a'.repeat(41), 0],
] as const)('%s may have %s errors', (word, edits) => {
  expect(allowedEdits(word)).toBe(edits);
});

test.each([
  ['charger', 'charger', 0],
  ['charger', 'chrger', 1],
  ['charger', 'charrger', 1],
  ['charger', 'chapger', 1],
  ['charger', 'chrager', 1],
  ['contactor', 'contcatro', 2],
  ['weldng', 'welding', 1],
  ['', 'abc', 3],
] as const)('%s and %s differ by %s', (one, other, distance) => {
  expect(editDistance(one, other)).toBe(distance);
  expect(editDistance(other, one)).toBe(distance);
});

test('only words of letters are kept for corrections, each once', () => {
  expect(correctableWords(['relay', 'relay', 'dc', 'ccu', '0x1f', '接地'])).toEqual(['relay', 'ccu']);
});

const letter = fc.constantFrom(...'abcde');
const word = fc.string({ unit: letter, minLength: 4, maxLength: 14 });
/** A wrong, missing, additional or swapped letter at a place. */
const error = fc.record({ kind: fc.constantFrom('wrong', 'missing', 'additional', 'swapped'), at: fc.nat(20), letter });

test('a word with as many errors as are allowed shares a key with the right word', () => {
  fc.assert(
    fc.property(word, fc.array(error, { minLength: 1, maxLength: 2 }), (right, errors) => {
      const typed = errors.reduce((text, { kind, at: place, letter: other }) => {
        const at = place % text.length;
        if (kind === 'wrong') return text.slice(0, at) + other + text.slice(at + 1);
        if (kind === 'missing') return text.slice(0, at) + text.slice(at + 1);
        if (kind === 'additional') return text.slice(0, at) + other + text.slice(at);
        return text.slice(0, at) + (text[at + 1] ?? '') + text[at]! + text.slice(at + 2);
      }, right);
      fc.pre(editDistance(typed, right) <= allowedEdits(typed));
      const stored = new Set(storedTypoKeys(right));
      expect(searchedTypoKeys(typed).some((key) => stored.has(key))).toBe(true);
    }),
  );
});
