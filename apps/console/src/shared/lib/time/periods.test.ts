import { expect, it } from 'vitest';
import { periodOf } from './periods.ts';

// 01:30 in Hong Kong
const NOW = Date.parse('2026-03-01T17:30:20Z');

it.each([
  ['hour', '2026-03-01T16:30:00.000Z'],
  ['today', '2026-03-01T16:00:00.000Z'],
  ['day', '2026-02-28T17:30:00.000Z'],
  ['week', '2026-02-22T17:30:00.000Z'],
  ['month', '2026-01-30T17:30:00.000Z'],
] as const)('the period "%s" starts at %s', (period, from) => {
  expect(periodOf(period, NOW)).toEqual({ from, to: null });
});
