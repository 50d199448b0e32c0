import type { CustomerRow } from '@chargehand/contract';
import type { List } from '../../../shared/hooks/use-list-query.ts';
import type { ListSpec } from '../../../shared/lib/list-query.ts';
import { flagOf } from '../places/place-list.ts';

const filters = { search: 'text', enabled: 'text', region: 'text' } as const;
export type CustomerSort = 'name' | 'code' | 'createdAt';
export type CustomerFilters = typeof filters;

/** What the customer list can be narrowed and sorted by; the contract's list call takes the same. */
export const CUSTOMER_LIST: ListSpec<CustomerFilters, CustomerSort> = {
  filters,
  sorts: ['name', 'code', 'createdAt'],
};

/** The filters as the contract's calls take them. */
export function customerFiltersOf({ search, enabled, region }: List<CustomerFilters, CustomerSort>['query']) {
  return { search, enabled: flagOf(enabled), region };
}

/** A customer as the dialogs and actions need it. */
export type CustomerSubject = Pick<
  CustomerRow,
  | 'id'
  | 'name'
  | 'code'
  | 'logo'
  | 'contact'
  | 'address'
  | 'country'
  | 'province'
  | 'city'
  | 'enabled'
  | 'readOnly'
  | 'platformVendor'
  | 'revision'
  | 'siteCount'
  | 'userCount'
>;
