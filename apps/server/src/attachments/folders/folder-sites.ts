import { isOfOtherSite } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { Problem } from '../../platform/http/problem.ts';
import { requireWrite } from '../visible.ts';
import type { FolderRecord } from './folders.store.ts';

/** True for files `a` of a device or an issue: their site is that of the device, whatever their folder is. */
const OF_OBJECT = sql<boolean>`(a.device_log_id is not null or exists (
  select from attachment_uses u where u.attachment_id = a.id and u.kind in ('device', 'issue')))`;

/**
 * A file or a folder may belong to a site: it is that of its folder if this has one, and otherwise a site of the
 * customer that the caller may change.
 * @param entered the site that the user entered; undefined: none
 * @throws {Problem} attachmentOtherSite, attachmentSiteUnknown, attachmentSiteNeeded
 */
export async function requireSite(
  trx: Kysely<Database>,
  caller: Caller,
  place: {
    customerId: number | null;
    siteId: number | null;
    folder: Pick<FolderRecord, 'siteId'> | undefined;
    entered: number | null | undefined;
  },
): Promise<void> {
  const { customerId, siteId, folder, entered } = place;
  const within = folder?.siteId ?? null;
  if (entered !== undefined && within !== null && entered !== within) {
    throw new Problem('attachmentOtherSite', { field: 'siteId' });
  }
  if (siteId === null) {
    if (customerId !== null && caller.scope.sites !== 'all') throw new Problem('attachmentSiteNeeded');
    return;
  }
  const { rows } = await sql`select from sites where id = ${siteId} and customer_id = ${customerId}`.execute(trx);
  if (rows.length === 0) throw new Problem('attachmentSiteUnknown', { field: 'siteId' });
  requireWrite(caller, { customerId, siteId, writeLevel: 5 });
}

/** True for a file whose site is that of its device or issue. */
export async function isOfObject(trx: Kysely<Database>, id: number): Promise<boolean> {
  const { rows } = await sql`select from attachments a where a.id = ${id} and ${OF_OBJECT}`.execute(trx);
  return rows.length > 0;
}

/** @throws {Problem} attachmentOtherSite */
export function requireOneSite(own: number | null, folder: number | null, field = 'folderId'): void {
  if (isOfOtherSite(own, folder)) throw new Problem('attachmentOtherSite', { field });
}

/**
 * Gives a folder and everything in it, also in the trash, another site; null opens it to all sites. Files of devices and
 * issues keep theirs. The caller holds the lock of its owner.
 * @throws {Problem} attachmentOtherSite when something in it belongs to a third site
 */
export async function setSite(
  trx: Kysely<Database>,
  id: number,
  before: number | null,
  after: number | null,
  field = 'siteId',
): Promise<void> {
  const below = sql`
    with recursive below as (
      select id, site_id from folders where id = ${id}
      union select child.id, child.site_id from folders child join below on child.parent_id = below.id)`;
  if (after !== null) {
    const { rows } = await sql`
      ${below} select from below where site_id <> ${after} and site_id is distinct from ${before}::int
      union all
      select from attachments a join below on a.folder_id = below.id
       where a.site_id <> ${after} and (a.site_id is distinct from ${before}::int or ${OF_OBJECT}) limit 1`.execute(
      trx,
    );
    if (rows.length > 0) throw new Problem('attachmentOtherSite', { field });
  }
  const changes = after === null ? sql`site_id = ${before}` : sql`site_id is distinct from ${after}`;
  await sql`
    ${below}, files as (
      update attachments a set site_id = ${after} from below
       where a.folder_id = below.id and a.${changes} and (${after !== null} or not ${OF_OBJECT}))
    update folders f set site_id = ${after} from below where f.id = below.id and f.${changes}`.execute(trx);
}
