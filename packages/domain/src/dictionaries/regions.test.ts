import { describe, expect, it, test } from 'vitest';
import type { DictionaryValue } from './dictionaries.ts';
import { placedRegion, type RegionCodes, regionEntries, regionFault, regionPath } from './regions.ts';

const region = (nameEn: string, nameZh: string, more: Partial<DictionaryValue> = {}): DictionaryValue => ({
  ...{ nameEn, nameZh, enabled: true, position: 0 },
  ...more,
});
const SHIPPED = new Map([
  ['CN', region('China', '中国')],
  ['GD', region('Guangdong', '广东', { parent: 'CN' })],
  ['SZ', region('Shenzhen', '深圳', { parent: 'GD' })],
  ['GZ', region('Guangzhou', '广州', { parent: 'GD' })],
  ['GZ2', region('Guangzhou', '广州', { parent: 'GD' })],
  ['ZJ', region('Zhejiang', '浙江', { parent: 'CN' })],
  ['AT', region('Austria', '奥地利')],
]);
const entriesWith = (own: Record<string, DictionaryValue>) => regionEntries(SHIPPED, new Map(Object.entries(own)));

describe('entries', () => {
  test('are a tree in the order of names, with what the installation changed and added', () => {
    const own = {
      ZJ: region('Chekiang', '浙江', { parent: 'AT' }),
      X: region('Harbour', '海港', { parent: 'ZJ' }),
      Y: region('Below a city', '城市下', { parent: 'SZ' }),
      Z: region('Lost', '孤立', { parent: 'gone' }),
      AA: region('Atlantis', '亚特兰蒂斯'),
    };
    expect(entriesWith(own).map(({ code }) => code)).toEqual(['AA', 'AT', 'CN', 'ZJ', 'X', 'GD', 'GZ', 'GZ2', 'SZ']);
    const [, , , zj, x] = entriesWith(own);
    expect(zj).toMatchObject({ nameEn: 'Chekiang', parent: 'CN', changed: true, byDefault: SHIPPED.get('ZJ') });
    expect(x).toMatchObject({ changed: true, byDefault: null });
  });

  test.each<[string, string[]]>([
    ['CN', ['CN']],
    ['SZ', ['CN', 'GD', 'SZ']],
    ['gone', []],
  ])('the path of %s', (code, path) => expect(regionPath(SHIPPED, code)).toEqual(path));

  test('a circle of parents has no path', () => {
    expect(
      regionPath(
        new Map([
          ['A', { parent: 'B' }],
          ['B', { parent: 'A' }],
        ]),
        'A',
      ),
    ).toEqual([]);
  });
});

describe('a value of a region', () => {
  it.each<[string, string, DictionaryValue | null, [string, string] | null]>([
    ['a new country', 'XK', region('Kosovo', '科索沃'), null],
    ['a new city', 'X1', region('Harbour', '海港', { parent: 'GD' }), null],
    ['a name that a region elsewhere has', 'X1', region('Guangdong', '广东', { parent: 'AT' }), null],
    ['an unknown parent', 'X1', region('Harbour', '海港', { parent: 'gone' }), ['parentUnknown', 'parent']],
    ['itself as the parent', 'X1', region('Harbour', '海港', { parent: 'X1' }), ['parentUnknown', 'parent']],
    ['a city as the parent', 'X1', region('Harbour', '海港', { parent: 'SZ' }), ['tooDeep', 'parent']],
    ['a short code', 'X', region('Harbour', '海港'), ['codeLength', 'code']],
    ['a long code', 'X2345678901', region('Harbour', '海港'), ['codeLength', 'code']],
    ['an empty name', 'X1', region(' ', '海港'), ['nameEmpty', 'nameEn']],
    ['the name of a sibling', 'X1', region('shenzhen', '海港', { parent: 'GD' }), ['nameTaken', 'nameEn']],
    ['the Chinese name of a sibling', 'SZ', region('Shum Chun', '广州', { parent: 'GD' }), ['nameTaken', 'nameZh']],
    ['a shipped name that two regions have', 'GZ', region('Guangzhou', '穗', { parent: 'GD' }), null],
    ['its default', 'GZ', null, null],
    ['turned off', 'CN', region('China', '中国', { enabled: false }), null],
  ])('%s', (_, code, value, expected) => {
    const fault = regionFault(entriesWith({}), code, value);
    expect(fault && [fault.fault, fault.field]).toEqual(expected);
  });
});

describe('the region of a place', () => {
  const at = (country: string | null, province: string | null = null, city: string | null = null): RegionCodes => ({
    ...{ country, province, city },
  });
  const off = new Map([...SHIPPED, ['ZJ', region('Zhejiang', '浙江', { parent: 'CN', enabled: false })] as const]);
  const OFF_CITY = ['HZ', region('Hangzhou', '杭州', { parent: 'ZJ' })] as const;
  const regions = new Map([...off, OFF_CITY]);
  it.each<[string, RegionCodes, Partial<RegionCodes>, RegionCodes | [string, string]]>([
    ['a complete region', at(null), at('CN', 'GD', 'SZ'), at('CN', 'GD', 'SZ')],
    ['nothing', at('CN', 'GD'), {}, at('CN', 'GD')],
    ['another province clears the city', at('CN', 'GD', 'SZ'), { province: 'HK' }, ['unknown', 'province']],
    ['no province clears the city', at('CN', 'GD', 'SZ'), { province: null }, at('CN')],
    ['another country clears all below', at('CN', 'GD', 'SZ'), { country: 'AT' }, at('AT')],
    ['a province of another country', at(null), at('AT', 'GD'), ['unknown', 'province']],
    ['the same province in another country', at('CN', 'GD'), at('AT', 'GD'), ['unknown', 'province']],
    ['a city without a province', at('CN'), { city: 'SZ' }, ['withoutWhole', 'city']],
    ['a province without a country', at(null), { province: 'GD' }, ['withoutWhole', 'province']],
    ['a region that is off', at('CN'), { province: 'ZJ' }, ['off', 'province']],
    ['a city in one that is off', at(null), at('CN', 'ZJ', 'HZ'), ['off', 'province']],
    ['one that is off again', at('CN', 'ZJ'), at('CN', 'ZJ'), at('CN', 'ZJ')],
    ['a city in one that is off, which the place has', at('CN', 'ZJ'), { city: 'HZ' }, at('CN', 'ZJ', 'HZ')],
    ['a region that no longer exists again', at('XX', 'Y'), at('XX', 'Y'), at('XX', 'Y')],
  ])('%s', (_, current, entered, expected) => {
    const placed = placedRegion(current, entered, (code) => regions.get(code));
    expect('fault' in placed ? [placed.fault, placed.field] : placed).toEqual(expected);
  });
});
