import { expect, test } from 'vitest';
import { hasImpossibleTimes, type SessionEndCause, sessionEndCause, showsCharging } from './charging-sessions.ts';

test.each<[string, SessionEndCause | null, boolean]>([
  ['Available', 'connectorAvailable', false],
  ['Unavailable', 'connectorUnavailable', false],
  ['Faulted', null, false],
  ['Preparing', null, false],
  ['Occupied', null, false],
  ['Finishing', null, false],
  ['Charging', null, true],
  ['SuspendedEV', null, true],
  ['SuspendedEVSE', null, true],
  ['Dancing', null, false],
])('%s: ends a session as %s, shows that it runs: %s', (status, cause, charging) => {
  expect(sessionEndCause(status)).toBe(cause);
  expect(showsCharging(status)).toBe(charging);
});

test.each([
  ['in order', '2026-01-01T10:00:00Z', '2026-01-01T11:00:00Z', false, false],
  ['still open', '2026-01-01T10:00:00Z', null, false, false],
  ['the end before the start', '2026-01-01T10:00:00Z', '2026-01-01T09:00:00Z', false, true],
  ['an impossible time', '2099-01-01T10:00:00Z', null, true, true],
])('%s', (_, startedAt, stoppedAt, clockFault, impossible) => {
  const session = { startedAt: new Date(startedAt), stoppedAt: stoppedAt === null ? null : new Date(stoppedAt) };
  expect(hasImpossibleTimes({ ...session, clockFault })).toBe(impossible);
});
