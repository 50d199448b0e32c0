import type { DeviceStatus } from '../devices/devices.ts';

/** How a status counts: available, not available, or not in service, which counts neither for nor against a site. */
export type Service = 'available' | 'unavailable' | 'none';

/**
 * As operators report uptime: what they take out of service on purpose (maintenance, firmware updates, disabled devices)
 * is excluded, and a device that cannot be reached is not available.
 */
const SERVICE: Readonly<Record<DeviceStatus, Service>> = {
  idle: 'available',
  working: 'available',
  faulted: 'unavailable',
  offline: 'unavailable',
  maintain: 'none',
  firmwareUpdate: 'none',
  disabled: 'none',
};

export function serviceOf(status: DeviceStatus): Service {
  return SERVICE[status];
}

/** Numbers of devices, or the sums of their times. */
export interface Served {
  available: number;
  /** available or not, but in service */
  served: number;
}

/** The devices in service, and the available ones among them. */
export function servedOf(byStatus: Readonly<Record<DeviceStatus, number>>): Served {
  const sum = { available: 0, served: 0 };
  for (const [status, count] of Object.entries(byStatus) as [DeviceStatus, number][]) {
    if (SERVICE[status] !== 'none') sum.served += count;
    if (SERVICE[status] === 'available') sum.available += count;
  }
  return sum;
}

/** The available share of what is in service, 0 to 1; null while nothing is in service. */
export function availabilityOf({ available, served }: Served): number | null {
  return served > 0 ? Math.min(1, Math.max(0, available / served)) : null;
}

/**
 * A share as people read it, in percent with one decimal, rounded so that only all is 100 and only nothing is 0: one
 * fault of 5,000 devices is 99.9 %.
 */
export function shareInPercent(share: number): number {
  const percent = Math.round(share * 1_000) / 10;
  if (share < 1 && percent === 100) return 99.9;
  return share > 0 && percent === 0 ? 0.1 : percent;
}
