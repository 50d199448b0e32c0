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

/** What the site list can be narrowed and sorted by; the contract's list call takes the same. */
export const SITE_LIST: ListSpec<typeof filters, SiteSort> = { filters, sorts: ['name', 'code', 'createdAt'] };

/** A site as the dialogs and actions need it. */
export type SiteSubject = Pick<SiteRow, 'id' | 'name' | 'enabled'>;
