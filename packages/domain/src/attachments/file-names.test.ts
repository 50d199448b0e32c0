import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { endingOf } from '../text/files/files.ts';
import { freeName, NAME_BYTES, nameFault, nameKey, normalName, numberedName, shownType } from './file-names.ts';

const bytesOf = (text: string) => Buffer.byteLength(text);

describe('names', () => {
  test.each([
    ['manual.pdf', null],
    ['充电桩 安装手册（第二版）.pdf', null],
    ['دليل المستخدم.pdf', null],
    ['หนังสือ.pdf', null],
    ['👩‍🔧 fix.mp4', null],
    ['.hidden.txt', null],
    ['', 'empty'],
    ['.', 'characters'],
    ['..', 'characters'],
    ['../a.txt', 'characters'],
    ['a\\b.txt', 'characters'],
    ['a\u0000.txt', 'characters'],
    ['a\nb.txt', 'characters'],
    ['photo\u202Egpj.exe', 'characters'],
    ['a\uD800.txt', 'characters'],
    [`${'a'.repeat(251)}.txt`, null],
    [`${'a'.repeat(252)}.txt`, 'tooLong'],
    [`${'电'.repeat(84)}.txt`, 'tooLong'],
  ])('%j: %s', (name, fault) => expect(nameFault(name)).toBe(fault));

  test('are composed and without surrounding blanks', () => expect(normalName('  E\u0301.txt ')).toBe('É.txt'));
  test('that differ in case are the same', () => expect(nameKey('É.TXT')).toBe(nameKey('e\u0301.txt')));
});

describe('a counter', () => {
  test.each([
    ['manual.pdf', 2, 'manual (2).pdf'],
    ['archive.tar.gz', 3, 'archive.tar (3).gz'],
    ['Photos', 2, 'Photos (2)'],
    [`${'a'.repeat(251)}.txt`, 10, `${'a'.repeat(246)} (10).txt`],
  ])('for %s', (name, counter, numbered) => expect(numberedName(name, counter)).toBe(numbered));

  test('is the first free one', () => {
    expect(freeName('a.txt', new Set())).toBe('a.txt');
    expect(freeName('A.txt', new Set(['a.txt', 'a (2).txt', 'a (4).txt']))).toBe('A (3).txt');
  });

  test('gives allowed names with the same extension, which are not taken', () => {
    const names = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 300 })
      .map((stem) => normalName(`${stem}.txt`));
    const allowed = names.filter((name) => nameFault(name) === null && endingOf(name) === 'txt');
    fc.assert(
      fc.property(allowed, fc.integer({ min: 1, max: 12 }), (name, count) => {
        const taken = new Set<string>();
        for (let index = 0; index < count; index += 1) {
          const free = freeName(name, taken);
          expect(taken.has(nameKey(free))).toBe(false);
          expect(bytesOf(free)).toBeLessThanOrEqual(NAME_BYTES);
          expect(endingOf(free)).toBe('txt');
          taken.add(nameKey(free));
        }
      }),
    );
  });
});

test.each([
  ['a.PNG', 'image/png'],
  ['a.pdf', 'application/pdf'],
  ['a.csv', 'text/plain; charset=utf-8'],
  ['a.html', null],
  ['a.svg', null],
  ['a.constructor', null],
  ['a', null],
])('%s is displayed as %s', (name, type) => expect(shownType(name)).toBe(type));
