import { describe, expect, it } from 'vitest';
import { loggedField, loggedValue, objectText, partsOf } from './logged-texts.ts';

it('a path is split into parts, with columns mapped to the names of their fields', () => {
  expect(partsOf('levels.device.read')).toEqual(['levels', 'device', 'read']);
  expect(partsOf('max_sites')).toEqual(['maxSites']);
});

it.each([
  ['levels.device.read', 'Levels · Device · Read', '数据等级 · 设备 · 查看'],
  ['max_sites', 'Site limit', '站点数上限'],
  ['values.HeartbeatInterval', 'Values · HeartbeatInterval', '参数值 · HeartbeatInterval'],
])('the field %s is %s, in Chinese %s', (path, en, zh) => {
  expect(loggedField(path, 'en-US')).toBe(en);
  expect(loggedField(path, 'zh-CN')).toBe(zh);
});

describe('a logged value', () => {
  it.each<[path: string, value: unknown, en: string | null, zh: string | null]>([
    ['enabled', true, 'Yes', '是'],
    ['levels.device.read', 3, '3 (medium)', '3（中等）'],
    ['controlLevel', 0, '0 (highest)', '0（最高）'],
    ['controls.4.level', 5, '5 (lowest)', '5（最低）'],
    ['maxSites', 3, null, null],
    ['level', 7, null, null],
    ['kind', 'softReset', 'Soft reset', '软重启'],
    ['kind', 'unknown', null, null],
    ['passwordState', 'given', 'Set by someone else', '由他人设置'],
    ['name', 'given', null, null],
    ['name', 'constructor', null, null],
    ['tags', ['a'], null, null],
  ])('%s %j: %s, %s', (path, value, en, zh) => {
    expect(loggedValue(path, value, 'en-US')).toBe(en);
    expect(loggedValue(path, value, 'zh-CN')).toBe(zh);
  });
});

it('a kind of object without a text is unchanged', () => {
  expect([objectText('device', 'zh-CN'), objectText('teapot', 'zh-CN')]).toEqual(['设备', 'teapot']);
});
