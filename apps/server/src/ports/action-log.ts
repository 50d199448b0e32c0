/** Operation types of spec §3, and `control` for commands. */
export type Operation = 'new' | 'edit' | 'delete' | 'disable' | 'enable' | 'control';

export interface ActionEntry {
  operation: Operation;
  /** the product's term for the object: device, user, … */
  objectType: string;
  objectId: string;
  objectName: string;
  customerId: number | null;
  siteId: number | null;
  /** the caller must mask secrets */
  before?: unknown;
  after?: unknown;
}
