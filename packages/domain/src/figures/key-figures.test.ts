import { expect, test } from 'vitest';
import { isObserved, type ServedChanges, servedTimes } from './key-figures.ts';

const HOUR = 3_600_000;

/** The steps of some hours with changes of the available devices at a time, as `hour:change`. */
function hours(count: number, changes: readonly string[]): ServedChanges[] {
  const steps = Array.from({ length: count }, (_, index) => ({
    ...{ at: index * HOUR, stepMs: HOUR, served: 0, available: 0, servedSeconds: 0, availableSeconds: 0 },
  }));
  for (const change of changes) {
    const [at = 0, delta = 0] = change.split(':').map(Number);
    const step = steps[Math.floor(at)]!;
    step.available += delta;
    step.availableSeconds += delta * (Math.floor(at) + 1 - at) * 3_600;
  }
  return steps;
}

test.each([
  ['nothing changed', 3, 2, [], [2, 2, 2]],
  ['a device failed half an hour ago', 3, 1, ['2.5:-1'], [2, 2, 1.5]],
  ['a device failed and returned', 3, 2, ['0.5:-1', '1.25:1'], [1.5, 1.75, 2]],
  ['the last hour is half over', 2.5, 2, ['2.25:1'], [1, 1, 0.75]],
  ['devices that were added count from then on', 2, 3, ['0.5:3'], [1.5, 3]],
] as const)('available time: %s', (_, now, available, changes, expected) => {
  const times = servedTimes(now * HOUR, { served: 9, available }, hours(Math.ceil(now), changes));
  expect(times.map((one) => one.available / 3_600)).toEqual(expected);
  expect(times.map((one) => one.served / 3_600)).toEqual(expected.map((__, index) => 9 * Math.min(1, now - index)));
});

test.each([
  [[], true],
  [[{ from: -5, to: 4 }], true],
  [[{ from: 0, to: 6 }], false],
  [
    [
      { from: 0, to: 3 },
      { from: 7, to: 20 },
    ],
    false,
  ],
] as const)('ten hours with the gaps %j are observed: %s', (gaps, observed) => {
  expect(isObserved(0, 10, gaps)).toBe(observed);
});
