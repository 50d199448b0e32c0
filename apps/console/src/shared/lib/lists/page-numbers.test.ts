import { describe, expect, it } from 'vitest';
import { pageNumbers } from './page-numbers.ts';

describe('the pages of a pager', () => {
  it.each([
    [1, 1, '1'],
    [3, 7, '1 2 3 4 5 6 7'],
    [1, 29, '1 2 3 4 on 29'],
    [3, 29, '1 2 3 4 on 29'],
    [4, 29, '1 back 3 4 5 on 29'],
    [12, 29, '1 back 11 12 13 on 29'],
    [27, 29, '1 back 26 27 28 29'],
    [29, 29, '1 back 26 27 28 29'],
  ])('at page %i of %i are %s', (page, last, shown) => {
    expect(pageNumbers(page, last).join(' ')).toBe(shown);
  });
});
