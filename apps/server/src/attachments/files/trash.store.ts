import { TRASH_DAYS } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { changeableFiles, changeableFolders, visibleFiles, visibleFolders } from '../visible.ts';
import { isOf } from './files.store.ts';

/** Moves a file to the trash. */
export async function trashFile(trx: Kysely<Database>, id: number, by: string): Promise<void> {
  await sql`update attachments set deleted_at = now(), deleted_by_name = ${by} where id = ${id}`.execute(trx);
}

/** Marks a file as not deleted. */
export async function untrashFile(trx: Kysely<Database>, id: number): Promise<void> {
  await sql`update attachments set deleted_at = null, deleted_by_name = null where id = ${id}`.execute(trx);
}

/** A file that was deleted for good. Its object can be removed unless a copy shares it. */
export interface DeletedFile {
  id: number;
  name: string;
  size: number;
  customerId: number | null;
  siteId: number | null;
  key: string;
}

const DELETED = sql`a.id, a.name, a.size, a.customer_id as "customerId", a.site_id as "siteId", a.object_key as key`;

/** Deletes the files in the trash that a user may change. Returns them. */
export async function deleteTrashedFiles(
  trx: Kysely<Database>,
  caller: Caller,
  customerId: number | null,
  limit: number,
): Promise<DeletedFile[]> {
  const { rows } = await sql<DeletedFile>`
    delete from attachments a where a.id in (
      select a.id from attachments a
       where a.deleted_at is not null and ${visibleFiles(caller)} and ${changeableFiles(caller)}
         and ${isOf('a.customer_id', customerId)} limit ${limit})
    returning ${DELETED}`.execute(trx);
  return rows;
}

/** A folder that was deleted for good. */
export type DeletedFolder = Pick<DeletedFile, 'id' | 'name' | 'customerId' | 'siteId'>;

/** Deletes the folders in the trash that a user may change and that are empty, deepest first. Returns them. */
export async function deleteTrashedFolders(
  trx: Kysely<Database>,
  caller: Caller,
  customerId: number | null,
): Promise<DeletedFolder[]> {
  const deleted: DeletedFolder[] = [];
  for (;;) {
    const { rows } = await sql<DeletedFolder>`
      delete from folders f
       where f.deleted_at is not null and ${visibleFolders(caller)} and ${changeableFolders(caller)}
         and ${isOf('f.customer_id', customerId)} and ${EMPTY}
      returning f.id, f.name, f.customer_id as "customerId", f.site_id as "siteId"`.execute(trx);
    if (rows.length === 0) return deleted;
    deleted.push(...rows);
  }
}

const EMPTY = sql`
  not exists (select from attachments a where a.folder_id = f.id)
  and not exists (select from folders child where child.parent_id = f.id)`;

/** Deletes files that have been in the trash for 30 days at a time. Returns a batch of them. */
export async function deleteOldFiles(db: Kysely<Database>, now: Date, limit: number): Promise<DeletedFile[]> {
  const { rows } = await sql<DeletedFile>`
    delete from attachments a where a.id in (
      select id from attachments where deleted_at < ${daysBefore(now)} limit ${limit} for update skip locked)
    returning ${DELETED}`.execute(db);
  return rows;
}

/** Deletes drafts that no issue got before a time. Returns a batch of them. */
export async function deleteOldDrafts(db: Kysely<Database>, before: Date, limit: number): Promise<DeletedFile[]> {
  const { rows } = await sql<DeletedFile>`
    delete from attachments a where a.id in (
      select d.id from attachments d
       where d.draft and d.created_at < ${before}
         and not exists (select from attachment_uses u where u.attachment_id = d.id)
       limit ${limit} for update of d skip locked)
    returning ${DELETED}`.execute(db);
  return rows;
}

/** Deletes the empty folders that have been in the trash for 30 days. Returns their number. */
export async function deleteOldFolders(db: Kysely<Database>, now: Date): Promise<number> {
  let count = 0;
  for (;;) {
    const { numAffectedRows } = await sql`
      delete from folders f where f.deleted_at < ${daysBefore(now)} and ${EMPTY}`.execute(db);
    if (!numAffectedRows) return count;
    count += Number(numAffectedRows);
  }
}

function daysBefore(now: Date): Date {
  return new Date(now.getTime() - TRASH_DAYS * 24 * 60 * 60_000);
}

/** The given keys that no file has, and that no upload is moved to. */
export async function unusedAttachmentKeys(db: Kysely<Database>, keys: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select key from unnest(${[...keys]}::text[]) key
     where not exists (select from attachments where bucket = 'main' and object_key = key)
       and not exists (select from attachment_arrivals where object_key = key)`.execute(db);
  return rows.map(({ key }) => key);
}
