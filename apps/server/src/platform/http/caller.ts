import type { Locale } from '@chargehand/contract';
import type { Levels, PermissionHolder, Scope } from '@chargehand/domain';

/** Who makes a request, decided once per request by the access room (design §5). */
export interface Caller extends PermissionHolder {
  userId: number;
  userName: string;
  customerId: number;
  /** belongs to the platform-vendor customer */
  platformVendor: boolean;
  /** the customer is read-only: its people change nothing */
  readOnly: boolean;
  /** the root account behind it when it sees as this person: nothing may be changed then; null otherwise */
  viewer: { userId: number; userName: string; since: Date; until: Date } | null;
  sessionId: string;
  csrf: string;
  scope: Scope;
  levels: Levels;
  /** the network address of the request */
  address: string;
  locale: Locale;
}
