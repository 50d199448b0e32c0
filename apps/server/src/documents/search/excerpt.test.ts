import { searchTerms } from '@chargehand/domain';
import { expect, it } from 'vitest';
import { excerptOf } from './excerpt.ts';

const long = `${'The contactor is checked before every session. '.repeat(4)}Measure the insulation of the cable.`;

it.each([
  ['the whole text when it is short', 'Check the cable.', 'cable', 'Check the cable.', ['cable']],
  [
    'no half words at the start',
    long,
    'insulation',
    '…before every session. Measure the insulation of the cable.',
    ['insulation'],
  ],
  [
    'Chinese, which has no blanks',
    `${'检查接触器。'.repeat(20)}测量绝缘电阻。`,
    '绝缘',
    /^…器。检查.*测量绝缘电阻。$/,
    ['绝缘'],
  ],
  ['the start when the stem of a word was found', 'Checking the cable.', 'checked', 'Checking the cable.', []],
] as const)('an excerpt has %s', (_title, text, search, expected, marked) => {
  const { excerpt, marks } = excerptOf(text, searchTerms(search));
  expect(excerpt).toEqual(typeof expected === 'string' ? expected : expect.stringMatching(expected));
  expect(marks.map(({ start, length }) => excerpt.slice(start, start + length))).toEqual(marked);
});
