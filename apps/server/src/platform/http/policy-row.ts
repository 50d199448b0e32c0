import type { CommandKind, ModelLevels } from '@chargehand/domain';

/** A row that a request names and its caller may see, with the facts that a policy needs. */
export interface PolicyRow {
  /** the ID in the request */
  id: number | string;
  /** the customer that owns the row; null for rows of the platform */
  customerId: number | null;
  /** the device, if the row is a device */
  device?: { id: number; sn: string; deviceModelId: number };
  /** the user of a user or session row */
  userId?: number;
  /** the levels of the device model, or those recorded for a batch; null if the row has no device model */
  model: ModelLevels | null;
  /** true if the device model has its own levels for controls and parameters */
  described: boolean;
  /** the kind of command of an execution or batch */
  kind?: CommandKind;
}
