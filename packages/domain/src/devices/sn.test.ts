import { expect, test } from 'vitest';
import { fitsMqttTopic, isSn } from './sn.ts';

test.each([
  ['ABCD', true],
  ['a-b_c.9', true],
  ['RDAM 123', true],
  ['CP1', true],
  ['7', true],
  ['DE*ABC*E1', true],
  ['AA:BB:CC:DD:EE:FF', true],
  ['=1|2@x+y', true],
  ['-ABC', true],
  ['.ABC', true],
  ['0'.repeat(48), true],
  ['0'.repeat(49), false],
  ['', false],
  ['.', false],
  ['..', false],
  ['***', false],
  [' ABC', false],
  ['ABC ', false],
  ['AB/CD', false],
  ['AB#CD', false],
  ['AB%20CD', false],
  ['ABCD\n', false],
  ['AB\tCD', false],
  ['AB"CD', false],
  ['充电桩一号', false],
])('%j as an SN: %s', (text, valid) => {
  expect(isSn(text)).toBe(valid);
});

test.each([
  ['RDAM 123', true],
  ['AA:BB:CC:DD:EE:FF', true],
  ['DE*ABC*E1', true],
  ['A+B', false],
])('%j in an MQTT topic: %s', (sn, fits) => {
  expect(fitsMqttTopic(sn)).toBe(fits);
});
