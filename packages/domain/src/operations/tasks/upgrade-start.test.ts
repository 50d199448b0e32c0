import { expect, test } from 'vitest';
import { startPlan } from './upgrade-start.ts';

const NOW = new Date('2026-05-01T10:00:00Z');
const TONIGHT = '2026-05-01T22:00:00Z';
const HOUR_MS = 3_600_000;
const waits = (timeoutMs: number, notBefore: string | null = null) => ({
  notBefore: notBefore === null ? null : new Date(notBefore),
  timeoutMs,
  fault: null,
});
const fault = (field: string, what: string) => ({ fault: { field, fault: what } });

test.each<[string, Parameters<typeof startPlan>[0], object | null]>([
  ['nothing said: now', {}, null],
  ['now', { start: 'now' }, null],
  ['now, for an offline device, too', { start: 'now', whenOffline: 'queue' }, null],
  ['when idle, until the next day', { start: 'whenIdle' }, waits(24 * HOUR_MS)],
  ['when idle, within two hours', { start: 'whenIdle', startWithinMinutes: 120 }, waits(2 * HOUR_MS)],
  ['when idle, never longer than a week', { start: 'whenIdle', startWithinMinutes: 99_999 }, waits(168 * HOUR_MS)],
  ['tonight, until the next', { start: 'at', startAt: TONIGHT }, waits(36 * HOUR_MS, TONIGHT)],
  ['tonight, within an hour', { start: 'at', startAt: TONIGHT, startWithinMinutes: 60 }, waits(13 * HOUR_MS, TONIGHT)],
  ['at no time', { start: 'at' }, fault('startAt', 'missing')],
  ['at a time that has passed', { start: 'at', startAt: '2026-05-01T10:00:00Z' }, fault('startAt', 'past')],
  ['in a month and a bit', { start: 'at', startAt: '2026-06-01T10:00:00Z' }, fault('startAt', 'tooFar')],
  ['a time that nothing needs', { start: 'whenIdle', startAt: TONIGHT }, fault('startAt', 'unknown')],
  ['a deadline that nothing needs', { startWithinMinutes: 60 }, fault('startWithinMinutes', 'unknown')],
  ['a policy that nothing needs', { start: 'whenIdle', whenOffline: 'fail' }, fault('whenOffline', 'unknown')],
])('an upgrade %s', (_, inputs, expected) => {
  expect(startPlan(inputs, NOW)).toEqual(expected);
});
