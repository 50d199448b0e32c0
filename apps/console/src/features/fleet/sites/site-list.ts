import type { SiteRow } from '@chargehand/contract';
import { SITE_STATES } from '@chargehand/domain';
import type { List } from '../../../shared/hooks/use-list-query.ts';
import type { ListSpec } from '../../../shared/lib/list-query.ts';
import { flagOf } from '../places/place-list.ts';

const filters = {
  search: 'text',
  customerId: 'number',
  enabled: 'text',
  region: 'text',
  state: 'text',
} as const;
export type SiteSort = 'name' | 'code' | 'createdAt';
export type SiteFilters = typeof filters;
export type SiteList = List<SiteFilters, SiteSort>;

/** What the site list can be narrowed and sorted by; the contract's list call takes the same. */
export const SITE_LIST: ListSpec<SiteFilters, SiteSort> = { filters, sorts: ['name', 'code', 'createdAt'] };

/** The filters as the contract's calls take them. */
export function siteFiltersOf({ search, customerId, enabled, region, state }: SiteList['query']) {
  return { search, customerId, enabled: flagOf(enabled), region, state: SITE_STATES.find((known) => known === state) };
}

/** A site as the dialogs and actions need it. */
export type SiteSubject = Pick<SiteRow, 'id' | 'name' | 'enabled'>;
