import type { DocumentContent } from '@chargehand/domain';
import { expect, test } from 'vitest';
import { type Choice, chosenContent, decidedField, regionsOf } from './conflict.ts';

const docOf = (letters: string): DocumentContent => ({
  type: 'doc',
  content: [...letters].map((text) => ({ type: 'paragraph', content: [{ type: 'text', text }] })),
});
const lettersOf = ({ content }: DocumentContent) => content.map((node) => node.content?.[0]?.text ?? '').join('');

test.each<[base: string | null, mine: string, theirs: string, choices: Choice[], result: string]>([
  ['abc', 'aXc', 'aYc', ['mine'], 'aXc'],
  ['abc', 'aXc', 'aYc', ['theirs'], 'aYc'],
  ['abc', 'aXc', 'aYc', ['both'], 'aYXc'],
  ['abcd', 'aXcP', 'aYcQ', ['mine', 'theirs'], 'aXcQ'],
  ['abc', 'Xbc', 'abY', [], 'XbY'],
  ['abc', 'ac', 'aYc', ['theirs'], 'aYc'],
  ['abc', 'ac', 'aYc', ['mine'], 'ac'],
  [null, 'a', 'b', ['both'], 'ba'],
])('%j changed to %j and %j with the choices %j becomes %j', (base, mine, theirs, choices, result) => {
  const regions = regionsOf(base === null ? null : docOf(base), docOf(mine), docOf(theirs));
  expect(regions.filter((region) => 'mine' in region)).toHaveLength(choices.length);
  expect(lettersOf(chosenContent(regions, choices))).toBe(result);
});

test.each<[base: string | null, mine: string, theirs: string, result: string | null]>([
  ['a', 'b', 'a', 'b'],
  ['a', 'a', 'b', 'b'],
  ['a', 'b', 'b', 'b'],
  ['a', 'b', 'c', null],
  [null, 'b', 'c', null],
])('the field %j changed to %j and %j becomes %j', (base, mine, theirs, result) => {
  expect(decidedField(base, mine, theirs)).toBe(result);
});
