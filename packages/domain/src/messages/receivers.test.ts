import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MESSAGE_TYPES, type MessageType } from './message-types.ts';
import {
  type Delivery,
  decideDelivery,
  isQuietAt,
  type MessageSetting,
  messageSettingOf,
  minuteOfDayIn,
  minutesUntil,
  type ReceiverFacts,
  type SettingSource,
  settingExceptions,
} from './receivers.ts';

const OFF: MessageSetting = { inApp: false, email: false, push: false, delayed: false };
const MAIL: MessageSetting = { inApp: true, email: true, push: false, delayed: false };
const PUSH: MessageSetting = { ...OFF, push: true };
const DIGEST: MessageSetting = { ...MAIL, delayed: true };

const facts = (change: Partial<ReceiverFacts> = {}): ReceiverFacts => ({
  active: true,
  actor: false,
  named: true,
  inScope: true,
  permitted: true,
  muted: false,
  hasAddress: true,
  hasBrowser: false,
  own: null,
  role: null,
  emailAlarm: false,
  siteReceiver: false,
  onCall: false,
  wasOnCall: false,
  quiet: null,
  digestAt: 480,
  ...change,
});

describe('the setting is the most specific one', () => {
  test.each<[MessageType, Partial<ReceiverFacts>, SettingSource, boolean]>([
    ['alarmCA', {}, 'default', false],
    ['alarmCA', { emailAlarm: true }, 'emailAlarm', true],
    ['recovery', { emailAlarm: true }, 'emailAlarm', true],
    ['issueDue', { emailAlarm: true }, 'default', false],
    ['alarmCA', { emailAlarm: true, role: OFF }, 'role', false],
    ['alarmCA', { role: OFF, siteReceiver: true }, 'siteReceiver', true],
    ['issueDue', { role: OFF, siteReceiver: true }, 'role', false],
    ['alarmCA', { own: OFF, siteReceiver: true, emailAlarm: true }, 'user', false],
    ['alarmCA', { own: OFF, onCall: true }, 'onCall', true],
    ['system', { own: OFF, onCall: true }, 'user', false],
    ['recovery', { own: OFF, wasOnCall: true }, 'onCall', true],
    ['alarmCA', { own: OFF, wasOnCall: true }, 'user', false],
    ['accountSecurity', { own: OFF }, 'always', true],
  ])('%s with %j: %s', (type, change, source, email) => {
    expect(messageSettingOf(type, facts(change))).toMatchObject({ source, setting: { email } });
  });
});

test.each<[MessageType, MessageSetting | null, unknown[]]>([
  ['alarmCA', null, ['onCall', 'siteReceiver']],
  // A shift decides before the user's own setting, a site only without one.
  ['alarmCA', OFF, ['onCall']],
  ['recovery', OFF, ['onCall']],
  ['issueDue', null, []],
  ['accountSecurity', null, []],
])('exceptions of %s with own setting %j: %j', (type, own, expected) => {
  const exceptions = settingExceptions(type, { own, usual: OFF }, ['onCall', 'siteReceiver']);
  expect(exceptions.map(({ source }) => source)).toEqual(expected);
  expect(exceptions.every(({ setting }) => setting.email && setting.inApp && !setting.delayed)).toBe(true);
});

describe('a delivery', () => {
  const now = 1_000_000;
  const at = (minutes: number) => now + minutes * 60_000;
  const quiet = { from: 22 * 60, to: 6 * 60 };
  test.each<[string, MessageType, Partial<ReceiverFacts>, number, Partial<Delivery>]>([
    ['in the console only, by default', 'fault', {}, 600, { refusal: null, inApp: true, mail: 'off', mailAt: null }],
    ['by mail at once', 'fault', { own: MAIL }, 600, { mail: 'now', mailAt: now }],
    ['by mail with the digest', 'fault', { own: DIGEST }, 470, { mail: 'digest', mailAt: at(10) }],
    ['tomorrow, when it is time for the digest now', 'fault', { own: DIGEST }, 480, { mailAt: at(1_440) }],
    ['after quiet hours', 'fault', { own: MAIL, quiet }, 23 * 60, { inApp: true, mail: 'quiet', mailAt: at(420) }],
    ['at once after them', 'fault', { own: MAIL, quiet }, 6 * 60, { mail: 'now' }],
    ['at once when on duty', 'fault', { onCall: true, quiet }, 23 * 60, { mail: 'now', source: 'onCall' }],
    ['at once about the account', 'accountSecurity', { quiet, own: OFF }, 23 * 60, { mail: 'now' }],
    ['without an address only in the console', 'fault', { own: MAIL, hasAddress: false }, 1, { mail: 'noAddress' }],
    ['by push at once', 'fault', { own: PUSH, hasBrowser: true }, 600, { refusal: null, push: 'now', pushAt: now }],
    ['by push by default', 'issueDue', { hasBrowser: true }, 600, { push: 'now', mail: 'off' }],
    ['by push after quiet hours', 'fault', { own: PUSH, hasBrowser: true, quiet }, 1_380, { pushAt: at(420) }],
    ['by push before the digest', 'fault', { own: { ...DIGEST, push: true }, hasBrowser: true }, 470, { pushAt: now }],
    ['by push at once on duty', 'fault', { onCall: true, hasBrowser: true, quiet }, 1_380, { push: 'now' }],
    ['nowhere without a browser', 'fault', { own: PUSH }, 600, { refusal: 'off', push: 'noBrowser', pushAt: null }],
    ['not if it is turned off', 'fault', { own: OFF }, 600, { refusal: 'off', inApp: false, mailAt: null }],
    ['not if the account is disabled', 'accountSecurity', { active: false }, 600, { refusal: 'inactive' }],
    ['not to others than the named', 'issueDue', { named: false }, 600, { refusal: 'notNamed' }],
    ['not to who caused it', 'issueDue', { actor: true }, 600, { refusal: 'actor' }],
    ['not outside the scope', 'fault', { inScope: false, siteReceiver: true }, 600, { refusal: 'outside' }],
    ['not without the permission', 'fault', { permitted: false, onCall: true }, 600, { refusal: 'notPermitted' }],
    ['not if muted', 'fault', { muted: true, own: MAIL }, 600, { refusal: 'muted', inApp: false, mailAt: null }],
  ])('%s', (_title, type, change, minuteOfDay, expected) => {
    expect(decideDelivery(type, facts(change), { now, minuteOfDay })).toMatchObject(expected);
  });

  const setting = fc.option(
    fc.record({ inApp: fc.boolean(), email: fc.boolean(), push: fc.boolean(), delayed: fc.boolean() }),
  );
  const minute = fc.integer({ min: 0, max: 1_439 });
  const anyone = fc.record({
    ...{ active: fc.boolean(), actor: fc.boolean(), named: fc.boolean(), inScope: fc.boolean() },
    ...{ permitted: fc.boolean(), muted: fc.boolean(), hasAddress: fc.boolean(), hasBrowser: fc.boolean() },
    ...{
      emailAlarm: fc.boolean(),
      siteReceiver: fc.boolean(),
      onCall: fc.boolean(),
      wasOnCall: fc.boolean(),
      own: setting,
      role: setting,
      digestAt: minute,
    },
    quiet: fc.option(fc.record({ from: minute, to: minute })),
  });

  test('quiet hours delay a mail or push by at most a day and never drop it', () => {
    fc.assert(
      fc.property(fc.constantFrom(...MESSAGE_TYPES), anyone, minute, (type, one, minuteOfDay) => {
        const loud = decideDelivery(type, { ...one, quiet: null }, { now, minuteOfDay });
        const decided = decideDelivery(type, one, { now, minuteOfDay });
        expect(decided.mailAt === null).toBe(loud.mailAt === null);
        expect(decided.pushAt === null).toBe(loud.pushAt === null);
        expect(decided.inApp).toBe(loud.inApp);
        if (decided.pushAt !== null) expect(decided.pushAt - now).toBeLessThanOrEqual(86_400_000);
        if (decided.mailAt !== null) expect(decided.mailAt - now).toBeLessThanOrEqual(86_400_000);
      }),
    );
  });

  test('nobody outside the scope, without the permission or without an account is notified, on no channel', () => {
    fc.assert(
      fc.property(fc.constantFrom(...MESSAGE_TYPES), anyone, minute, (type, one, minuteOfDay) => {
        const { inApp, mailAt, pushAt, refusal } = decideDelivery(type, one, { now, minuteOfDay });
        if (!one.active || !one.inScope || !one.permitted || !one.named) {
          expect([inApp, mailAt, pushAt]).toEqual([false, null, null]);
        }
        expect(refusal === null).toBe(inApp || mailAt !== null || pushAt !== null);
      }),
    );
  });
});

test.each<[number, number, number, boolean]>([
  [540, 600, 540, true],
  [540, 600, 600, false],
  [1_320, 360, 0, true],
  [1_320, 360, 1_320, true],
  [1_320, 360, 360, false],
  [480, 480, 480, false],
])('quiet from %i to %i at %i: %s', (from, to, minute, quiet) => expect(isQuietAt({ from, to }, minute)).toBe(quiet));

test.each<[number, number, number]>([
  [10, 20, 10],
  [20, 10, 1_430],
  [20, 20, 1_440],
])('from minute %i to %i it is %i minutes', (minute, wanted, minutes) => {
  expect(minutesUntil(minute, wanted)).toBe(minutes);
});

test('the minute of the day is that of the zone', () => {
  expect(minuteOfDayIn('Asia/Hong_Kong', new Date('2026-11-23T16:05:59Z'))).toBe(5);
  expect(minuteOfDayIn('UTC', new Date('2026-11-23T16:05:59Z'))).toBe(965);
});
