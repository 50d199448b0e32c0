import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ESCALATE_WITHIN_MS, type Escalation, escalates, onDuty, type Shift } from './on-call.ts';

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

const waiting: Escalation = { waitingSince: 0, acknowledged: false, escalatedAt: null, recovered: false };

test.each<[string, Partial<Escalation>, number, boolean]>([
  ['after the time', {}, 15 * 60_000, true],
  ['not before', {}, 15 * 60_000 - 1, false],
  ['not when somebody has taken it on', { acknowledged: true }, 15 * 60_000, false],
  ['not when it has recovered', { recovered: true }, 15 * 60_000, false],
  ['not after a day', {}, 86_400_000, false],
  ['once', { escalatedAt: 1 }, 15 * 60_000, false],
])('an incident is passed on %s', (_title, change, now, expected) => {
  expect(escalates({ ...waiting, ...change }, now, 15)).toBe(expected);
});

test('every incident that nobody takes on is passed on at some time after its minutes, however seldom it is checked', () => {
  const minutes = fc.integer({ min: 5, max: 240 });
  const waitingSince = fc.integer({ min: 0, max: 1_000_000 });
  const pauses = fc.array(fc.integer({ min: 1, max: 3_600_000 }), { minLength: 24, maxLength: 40 });
  fc.assert(
    fc.property(minutes, waitingSince, pauses, (limit, at, gaps) => {
      let now = at;
      let incident: Escalation = { ...waiting, waitingSince: at };
      const passed: number[] = [];
      for (const gap of gaps) {
        now += gap;
        if (!escalates(incident, now, limit)) continue;
        passed.push(now - at);
        incident = { ...incident, escalatedAt: now };
      }
      const due = limit * 60_000;
      expect(passed.length).toBe(now - at < due ? 0 : 1);
      for (const age of passed) {
        expect(age).toBeGreaterThanOrEqual(due);
        expect(age).toBeLessThan(Math.min(due + 3_600_000, ESCALATE_WITHIN_MS));
      }
    }),
  );
});

test('an incident that was taken on, has recovered or was passed on is never passed on', () => {
  const any = fc.record({
    ...{ waitingSince: fc.integer(), acknowledged: fc.boolean(), recovered: fc.boolean() },
    escalatedAt: fc.option(fc.integer()),
  });
  fc.assert(
    fc.property(any, fc.integer(), fc.integer({ min: 0, max: 240 }), (incident, now, minutes) => {
      const { acknowledged, recovered, escalatedAt } = incident;
      if (acknowledged || recovered || escalatedAt !== null) expect(escalates(incident, now, minutes)).toBe(false);
    }),
  );
});
