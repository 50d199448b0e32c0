import { describe, expect, it } from 'vitest';
import { differences, shownValue } from './differences.ts';

describe('the difference between two records', () => {
  it('lists changed, added and removed fields', () => {
    const before = { name: 'A', site: { id: 1, name: 'North' }, gone: true, tags: ['x'] };
    const after = { name: 'B', site: { id: 2, name: 'North' }, tags: ['x', 'y'], fresh: null };
    expect(differences(before, after).map(({ path, kind }) => [path, kind])).toEqual([
      ['fresh', 'added'],
      ['gone', 'removed'],
      ['name', 'changed'],
      ['site.id', 'changed'],
      ['site.name', 'same'],
      ['tags', 'changed'],
    ]);
  });

  it.each([
    [null, { a: 1 }, ['added']],
    [{ a: 1 }, null, ['removed']],
    [null, null, []],
    [{ a: null }, { a: null }, ['same']],
    [{ a: {} }, { a: {} }, ['same']],
    ['one', 'two', ['changed']],
  ])('%j and %j: %j', (before, after, kinds) => {
    expect(differences(before, after).map(({ kind }) => kind)).toEqual(kinds);
  });

  it.each([
    ['text', 'text'],
    [null, 'null'],
    [undefined, ''],
    [[1], '[1]'],
  ])('shows %j as %s', (value, text) => {
    expect(shownValue(value)).toBe(text);
  });
});
