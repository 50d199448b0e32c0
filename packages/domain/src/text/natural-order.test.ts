import { expect, test } from 'vitest';
import { compareNaturally } from './natural-order.ts';

test.each([
  ['numbers by value', ['Item2', 'Item10', 'Item100']],
  ['numbers within a text', ['Connector 2 status', 'Connector 10 status']],
  ['digits alone', ['2', '10', '33']],
  ['upper and lower case together', ['alpha', 'Beta', 'gamma']],
  ['Chinese by pinyin, before Latin letters', ['2号', '北京2号站', '北京10号站', '上海', '中山', 'Beijing']],
  ['leading zeros, in a fixed order', ['Item01', 'Item1', 'Item2']],
])('a natural order sorts %s', (_, sorted) => {
  expect([...sorted].reverse().sort(compareNaturally)).toEqual(sorted);
  expect([...sorted].sort(compareNaturally)).toEqual(sorted);
});

test('only equal texts compare as equal', () => {
  expect(compareNaturally('Item1', 'Item1')).toBe(0);
  expect(compareNaturally('Item1', 'Item01')).not.toBe(0);
});
