import type { AttachmentType, AttachmentUse, FileLevels, Level, ScanState } from '@chargehand/domain';
import { nameKey } from '@chargehand/domain';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { naturally } from '../../platform/database/order/natural-order.ts';
import { anywhere, beginning } from '../../platform/database/patterns.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { ListOrder } from '../../platform/http/serve/list-queries.ts';
import { changeableFiles, type Viewer, visibleFiles, visibleFolders } from '../visible.ts';

export interface FileRecord {
  id: number;
  folderId: number | null;
  folder: string | null;
  customerId: number | null;
  customer: string | null;
  siteId: number | null;
  site: string | null;
  name: string;
  description: string;
  size: number;
  mediaType: string;
  type: AttachmentType;
  bucket: 'main' | 'firmware';
  objectKey: string;
  etag: string;
  readLevel: Level;
  writeLevel: Level;
  downloadLevel: Level;
  scan: ScanState;
  virus: string | null;
  firmwareId: number | null;
  deviceLogId: number | null;
  uses: number;
  uploaderId: number | null;
  uploadedBy: string;
  createdAt: Date;
  deletedAt: Date | null;
  deletedBy: string | null;
}

const COLUMNS = sql`
  a.id, a.folder_id as "folderId", f.name as folder, a.customer_id as "customerId", c.name as customer,
  a.site_id as "siteId", s.name as site, a.name, a.description, a.size, a.media_type as "mediaType", a.type, a.bucket,
  a.object_key as "objectKey", a.etag, a.read_level as "readLevel", a.write_level as "writeLevel",
  a.download_level as "downloadLevel", a.scan_state as scan, a.virus, a.firmware_id as "firmwareId",
  a.device_log_id as "deviceLogId", (select count(*) from attachment_uses u where u.attachment_id = a.id and u.ended_at is null) as uses,
  a.uploaded_by as "uploaderId", a.uploaded_by_name as "uploadedBy", a.created_at as "createdAt", a.deleted_at as "deletedAt",
  a.deleted_by_name as "deletedBy"`;
/** Files with the names of their folders, without those that a viewer may not see, such as above a file in the trash. */
const joined = (viewer: Viewer | null) => sql`
  attachments a left join folders f on f.id = a.folder_id and ${viewer ? visibleFolders(viewer) : sql`true`}
  left join customers c on c.id = a.customer_id left join sites s on s.id = a.site_id`;

export interface FileFilters {
  search?: string | undefined;
  type?: AttachmentType | undefined;
  folderId?: number | undefined;
  below?: boolean | undefined;
  customerId?: number | undefined;
  uploadedBy?: string | undefined;
  use?: { kind: AttachmentUse; objectId: number } | undefined;
  trash?: boolean | undefined;
}

export type FileSort = 'name' | 'size' | 'type' | 'uploadedBy' | 'createdAt' | 'deletedAt';

const SORTED_BY: Record<FileSort, RawBuilder<unknown>> = {
  name: naturally(sql`a.name`),
  size: sql`a.size`,
  type: sql`a.type`,
  uploadedBy: sql`lower(a.uploaded_by_name)`,
  createdAt: sql`a.created_at`,
  deletedAt: sql`a.deleted_at`,
};

/** One page of the files that a user may see, and their total number. */
export async function listFiles(
  db: Kysely<Database>,
  caller: Caller,
  filters: FileFilters,
  order: ListOrder<FileSort>,
  page: { limit: number; offset: number },
): Promise<{ items: FileRecord[]; total: number }> {
  const where = matching(caller, filters);
  const direction = order.descending ? sql`desc` : sql`asc`;
  const [items, totals] = await Promise.all([
    // The page is cut before the joins, so that they are made for its rows only.
    sql<FileRecord>`
      with page as materialized (
        select a.id, row_number() over () as place from (
          select a.id from attachments a where ${where}
           order by ${SORTED_BY[order.by]} ${direction}, a.id ${direction}
           limit ${page.limit} offset ${page.offset}) a)
      select ${COLUMNS} from page join ${joined(caller)} on a.id = page.id order by page.place`.execute(db),
    sql<{ total: number }>`select count(*) as total from attachments a where ${where}`.execute(db),
  ]);
  return { items: items.rows, total: totals.rows[0]?.total ?? 0 };
}

/** A file of the open API. */
export type FileAfter = Pick<FileRecord, 'id' | 'name' | 'size' | 'mediaType' | 'customerId' | 'createdAt'> & {
  added: number;
};

/** The files of all folders that a user may see, added after one. */
export async function listFilesAfter(
  db: Kysely<Database>,
  caller: Caller,
  { after, limit }: { after: number; limit: number },
): Promise<FileAfter[]> {
  const { rows } = await sql<FileAfter>`
    select a.id, a.name, a.size, a.media_type as "mediaType", a.customer_id as "customerId", a.created_at as "createdAt",
           a.added
      from attachments a
     where ${visibleFiles(caller)} and a.deleted_at is null and not a.draft and a.added > ${after}
     order by a.added limit ${limit}`.execute(db);
  return rows;
}

/** The ids and names of matching files that a user may change, at most `limit`. */
export async function selectFiles(
  db: Kysely<Database>,
  caller: Caller,
  filters: FileFilters,
  limit: number,
): Promise<{ id: number; name: string }[]> {
  const { rows } = await sql<{ id: number; name: string }>`
    select a.id, a.name from attachments a
     where ${matching(caller, filters)} and ${changeableFiles(caller)} order by a.added limit ${limit}`.execute(db);
  return rows;
}

function matching(caller: Caller, filters: FileFilters): RawBuilder<SqlBool> {
  const { search, type, folderId, below, customerId, uploadedBy, use, trash } = filters;
  const deleted = trash ? sql`a.deleted_at is not null` : sql`a.deleted_at is null`;
  const conditions = [visibleFiles(caller), deleted, sql`not a.draft`];
  // Customers read them in the documents; among their own files they are in the way.
  if (use === undefined && !caller.platformVendor && !caller.root) {
    conditions.push(sql`not (a.customer_id is null and a.folder_id is null and exists (
      select from attachment_uses u where u.attachment_id = a.id and u.kind = 'document'))`);
  }
  if (search !== undefined) conditions.push(sql`a.name_key like ${anywhere(nameKey(search))}`);
  if (type !== undefined) conditions.push(sql`a.type = ${type}`);
  if (customerId !== undefined) conditions.push(sql`a.customer_id = ${customerId}`);
  if (uploadedBy !== undefined) conditions.push(sql`a.uploaded_by_name ilike ${anywhere(uploadedBy)}`);
  if (use !== undefined) {
    conditions.push(sql`exists (
      select from attachment_uses u
       where u.attachment_id = a.id and u.ended_at is null and u.kind = ${use.kind} and u.object_id = ${use.objectId})`);
  }
  if (folderId !== undefined) {
    conditions.push(
      below
        ? sql`a.folder_id = any(array(
            with recursive below as (
              select id from folders where id = ${folderId}
              union select child.id from folders child join below on child.parent_id = below.id)
            select id from below))`
        : sql`a.folder_id = ${folderId}`,
    );
  } else if (!below && !trash && use === undefined) conditions.push(sql`a.folder_id is null`);
  return sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}

/** A file that a user may see; null when there is none. */
export async function findFile(db: Kysely<Database>, caller: Caller, id: number): Promise<FileRecord | null> {
  const { rows } = await sql<FileRecord>`
    select ${COLUMNS} from ${joined(caller)} where a.id = ${id} and ${visibleFiles(caller)}`.execute(db);
  return rows[0] ?? null;
}

/** A file by id for callers that are authorized elsewhere. */
export async function readFile(db: Kysely<Database>, id: number): Promise<FileRecord | null> {
  const { rows } = await sql<FileRecord>`select ${COLUMNS} from ${joined(null)} where a.id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/** Files by their ids for callers that are authorized elsewhere. */
export async function readFiles(db: Kysely<Database>, ids: readonly number[]): Promise<FileRecord[]> {
  const { rows } = await sql<FileRecord>`
    select ${COLUMNS} from ${joined(null)} where a.id = any(${[...ids]}::bigint[])`.execute(db);
  return rows;
}

/** The first key of the locks of `lockOwner`, which no other module uses. */
const OWNER_LOCK = 250;

/**
 * Makes changes of the files and folders of one customer, or of the platform, wait for each other until the end of the
 * transaction: their names, tree, levels and space depend on each other.
 */
export async function lockOwner(trx: Kysely<Database>, customerId: number | null): Promise<void> {
  await sql`select pg_advisory_xact_lock(${OWNER_LOCK}, ${customerId ?? 0})`.execute(trx);
}

export function isOf(column: string, id: number | null): RawBuilder<SqlBool> {
  return id === null ? sql<SqlBool>`${sql.ref(column)} is null` : sql<SqlBool>`${sql.ref(column)} = ${id}`;
}

/** The keys of the names in a folder that begin like a name, to find a free one. */
export async function takenNames(
  trx: Kysely<Database>,
  place: { customerId: number | null; folderId: number | null },
  name: string,
  exceptId = 0,
): Promise<Set<string>> {
  // A numbered name begins with the first part of the name, of which a long one keeps most.
  const stem = nameKey(name)
    .replace(/\.[^.]*$/, '')
    .slice(0, 60);
  const { rows } = await sql<{ key: string }>`
    select name_key as key from attachments a
     where ${isOf('a.customer_id', place.customerId)} and ${isOf('a.folder_id', place.folderId)}
       and a.deleted_at is null and a.firmware_id is null and a.device_log_id is null
       and a.name_key like ${beginning(stem)} and a.id <> ${exceptId}`.execute(trx);
  return new Set(rows.map(({ key }) => key));
}

export interface NewFile {
  folderId: number | null;
  customerId: number | null;
  siteId: number | null;
  name: string;
  description: string;
  size: number;
  mediaType: string;
  type: AttachmentType;
  objectKey: string;
  etag: string;
  levels: FileLevels;
  scan: ScanState;
  draft?: boolean;
  uploadedBy: number | null;
  uploadedByName: string;
}

/** Adds a file. The caller holds the lock of its owner. Returns its id. */
export async function insertFile(trx: Kysely<Database>, file: NewFile): Promise<number> {
  const row = trx.insertInto('attachments').values({
    ...{ folder_id: file.folderId, customer_id: file.customerId, site_id: file.siteId },
    ...{ name: file.name, name_key: nameKey(file.name), description: file.description },
    ...{ size: file.size, media_type: file.mediaType, type: file.type, etag: file.etag },
    ...{ bucket: 'main', object_key: file.objectKey, scan_state: file.scan, draft: file.draft ?? false },
    ...levelColumns(file.levels),
    ...{ uploaded_by: file.uploadedBy, uploaded_by_name: file.uploadedByName },
  });
  return (await row.returning('id').executeTakeFirstOrThrow()).id;
}

export interface FileChange {
  name?: string;
  description?: string;
  type?: AttachmentType;
  folderId?: number | null;
  siteId?: number | null;
  levels?: FileLevels;
}

/** Changes a file, which is no draft from then on. The caller holds the lock of its owner. */
export async function updateFile(trx: Kysely<Database>, id: number, change: FileChange): Promise<void> {
  const { name, description, type, folderId, siteId, levels } = change;
  await trx
    .updateTable('attachments')
    .set({
      draft: false,
      ...(name === undefined ? {} : { name, name_key: nameKey(name) }),
      ...(description === undefined ? {} : { description }),
      ...(type === undefined ? {} : { type }),
      ...(folderId === undefined ? {} : { folder_id: folderId }),
      ...(siteId === undefined ? {} : { site_id: siteId }),
      ...(levels === undefined ? {} : levelColumns(levels)),
    })
    .where('id', '=', id)
    .execute();
}

/** Moves a file to another owner, out of its folder; a draft becomes a file. The caller holds the locks of both owners. */
export async function placeFile(
  trx: Kysely<Database>,
  id: number,
  { customerId, siteId, name }: { customerId: number; siteId: number | null; name: string },
): Promise<void> {
  await trx
    .updateTable('attachments')
    .set({ customer_id: customerId, site_id: siteId, folder_id: null, name, name_key: nameKey(name), draft: false })
    .where('id', '=', id)
    .execute();
}

export function levelColumns({ read, write, download }: FileLevels) {
  return { read_level: read, write_level: write, download_level: download };
}

/** Adds objects that use a file. */
export async function insertUse(trx: Kysely<Database>, id: number, kind: AttachmentUse, objectId: number) {
  await sql`
    insert into attachment_uses (attachment_id, kind, object_id) values (${id}, ${kind}, ${objectId})
    on conflict (attachment_id, kind, object_id) do update set ended_at = null`.execute(trx);
}

/** The space that the files of an owner use, without device logs and firmware, and its limit. */
export async function spaceOf(
  db: Kysely<Database>,
  customerId: number | null,
  fallback: number,
): Promise<{ files: number; used: number; limit: number }> {
  const { rows } = await sql<{ files: number; used: number; limit: number }>`
    select count(*) as files, coalesce(sum(a.size), 0)::bigint as used,
           coalesce((select bytes from attachment_quotas where customer_id = ${customerId}::int), ${fallback}::bigint) as limit
      from attachments a
     where ${isOf('a.customer_id', customerId)} and a.firmware_id is null and a.device_log_id is null`.execute(db);
  return rows[0]!;
}

export async function storeQuota(trx: Kysely<Database>, customerId: number, bytes: number): Promise<void> {
  await sql`
    insert into attachment_quotas (customer_id, bytes) values (${customerId}, ${bytes})
    on conflict (customer_id) do update set bytes = excluded.bytes`.execute(trx);
}
