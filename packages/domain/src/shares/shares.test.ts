import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  archivePaths,
  continuesDownload,
  endsRunning,
  mayOverseeShares,
  newShareCode,
  SHARE_CODE_CHARACTERS,
  type ShareFacts,
  shareCodeOf,
  shareEnd,
  shareExpiry,
  sharePreviewOf,
} from './shares.ts';

const NOW = new Date('2026-03-01T12:00:00Z');
const HOUR = 3_600_000;
const after = (hours: number) => new Date(NOW.getTime() + hours * HOUR);

describe('access codes', () => {
  test.each([
    ['AB23', 'AB23'],
    ['ab23', 'AB23'],
    [' a b-2 3 ', 'AB23'],
    ['ＡＢ２３', 'AB23'],
    ['AB2', null],
    ['AB234', null],
    ['AB20', null],
    ['OLI1', null],
    ['代码代码', null],
    ['', null],
  ])('%j is stored as %j', (typed, code) => {
    expect(shareCodeOf(typed)).toBe(code);
  });

  test('are made of characters that are not mistaken for each other, and are accepted as typed', () => {
    expect(SHARE_CODE_CHARACTERS).not.toMatch(/[0O1IL]/);
    expect(new Set(SHARE_CODE_CHARACTERS).size).toBe(SHARE_CODE_CHARACTERS.length);
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), { minLength: 4, maxLength: 4 }),
        (numbers) => {
          const left = [...numbers];
          const code = newShareCode(() => left.pop() ?? 0);
          expect(shareCodeOf(code.toLowerCase())).toBe(code);
        },
      ),
    );
  });
});

test.each([
  [1, '2026-03-02T12:00:00.000Z'],
  [7, '2026-03-08T12:00:00.000Z'],
  [30, '2026-03-31T12:00:00.000Z'],
  [null, undefined],
] as const)('a validity of %s days ends at %s', (days, end) => {
  expect(shareExpiry(days, NOW)?.toISOString()).toBe(end);
});

describe('the end of a share', () => {
  const open: ShareFacts = {
    ...{ destroyedAt: null, expiresAt: after(1), lockedAt: null, uses: 0, useLimit: null, permitted: true },
  };
  test.each<[string, Partial<ShareFacts>, ReturnType<typeof shareEnd>]>([
    ['an open share', {}, null],
    ['a permanent share', { expiresAt: null }, null],
    ['a share at its last moment', { expiresAt: NOW }, 'expired'],
    ['a share before its last use', { uses: 1, useLimit: 2 }, null],
    ['a share after its last use', { uses: 2, useLimit: 2 }, 'usedUp'],
    ['a share whose limit was reduced', { uses: 3, useLimit: 2 }, 'usedUp'],
    ['a locked share', { lockedAt: NOW }, 'locked'],
    ['a share whose creator may not give the object', { permitted: false }, 'withdrawn'],
    ['a destroyed share', { destroyedAt: NOW }, 'destroyed'],
    [
      'a destroyed share that is also locked and expired',
      { destroyedAt: NOW, lockedAt: NOW, expiresAt: NOW },
      'destroyed',
    ],
    ['an expired share that is also locked', { lockedAt: NOW, expiresAt: NOW }, 'expired'],
    ['a locked share that is also used up', { lockedAt: NOW, uses: 1, useLimit: 1 }, 'locked'],
  ])('%s', (_, facts, end) => {
    expect(shareEnd({ ...open, ...facts }, NOW)).toBe(end);
  });

  test.each([
    [null, false],
    ['usedUp', false],
    ['locked', true],
    ['withdrawn', true],
    ['expired', true],
    ['destroyed', true],
  ] as const)('%s ends running downloads: %s', (end, ends) => {
    expect(endsRunning(end)).toBe(ends);
  });
});

test.each([
  [0, 'all', true],
  [2, 'all', true],
  [3, 'all', false],
  [5, 'all', false],
  [0, [7], false],
  [2, [], false],
] as const)('users with write level %s and sites %j oversee the shares of others: %s', (write, sites, may) => {
  expect(mayOverseeShares({ levels: { attachment: { write } }, scope: { sites } })).toBe(may);
});

test.each([
  ['a resumed download', { sent: 40 }, 40, 1, true],
  ['a range of a finished download', { sent: 100 }, 50, 1, true],
  ['the whole file again', { sent: 100 }, 0, 1, false],
  ['the whole file after a broken start', { sent: 10 }, 0, 1, false],
  ['ranges until twice the file was sent', { sent: 200 }, 50, 1, false],
  ['a download of the day before', { sent: 40 }, 40, 24, false],
] as const)('%s', (_, { sent }, firstByte, hours, continues) => {
  expect(continuesDownload({ startedAt: NOW, size: 100, sent }, firstByte, after(hours))).toBe(continues);
});

test.each([
  ['photo.JPG', 'image'],
  ['manual.pdf', 'pdf'],
  ['charger.log', 'text'],
  ['film.mp4', 'video'],
  ['page.html', null],
  ['drawing.svg', null],
  ['constructor', null],
  ['a.constructor', null],
])('the preview of %s is %s', (name, preview) => {
  expect(sharePreviewOf(name)?.kind ?? null).toBe(preview);
});

describe('paths of archives', () => {
  test.each([
    [[['a.txt']], ['a.txt']],
    [
      [['a.txt'], ['A.TXT']],
      ['a.txt', 'A (2).TXT'],
    ],
    [
      [
        ['x', 'a.txt'],
        ['y', 'a.txt'],
      ],
      ['x/a.txt', 'y/a.txt'],
    ],
    [[['..', '..', 'etc', 'passwd']], ['_/_/etc/passwd']],
    [[['a/../b.txt']], ['a_.._b.txt']],
    [[['C:\\x']], ['C__x']],
    [
      [['.profile'], ['.profile']],
      ['.profile', '.profile (2)'],
    ],
    [[['说明书.pdf']], ['说明书.pdf']],
    [[[]], ['_']],
  ])('%j become %j', (paths, names) => {
    expect(archivePaths(paths)).toEqual(names);
  });

  test('are unique and stay below their folder', () => {
    const name = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('..', '.', 'a', 'A', 'a.txt', '/', '\\'));
    fc.assert(
      fc.property(fc.array(fc.array(name, { minLength: 1, maxLength: 3 }), { maxLength: 12 }), (paths) => {
        const names = archivePaths(paths);
        expect(new Set(names.map((one) => one.normalize('NFC').toLowerCase())).size).toBe(paths.length);
        for (const one of names) {
          expect(one.split('/').filter((part) => part === '' || part === '.' || part === '..')).toEqual([]);
        }
      }),
    );
  });
});
