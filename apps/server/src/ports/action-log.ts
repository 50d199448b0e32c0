import type { LoggedObject } from '@chargehand/contract';

/** Operation types of spec §3, and `control` for commands. */
export type Operation = 'new' | 'edit' | 'delete' | 'disable' | 'enable' | 'control';

export interface ActionEntry {
  operation: Operation;
  objectType: LoggedObject;
  objectId: string;
  objectName: string;
  customerId: number | null;
  siteId: number | null;
  /** the caller must mask secrets */
  before?: unknown;
  after?: unknown;
}
