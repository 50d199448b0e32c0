import type { DeviceRow } from '@chargehand/contract';
import { DEVICE_SORTS } from '@chargehand/contract/constants';
import type { List } from '../../../shared/hooks/lists/use-list-query.ts';
import type { ListSpec } from '../../../shared/lib/lists/list-query.ts';

const filters = {
  search: 'text',
  status: 'text',
  siteId: 'number',
  customerId: 'number',
  deviceModelId: 'number',
  type: 'number',
  alarm: ['active'],
  maintenance: ['due'],
} as const;

/** What the device list can be narrowed and sorted by; the contract's list call takes the same. */
export const DEVICE_LIST: ListSpec<typeof filters, (typeof DEVICE_SORTS)[number]> = { filters, sorts: DEVICE_SORTS };

export type DeviceList = List<typeof filters, (typeof DEVICE_SORTS)[number]>;

/** What makes a row worth a glance when it changes: its state, not how long ago it was heard. */
export function lookOf(device: DeviceRow): string {
  const { status, connected, enabled, name, activeAlarms, worstAlarmLevel, softVersion } = device;
  return [status, connected, enabled, name, activeAlarms, worstAlarmLevel, softVersion].join('|');
}
