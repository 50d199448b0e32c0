import type { DeviceRow } from '@chargehand/contract';
import { DEVICE_SORTS } from '@chargehand/contract/constants';
import type { List } from '../../../shared/hooks/lists/use-list-query.ts';
import { type ListSpec, wholeOf } from '../../../shared/lib/lists/list-query.ts';

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

/** The filters and sort fields of the device list, the same as in the contract's list call. */
export const DEVICE_LIST: ListSpec<typeof filters, (typeof DEVICE_SORTS)[number]> = { filters, sorts: DEVICE_SORTS };

export type DeviceList = List<typeof filters, (typeof DEVICE_SORTS)[number]>;

/** The filters of the counters above the list, which count the devices of each status. */
export function countedFilters(query: DeviceList['query']) {
  const { status: _status, sort: _sort, ...filters } = wholeOf(query);
  return filters;
}

/** The fields whose change highlights a row: the state, but not the time of the last message. */
export function lookOf(device: DeviceRow): string {
  const { status, connected, enabled, name, activeAlarms, worstAlarmLevel, softVersion, faultyMessages } = device;
  return [status, connected, enabled, name, activeAlarms, worstAlarmLevel, softVersion, faultyMessages].join('|');
}
