import { type FileLevels, type Level, levelSuffices, mayChangeOfSite, TOP_WRITE_LEVEL } from '@chargehand/domain';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { idArray, ofSeenCustomers } from '../platform/database/scope.ts';
import type { Caller } from '../platform/http/caller.ts';
import { Problem } from '../platform/http/problem.ts';

/** A user, as far as it decides which files and folders they see. */
export type Viewer = Pick<Caller, 'scope' | 'customerId' | 'levels'>;
type Writer = Pick<Caller, 'userId' | 'scope' | 'levels' | 'platformVendor' | 'readOnly'>;

/**
 * The files `a` that a caller may see, like the row finder. Their customers are those in the caller's scope; for users
 * with assigned sites their own and those of their sites.
 */
export function visibleFiles(viewer: Viewer): RawBuilder<SqlBool> {
  return visible(viewer, 'a');
}

function visible(viewer: Viewer, row: 'a' | 'f'): RawBuilder<SqlBool> {
  const { sites } = viewer.scope;
  const siteId = sql.ref(`${row}.site_id`);
  const bySite = sites === 'all' ? sql`` : sql`and (${siteId} is null or ${siteId} = any(${idArray(sites)}))`;
  return sql<SqlBool>`(${sql.ref(`${row}.read_level`)} >= ${viewer.levels.attachment.read} ${bySite}
    and ${ofSeenCustomers(viewer, `${row}.customer_id`)})`;
}

/** The files `a` that a caller may change, of those that they see: like `mayWrite`, and not managed by another page. */
export function changeableFiles(caller: Writer): RawBuilder<SqlBool> {
  if (caller.readOnly) return sql<SqlBool>`false`;
  return sql<SqlBool>`(${changeable(caller, 'a', sql`or a.uploaded_by = ${caller.userId}`)}
    and a.firmware_id is null and a.device_log_id is null)`;
}

/** The folders `f` that a caller may change, of those that they see: like `mayWrite`. */
export function changeableFolders(caller: Writer): RawBuilder<SqlBool> {
  return caller.readOnly ? sql<SqlBool>`false` : changeable(caller, 'f');
}

function changeable(caller: Writer, row: 'a' | 'f', own = sql``): RawBuilder<SqlBool> {
  const owned = caller.platformVendor ? sql`` : sql`and ${sql.ref(`${row}.customer_id`)} is not null`;
  const ofSite =
    caller.scope.sites === 'all'
      ? sql``
      : sql`and (${sql.ref(`${row}.site_id`)} is not null or ${sql.ref(`${row}.customer_id`)} is null ${own})`;
  return sql<SqlBool>`(${sql.ref(`${row}.write_level`)} >= ${caller.levels.attachment.write} ${owned} ${ofSite})`;
}

/** The folders `f` that a caller may see. */
export function visibleFolders(viewer: Viewer): RawBuilder<SqlBool> {
  return visible(viewer, 'f');
}

/** A row with levels that belongs to a customer or to the platform. */
export interface OwnedRow {
  customerId: number | null;
  siteId: number | null;
  /** who uploaded a file: they change it although it is for all sites */
  uploaderId?: number | null;
  writeLevel: Level;
}

/** True when a caller may change a file or a folder that they see. Only the vendor's staff changes those of the platform. */
export function mayWrite(caller: Writer, row: OwnedRow): boolean {
  const { customerId, siteId, uploaderId = null, writeLevel } = row;
  const ofSite = customerId === null || uploaderId === caller.userId || mayChangeOfSite(caller.scope, siteId);
  const levelHeld = levelSuffices(caller.levels.attachment.write, writeLevel);
  return !caller.readOnly && mayOwn(caller, customerId) && ofSite && levelHeld;
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

/**
 * The caller may add files and folders of a site, or for all sites (null), outside of any folder.
 * @throws {Problem} noPermission, attachmentSiteNeeded
 */
export function requireTop(caller: Caller, customerId: number | null, siteId: number | null): void {
  if (customerId !== null && siteId === null && caller.scope.sites !== 'all') throw new Problem('attachmentSiteNeeded');
  const sees = customerId === null || customerId === caller.customerId || isInScope(caller, customerId, siteId);
  const row = { customerId, siteId, writeLevel: TOP_WRITE_LEVEL };
  if (!sees || !mayWrite(caller, row)) throw new Problem('noPermission');
}

/** Only customers that are in the scope as a whole, unless it is about one site, which the caller must see. */
function isInScope({ scope }: Caller, customerId: number, siteId: number | null): boolean {
  const ofSite = scope.sites === 'all' || siteId !== null;
  return ofSite && (scope.customers === 'all' || scope.customers.includes(customerId));
}
