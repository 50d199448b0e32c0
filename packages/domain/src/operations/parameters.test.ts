import { describe, expect, test } from 'vitest';
import { isSecretParameter, withoutSecrets } from '../text/secrets.ts';
import { compareParameters, type DescribedKey, readsToStart, settingOf, verificationOf } from './parameters.ts';

const stored = [
  { key: 'HeartbeatInterval', value: '300', readonly: false },
  { key: 'NumberOfConnectors', value: '2', readonly: true },
  { key: 'LocalPreAuthorize', value: 'false', readonly: false },
  { key: 'Told', value: null, readonly: false },
];
const SECONDS: DescribedKey = { kind: 'parameter', item: { type: 1, range: '10~86400', unit: 's' } };
const YES_NO: DescribedKey = {
  kind: 'parameter',
  item: { type: 4, range: 'Yes|true|boolean\nNo|false|boolean', unit: '' },
};
const NAME: DescribedKey = { kind: 'parameter', item: { type: 3, range: '1~4', unit: '' } };

describe('setting a parameter', () => {
  test.each<[string, DescribedKey, string, string]>([
    ['HeartbeatInterval', SECONDS, '60', '60'],
    ['heartbeatinterval', SECONDS, ' 060 ', '60'],
    ['LocalPreAuthorize', YES_NO, 'TRUE', 'true'],
    ['HeartbeatInterval', null, '0300', '0300'],
    ['Told', null, '', ''],
  ])('%s, %j to %j is sent as %j', (key, described, value, expected) => {
    const spelled = stored.find((one) => one.key.toLowerCase() === key.toLowerCase())!.key;
    expect(settingOf(stored, described, key, value)).toEqual({ key: spelled, value: expected, problem: null });
  });

  test.each<[string, DescribedKey, string, string, object]>([
    ['HeartbeatInterval', SECONDS, '9', 'valueTooSmall', { limit: '10' }],
    ['HeartbeatInterval', SECONDS, '90000', 'valueTooLarge', { limit: '86400' }],
    ['HeartbeatInterval', SECONDS, 'soon', 'valueNotInteger', {}],
    ['HeartbeatInterval', SECONDS, '0300', 'sameValue', {}],
    ['HeartbeatInterval', null, '300', 'sameValue', {}],
    ['LocalPreAuthorize', YES_NO, 'False', 'sameValue', {}],
    ['LocalPreAuthorize', YES_NO, 'maybe', 'valueNotListed', {}],
    ['Told', NAME, '12345', 'valueTooLong', { limit: 4 }],
    ['NumberOfConnectors', null, '3', 'parameterReadonly', {}],
    ['HeartbeatInterval', { kind: 'config' }, '60', 'parameterReadonly', {}],
    ['Other', null, '1', 'parameterUnknown', { key: 'Other' }],
    ['authorizationKEY', null, 'x', 'parameterSecret', {}],
    ['SecurityCtrlr.BasicAuthPassword', null, 'x', 'parameterSecret', {}],
    ['ModemPassword', null, 'x', 'parameterHoldsSecret', {}],
  ])('%s, %j to %j is rejected: %s', (key, described, value, fault, values) => {
    expect(settingOf(stored, described, key, value)).toMatchObject({ value: null, problem: { fault, values } });
  });

  test('until a device has reported its parameters, only the device knows which it has', () => {
    expect(settingOf([], null, 'Anything', '1')).toEqual({ key: 'Anything', value: '1', problem: null });
    expect(settingOf([], SECONDS, 'HeartbeatInterval', '1').problem?.fault).toBe('valueTooSmall');
  });
});

test.each([
  ['waiting', null, false, 'pending'],
  ['failed', null, false, 'unread'],
  ['read', null, false, 'unread'],
  ['read', '45.0', false, 'same'],
  ['read', '60', false, 'other'],
  ['read', '60', true, 'afterRestart'],
] as const)('read back: %s, %j, restart %j: %s', (state, readBack, needsRestart, expected) => {
  expect(verificationOf({ value: '45', needsRestart }, { state, readBack })).toBe(expected);
});

test('compared parameters are sorted by the numbers in their keys', () => {
  const numbered = [10, 2, 1].map((number) => ({ key: `Item${number}`, value: '1' }));
  expect(compareParameters(numbered, [], () => null).map(({ key }) => key)).toEqual(['Item1', 'Item2', 'Item10']);
});

test('comparison of two devices', () => {
  const there = [
    { key: 'heartbeatinterval', value: '0300' },
    { key: 'LocalPreAuthorize', value: 'true' },
    { key: 'Told', value: null },
    { key: 'Extra', value: '1' },
  ];
  const itemOf = (key: string) => (key === 'HeartbeatInterval' ? SECONDS.item : null);
  expect(compareParameters(stored, there, itemOf)).toEqual([
    { key: 'Extra', here: null, there: '1', difference: 'onlyThere' },
    { key: 'HeartbeatInterval', here: '300', there: '0300', difference: 'same' },
    { key: 'LocalPreAuthorize', here: 'false', there: 'true', difference: 'differs' },
    { key: 'NumberOfConnectors', here: '2', there: null, difference: 'onlyHere' },
  ]);
});

describe('secrets', () => {
  test.each([
    ['AuthorizationKey', true],
    ['SecurityCtrlr.BasicAuthPassword', true],
    ['wifiPasswd', true],
    ['ClientSecret', true],
    ['PrivateKey', true],
    ['HeartbeatInterval', false],
    ['AuthorizationCacheEnabled', false],
  ])('%s: %j', (key, expected) => expect(isSecretParameter(key)).toBe(expected));

  test('are masked wherever a message contains them, and everything else is unchanged', () => {
    const plain = [3, 'id', { configurationKey: [{ key: 'A', readonly: false, value: '1' }], unknownKey: [] }];
    expect(withoutSecrets(plain)).toBe(plain);
    expect(
      withoutSecrets([
        { configurationKey: [{ key: 'AuthorizationKey', readonly: false, value: 'hush' }, plain] },
        { component: { name: 'C' }, variable: { name: 'BasicAuthPassword' }, attributeValue: 'hush' },
        { variable: { name: 'Password' }, variableAttribute: [{ type: 'Actual', value: 'hush' }, { value: '' }] },
        { variable: null, value: 'kept' },
      ]),
    ).toEqual([
      { configurationKey: [{ key: 'AuthorizationKey', readonly: false, value: '***' }, plain] },
      { component: { name: 'C' }, variable: { name: 'BasicAuthPassword' }, attributeValue: '***' },
      { variable: { name: 'Password' }, variableAttribute: [{ type: 'Actual', value: '***' }, { value: '' }] },
      { variable: null, value: 'kept' },
    ]);
  });
});

test.each([
  [0, 0, 5],
  [4, 0, 5],
  [8, 0, 2],
  [10, 0, 0],
  [25, 0, 0],
  [0, 500, 5],
  // Reports are waiting to be stored: no further reads start.
  [0, 501, 0],
])('with %i reads in flight and a report delay of %i ms, %i more start', (inFlight, delayMs, reads) => {
  expect(readsToStart({ inFlight, delayMs })).toBe(reads);
});

test('a thousand devices that boot together are read within minutes, at most ten at a time', () => {
  let [waiting, inFlight, rounds] = [1_000, 0, 0];
  while (waiting + inFlight > 0) {
    const started = Math.min(waiting, readsToStart({ inFlight, delayMs: 0 }));
    waiting -= started;
    inFlight += started;
    expect(inFlight).toBeLessThanOrEqual(10);
    // A device responds within two rounds.
    if (rounds % 2 === 1) inFlight = 0;
    rounds += 1;
  }
  expect(rounds).toBeLessThan(5 * 60);
});
