import { DEVICE_STATUSES, type DeviceStatus } from '@chargehand/domain';

/** Counts of the statuses that occur, as counts of every status. */
export function statusCounts(counts: readonly { status: DeviceStatus; total: number }[]): Record<DeviceStatus, number> {
  const byStatus = Object.fromEntries(DEVICE_STATUSES.map((status) => [status, 0])) as Record<DeviceStatus, number>;
  for (const { status, total } of counts) byStatus[status] = total;
  return byStatus;
}
