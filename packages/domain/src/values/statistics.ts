import { DEVICE_STATUSES, type DeviceStatus } from '../devices/devices.ts';
import { DEFAULT_ZONE, formatTime } from '../text/format.ts';

/** How finely a course over time is counted. */
export const STATISTIC_STEPS = ['hour', 'day'] as const;
export type StatisticStep = (typeof STATISTIC_STEPS)[number];

const HOUR_MS = 3_600_000;
/** A day of statistics has 24 hours: the default zone knows no summer time. */
const STEP_MS: Record<StatisticStep, number> = { hour: HOUR_MS, day: 24 * HOUR_MS };

/** A stretch of time cut into steps of equal length, the last one up to the present. Times are epoch milliseconds. */
export interface StatisticWindow {
  step: StatisticStep;
  from: number;
  to: number;
  stepMs: number;
  /** where each step begins */
  starts: number[];
}

/** The last `count` hours or days up to `now`, the one under way among them; days begin at midnight of the zone. */
export function statisticWindow(
  now: number,
  step: StatisticStep,
  count: number,
  zone: string = DEFAULT_ZONE,
): StatisticWindow {
  const stepMs = STEP_MS[step];
  const ahead = zoneOffset(now, zone);
  const current = Math.floor((now + ahead) / stepMs) * stepMs - ahead;
  const from = current - (count - 1) * stepMs;
  return { step, from, to: now, stepMs, starts: Array.from({ length: count }, (_, index) => from + index * stepMs) };
}

/** By how many milliseconds the clocks of a zone are ahead of UTC at a time. */
export function zoneOffset(at: number, zone: string): number {
  const shown = Date.parse(`${formatTime(at, zone).replace(' ', 'T')}Z`);
  return shown - Math.floor(at / 1_000) * 1_000;
}

/** Seconds that devices spent in each status. */
export type StatusSeconds = Record<DeviceStatus, number>;

/** Nothing spent in any status. */
export function noSeconds(): StatusSeconds {
  return Object.fromEntries(DEVICE_STATUSES.map((status) => [status, 0])) as StatusSeconds;
}

/** The sum of several, status by status. */
export function addedSeconds(parts: readonly StatusSeconds[]): StatusSeconds {
  const sum = noSeconds();
  for (const part of parts) for (const status of DEVICE_STATUSES) sum[status] += part[status];
  return sum;
}

/** Statuses in which a device could serve somebody. */
const AVAILABLE: ReadonlySet<DeviceStatus> = new Set(['idle', 'working']);
/** Statuses that people decided on: that time counts neither for nor against a device. */
const PLANNED: ReadonlySet<DeviceStatus> = new Set(['maintain', 'firmwareUpdate', 'disabled']);

/**
 * The share (0 to 1) of the time in which devices could serve somebody, of all time but what was planned (disabled,
 * maintenance, firmware update); null when there is none to judge by.
 */
export function availability(seconds: StatusSeconds): number | null {
  let available = 0;
  let counted = 0;
  for (const status of DEVICE_STATUSES) {
    if (PLANNED.has(status)) continue;
    counted += seconds[status];
    if (AVAILABLE.has(status)) available += seconds[status];
  }
  return counted > 0 ? available / counted : null;
}
