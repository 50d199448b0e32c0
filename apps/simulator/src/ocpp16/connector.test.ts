import { describe, expect, test } from 'vitest';
import { makeFault } from '../behaviour/faults.ts';
import { type Connector, newConnector, statusNotification, statusOf } from './connector.ts';

const connector = (changes: Partial<Connector> = {}): Connector => ({
  ...newConnector(1, { kind: 'ac', phases: 1, maxPowerW: 7_360 }, 0),
  ...changes,
});
const fault = makeFault('GroundFailure', false);
const warning = makeFault('WeakSignal', true);

describe('statusOf', () => {
  test.each([
    ['free', {}, 'Available'],
    ['an unavailable connector', { operative: false }, 'Unavailable'],
    ['a vehicle waits', { phase: 'Preparing' }, 'Preparing'],
    ['a vehicle waits at an unavailable connector', { phase: 'Finishing', operative: false }, 'Unavailable'],
    ['charging while an unavailability is scheduled', { phase: 'Charging', scheduled: false }, 'Charging'],
    ['full', { phase: 'SuspendedEV' }, 'SuspendedEV'],
    ['a fault takes precedence over everything', { phase: 'Charging', fault, operative: false }, 'Faulted'],
    ['a warning does not change the status', { phase: 'Charging', fault: warning }, 'Charging'],
  ] as const)('%s', (_, changes, status) => {
    expect(statusOf(connector(changes))).toBe(status);
  });

  test('a warning is reported without changing the status', () => {
    expect(statusNotification(connector({ fault: warning }), 'Harrowgate', '2026-01-01T00:00:00.000Z')).toEqual({
      connectorId: 1,
      errorCode: 'WeakSignal',
      status: 'Available',
      timestamp: '2026-01-01T00:00:00.000Z',
      info: warning.info,
      vendorId: 'Harrowgate',
      vendorErrorCode: 'E6001',
    });
  });
});
