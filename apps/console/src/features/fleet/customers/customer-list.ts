import type { CustomerRow } from '@chargehand/contract';
import type { ListSpec } from '../../../shared/lib/lists/list-query.ts';

const filters = { search: 'text', enabled: 'flag', region: 'text' } as const;
export type CustomerSort = 'name' | 'code' | 'createdAt';

/** The filters and sort fields of the customer list, the same as in the contract's list call. */
export const CUSTOMER_LIST: ListSpec<typeof filters, CustomerSort> = {
  filters,
  sorts: ['name', 'code', 'createdAt'],
};

/** The fields of a customer that dialogs and actions need. */
export type CustomerSubject = Pick<
  CustomerRow,
  | 'id'
  | 'name'
  | 'code'
  | 'issuePrefix'
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
