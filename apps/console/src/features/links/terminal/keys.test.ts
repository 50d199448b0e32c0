import { expect, it } from 'vitest';
import { pastable, pastedLines, sequenceOf, withModifiers } from './keys.ts';

const plain = { ctrl: false, alt: false };
const ctrl = { ctrl: true, alt: false };

it.each([
  ['up', false, plain, '\u001b[A'],
  ['up', true, plain, '\u001bOA'],
  ['left', true, ctrl, '\u001b[1;5D'],
  ['home', false, { ctrl: false, alt: true }, '\u001b[1;3H'],
  ['pageUp', true, plain, '\u001b[5~'],
  ['esc', false, plain, '\u001b'],
  ['pipe', false, plain, '|'],
] as const)('%s with application mode %s is sent as its sequence', (key, application, modifiers, expected) => {
  expect(sequenceOf(key, application, modifiers)).toBe(expected);
});

it.each([
  ['c', ctrl, '\u0003'],
  ['D', ctrl, '\u0004'],
  ['[', ctrl, '\u001b'],
  ['中', ctrl, '中'],
  ['b', { ctrl: false, alt: true }, '\u001bb'],
  ['你好', { ctrl: true, alt: true }, '你好'],
])('%s with modifiers', (text, modifiers, expected) => expect(withModifiers(text, modifiers)).toBe(expected));

it.each([
  ['ls', 1],
  ['ls\n', 2],
  ['a\r\nb\rc', 3],
])('%j has its lines', (text, lines) => expect(pastedLines(text)).toBe(lines));

it('control characters are not pasted', () => {
  expect(pastable('a\tb\r\n\u001b[201~\u0003\u009bc中')).toBe('a\tb\r\n[201~c中');
});
