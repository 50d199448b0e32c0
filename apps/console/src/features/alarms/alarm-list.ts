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

/** The filters and sort fields of alarms, the same as in the contract's list call. */
export const ALARM_LIST: ListSpec<typeof filters, AlarmSort> = {
  filters,
  sorts: ['raisedAt', 'level'],
  defaultSort: '-raisedAt',
};

/** The place of an alarm table: the page of a device or a site, otherwise all alarms. */
export interface AlarmPlace {
  deviceId?: number;
  siteId?: number;
}

/** The filters in the form of the contract's calls: active alarms only, unless the URL has another state. */
export function filtersOf({ state = 'open', ...rest }: WholeQuery<typeof filters, AlarmSort>, place: AlarmPlace) {
  return { ...rest, ...place, state: state === 'all' ? undefined : state };
}
