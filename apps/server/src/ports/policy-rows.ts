import type { RowThing } from '@chargehand/contract';
import type { CommandKind, ModelLevels } from '@chargehand/domain';
import type { Pool } from 'pg';
import type { Caller } from './caller.ts';

/** A row that a call names and its caller sees, with what policies decide by. */
export interface PolicyRow {
  /** as the call names it */
  id: number | string;
  /** whose row it is; null for rows of the platform */
  customerId: number | null;
  /** the device itself, where it is the row */
  device?: { id: number; sn: string; deviceModelId: number };
  /** the user of a user or a session */
  userId?: number;
  /** the levels that the model of the device sets, or that were recorded for a batch; null where no model counts */
  model: ModelLevels | null;
  /** the model has a description, which sets the level of each control and parameter */
  described: boolean;
  /** the kind of command of an execution or batch */
  kind?: CommandKind;
}

/** The ids as the call names them: numbers, or the text of a UUID. */
export type FindRows = (
  pool: Pick<Pool, 'query'>,
  caller: Pick<Caller, 'scope' | 'customerId'>,
  ids: readonly (number | string)[],
) => Promise<PolicyRow[]>;

/**
 * How the rows of each thing are found within a scope. The room that owns the table provides the function: one prepared
 * query, whatever the number of ids. Rows out of scope are left out.
 */
export type RowFinders = Record<RowThing, FindRows>;
