import { describe, expect, it } from 'vitest';
import { isUserName, passwordLacks } from './credentials.ts';

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
});
