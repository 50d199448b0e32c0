/** Operation types of spec §3, and `control` for commands. */
export type Operation = 'new' | 'edit' | 'delete' | 'disable' | 'enable' | 'control';

export interface ActionEntry {
  operation: Operation;
  /** the product's noun: device, user, … */
  objectType: string;
  objectId: string;
  objectName: string;
  customerId: number | null;
  siteId: number | null;
  /** secrets must be masked before they come here */
  before?: unknown;
  after?: unknown;
}
