import { afterEach, describe, expect, test } from 'vitest';
import { isImpossibleTime, isWritableTime, readingTime, replacesLatest, reportedTime, trustedTime } from './clock.ts';

const RECEIVED = new Date('2026-01-10T12:00:00Z');

test.each([
  ['the same moment', '2026-01-10T12:00:00Z', true],
  ['five minutes ahead', '2026-01-10T12:05:00Z', true],
  ['more than five minutes ahead', '2026-01-10T12:05:01Z', false],
  ['a week late, from a queue', '2026-01-03T12:00:00Z', true],
  ['a year late', '2025-01-10T12:00:00Z', true],
  ['older than a year', '2024-12-31T12:00:00Z', false],
  ['the epoch of a clock never set', '1970-01-01T00:00:00Z', false],
  ['no time at all', 'never', false],
] as const)('%s: trusted %s', (_, reported, trusted) => {
  const at = new Date(reported);
  expect(trustedTime(at, RECEIVED)).toEqual({ at: trusted ? at : RECEIVED, trusted });
});

test.each([
  ['a newer value', '2026-01-10T11:59:00Z', '2026-01-10T12:00:00Z', true],
  ['a value of the same time', '2026-01-10T12:00:00Z', '2026-01-10T12:00:00Z', true],
  ['an older value', '2026-01-10T12:00:00Z', '2026-01-10T11:59:00Z', false],
  ['an older value than one just ahead of time', '2026-01-10T12:05:00Z', '2026-01-10T12:00:00Z', false],
  ['a value after one from the future', '2026-01-10T12:05:01Z', '2026-01-10T12:00:00Z', true],
  ['a late value after one from the future', '2026-01-13T12:00:00Z', '2026-01-10T11:00:00Z', true],
] as const)('%s replaces the latest: %#', (_, latest, at, expected) => {
  expect(replacesLatest(new Date(latest), new Date(at), RECEIVED)).toBe(expected);
});

test.each([
  [null, '2026-01-10T12:00:00Z', null],
  ['2026-01-10T12:05:00Z', '2026-01-10T12:05:00Z', null],
  ['2025-01-10T12:00:00Z', '2025-01-10T12:00:00Z', null],
  ['2026-01-10T12:05:01Z', null, 'is more than 5 minutes in the future'],
  ['2026-01-10T20:00:00Z', null, 'is more than 5 minutes in the future'],
  ['2099-01-01T00:00:00Z', null, 'is more than 5 minutes in the future'],
  ['2024-12-31T12:00:00Z', null, 'is more than a year old'],
  ['1970-01-01T00:00:00Z', null, 'is more than a year old'],
  ['never', null, 'is not a time'],
] as const)('a reading of %s is stored at %s or refused: %s', (reported, at, problem) => {
  const time = readingTime(reported === null ? null : new Date(reported), RECEIVED);
  expect(time).toEqual(at === null ? { at, problem } : { at: new Date(at) });
});

test('without a reported time, the time of receipt is used', () => {
  expect(trustedTime(null, RECEIVED)).toEqual({ at: RECEIVED, trusted: true });
});

test.each([
  ['0001-01-01T00:00:00Z', true],
  ['1970-01-01T00:00:00Z', true],
  ['9999-12-31T23:59:59.999Z', true],
  ['0000-12-31T23:59:59Z', false],
  ['9999-12-31T23:59:59-12:00', false],
  ['2026-11-20T23:59:60Z', false],
  ['never', false],
])('%s can be stored and written again: %s', (text, expected) => {
  expect(isWritableTime(new Date(text))).toBe(expected);
});

describe.each(['UTC', 'Asia/Hong_Kong', 'America/New_York'])('in any time zone of the program (%s)', (zone) => {
  const before = process.env.TZ;
  afterEach(() => {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  });

  test.each([
    ['2026-01-10T12:00:00Z', '2026-01-10T12:00:00.000Z'],
    ['2026-01-10T12:00:00.25z', '2026-01-10T12:00:00.250Z'],
    ['2026-01-10T12:00:00+08:00', '2026-01-10T04:00:00.000Z'],
    ['2026-01-10T12:00:00+08', '2026-01-10T04:00:00.000Z'],
    ['2026-01-10T12:00:00.5-05', '2026-01-10T17:00:00.500Z'],
    ['2026-01-10T12:00:00-0530', '2026-01-10T17:30:00.000Z'],
    ['2026-01-10 12:00:00 GMT', '2026-01-10T12:00:00.000Z'],
    ['2026-01-10T12:00:00', '2026-01-10T12:00:00.000Z'],
    ['2026-01-10T12:00', '2026-01-10T12:00:00.000Z'],
    [' 2026-01-10 12:00:00.125 ', '2026-01-10T12:00:00.125Z'],
    ['2026/01/10 12:00:00', '2026-01-10T12:00:00.000Z'],
    ['2026-01-10', '2026-01-10T00:00:00.000Z'],
    // In the hour that clocks skip in New York.
    ['2026-03-08T02:30:00', '2026-03-08T02:30:00.000Z'],
    ['Jan 10 2026 12:00:00', null],
    ['01/10/2026 12:00:00', null],
    ['10-01-2026', null],
    ['2026-13-10T12:00:00', null],
    ['2026-01-10T25:00:00', null],
    ['never', null],
    ['', null],
  ])('%j is parsed as %s', (text, expected) => {
    process.env.TZ = zone;
    expect(Intl.DateTimeFormat().resolvedOptions().timeZone).toBe(zone);
    const at = reportedTime(text);
    expect(Number.isNaN(at.getTime()) ? null : at.toISOString()).toBe(expected);
  });
});

test.each([
  ['2026-01-10T12:00:00Z', false],
  ['2026-01-11T12:00:00Z', false],
  ['2026-01-11T12:00:01Z', true],
  ['2099-01-01T00:00:00Z', true],
  ['1970-01-01T00:00:00Z', false],
  ['no time', false],
])('%s, reported at noon of 2026-01-10, is impossible: %s', (reported, impossible) => {
  expect(isImpossibleTime(new Date(reported), new Date('2026-01-10T12:00:00Z'))).toBe(impossible);
});
