import { expect, test } from 'vitest';
import { addressLimit } from './address-limit.ts';

test('an address with sixty refused attempts at once must wait and regains one attempt per second; other addresses are not affected', () => {
  const limit = addressLimit();
  for (let attempt = 0; attempt < 60; attempt += 1) {
    expect(limit.admits('a', 0)).toBe(true);
    limit.refused('a', 0);
  }
  expect(limit.admits('a', 0)).toBe(false);
  expect(limit.admits('b', 0)).toBe(true);
  expect(limit.admits('a', 999)).toBe(false);
  expect(limit.admits('a', 1_000)).toBe(true);
});
