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
    ['taken out of service', { operative: false }, 'Unavailable'],
    ['a car waits', { phase: 'Preparing' }, 'Preparing'],
    ['a car waits where service has ended', { phase: 'Finishing', operative: false }, 'Unavailable'],
    ['charging on where service is to end', { phase: 'Charging', scheduled: false }, 'Charging'],
    ['full', { phase: 'SuspendedEV' }, 'SuspendedEV'],
    ['a fault stands above all', { phase: 'Charging', fault, operative: false }, 'Faulted'],
    ['a warning changes nothing', { phase: 'Charging', fault: warning }, 'Charging'],
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
