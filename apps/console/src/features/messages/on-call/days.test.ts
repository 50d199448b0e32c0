import { expect, it } from 'vitest';
import { dayOf, spanOf } from './days.ts';

it('a day begins at midnight in the zone of the installation', () => {
  expect(dayOf(Date.parse('2026-01-05T16:30:00Z'))).toBe('2026-01-06');
});

it.each([
  ['2026-01-06', 0, '2026-01-05T16:00:00.000Z', '2026-01-12T16:00:00.000Z'],
  ['2026-01-06', -1, '2025-12-29T16:00:00.000Z', '2026-01-05T16:00:00.000Z'],
])('seven days from %s and %i weeks', (day, weeks, from, to) => {
  expect(spanOf(day, weeks)).toEqual({ from, to });
});
