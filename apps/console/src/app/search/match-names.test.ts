import { describe, expect, test } from 'vitest';
import { matchNames, splitCommand } from './match-names.ts';

const pages = [
  { id: 'models', names: ['Device models', '设备型号', 'shebeixinghao', 'sbxh'] },
  { id: 'devices', names: ['Device list', '设备列表', 'shebeiliebiao', 'sblb'] },
  { id: 'sites', names: ['Site list', '站点列表', 'zhandianliebiao', 'zdlb'] },
];

describe('a page is found by', () => {
  test.each<[string, string[]]>([
    ['site', ['sites']],
    ['SITE LIST', ['sites']],
    ['list', ['devices', 'sites']],
    ['list dev', ['devices']],
    ['列表', ['devices', 'sites']],
    ['表', ['devices', 'sites']],
    ['ｓｉｔｅ', ['sites']],
    ['zhandian', ['sites']],
    ['liebiao', ['devices', 'sites']],
    ['sb', ['models', 'devices']],
    ['de', ['models', 'devices']],
    ['vi', []],
    ['', []],
    ['  ', []],
  ])('"%s": %j', (search, found) => {
    expect(matchNames(pages, search, 5).map(({ id }) => id)).toEqual(found);
  });

  test('names that start with the search first, and not more than the limit', () => {
    const named = ['My list', 'List of sites', 'A list', 'Lists'].map((name) => ({ names: [name] }));
    expect(matchNames(named, 'list', 3).map(({ names }) => names[0])).toEqual(['List of sites', 'Lists', 'My list']);
  });
});

describe('a command on a device', () => {
  const commands = [
    { id: 'restart', names: ['Restart', 'Restart device', '重启', '重启设备', 'chongqi'] },
    { id: 'read', names: ['Read configuration', '读取配置'] },
  ];
  test.each<[string, string | null, string]>([
    ['restart DC-01', 'restart', 'dc-01'],
    ['Restart device DC-01', 'restart', 'dc-01'],
    ['DC-01 restart', 'restart', 'dc-01'],
    ['重启DC-01', 'restart', 'dc-01'],
    ['重启设备 深圳', 'restart', '深圳'],
    ['DC-01重启', 'restart', 'dc-01'],
    ['chongqi dc', 'restart', 'dc'],
    ['restart', 'restart', ''],
    ['read configuration x', 'read', 'x'],
    ['restarted', null, ''],
    ['restarts DC-01', null, ''],
    ['', null, ''],
  ])('%s', (search, id, rest) => {
    const found = splitCommand(commands, search);
    expect([found?.command.id ?? null, found?.rest ?? '']).toEqual([id, rest]);
  });
});
