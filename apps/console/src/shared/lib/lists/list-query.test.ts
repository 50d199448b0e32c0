import { describe, expect, it } from 'vitest';
import { isFiltered, nextSort, readListQuery, writeListQuery } from './list-query.ts';

const filters = {
  search: 'text',
  siteId: 'number',
  enabled: 'flag',
  state: ['open', 'closed'],
  level: [0, 1],
  from: 'time',
} as const;
const spec = { filters, sorts: ['name', 'sn'] as const };
const read = (text: string) => readListQuery(new URLSearchParams(text), spec);
const write = (text: string, change: Record<string, unknown>) =>
  writeListQuery(new URLSearchParams(text), change).toString();

describe('the state of a list in a URL', () => {
  it.each([
    ['', { page: 1, pageSize: 20 }],
    ['page=3&pageSize=50&sort=-sn', { page: 3, pageSize: 50, sort: '-sn' }],
    ['search=PILE%201&siteId=7', { page: 1, pageSize: 20, search: 'PILE 1', siteId: 7 }],
    ['page=0', { page: 1, pageSize: 20 }],
    ['page=1.5&pageSize=33', { page: 1, pageSize: 20 }],
    ['page=abc&sort=password', { page: 1, pageSize: 20 }],
    ['sort=--name', { page: 1, pageSize: 20 }],
    ['siteId=abc&search=&other=1', { page: 1, pageSize: 20 }],
    ['enabled=false&state=closed&level=0', { page: 1, pageSize: 20, enabled: false, state: 'closed', level: 0 }],
    ['enabled=1&state=lost&level=2&from=x', { page: 1, pageSize: 20 }],
    ['from=2026-01-01T00:00:00Z', { page: 1, pageSize: 20, from: '2026-01-01T00:00:00.000Z' }],
    ['from=2026-01-01T08:00', { page: 1, pageSize: 20, from: '2026-01-01T00:00:00.000Z' }],
    ['from=2026-01-01T08:00:00%2B08:00', { page: 1, pageSize: 20, from: '2026-01-01T00:00:00.000Z' }],
    ['from=2026-01-01T08:00:00+08:00', { page: 1, pageSize: 20, from: '2026-01-01T00:00:00.000Z' }],
  ])('%j is parsed as %j', (text, query) => expect(read(text)).toEqual(query));

  it.each([
    ['a page is added', '', { page: 2 }, 'page=2'],
    ['the first page is omitted', 'page=2', { page: 1 }, ''],
    ['the default size is omitted', 'pageSize=50', { pageSize: 20 }, ''],
    ['a filter resets the page', 'page=4', { search: 'x' }, 'search=x'],
    ['an order resets the page', 'page=4&search=x', { sort: '-sn' }, 'search=x&sort=-sn'],
    ['undefined removes a filter', 'search=x&siteId=1', { search: undefined }, 'siteId=1'],
    ['parameters of others are kept', 'tab=logs', { page: 2 }, 'tab=logs&page=2'],
    ['zero is a valid value', '', { siteId: 0 }, 'siteId=0'],
  ])('%s', (_title, before, change, after) => expect(write(before, change)).toBe(after));

  it.each([
    [null, 'name', 'name'],
    ['name', 'name', '-name'],
    ['-name', 'name', undefined],
    ['-sn', 'name', 'name'],
  ])('sorted by %j, a click on the header of %s sorts by %j', (sort, field, next) =>
    expect(nextSort(sort, field)).toBe(next),
  );

  it('detects whether a filter is set', () => {
    expect(isFiltered(read('page=2&sort=sn'))).toBe(false);
    expect(isFiltered(read('page=2&search=x'))).toBe(true);
  });
});
