import { expect, test } from 'vitest';
import { alarmOf, alarmsOf, eventTypeOf, worstLevel } from './alarms.ts';

test.each([
  ['Available', 'NoError', undefined, null],
  ['Charging', 'NoError', 'E7', null],
  ['Faulted', 'NoError', undefined, { code: 'NoError', kind: 'fault', level: 'MA' }],
  ['Faulted', 'NoError', 'E7', { code: 'E7', kind: 'fault', level: 'MA' }],
  ['Faulted', 'OtherError', 'E7', { code: 'E7', kind: 'fault', level: 'MA' }],
  ['Faulted', 'OtherError', undefined, { code: 'OtherError', kind: 'fault', level: 'MA' }],
  ['Faulted', 'GroundFailure', 'E7', { code: 'GroundFailure', kind: 'fault', level: 'CA' }],
  ['Faulted', 'HighTemperature', undefined, { code: 'HighTemperature', kind: 'fault', level: 'CA' }],
  ['Charging', 'HighTemperature', undefined, { code: 'HighTemperature', kind: 'alarm', level: 'MA' }],
  ['Available', 'WeakSignal', undefined, { code: 'WeakSignal', kind: 'alarm', level: 'OA' }],
  ['Available', 'AnErrorOfTheFuture', undefined, { code: 'AnErrorOfTheFuture', kind: 'alarm', level: 'OA' }],
])('%s with %s and vendor code %s raises %j', (status, errorCode, vendorErrorCode, alarm) => {
  expect(alarmOf({ status, errorCode, vendorErrorCode })).toEqual(alarm);
});

test.each([
  ['offline', 'OA', 'disconnect'],
  ['unavailable', 'OA', 'unavailable'],
  ['alarm', 'OA', 'minorAlarm'],
  ['alarm', 'MA', 'alarm'],
  ['fault', 'CA', 'alarm'],
] as const)('a %s of level %s is shown as %s', (kind, level, type) => {
  expect(eventTypeOf({ kind, level })).toBe(type);
});

test.each([
  [[], null],
  [['OA'], 'OA'],
  [['OA', 'CA', 'MA'], 'CA'],
  [['MA', 'OA'], 'MA'],
] as const)('the highest level of %j is %s', (levels, worst) => {
  expect(worstLevel(levels)).toBe(worst);
});

test.each([
  ['Available', 'NoError', []],
  ['Unavailable', 'NoError', ['unavailable OA Unavailable']],
  ['Unavailable', 'GroundFailure', ['alarm MA GroundFailure', 'unavailable OA Unavailable']],
  ['Faulted', 'GroundFailure', ['fault CA GroundFailure']],
])('%s with %s raises all of %j', (status, errorCode, all) => {
  expect(alarmsOf({ status, errorCode }).map(({ kind, level, code }) => `${kind} ${level} ${code}`)).toEqual(all);
});
