import { expect, test } from 'vitest';
import { changedSkew } from './clock.ts';

test('a clock difference is reported when it leaves the accepted range, changes notably, and returns', () => {
  let reported = 0;
  const received = new Date('2026-05-01T12:00:00Z');
  const skewed = (seconds: number) => {
    const skew = changedSkew(reported, new Date(received.getTime() + seconds * 1_000), received);
    reported = skew ?? reported;
    return skew;
  };
  expect([0, 59, -60, 61, 91, 92, -92, 0, -3_600, Number.NaN].map(skewed)).toEqual([
    null,
    null,
    null,
    61_000,
    null,
    92_000,
    -92_000,
    0,
    -3_600_000,
    null,
  ]);
});
