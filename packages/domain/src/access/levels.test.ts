import { expect, test } from 'vitest';
import {
  controlLevelIsValid,
  LEVEL_AREAS,
  LEVEL_VERBS,
  type Level,
  levelSuffices,
  levelsAll,
  meets,
} from './levels.ts';

const ALL: readonly Level[] = [0, 1, 2, 3, 4, 5];

test('0 is the highest level and 5 the lowest: a smaller number allows more', () => {
  for (const held of ALL) {
    expect(ALL.filter((required) => levelSuffices(held, required))).toEqual(ALL.slice(held));
  }
});

test.each<[Level, Level, boolean]>([
  [0, 0, true],
  [0, 5, true],
  [5, 5, true],
  [5, 0, false],
  [3, 2, false],
  [2, 3, true],
])('level %i when level %i is required: %s', (held, required, enough) => {
  expect(levelSuffices(held, required)).toBe(enough);
});

test.each<[Level, Level, boolean]>([
  [4, 3, true],
  [3, 3, false],
  [2, 3, false],
  [5, 0, true],
  [0, 5, false],
])('a control level of %i with a write level of %i: %s', (control, write, valid) => {
  expect(controlLevelIsValid(control, write)).toBe(valid);
});

test('the same level for every area and verb, each area with an object of its own', () => {
  const levels = levelsAll(2);
  for (const area of LEVEL_AREAS) for (const verb of LEVEL_VERBS) expect(levels[area][verb]).toBe(2);
  levels.user.read = 5;
  expect(levels.device.read).toBe(2);
});

test('all required levels must be met; with none required, the check passes', () => {
  const levels = levelsAll(3);
  expect(meets(levels, [])).toBe(true);
  expect(meets(levels, [{ area: 'device', verb: 'read', level: 3 }])).toBe(true);
  const required = [
    { area: 'device', verb: 'read', level: 5 },
    { area: 'params', verb: 'write', level: 2 },
  ] as const;
  expect(meets(levels, required)).toBe(false);
  expect(meets({ ...levels, params: { read: 3, write: 2, download: 3 } }, required)).toBe(true);
});
