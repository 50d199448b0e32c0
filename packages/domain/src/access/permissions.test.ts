import { describe, expect, it } from 'vitest';
import { holdsAll, type PermissionMode, permits } from './permissions.ts';

const holder = { root: false, keys: new Set(['auth_a', 'auth_b']) };
const root = { root: true, keys: new Set<string>() };

describe('the element-level check (spec §6)', () => {
  it.each<[string, readonly string[], PermissionMode | undefined, boolean]>([
    ['any is the default', ['auth_a', 'auth_x'], undefined, true],
    ['any requires one', ['auth_x', 'auth_b'], 'any', true],
    ['any fails without one', ['auth_x', 'auth_y'], 'any', false],
    ['and requires all', ['auth_a', 'auth_b'], 'and', true],
    ['and fails when one is missing', ['auth_a', 'auth_x'], 'and', false],
    ['ban requires none', ['auth_x'], 'ban', true],
    ['ban fails with one', ['auth_x', 'auth_a'], 'ban', false],
    ['an empty list is allowed', [], 'any', true],
    ['an empty list of all is allowed', [], 'and', true],
    ['an empty ban bans nobody', [], 'ban', true],
  ])('%s', (_title, codes, mode, allowed) => expect(permits(holder, codes, mode)).toBe(allowed));

  it('root sees everything', () => {
    expect(permits(root, ['auth_x'])).toBe(true);
    expect(permits(root, ['auth_x', 'auth_y'], 'and')).toBe(true);
  });

  it('a ban of a key does not hide anything from root', () => {
    expect(permits(root, ['auth_x'], 'ban')).toBe(true);
    expect(permits({ root: true, keys: new Set(['auth_x']) }, ['auth_x'], 'ban')).toBe(true);
  });
});

it('a route needs all of its keys (spec §2)', () => {
  expect(holdsAll(holder, ['auth_a', 'auth_b'])).toBe(true);
  expect(holdsAll(holder, ['auth_a', 'auth_x'])).toBe(false);
  expect(holdsAll(holder, [])).toBe(true);
});
