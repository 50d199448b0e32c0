import { expect, test } from 'vitest';
import { dictionaryEntries, dictionaryFault } from './dictionaries.ts';
import { issueLabelNames } from './labels.ts';

const OWN = { water: { nameEn: 'Water damage', nameZh: '进水', enabled: true, position: 70 } };
const entries = dictionaryEntries('labels', new Map(Object.entries(OWN)));
const names = issueLabelNames(entries);

test.each<[entered: string[], stored: string[]]>([
  [['safety'], ['safety']],
  [['Safety', ' 安全隐患 '], ['safety']],
  [['ＰＯＷＥＲ  ｃｕｔ'], ['powerCut']],
  [
    ['Cable', 'cable', 'water damage'],
    ['Cable', 'water'],
  ],
  // A code is a word for other systems: only a name is found regardless of case.
  [['onsite', 'onSite'], ['onsite']],
  [['', '  '], []],
])('the labels %j are stored as %j', (entered, stored) => {
  expect(names.stored(entered)).toEqual(stored);
});

test.each<[label: string, en: string, zh: string]>([
  ['safety', 'Safety', '安全隐患'],
  ['进水', 'Water damage', '进水'],
  ['Cable', 'Cable', 'Cable'],
  ['constructor', 'constructor', 'constructor'],
])('the label %j is shown as %j and %j', (label, en, zh) => {
  expect(names.nameOf(label)).toEqual({ en, zh });
});

test('issues of an entry are found by its code and its names', () => {
  expect(names.spellings('water')).toEqual(['water', 'Water damage', '进水']);
  expect(names.spellings('进水')).toEqual(['water', 'Water damage', '进水']);
  expect(names.spellings('Cable')).toEqual(['Cable']);
});

test('of two entries with the same name in different languages, the first one has it', () => {
  const twice = [
    { code: 'a', nameEn: 'Test', nameZh: '测试' },
    { code: 'b', nameEn: 'Trial', nameZh: 'test' },
  ];
  expect(issueLabelNames(twice).codeOf('TEST')).toBe('a');
});

test('all labels can be turned off, and names fit into a label of an issue', () => {
  const [only] = entries;
  const off = { ...only!, enabled: false };
  expect(dictionaryFault('labels', [only!], only!.code, off)).toBeNull();
  const long = { ...only!, nameZh: '长'.repeat(41) };
  expect(dictionaryFault('labels', entries, only!.code, long)).toEqual({ fault: 'nameLong', field: 'nameZh' });
  expect(dictionaryFault('causes', [only!], only!.code, { ...only!, nameEn: 'x'.repeat(101) })).toMatchObject({
    fault: 'nameLong',
  });
});
