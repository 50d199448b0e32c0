import { type FileLevels, type Level, levelSuffices, TOP_WRITE_LEVEL } from '@chargehand/domain';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { idArray, ofSeenCustomers } from '../platform/database/scope.ts';
import type { Caller } from '../platform/http/caller.ts';
import { Problem } from '../platform/http/problem.ts';

/** A user, as far as it decides which files and folders they see. */
export type Viewer = Pick<Caller, 'scope' | 'customerId' | 'levels'>;
type Writer = Pick<Caller, 'levels' | 'platformVendor' | 'readOnly'>;

/**
 * The files `a` that a caller may see, like the row finder. Their customers are those in the caller's scope; for users
 * with assigned sites their own and those of their sites.
 */
export function visibleFiles(viewer: Viewer): RawBuilder<SqlBool> {
  const { sites } = viewer.scope;
  const bySite = sites === 'all' ? sql`` : sql`and (a.site_id is null or a.site_id = any(${idArray(sites)}))`;
  return sql<SqlBool>`(a.read_level >= ${viewer.levels.attachment.read} ${bySite} and ${ofSeenCustomers(viewer, 'a.customer_id')})`;
}

/** The files `a` that a caller may change, of those that they see: like `mayWrite`, and not managed by another page. */
export function changeableFiles(caller: Writer): RawBuilder<SqlBool> {
  if (caller.readOnly) return sql<SqlBool>`false`;
  const owned = caller.platformVendor ? sql`` : sql`and a.customer_id is not null`;
  return sql<SqlBool>`(a.write_level >= ${caller.levels.attachment.write} ${owned}
    and a.firmware_id is null and a.device_log_id is null)`;
}

/** The folders `f` that a caller may see. */
export function visibleFolders(viewer: Viewer): RawBuilder<SqlBool> {
  return sql<SqlBool>`(f.read_level >= ${viewer.levels.attachment.read} and ${ofSeenCustomers(viewer, 'f.customer_id')})`;
}

/** A row with levels that belongs to a customer or to the platform. */
export interface OwnedRow {
  customerId: number | null;
  writeLevel: Level;
}

/** True when a caller may change a file or a folder that they see. Only the vendor's staff changes those of the platform. */
export function mayWrite(caller: Writer, row: OwnedRow): boolean {
  return (
    !caller.readOnly && mayOwn(caller, row.customerId) && levelSuffices(caller.levels.attachment.write, row.writeLevel)
  );
}

/** @throws {Problem} noPermission */
export function requireWrite(caller: Writer, row: OwnedRow): void {
  if (!mayWrite(caller, row)) throw new Problem('noPermission');
}

/** True when a caller may add rows for an owner: a customer, or the platform. */
function mayOwn(caller: Pick<Caller, 'platformVendor'>, customerId: number | null): boolean {
  return customerId !== null || caller.platformVendor;
}

/** The levels of a row with the names of the domain. */
export function levelsOf(row: { readLevel: Level; writeLevel: Level; downloadLevel: Level }): FileLevels {
  return { read: row.readLevel, write: row.writeLevel, download: row.downloadLevel };
}

/** The caller may add files and folders outside of any folder. @throws {Problem} noPermission */
export function requireTop(caller: Caller, customerId: number | null): void {
  const sees = customerId === null || customerId === caller.customerId || isInScope(caller, customerId);
  if (!sees || !mayWrite(caller, { customerId, writeLevel: TOP_WRITE_LEVEL })) throw new Problem('noPermission');
}

/** Only customers that are in the scope as a whole: a user with assigned sites adds files of their own customer. */
function isInScope({ scope }: Caller, customerId: number): boolean {
  return scope.sites === 'all' && (scope.customers === 'all' || scope.customers.includes(customerId));
}
