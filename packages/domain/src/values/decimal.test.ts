import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareDecimals, decimalsOf, isWholeNumber, plainDecimal } from './decimal.ts';

test.each<[string, string | null]>([
  ['7', '7'],
  ['007', '7'],
  ['-0', '0'],
  ['-0.00', '0'],
  ['1.50', '1.5'],
  ['-007.50', '-7.5'],
  ['0.1', '0.1'],
  ['', null],
  ['.5', null],
  ['5.', null],
  ['1e3', null],
  ['+1', null],
  ['1,5', null],
  ['NaN', null],
  ['９', null],
  ['1'.repeat(300), null],
])('%j is the plain number %j', (text, plain) => {
  expect(plainDecimal(text)).toBe(plain);
});

test('integers are written in digits', () => {
  expect(['0', '-12', '007'].every(isWholeNumber)).toBe(true);
  expect(['', '1.0', '1e5', ' 1', '--1', 'x'].some(isWholeNumber)).toBe(false);
});

const plain = fc
  .tuple(fc.boolean(), fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.integer({ min: 0, max: 20 }))
  .map(([negative, digits, scale]) => {
    const text = digits.toString().padStart(scale + 1, '0');
    const whole = `${text.slice(0, text.length - scale)}${scale ? `.${text.slice(-scale)}` : ''}`;
    return plainDecimal(`${negative ? '-' : ''}${whole}`)!;
  });

test('comparison is an ordering, whatever the number of decimals', () => {
  fc.assert(
    fc.property(plain, plain, plain, (a, b, c) => {
      expect(compareDecimals(a, a)).toBe(0);
      expect(compareDecimals(a, b) + compareDecimals(b, a)).toBe(0);
      if (compareDecimals(a, b) <= 0 && compareDecimals(b, c) <= 0)
        expect(compareDecimals(a, c)).toBeLessThanOrEqual(0);
    }),
  );
});

test('a plain number does not change, and equal numbers have the same text', () => {
  fc.assert(
    fc.property(plain, plain, (a, b) => {
      expect(plainDecimal(a)).toBe(a);
      expect(compareDecimals(a, b) === 0).toBe(a === b);
    }),
  );
});

test('digits that a binary number would lose are kept', () => {
  const fine = `0.${'0'.repeat(97)}1`;
  expect(decimalsOf(fine)).toBe(98);
  expect(compareDecimals(fine, '0')).toBe(1);
});
