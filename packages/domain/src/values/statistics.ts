import { DEVICE_STATUSES, type DeviceStatus } from '../devices/devices.ts';
import { DEFAULT_ZONE, formatTime } from '../text/format.ts';

/** The steps of a statistic over time. */
export const STATISTIC_STEPS = ['hour', 'day'] as const;
export type StatisticStep = (typeof STATISTIC_STEPS)[number];

const HOUR_MS = 3_600_000;
/** A day of statistics has 24 hours, because the default time zone has no daylight saving time. */
const STEP_MS: Record<StatisticStep, number> = { hour: HOUR_MS, day: 24 * HOUR_MS };

/** A period divided into steps of equal length, the last one ending now. Times are epoch milliseconds. */
export interface StatisticWindow {
  step: StatisticStep;
  from: number;
  to: number;
  stepMs: number;
  /** the start of each step */
  starts: number[];
}

/** The last `count` hours or days up to `now`, including the current one. Days start at midnight of the time zone. */
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

/** The offset of a time zone from UTC at a time, in milliseconds; positive when ahead. */
export function zoneOffset(at: number, zone: string): number {
  const shown = Date.parse(`${formatTime(at, zone).replace(' ', 'T')}Z`);
  return shown - Math.floor(at / 1_000) * 1_000;
}

/** The seconds that devices spent in each status. */
export type StatusSeconds = Record<DeviceStatus, number>;

/** Zero seconds in every status. */
export function noSeconds(): StatusSeconds {
  return Object.fromEntries(DEVICE_STATUSES.map((status) => [status, 0])) as StatusSeconds;
}

/** The sum of several, by status. */
export function addedSeconds(parts: readonly StatusSeconds[]): StatusSeconds {
  const sum = noSeconds();
  for (const part of parts) for (const status of DEVICE_STATUSES) sum[status] += part[status];
  return sum;
}

/** Statuses in which a device can charge a vehicle. */
const AVAILABLE: ReadonlySet<DeviceStatus> = new Set(['idle', 'working']);
/** Statuses that users decided on: this time counts neither for nor against a device. */
const PLANNED: ReadonlySet<DeviceStatus> = new Set(['maintain', 'firmwareUpdate', 'disabled']);

/**
 * The share (0 to 1) of the time in which devices were available, of all time except planned time (disabled,
 * maintenance, firmware update); null when no time remains.
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
