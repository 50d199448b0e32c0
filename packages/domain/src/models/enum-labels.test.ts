import { expect, test } from 'vitest';
import { labelIn, labelNames } from './enum-labels.ts';

test.each([
  ['Yes / 是', 'Yes', '是'],
  ['Mutual TLS / 双向 TLS', 'Mutual TLS', '双向 TLS'],
  ['On / Off / 开 / 关', 'On / Off', '开 / 关'],
  // One language, or none: the same in both.
  ['TLS', 'TLS', 'TLS'],
  ['AC / DC', 'AC / DC', 'AC / DC'],
  ['交流 / 直流', '交流 / 直流', '交流 / 直流'],
  ['慢', '慢', '慢'],
  // A slash without blanks belongs to the label, and so does a blank without a slash.
  ['kW/千瓦', 'kW/千瓦', 'kW/千瓦'],
  ['Mode 模式', 'Mode 模式', 'Mode 模式'],
  ['是 / Yes', '是 / Yes', '是 / Yes'],
  ['', '', ''],
])('the label %j is %j in English and %j in Chinese', (label, en, zh) => {
  expect(labelNames(label)).toEqual({ en, zh });
  expect([labelIn(label, 'en'), labelIn(label, 'zh')]).toEqual([en, zh]);
});
