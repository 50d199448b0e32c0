import { ALARM_STATES } from '@chargehand/contract/constants';
import { ALARM_KINDS, ALARM_LEVELS } from '@chargehand/domain';
import type { List } from '../../shared/hooks/lists/use-list-query.ts';
import type { ListSpec, WholeQuery } from '../../shared/lib/lists/list-query.ts';

const filters = {
  state: [...ALARM_STATES, 'all'],
  kind: ALARM_KINDS,
  level: ALARM_LEVELS,
  acknowledged: 'flag',
  suppressed: 'flag',
  customerId: 'number',
  siteId: 'number',
  deviceModelId: 'number',
  code: 'text',
  from: 'time',
  to: 'time',
} as const;

export type AlarmSort = 'raisedAt' | 'level';
export type AlarmList = List<typeof filters, AlarmSort>;

/** What alarms can be narrowed and sorted by; the contract's list call takes the same. */
export const ALARM_LIST: ListSpec<typeof filters, AlarmSort> = {
  filters,
  sorts: ['raisedAt', 'level'],
  defaultSort: '-raisedAt',
};

/** Where a table of alarms stands: on the page of a device or a site, else it is that of the fleet. */
export interface AlarmPlace {
  deviceId?: number;
  siteId?: number;
}

/** The filters as the contract's calls take them: active alarms only, unless the address asks for another state. */
export function filtersOf({ state = 'open', ...rest }: WholeQuery<typeof filters, AlarmSort>, place: AlarmPlace) {
  return { ...rest, ...place, state: state === 'all' ? undefined : state };
}
