import type { SiteRow } from '@chargehand/contract';
import { SITE_STATES } from '@chargehand/domain';
import type { ListSpec } from '../../../shared/lib/lists/list-query.ts';

const filters = {
  search: 'text',
  customerId: 'number',
  enabled: 'flag',
  region: 'text',
  state: SITE_STATES,
} as const;
export type SiteSort = 'name' | 'code' | 'createdAt';

/** The filters and sort fields of the site list, the same as in the contract's list call. */
export const SITE_LIST: ListSpec<typeof filters, SiteSort> = { filters, sorts: ['name', 'code', 'createdAt'] };

/** The fields of a site that dialogs and actions need. */
export type SiteSubject = Pick<SiteRow, 'id' | 'name' | 'enabled'>;
