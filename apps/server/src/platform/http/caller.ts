import type { Locale } from '@chargehand/contract';
import type { Levels, PermissionHolder, Scope } from '@chargehand/domain';

/** The user of a request, determined once per request by the access module (design §5). */
export interface Caller extends PermissionHolder {
  userId: number;
  userName: string;
  customerId: number;
  /** belongs to the platform-vendor customer */
  platformVendor: boolean;
  /** the customer is read-only, so its users cannot change anything */
  readOnly: boolean;
  /** the root account behind an impersonation, which is read-only; null otherwise */
  viewer: { userId: number; userName: string; since: Date; until: Date } | null;
  /** the application that acts for the user; missing for a session */
  application?: { id: number; name: string };
  sessionId: string;
  csrf: string;
  scope: Scope;
  levels: Levels;
  /** the web and SSH access of the role (spec §6) */
  remoteAccess: number;
  /** the network address of the request */
  address: string;
  locale: Locale;
}
