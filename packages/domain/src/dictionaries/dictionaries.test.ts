import { describe, expect, it, test } from 'vitest';
import { ISSUE_CAUSES, ISSUE_REMEDIES } from '../issues/issues.ts';
import {
  DICTIONARIES,
  type Dictionary,
  type DictionaryValue,
  dictionaryDefault,
  dictionaryEntries,
  dictionaryFault,
  isRemovable,
  undoFault,
} from './dictionaries.ts';

const value = (nameEn: string, nameZh: string, more: Partial<DictionaryValue> = {}): DictionaryValue => ({
  ...{ nameEn, nameZh, enabled: true, position: 15 },
  ...more,
});
const stored = (entries: Record<string, DictionaryValue>) => new Map(Object.entries(entries));
const WATER = value('Water', '进水');

describe('entries', () => {
  test('without changes, the shipped entries apply in their order', () => {
    const codes = (dictionary: Dictionary) => dictionaryEntries(dictionary, new Map()).map(({ code }) => code);
    expect(codes('causes')).toEqual(ISSUE_CAUSES);
    expect(codes('remedies')).toEqual(ISSUE_REMEDIES);
    expect(codes('alarmNames')).toEqual(codes('alarmNames').toSorted());
  });

  test('what the installation changed or added replaces and joins them', () => {
    const own = { wear: value('Ageing', '老化', { position: 20 }), water: WATER };
    const entries = dictionaryEntries('causes', stored(own));
    expect(entries.slice(0, 4).map(({ code, nameEn, changed }) => [code, nameEn, changed])).toEqual([
      ['hardware', 'Hardware', false],
      ['water', 'Water', true],
      ['wear', 'Ageing', true],
      ['software', 'Software', false],
    ]);
    expect(entries.map(({ byDefault }) => byDefault?.nameEn).slice(0, 3)).toEqual(['Hardware', undefined, 'Wear']);
  });

  test.each(['constructor', '__proto__', '', 'Nothing'])('the code %j has no default', (code) => {
    for (const dictionary of DICTIONARIES) expect(dictionaryDefault(dictionary, code)).toBeNull();
  });

  test('every shipped name differs within its dictionary and language, and has a text', () => {
    for (const dictionary of DICTIONARIES) {
      const entries = dictionaryEntries(dictionary, new Map());
      for (const { code, nameEn, nameZh } of entries) {
        expect([code, dictionaryFault(dictionary, entries, code, null)]).toEqual([code, null]);
        expect([nameEn, nameZh]).toEqual([expect.stringMatching(/^\S.*\S$/), expect.stringMatching(/\p{Script=Han}/u)]);
      }
    }
  });
});

describe('a value of an entry', () => {
  const off = Object.fromEntries(
    ISSUE_CAUSES.slice(1).map((code) => [code, { ...dictionaryDefault('causes', code)!, enabled: false }]),
  );
  it.each<
    [string, Dictionary, Record<string, DictionaryValue>, string, DictionaryValue | null, [string, string] | null]
  >([
    ['a new name', 'causes', {}, 'wear', value('Ageing', '老化'), null],
    ['its own name again', 'causes', {}, 'wear', value('Wear', '磨损老化'), null],
    ['an empty name', 'causes', {}, 'wear', value('  ', '老化'), ['nameEmpty', 'nameEn']],
    ['a name of another entry', 'causes', {}, 'wear', value('hardware', '老化'), ['nameTaken', 'nameEn']],
    ['a Chinese name of another entry', 'causes', {}, 'wear', value('Ageing', '硬件'), ['nameTaken', 'nameZh']],
    ['a name that became free', 'causes', { hardware: WATER }, 'wear', value('Hardware', '硬件'), null],
    [
      'its default, which another entry took',
      'causes',
      { wear: WATER, hardware: value('Wear', '坏') },
      'wear',
      null,
      ['nameTaken', 'nameEn'],
    ],
    ['the same name for two alarm codes', 'alarmNames', {}, 'OverVoltage', value('Voltage too low', '欠压'), null],
    ['turned off', 'causes', {}, 'wear', value('Wear', '磨损老化', { enabled: false }), null],
    [
      'turned off as the last one',
      'causes',
      off,
      'hardware',
      value('Hardware', '硬件', { enabled: false }),
      ['lastEnabled', 'enabled'],
    ],
    [
      'removed as the last one',
      'causes',
      { ...off, hardware: { ...WATER, enabled: false }, w: WATER },
      'w',
      null,
      ['lastEnabled', 'enabled'],
    ],
  ])('%s', (_, dictionary, own, code, next, expected) => {
    const fault = dictionaryFault(dictionary, dictionaryEntries(dictionary, stored(own)), code, next);
    expect(fault && [fault.fault, fault.field]).toEqual(expected);
  });
});

test.each<[boolean, number, boolean]>([
  [true, 0, true],
  [true, 3, true],
  [false, 0, true],
  [false, 1, false],
])('an entry with a default: %j that is used %i times can be removed or reset: %j', (shipped, uses, expected) => {
  expect(isRemovable(shipped ? WATER : null, uses)).toBe(expected);
});

test.each<[string, DictionaryValue | null, number, DictionaryValue | null, 'later' | null]>([
  ['the last change', WATER, 7, WATER, null],
  ['the last change, a reset', null, 7, null, null],
  ['an earlier change', WATER, 8, WATER, 'later'],
  ['a value that was changed otherwise', WATER, 7, value('Water', '水'), 'later'],
  ['an entry that is gone', WATER, 7, null, 'later'],
])('undo: %s', (_, after, latest, current, expected) => {
  expect(undoFault({ id: 7, before: null, after }, latest, current)).toBe(expected);
});
