import type { CustomerRow } from '@chargehand/contract';
import type { ListSpec } from '../../../shared/lib/lists/list-query.ts';

const filters = { search: 'text', enabled: 'flag', region: 'text' } as const;
export type CustomerSort = 'name' | 'code' | 'createdAt';

/** What the customer list can be narrowed and sorted by; the contract's list call takes the same. */
export const CUSTOMER_LIST: ListSpec<typeof filters, CustomerSort> = {
  filters,
  sorts: ['name', 'code', 'createdAt'],
};

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
