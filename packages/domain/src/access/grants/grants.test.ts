import { describe, expect, test } from 'vitest';
import { type Level, levelsAll } from '../levels.ts';
import {
  type Excess,
  excessOf,
  type Holding,
  limitedTo,
  mayDownloadUsers,
  mayEditUsers,
  withParents,
} from './grants.ts';

const holding = (change: Partial<Holding> = {}): Holding => ({
  root: false,
  customerAccess: 1,
  siteAccess: 1,
  remoteAccess: 2,
  levels: levelsAll(2),
  keys: new Set(['a', 'b']),
  ...change,
});

describe('nobody grants more than they have', () => {
  test.each<[string, Partial<Holding>, Partial<Holding>, Excess[]]>([
    ['the same', {}, {}, []],
    ['fewer rights in everything', {}, { remoteAccess: 0, levels: levelsAll(5), keys: new Set() }, []],
    ['all customers, by a user with their own customer', {}, { customerAccess: 0 }, ['customerAccess']],
    [
      'all customers, by a user with assigned customers',
      { customerAccess: 2 },
      { customerAccess: 0 },
      ['customerAccess'],
    ],
    ['assigned customers, by a user with their own customer', {}, { customerAccess: 2 }, []],
    ['all sites, by a user with assigned sites', {}, { siteAccess: 0 }, ['siteAccess']],
    ['a shell, by a user with web pages', {}, { remoteAccess: 1 }, ['remoteAccess']],
    ["an engineer's pages, by a user with an administrator's", {}, { remoteAccess: 3 }, []],
    ["an administrator's pages, by an engineer", { remoteAccess: 3 }, { remoteAccess: 2 }, ['remoteAccess']],
    ['any pages, by a user without them', { remoteAccess: 0 }, { remoteAccess: 3 }, ['remoteAccess']],
    ['a higher level', {}, { levels: { ...levelsAll(2), wiki: { read: 2, write: 1, download: 2 } } }, ['levels']],
    ['a menu that they lack', {}, { keys: new Set(['a', 'c']) }, ['keys']],
    ['everything, by root', { root: true }, { customerAccess: 0, siteAccess: 0, levels: levelsAll(0) }, []],
  ])('%s', (_title, holder, wanted, expected) => {
    expect(excessOf(holding(holder), holding(wanted))).toEqual(expected);
  });
});

test.each<[Level, boolean]>([
  [0, true],
  [4, true],
  [5, false],
])('level %i in the area of users may edit and download them: %s', (level, expected) => {
  expect(mayEditUsers(levelsAll(level))).toBe(expected);
  expect(mayDownloadUsers(levelsAll(level))).toBe(expected);
});

test('a key includes its parents, and a cycle of parents ends', () => {
  const parents: Record<string, string | null> = { leaf: 'branch', branch: 'root', root: null, x: 'y', y: 'x' };
  const parentOf = (key: string) => parents[key] ?? null;
  expect([...withParents(['leaf'], parentOf)]).toEqual(['leaf', 'branch', 'root']);
  expect([...withParents(['x'], parentOf)]).toEqual(['x', 'y']);
});

test.each<[Level, boolean]>([
  [0, true],
  [4, true],
  [5, false],
])('with level %i everywhere, user lists may be downloaded: %s', (level, expected) => {
  expect(mayDownloadUsers(levelsAll(level))).toBe(expected);
});

describe('rights limited to those of their holder', () => {
  const engineer = {
    customerAccess: 0,
    siteAccess: 0,
    remoteAccess: 3,
    levels: levelsAll(1),
    keys: new Set(['a', 'c']),
  };
  test.each<[string, Partial<Holding>, object]>([
    ['root grants all of it', { root: true }, engineer],
    [
      'everything beyond is reduced',
      { remoteAccess: 0 },
      { customerAccess: 1, siteAccess: 1, remoteAccess: 0, levels: levelsAll(2), keys: new Set(['a']) },
    ],
    [
      'a weaker remote access is kept, a stronger level is not',
      { customerAccess: 0, siteAccess: 0, levels: levelsAll(3), keys: new Set(['a', 'b', 'c']) },
      { ...engineer, levels: levelsAll(3) },
    ],
    [
      'levels are reduced one by one',
      { levels: { ...levelsAll(0), wiki: { read: 0, write: 5, download: 2 } } },
      {
        ...{ customerAccess: 1, siteAccess: 1, remoteAccess: 3, keys: new Set(['a']) },
        levels: { ...levelsAll(1), wiki: { read: 1, write: 5, download: 2 } },
      },
    ],
  ])('%s', (_title, holder, expected) => {
    const limited = limitedTo(holding(holder), engineer);
    expect(limited).toEqual(expected);
    expect(excessOf(holding(holder), limited)).toEqual([]);
  });
});
