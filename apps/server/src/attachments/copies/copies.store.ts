import type { FileLevels } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { visibleFiles } from '../visible.ts';

/** A folder and its copy. */
export interface CopiedFolder {
  id: number;
  copyId: number;
}

/** Who makes the copies, and for whom. */
export interface CopyTarget {
  customerId: number | null;
  /** the site of all copies; null: each keeps its own, unless they go to another customer */
  siteId: number | null;
  keepsSites: boolean;
  /** the copies have at least these */
  levels: FileLevels;
  by: { userId: number; userName: string };
}

const copyable = (caller: Caller) => sql<boolean>`(
  a.download_level >= ${caller.levels.attachment.download} and a.scan_state <> 'infected'
  and a.firmware_id is null and a.device_log_id is null)`;

const siteOf = (row: 'a' | 'f', { siteId, keepsSites }: CopyTarget) =>
  keepsSites ? sql`coalesce(${siteId}::int, ${sql.ref(`${row}.site_id`)})` : sql`${siteId}::int`;

const raised = (row: 'a' | 'f', { read, write, download }: FileLevels) => sql`
  least(${sql.ref(`${row}.read_level`)}, ${read}::smallint), least(${sql.ref(`${row}.write_level`)}, ${write}::smallint),
  least(${sql.ref(`${row}.download_level`)}, ${download}::smallint)`;

/**
 * Counts the files in folders that a user can copy, and those that they only see. Until the end of the transaction none
 * of them is deleted for good, which would remove the object that the copy shares.
 */
export async function lockFilesIn(
  trx: Kysely<Database>,
  caller: Caller,
  folderIds: readonly number[],
): Promise<{ files: number; bytes: number; skipped: number }> {
  const { rows } = await sql<{ files: number; bytes: number; skipped: number }>`
    with seen as materialized (
      select a.size, ${copyable(caller)} as copied from attachments a
       where a.folder_id = any(${[...folderIds]}::int[]) and a.deleted_at is null and ${visibleFiles(caller)}
         for key share)
    select count(*) filter (where copied) as files, coalesce(sum(size) filter (where copied), 0)::bigint as bytes,
           count(*) filter (where not copied) as skipped
      from seen`.execute(trx);
  return rows[0]!;
}

/** Copies folders into the copies of their parents. Returns the folders with their copies. */
export async function copyFolders(
  trx: Kysely<Database>,
  folders: readonly { id: number; parentCopyId: number }[],
  target: CopyTarget,
): Promise<CopiedFolder[]> {
  const { customerId, levels, by } = target;
  const ids = folders.map(({ id }) => id);
  const parents = folders.map(({ parentCopyId }) => parentCopyId);
  const { rows } = await sql<CopiedFolder>`
    with source as (
      select f.*, s.parent from unnest(${ids}::int[], ${parents}::int[]) s(id, parent) join folders f on f.id = s.id),
    copies as (
      insert into folders (parent_id, customer_id, site_id, name, name_key, description, read_level, write_level, download_level,
                           created_by, created_by_name)
      select f.parent, ${customerId}::int, ${siteOf('f', target)}, f.name, f.name_key, f.description, ${raised('f', levels)}, ${by.userId}::int,
             ${by.userName}
        from source f
      returning id, parent_id, name_key)
    select source.id, copies.id as "copyId" from copies
      join source on source.parent = copies.parent_id and source.name_key = copies.name_key`.execute(trx);
  return rows;
}

/** Copies the files in folders that a user can copy. The copies share the objects of the files. */
export async function copyFilesIn(
  trx: Kysely<Database>,
  caller: Caller,
  folders: readonly CopiedFolder[],
  target: CopyTarget,
): Promise<void> {
  const { customerId, levels, by } = target;
  const ids = folders.map(({ id }) => id);
  const copies = folders.map(({ copyId }) => copyId);
  await sql`
    insert into attachments (folder_id, customer_id, site_id, name, name_key, description, size, media_type, type, bucket,
                             object_key, etag, read_level, write_level, download_level, scan_state, uploaded_by,
                             uploaded_by_name)
    select s.copy, ${customerId}::int, ${siteOf('a', target)}, a.name, a.name_key, a.description, a.size, a.media_type, a.type,
           a.bucket, a.object_key, a.etag, ${raised('a', levels)}, a.scan_state, ${by.userId}::int, ${by.userName}
      from unnest(${ids}::int[], ${copies}::int[]) s(id, copy) join attachments a on a.folder_id = s.id
     where a.deleted_at is null and ${visibleFiles(caller)} and ${copyable(caller)}`.execute(trx);
}

/** Keeps a file from being deleted for good until the end of the transaction. False when it is gone. */
export async function lockFile(trx: Kysely<Database>, id: number): Promise<boolean> {
  const { rows } = await sql`select from attachments where id = ${id} for key share`.execute(trx);
  return rows.length > 0;
}
