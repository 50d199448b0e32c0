import type { SiteRow } from '@chargehand/contract';
/** The fields of a site that dialogs and actions need. */
export type SiteSubject = Pick<SiteRow, 'id' | 'name' | 'enabled'>;
