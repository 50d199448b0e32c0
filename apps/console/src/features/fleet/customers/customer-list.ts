import type { CustomerRow } from '@chargehand/contract';
import type { CUSTOMER } from '@chargehand/contract/customer';

/** The fields of a customer that dialogs and actions need. */
export type CustomerSubject = Pick<
  CustomerRow,
  | keyof typeof CUSTOMER.fields
  | 'id'
  | 'country'
  | 'province'
  | 'city'
  | 'enabled'
  | 'platformVendor'
  | 'revision'
  | 'siteCount'
  | 'userCount'
>;
