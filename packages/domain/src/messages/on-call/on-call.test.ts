import { expect, test } from 'vitest';
import { type Escalation, escalates, onDuty, type Shift } from './on-call.ts';

const shifts: Shift[] = [
  { userId: 1, substituteId: 2, from: 0, to: 100 },
  { userId: 3, substituteId: null, from: 50, to: 100 },
  { userId: 4, substituteId: 5, from: 100, to: 200 },
];

test.each<[number, boolean, number[]]>([
  [0, false, [1]],
  [0, true, [1, 2]],
  [50, true, [1, 2, 3]],
  [100, false, [4]],
  [200, true, []],
])('on duty at %i, escalated %s: %j', (now, escalated, users) => {
  expect([...onDuty(shifts, now, escalated)].sort()).toEqual(users);
});

const waiting: Escalation = { openedAt: 0, acknowledged: false, escalatedAt: null, recovered: false };

test.each<[string, Partial<Escalation>, number, boolean]>([
  ['after the time', {}, 15 * 60_000, true],
  ['not before', {}, 15 * 60_000 - 1, false],
  ['not when somebody has taken it on', { acknowledged: true }, 15 * 60_000, false],
  ['not when it has recovered', { recovered: true }, 15 * 60_000, false],
  ['once', { escalatedAt: 1 }, 15 * 60_000, false],
])('an incident is passed on %s', (_title, change, now, expected) => {
  expect(escalates({ ...waiting, ...change }, now, 15)).toBe(expected);
});
