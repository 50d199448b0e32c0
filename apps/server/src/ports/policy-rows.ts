import type { ExplainedType, ExplainReason, RowFacts, RowType } from '@chargehand/contract';
import type { Pool } from 'pg';
import type { Caller } from '../platform/http/caller.ts';
import type { PolicyRow } from '../platform/http/policy-row.ts';

/** A row with the facts that a policy needs. */
export interface FoundRow extends PolicyRow, RowFacts {
  customerId: number | null;
  /** the model of a device */
  deviceModelId?: number;
}

/** Finds rows by the IDs in a request: numbers, or UUIDs as text. Leaves out rows outside the scope of the caller. */
export type FindRows = (
  pool: Pick<Pool, 'query'>,
  caller: Pick<Caller, 'userId' | 'scope' | 'customerId' | 'levels' | 'root' | 'keys'>,
  ids: readonly (number | string)[],
) => Promise<FoundRow[]>;

/** One function for each kind of row. The module that owns the table provides it, as one prepared query. */
export type RowFinders = Record<RowType, FindRows>;

/** What an explanation shows about a row, for any reader. */
export interface RowPlace {
  /** its name, then those of its site and customer */
  names: string[];
  /** null: of the platform */
  customerId: number | null;
  /** null: of the whole customer; missing if sites do not decide who sees the row */
  siteId?: number | null;
  /** why users do not see the row although they see its customer and site */
  hidden?: ExplainReason;
}

/** The place of a row; null if there is none, or if the caller may never learn about it. */
export type FindPlace = (
  pool: Pick<Pool, 'query'>,
  caller: Pick<Caller, 'root' | 'platformVendor'>,
  id: number,
) => Promise<RowPlace | null>;

/** One function for each kind of row that an explanation can be about, of the module that owns the table. */
export type RowPlaces = Record<ExplainedType, FindPlace>;

/** The place of a row of a customer, with its own name and the names of its site and customer, if it has them. */
export function namedPlace(row: {
  name: string;
  customerId: number | null;
  customerName: string | null;
  siteId?: number | null;
  siteName?: string | null;
}): RowPlace {
  const names = [row.name, row.siteName, row.customerName].filter((name) => typeof name === 'string');
  return { names, customerId: row.customerId, ...('siteId' in row && { siteId: row.siteId ?? null }) };
}
