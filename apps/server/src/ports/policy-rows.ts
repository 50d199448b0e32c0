import type { OwnLevels, RowType } from '@chargehand/contract';
import type { CommandKind, LinkKind, ModelLevels } from '@chargehand/domain';
import type { Pool } from 'pg';
import type { Caller } from '../platform/http/caller.ts';
import type { PolicyRow } from '../platform/http/policy-row.ts';

/** A row with the facts that a policy needs. */
export interface FoundRow extends PolicyRow {
  /** the user of a user or session row */
  userId?: number;
  /** the levels of the device model, or those recorded for a batch; null if the row has no device model */
  model: ModelLevels | null;
  /** true if the device model has its own levels for controls and parameters */
  described: boolean;
  /** the levels of a row that has its own */
  own?: OwnLevels;
  /** the kind of command of an execution or batch */
  kind?: CommandKind;
  /** the kind of a link */
  linkKind?: LinkKind;
}

/** Finds rows by the IDs in a request: numbers, or UUIDs as text. Leaves out rows outside the scope of the caller. */
export type FindRows = (
  pool: Pick<Pool, 'query'>,
  caller: Pick<Caller, 'userId' | 'scope' | 'customerId' | 'levels' | 'root' | 'keys'>,
  ids: readonly (number | string)[],
) => Promise<FoundRow[]>;

/** One function for each kind of row. The module that owns the table provides it, as one prepared query. */
export type RowFinders = Record<RowType, FindRows>;
