import type { RowThing } from '@chargehand/contract';
import type { Pool } from 'pg';
import type { Caller } from '../platform/http/caller.ts';
import type { PolicyRow } from '../platform/http/policy-row.ts';

/** Finds rows by the IDs in a request: numbers, or UUIDs as text. Leaves out rows outside the scope of the caller. */
export type FindRows = (
  pool: Pick<Pool, 'query'>,
  caller: Pick<Caller, 'scope' | 'customerId'>,
  ids: readonly (number | string)[],
) => Promise<PolicyRow[]>;

/** One function for each kind of row. The module that owns the table provides it, as one prepared query. */
export type RowFinders = Record<RowThing, FindRows>;
