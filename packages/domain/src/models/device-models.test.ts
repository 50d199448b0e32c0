import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Level, levelsAll } from '../access/levels.ts';
import { ancestorsOf, controlProblem, isProtocolKey, mayEditModels, resolveEntries } from './device-models.ts';

interface Entry {
  key: string;
  removed: boolean;
  unit: string;
}
const own = (key: string, unit = ''): Entry => ({ key, removed: false, unit });
const without = (key: string): Entry => ({ key, removed: true, unit: '' });
const resolved = (...ancestors: Entry[][]) =>
  resolveEntries(
    ancestors.map((entries, index) => ({ origin: index + 1, entries })),
    (entry) => entry.key,
  ).map(({ key, unit, origin }) => `${key}${unit} of ${origin}`);

describe('inheritance', () => {
  test.each<[string, Entry[][], string[]]>([
    ['a model without a parent has its own entries', [[own('a'), own('b')]], ['a of 1', 'b of 1']],
    ['a child has the entries of its parent', [[own('a')], []], ['a of 1']],
    ['its own entry replaces the inherited one', [[own('a'), own('b')], [own('a', 'W')]], ['aW of 2', 'b of 1']],
    ['it can remove entries of its parent', [[own('a'), own('b')], [without('a')]], ['b of 1']],
    ['removing a key that does not exist has no effect', [[own('a')], [without('x')]], ['a of 1']],
    ['a grandchild can add a removed key again', [[own('a')], [without('a')], [own('a', 'V')]], ['aV of 3']],
    ['and inherits from both', [[own('a')], [own('b')], [own('c')]], ['a of 1', 'b of 2', 'c of 3']],
  ])('%s', (_, ancestors, expected) => {
    expect(resolved(...ancestors)).toEqual(expected);
  });

  test('a key occurs at most once, and not after its last mention removed it', () => {
    const entry = fc.record({ key: fc.constantFrom('a', 'b', 'c'), removed: fc.boolean(), unit: fc.constant('') });
    fc.assert(
      fc.property(fc.array(fc.array(entry, { maxLength: 5 }), { maxLength: 5 }), (ancestors) => {
        const all = resolveEntries(
          ancestors.map((entries, origin) => ({ origin, entries })),
          ({ key }) => key,
        );
        const last = new Map(ancestors.flat().map(({ key, removed }) => [key, removed]));
        expect(all.map(({ key }) => key).sort()).toEqual(
          [...last]
            .filter(([, off]) => !off)
            .map(([key]) => key)
            .sort(),
        );
      }),
    );
  });
});

test.each<[Record<number, number>, number, number[] | null]>([
  [{}, 1, [1]],
  [{ 3: 2, 2: 1 }, 3, [1, 2, 3]],
  [{ 1: 2, 2: 1 }, 1, null],
  [{ 1: 1 }, 1, null],
])('with the parents %j, the ancestors of %j are %j', (parents, id, ancestors) => {
  expect(ancestorsOf(id, (one) => parents[one] ?? null)).toEqual(ancestors);
});

test.each<[number, Level, Level, 'restartCcu' | 'refreshParameters' | null, string | null]>([
  [1, 4, 3, null, null],
  [1, 3, 3, null, 'controlLevelLow'],
  [1, 2, 3, null, 'controlLevelLow'],
  [1, 4, 3, 'restartCcu', 'controlReadingWrong'],
  [9, 4, 3, 'restartCcu', null],
  [9, 4, 3, null, 'controlReadingWrong'],
  [9, 4, 3, 'refreshParameters', 'controlReadingWrong'],
  [10, 5, 4, 'refreshParameters', null],
])('control type %j at level %j above write level %j, read as %j: %j', (type, level, write, reading, expected) => {
  expect(controlProblem({ type, level, reading }, write)).toBe(expected);
});

test('protocol keys', () => {
  const fine = ['A', 'HeartbeatInterval', 'Voltage.L1@Inlet', 'Node Control/Rebirth', 'EVSE[1].Power', 'x'.repeat(100)];
  expect(fine.every(isProtocolKey)).toBe(true);
  expect(['', ' a', 'a ', 'a\nb', '电压', 'x'.repeat(101)].some(isProtocolKey)).toBe(false);
});

test('users of the platform vendor who may change devices can change models', () => {
  const person = { root: false, platformVendor: true, readOnly: false, levels: levelsAll(4) };
  expect(mayEditModels(person)).toBe(true);
  expect(mayEditModels({ ...person, levels: levelsAll(5) })).toBe(false);
  expect(mayEditModels({ ...person, platformVendor: false })).toBe(false);
  expect(mayEditModels({ ...person, readOnly: true })).toBe(false);
  expect(mayEditModels({ ...person, root: true, platformVendor: false })).toBe(true);
});
