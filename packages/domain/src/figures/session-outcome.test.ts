import { expect, test } from 'vitest';
import { sessionOutcome } from './session-outcome.ts';

test.each([
  [1_000, 'Local', null, 'succeeded'],
  [1_000, 'Remote', null, 'succeeded'],
  [1_000, 'EVDisconnected', null, 'succeeded'],
  [1_000, null, null, 'succeeded'],
  [1_000, 'NotReported', 'connectorAvailable', 'succeeded'],
  [1_000, 'NotReported', 'closedByUser', 'succeeded'],
  [1_000, 'NotReported', 'boot', 'failed'],
  [1_000, 'NotReported', 'connectorUnavailable', 'failed'],
  [1_000, 'PowerLoss', null, 'failed'],
  [1_000, 'EmergencyStop', null, 'failed'],
  [1_000, 'GroundFault', null, 'failed'],
  [0, 'Local', null, 'failed'],
  [0, 'EVDisconnected', null, 'failed'],
  [0, 'DeAuthorized', null, 'refused'],
  [0, 'SOCLimitReached', null, 'refused'],
  [-5, 'Local', null, 'failed'],
] as const)('a session with %d Wh that ended by %s (%s) has %s', (energyWh, stopReason, stopCause, outcome) => {
  expect(sessionOutcome({ energyWh, stopReason, stopCause })).toBe(outcome);
});
