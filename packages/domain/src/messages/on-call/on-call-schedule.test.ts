import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Shift } from './on-call.ts';
import {
  coveredUntil,
  gapsOf,
  LONGEST_SHIFT_MS,
  type Period,
  type ShiftFault,
  shiftFault,
} from './on-call-schedule.ts';

const shift: Shift = { userId: 1, substituteId: 2, from: 100, to: 200 };

test.each<[string, Partial<Shift>, ShiftFault | null]>([
  ['of a user with a substitute', {}, null],
  ['without a substitute', { substituteId: null }, null],
  ['that ends when it begins', { to: 100 }, 'endsBeforeStart'],
  ['of the longest time', { to: 100 + LONGEST_SHIFT_MS }, null],
  ['that is longer', { to: 101 + LONGEST_SHIFT_MS }, 'tooLong'],
  ['whose substitute is the same user', { substituteId: 1 }, 'sameSubstitute'],
  ['beside that of another user', { userId: 3 }, null],
  ['of a user who is on duty then', { userId: 5 }, 'alreadyOnDuty'],
  ['that begins when another of the user ends', { userId: 5, from: 150 }, null],
])('a shift %s: %j', (_title, change, fault) => {
  const others = [{ userId: 5, substituteId: null, from: 50, to: 150 }];
  expect(shiftFault({ ...shift, ...change }, others)).toBe(fault);
});

describe('gaps', () => {
  const of = (from: number, to: number): Period => ({ from, to });
  test.each<[string, Period[], Period[]]>([
    ['nobody at all', [], [of(0, 100)]],
    ['everybody', [of(-10, 200)], []],
    ['before, between and after', [of(60, 80), of(10, 30), of(20, 40)], [of(0, 10), of(40, 60), of(80, 100)]],
    ['shifts that follow each other', [of(0, 50), of(50, 100)], []],
    ['a shift after the period', [of(0, 90), of(100, 200)], [of(90, 100)]],
  ])('%s', (_title, shifts, gaps) => expect(gapsOf(shifts, of(0, 100))).toEqual(gaps));

  test('and shifts cover the period, and no gap has a shift', () => {
    const time = fc.integer({ min: -20, max: 60 });
    const period = fc.tuple(time, fc.integer({ min: 1, max: 20 })).map(([from, length]) => of(from, from + length));
    fc.assert(
      fc.property(fc.array(period, { maxLength: 6 }), (shifts) => {
        const gaps = gapsOf(shifts, of(0, 40));
        for (let at = 0; at < 40; at += 1) {
          const inside = ({ from, to }: Period) => from <= at && at < to;
          expect(gaps.some(inside)).toBe(!shifts.some(inside));
        }
        const until = coveredUntil(shifts, 0);
        const [first] = gapsOf(shifts, of(0, 1_000));
        expect(until).toBe(first!.from === 0 ? null : first!.from);
      }),
    );
  });
});
