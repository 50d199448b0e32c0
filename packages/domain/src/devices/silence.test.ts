import { expect, test } from 'vitest';
import { isSilent } from './silence.ts';

test.each([
  [0, 60, false],
  [60_000, 60, false],
  [60_001, 60, true],
  [600_000, null, false],
  [600_001, null, true],
])('%i ms without a message, %s s allowed: silent is %s', (now, limit, silent) => {
  expect(isSilent(0, now, limit)).toBe(silent);
  expect(isSilent(5_000, now + 5_000, limit)).toBe(silent);
});
