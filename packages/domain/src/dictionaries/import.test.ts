import { describe, expect, it, test } from 'vitest';
import { ISSUE_CAUSES } from '../issues/issues.ts';
import {
  DICTIONARY_MAX_ENTRIES,
  type Dictionary,
  type DictionaryValue,
  dictionaryDefault,
  dictionaryEntries,
} from './dictionaries.ts';
import { type DictionaryImportRow, dictionaryImportFields, planDictionaryImport } from './import.ts';

type Cells = DictionaryImportRow['cells'];

const names = (code: string, nameEn: string, nameZh: string, more: Cells = {}): Cells => ({
  ...{ code, nameEn, nameZh },
  ...more,
});
const plan = (dictionary: Dictionary, rows: Cells[], own: Record<string, DictionaryValue> = {}) =>
  planDictionaryImport(
    dictionary,
    dictionaryEntries(dictionary, new Map(Object.entries(own))),
    rows.map((cells, index) => ({ row: index + 2, cells })),
  );
const value = (nameEn: string, nameZh: string, position: number): DictionaryValue => ({
  ...{ nameEn, nameZh, enabled: true, position },
});
const WEAR = names('wear', 'Wear', '磨损老化');
const off = (code: string): Cells => {
  const { nameEn, nameZh } = dictionaryDefault('causes', code)!;
  return names(code, nameEn, nameZh, { enabled: 'no' });
};

describe('the result of rows', () => {
  it.each<[string, Dictionary, Cells[], (string | [string, string] | [string, string, unknown])[]]>([
    ['the entry as it is', 'causes', [WEAR], ['same']],
    ['with order and state', 'causes', [{ ...WEAR, enabled: 'Yes', position: 20 }], ['same']],
    ['another name', 'causes', [names('wear', 'Ageing', '老化')], ['change']],
    ['another order as text', 'causes', [{ ...WEAR, position: ' 25 ' }], ['change']],
    ['turned off', 'causes', [{ ...WEAR, enabled: '否' }], ['change']],
    ['a new code', 'causes', [names('water', 'Water', '进水')], ['add']],
    ['a code of digits', 'alarmNames', [{ code: 4711, nameEn: 'Pump', nameZh: '水泵' }], ['add']],
    ['an empty row', 'causes', [{}], [['missing', 'code']]],
    ['no Chinese name', 'causes', [{ code: 'wear', nameEn: 'Wear', nameZh: '  ' }], [['missing', 'nameZh']]],
    ['a new code with a space', 'causes', [names('wa ter', 'Water', '进水')], [['codeForm', 'code']]],
    ['a code that is a formula', 'causes', [names('=1+1', 'Water', '进水')], [['codeForm', 'code']]],
    ['a code that is too long', 'causes', [names('w'.repeat(65), 'Water', '进水')], [['tooLong', 'code', 64]]],
    ['a name that is too long', 'causes', [names('wear', 'w'.repeat(101), '老化')], [['tooLong', 'nameEn', 100]]],
    ['a line break', 'causes', [names('wear', 'We\nar', '老化')], [['character', 'nameEn', 'U+000A']]],
    ['an order beyond the limit', 'causes', [{ ...WEAR, position: 10_000 }], [['positionRange', 'position']]],
    ['a negative order', 'causes', [{ ...WEAR, position: -1 }], [['positionRange', 'position']]],
    ['an order that is not whole', 'causes', [{ ...WEAR, position: 1.5 }], [['positionRange', 'position']]],
    ['another word for the state', 'causes', [{ ...WEAR, enabled: 'maybe' }], [['enabledForm', 'enabled']]],
    ['the same code again', 'causes', [WEAR, WEAR], ['same', ['codeTwice', 'code', 2]]],
    ['a name of another entry', 'causes', [names('wear', 'HARDWARE', '老化')], [['nameTaken', 'nameEn', 'hardware']]],
    [
      'a name of another row',
      'causes',
      [names('water', 'Water', '进水'), names('rain', 'Rain', '进水')],
      ['add', ['nameTwice', 'nameZh', 2]],
    ],
    [
      'a name that another row gives up later',
      'causes',
      [names('wear', 'Hardware', '硬件'), names('hardware', 'Wear', '磨损老化')],
      ['change', 'change'],
    ],
    [
      'a name that an unchanged later row has',
      'causes',
      [names('water', 'Wear', '进水'), WEAR],
      [['nameTaken', 'nameEn', 'wear'], 'same'],
    ],
    ['the same name for two alarms', 'alarmNames', [names('OverVoltage', 'Voltage too low', '欠压')], ['change']],
    [
      'all turned off',
      'causes',
      ISSUE_CAUSES.map(off),
      [...ISSUE_CAUSES.slice(1).map(() => 'change'), ['lastEnabled', 'enabled']],
    ],
    [
      'all turned off and a new one',
      'causes',
      [...ISSUE_CAUSES.map(off), names('water', 'Water', '进水')],
      [...ISSUE_CAUSES.map(() => 'change'), 'add'],
    ],
    ['the state of alarms is not read', 'alarmNames', [names('E-1', 'Pump', '水泵', { enabled: 'maybe' })], ['add']],
  ])('%s', (_, dictionary, rows, expected) => {
    const found = plan(dictionary, rows).map(({ result, faults: [fault] }) => {
      if (!fault) return result;
      expect(result).toBe('fault');
      const { fault: word, field, ...more } = fault;
      return [word, field, ...Object.values(more)];
    });
    expect(found).toEqual(expected);
  });
});

test('empty cells keep the order and the state; new entries follow the others in the order of the file', () => {
  const own = { wear: { ...value('Ageing', '老化', 700), enabled: false } };
  const rows = [
    names('wear', 'Old', '旧'),
    names('b', 'B', '乙'),
    names('c', 'C', '丙', { position: 5 }),
    names('a', 'A', '甲'),
  ];
  expect(plan('causes', rows, own).map(({ after }) => after)).toEqual([
    { ...value('Old', '旧', 700), enabled: false },
    value('B', '乙', 710),
    value('C', '丙', 5),
    value('A', '甲', 720),
  ]);
  expect(plan('causes', rows, own)[0]?.before).toEqual(own.wear);
});

test('all faults of a row are reported', () => {
  const [row] = plan('causes', [{ code: 'a b', nameEn: '', nameZh: '甲', enabled: 'x', position: 'y' }]);
  expect(row?.faults.map(({ field }) => field)).toEqual(['code', 'nameEn', 'enabled', 'position']);
});

test('a file cannot add more entries than a dictionary has room for; a reset makes room', () => {
  const own = Object.fromEntries(
    Array.from({ length: DICTIONARY_MAX_ENTRIES - 1 }, (_, index) => [`E-${index}`, value('Pump', '水泵', 0)]),
  );
  const added = [names('F-1', 'Fan', '风扇'), names('F-2', 'Fan', '风扇')];
  const full = { ...own, OverVoltage: { ...dictionaryDefault('alarmNames', 'OverVoltage')!, nameEn: 'High' } };
  const results = (rows: Cells[], stored: typeof own) => plan('alarmNames', rows, stored).map(({ result }) => result);
  expect(results(added, own)).toEqual(['add', 'fault']);
  expect(results(added, full)).toEqual(['fault', 'fault']);
  expect(results([names('OverVoltage', 'Voltage too high', '过压'), ...added], full)).toEqual([
    'change',
    'add',
    'fault',
  ]);
  expect(plan('alarmNames', added, full)[0]?.faults).toEqual([{ fault: 'full', field: 'code' }]);
});

test('alarm names have no order and no state', () => {
  expect(dictionaryImportFields('alarmNames')).toEqual(['code', 'nameEn', 'nameZh']);
  expect(dictionaryImportFields('causes')).toEqual(['code', 'nameEn', 'nameZh', 'enabled', 'position']);
});
