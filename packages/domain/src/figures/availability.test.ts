import { expect, test } from 'vitest';
import { DEVICE_STATUSES, type DeviceStatus } from '../devices/devices.ts';
import { availabilityOf, servedOf, serviceOf, shareInPercent } from './availability.ts';

test.each([
  ['idle', 'available'],
  ['working', 'available'],
  ['faulted', 'unavailable'],
  ['offline', 'unavailable'],
  ['maintain', 'none'],
  ['firmwareUpdate', 'none'],
  ['disabled', 'none'],
] as const)('a device that is %s counts as %s', (status, service) => {
  expect(serviceOf(status)).toBe(service);
});

test.each([
  [{}, null],
  [{ disabled: 3, maintain: 1, firmwareUpdate: 1 }, null],
  [{ idle: 3, working: 1 }, 1],
  [{ idle: 1, offline: 1, disabled: 8 }, 0.5],
  [{ faulted: 2, offline: 2 }, 0],
  [{ idle: 1, working: 1, faulted: 1, offline: 1, maintain: 4 }, 0.5],
] as const)('the availability of %j is %s', (some, share) => {
  const none = Object.fromEntries(DEVICE_STATUSES.map((status) => [status, 0])) as Record<DeviceStatus, number>;
  expect(availabilityOf(servedOf({ ...none, ...some }))).toBe(share);
});

test.each([
  [1, 100],
  [0.99999, 99.9],
  [0.9994, 99.9],
  [0.5, 50],
  [0.00001, 0.1],
  [0, 0],
] as const)('a share of %d is %d %%', (share, percent) => {
  expect(shareInPercent(share)).toBe(percent);
});
