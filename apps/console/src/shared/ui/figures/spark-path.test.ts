import { expect, test } from 'vitest';
import { sparkPieces } from './spark-path.ts';

test.each([
  ['nothing is known', [null, null], { span: 1 }, []],
  ['equal values are a flat line, not in the middle of noise', [5, 5, 5], { span: 2, low: 0 }, ['2,2 48,2 94,2']],
  ['a small change stays small', [99.9, 100], { span: 10, high: 100 }, ['2,2.2 94,2']],
  ['a quantity starts at zero', [0, 10], { span: 1, low: 0 }, ['2,22 94,2']],
  ['a missing value is a gap', [0, null, 10], { span: 10, low: 0 }, ['2,22', '94,2']],
  ['zeros are at the bottom', [0, 0], { span: 1, low: 0 }, ['2,22 94,22']],
] as const)('a line: %s', (_, values, scale, pieces) => {
  expect(sparkPieces(values, scale)).toEqual(pieces);
});
