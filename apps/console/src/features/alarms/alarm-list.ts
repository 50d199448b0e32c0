import { ALARM_STATES } from '@chargehand/contract';
import { ALARM_KINDS, ALARM_LEVELS } from '@chargehand/domain';
import type { List } from '../../shared/hooks/use-list-query.ts';
import type { ListSpec } from '../../shared/lib/list-query.ts';

const filters = {
  state: 'text',
  kind: 'text',
  level: 'text',
  acknowledged: 'text',
  suppressed: 'text',
  customerId: 'number',
  siteId: 'number',
  deviceModelId: 'number',
  code: 'text',
  from: 'text',
  to: 'text',
} as const;

export type AlarmSort = 'raisedAt' | 'level';
export type AlarmList = List<typeof filters, AlarmSort>;

/** What alarms can be narrowed and sorted by; the contract's list call takes the same. */
export const ALARM_LIST: ListSpec<typeof filters, AlarmSort> = { filters, sorts: ['raisedAt', 'level'] };

/** Where a table of alarms stands: on the page of a device or a site, else it is that of the fleet. */
export interface AlarmPlace {
  deviceId?: number;
  siteId?: number;
}

/** The filters as the contract's calls take them; only what goes on unless another state is asked for. */
export function filtersOf(query: AlarmList['query'], place: AlarmPlace) {
  const { page: _, pageSize: __, sort, state, kind, level, acknowledged, suppressed, ...rest } = query;
  return {
    ...rest,
    ...place,
    sort: sort ?? ('-raisedAt' as const),
    state: stateOf(state),
    kind: ALARM_KINDS.find((known) => known === kind),
    level: ALARM_LEVELS.find((known) => known === level),
    acknowledged: flagOf(acknowledged),
    suppressed: flagOf(suppressed),
  };
}

/** The state that an address asks for; `all` for both. */
export function stateOf(state: string | undefined): (typeof ALARM_STATES)[number] | undefined {
  return state === 'all' ? undefined : (ALARM_STATES.find((known) => known === state) ?? 'open');
}

function flagOf(text: string | undefined): boolean | undefined {
  return text === 'true' ? true : text === 'false' ? false : undefined;
}
