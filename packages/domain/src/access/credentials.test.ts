import { describe, expect, it, test } from 'vitest';
import { foldCase, isGuessable, isUserName, passwordFault, passwordLacks, userNameKey } from './credentials.ts';

describe('user names (spec §5)', () => {
  it.each([
    ['abcdef', true],
    ['Ada_01', true],
    ['a'.repeat(32), true],
    ['abcde', false],
    ['a'.repeat(33), false],
    ['with space', false],
    ['with-dash', false],
    ['用户名称名称', false],
    ['abcdef\n', false],
    ['', false],
  ])('%j: %s', (name, valid) => expect(isUserName(name)).toBe(valid));
});

describe('passwords (spec §5)', () => {
  it.each([
    ['Secret-1', []],
    [`Aa1-${'x'.repeat(28)}`, []],
    ['Sec-1', ['length']],
    [`Aa1-${'x'.repeat(29)}`, ['length']],
    ['secret-1', ['upper']],
    ['SECRET-1', ['lower']],
    ['Secret--', ['digit']],
    ['Secret11', ['special']],
    ['Secret 1', ['special']],
    ['', ['length', 'upper', 'lower', 'digit', 'special']],
  ])('%j lacks %j', (password, lacks) => expect(passwordLacks(password)).toEqual(lacks));

  it.each([
    ['Secret-1', 8, null],
    ['Secret-1', 9, 'short'],
    ['Secret-12345', 12, null],
    // Characters are counted, not UTF-16 units.
    ['Secret-1😀', 9, null],
    ['Secret-1😀', 10, 'short'],
    ['Sec-1', 8, 'weak'],
    ['secret-1', 12, 'weak'],
    [`Aa1-${'x'.repeat(29)}`, 8, 'weak'],
  ])('%j with at least %d characters: %s', (password, least, fault) =>
    expect(passwordFault(password, least)).toBe(fault),
  );
});

test.each([
  ['North_Admin', 'north_admin'],
  ['north_admin', 'north_admin'],
  // Unicode lower case turns these into `i`, in JavaScript, PostgreSQL or both.
  ['north_adm\u0130n', null],
  ['north_adm\u0131n', null],
  ['\u212Aeyholder', null],
  ['short', null],
  [' north_admin', null],
])('the lookup key of the user name %j is %j', (name, key) => {
  expect(userNameKey(name)).toBe(key);
});

test('only ASCII letters are folded', () => {
  expect(foldCase('ABC-\u0130\u212A\u00C9')).toBe('abc-\u0130\u212A\u00C9');
});

describe('a password is easy to guess', () => {
  const common = new Set(['password', 'welcome', 'qwerty', 'abcd1234', 'aa123456', 'dragon', 'letmein']);
  const names = ['north_admin', 'Ann'];
  test.each([
    ['Password1!', true],
    ['P@ssw0rd', true],
    ['P@$$w0rd99!', true],
    ['1!Welcome', true],
    ['Qwerty123!', true],
    ['Abcd-1234', true],
    ['Aa@123456', true],
    ['Dragon-2024', true],
    ['L3tm31n!!', true],
    ['North_admin1', true],
    ['X-n0rth_adm1n', true],
    ['Chargehand1!', true],
    ['Quay-side.1', false],
    ['Annual-Tide.7', false],
    ['Welcome-mat.4', false],
    ['Xk7-pQ2m-aB9c', false],
  ])('%s: %s', (password, expected) => {
    expect(isGuessable(password, common, names)).toBe(expected);
  });
});
