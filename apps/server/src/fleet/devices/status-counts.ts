import { ALARM_LEVELS, type AlarmLevel, DEVICE_STATUSES, type DeviceStatus } from '@chargehand/domain';

/** Adds the statuses that do not occur to counts of those that do. */
export function statusCounts(counts: readonly { status: DeviceStatus; total: number }[]): Record<DeviceStatus, number> {
  const byStatus = Object.fromEntries(DEVICE_STATUSES.map((status) => [status, 0])) as Record<DeviceStatus, number>;
  for (const { status, total } of counts) byStatus[status] = total;
  return byStatus;
}

/** Adds the alarm levels that do not occur to counts of those that do. */
export function alarmCounts(counts: readonly { level: AlarmLevel; total: number }[]): Record<AlarmLevel, number> {
  const byLevel = Object.fromEntries(ALARM_LEVELS.map((level) => [level, 0])) as Record<AlarmLevel, number>;
  for (const { level, total } of counts) byLevel[level] = total;
  return byLevel;
}
