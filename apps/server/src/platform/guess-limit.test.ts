import { describe, expect, test } from 'vitest';
import { addressGroup, guessLimit } from './guess-limit.ts';

describe('password guesses', () => {
  test('ten are checked at once for a name from an address; then one per second waits, and at most five wait', () => {
    const limit = guessLimit();
    const delays = Array.from({ length: 17 }, () => limit.check('10.0.0.1', 'CP1', false, 0)?.delayMs ?? null);
    expect(delays.slice(0, 10)).toEqual(Array(10).fill(0));
    expect(delays.slice(10)).toEqual([1_000, 2_000, 3_000, 4_000, 5_000, null, null]);
    expect(limit.check('10.0.0.1', 'cp1', false, 1_000)?.delayMs).toBe(5_000);
    expect(limit.check('10.0.0.1', 'CP1', false, 60_000)?.delayMs).toBe(0);
  });

  test('who goes on at an address where the name was not admitted waits longer and longer; the device does not', () => {
    const guesses = (known: boolean) => {
      const limit = guessLimit();
      const checked = (from: number, to: number) => {
        let count = 0;
        for (let now = from; now < to; now += 500) count += limit.check('10.0.0.1', 'CP1', known, now) ? 1 : 0;
        return count;
      };
      const minutes = Array.from({ length: 60 }, (_, minute) => checked(minute * 60_000, (minute + 1) * 60_000));
      return { limit, minutes };
    };
    const { limit, minutes } = guesses(false);
    expect(minutes[0]).toBeLessThanOrEqual(50);
    expect(Math.max(...minutes.slice(10))).toBeLessThanOrEqual(2);
    // At the address of the device, others do not make it wait longer than before.
    expect(limit.check('192.0.2.1', 'CP1', true, 3_600_000)?.delayMs).toBe(0);
    expect(guesses(true).minutes.every((count) => count >= 60)).toBe(true);
    // A pause of an hour forgets them.
    expect(limit.check('10.0.0.1', 'CP1', false, 8_000_000)?.delayMs).toBe(0);
    expect(limit.check('10.0.0.1', 'CP1', false, 8_000_000)?.delayMs).toBe(0);
  });

  test('correct credentials do not count, however many arrive at once', () => {
    const limit = guessLimit();
    for (let device = 0; device < 1_000; device += 1) {
      const check = limit.check('10.0.0.1', `CP${device}`, false, 0);
      expect(check?.delayMs).toBe(0);
      check?.right();
    }
  });

  test('wrong ones for other names at the same address delay a device, except one that was last admitted from there', () => {
    const limit = guessLimit();
    for (let guess = 0; guess < 200; guess += 1) limit.check('10.0.0.1', `CP${guess}`, false, 0);
    expect(limit.check('10.0.0.1', 'LATE', false, 1_000)?.delayMs).toBeLessThanOrEqual(5_000);
    expect(limit.check('10.0.0.1', 'LATE', true, 0)?.delayMs).toBe(0);
    expect(limit.check('10.0.0.2', 'LATE', false, 0)?.delayMs).toBe(0);
  });

  test('one name cannot be guessed from many addresses either, and the device is not blocked where it was last admitted', () => {
    const limit = guessLimit();
    const passed = Array.from({ length: 500 }, (_, host) => limit.check(`10.0.${host % 256}.9`, 'CP1', false, 0));
    expect(passed.filter((check) => check !== null)).toHaveLength(65);
    expect(limit.check('192.0.2.1', 'CP1', true, 0)?.delayMs).toBe(0);
  });
});

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8::6', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['unknown', 'unknown'],
])('%s counts as %s', (address, group) => {
  expect(addressGroup(address)).toBe(group);
});
