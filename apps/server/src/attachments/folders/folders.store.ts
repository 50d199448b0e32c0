import { type FileLevels, type FolderPlace, type Level, nameKey } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import { naturally } from '../../platform/database/order/natural-order.ts';
import { beginning } from '../../platform/database/patterns.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { isOf, levelColumns } from '../files/files.store.ts';
import { visibleFiles, visibleFolders } from '../visible.ts';

export interface FolderRecord {
  id: number;
  parentId: number | null;
  customerId: number | null;
  /** the site whose users see it with everything in it; null: all sites of the customer */
  siteId: number | null;
  name: string;
  description: string;
  readLevel: Level;
  writeLevel: Level;
  downloadLevel: Level;
  createdBy: string;
  createdAt: Date;
  deletedAt: Date | null;
  deletedBy: string | null;
}

const COLUMNS = sql`
  f.id, f.parent_id as "parentId", f.customer_id as "customerId", f.site_id as "siteId", f.name, f.description,
  f.read_level as "readLevel", f.write_level as "writeLevel", f.download_level as "downloadLevel", f.created_by_name as "createdBy",
  f.created_at as "createdAt", f.deleted_at as "deletedAt", f.deleted_by_name as "deletedBy"`;

/** A folder with the names of its owner and its site, and the number of its files. */
export type ListedFolder = FolderRecord & { customer: string | null; site: string | null; files: number };

/** The folders that a user may see, or those in the trash, with the number of files in each that they see. */
export async function listFolders(
  db: Kysely<Database>,
  caller: Caller,
  filters: { customerId?: number | undefined; trash?: boolean | undefined },
): Promise<ListedFolder[]> {
  const { customerId, trash } = filters;
  const { rows } = await sql<ListedFolder>`
    select ${COLUMNS}, c.name as customer, s.name as site, coalesce(counted.files, 0) as files
      from folders f left join customers c on c.id = f.customer_id left join sites s on s.id = f.site_id
      left join (
        select a.folder_id, count(*) as files from attachments a
         where a.folder_id is not null and ${trash ? sql`a.deleted_at is not null` : sql`a.deleted_at is null`}
           and ${visibleFiles(caller)}
         group by a.folder_id) counted on counted.folder_id = f.id
     where ${visibleFolders(caller)} and ${trash ? sql`f.deleted_at is not null` : sql`f.deleted_at is null`}
           ${customerId === undefined ? sql`` : sql`and f.customer_id = ${customerId}`}
     order by ${naturally(sql`f.name`)}, f.id`.execute(db);
  return rows;
}

/** All folders of an owner that are not in the trash. */
export async function foldersOf(db: Kysely<Database>, customerId: number | null): Promise<FolderRecord[]> {
  const { rows } = await sql<FolderRecord>`
    select ${COLUMNS} from folders f where ${isOf('f.customer_id', customerId)} and f.deleted_at is null`.execute(db);
  return rows;
}

/** A folder that a user may see, also in the trash; null when there is none. */
export async function findFolder(db: Kysely<Database>, caller: Caller, id: number): Promise<FolderRecord | null> {
  const { rows } = await sql<FolderRecord>`
    select ${COLUMNS} from folders f where f.id = ${id} and ${visibleFolders(caller)}`.execute(db);
  return rows[0] ?? null;
}

/** A folder by id for callers that are authorized elsewhere; null when it is deleted. */
export async function readFolder(db: Kysely<Database>, id: number): Promise<FolderRecord | null> {
  const { rows } = await sql<FolderRecord>`
    select ${COLUMNS} from folders f where f.id = ${id} and f.deleted_at is null`.execute(db);
  return rows[0] ?? null;
}

export interface NewFolder {
  parentId: number | null;
  customerId: number | null;
  siteId: number | null;
  name: string;
  description: string;
  levels: FileLevels;
  createdBy: number;
  createdByName: string;
}

export async function insertFolder(trx: Kysely<Database>, folder: NewFolder): Promise<number> {
  const row = trx.insertInto('folders').values({
    ...{ parent_id: folder.parentId, customer_id: folder.customerId, site_id: folder.siteId },
    ...{ name: folder.name, name_key: nameKey(folder.name), description: folder.description },
    ...levelColumns(folder.levels),
    ...{ created_by: folder.createdBy, created_by_name: folder.createdByName },
  });
  return (await row.returning('id').executeTakeFirstOrThrow()).id;
}

export async function updateFolder(
  trx: Kysely<Database>,
  id: number,
  {
    name,
    description,
    parentId,
    levels,
  }: { name?: string; description?: string; parentId?: number | null; levels?: FileLevels },
): Promise<void> {
  await trx
    .updateTable('folders')
    .set({
      ...(name === undefined ? {} : { name, name_key: nameKey(name) }),
      ...(description === undefined ? {} : { description }),
      ...(parentId === undefined ? {} : { parent_id: parentId }),
      ...(levels === undefined ? {} : levelColumns(levels)),
    })
    .where('id', '=', id)
    .execute();
}

/** Raises the levels of folders and of the files in them to at least these. */
export async function raiseLevels(trx: Kysely<Database>, folderIds: readonly number[], levels: FileLevels) {
  const { read, write, download } = levels;
  const raised = sql`
    read_level = least(read_level, ${read}::smallint), write_level = least(write_level, ${write}::smallint),
    download_level = least(download_level, ${download}::smallint)`;
  const lower = sql`(read_level > ${read} or write_level > ${write} or download_level > ${download})`;
  const ids = [...folderIds];
  await sql`update folders set ${raised} where id = any(${ids}::int[]) and ${lower}`.execute(trx);
  await sql`update attachments set ${raised} where folder_id = any(${ids}::int[]) and ${lower}`.execute(trx);
}

/** True when folders, or files in them, need a higher write level than the user holds. */
export async function holdProtected(
  trx: Kysely<Database>,
  folderIds: readonly number[],
  held: Level,
): Promise<boolean> {
  const ids = [...folderIds];
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from folders where id = any(${ids}::int[]) and write_level < ${held})
        or exists (select from attachments
                    where folder_id = any(${ids}::int[]) and deleted_at is null and write_level < ${held}) as found`.execute(
    trx,
  );
  return rows[0]!.found;
}

/** Moves folders and the files in them to the trash, all at the same time, by which they are restored together. */
export async function trashFolders(trx: Kysely<Database>, folderIds: readonly number[], by: string): Promise<number> {
  const ids = [...folderIds];
  const gone = sql`deleted_at = now(), deleted_by_name = ${by}`;
  await sql`update folders set ${gone} where id = any(${ids}::int[])`.execute(trx);
  const { numAffectedRows } = await sql`
    update attachments set ${gone} where folder_id = any(${ids}::int[]) and deleted_at is null`.execute(trx);
  return Number(numAffectedRows ?? 0);
}

/** A folder of the trash and those below it that were deleted with it. */
const DELETED_WITH = (id: number) => sql`
  below as (
    select id, parent_id, deleted_at from folders where id = ${id} and deleted_at is not null
    union
    select child.id, child.parent_id, child.deleted_at from folders child
      join below on child.parent_id = below.id and child.deleted_at = below.deleted_at)`;

/** The folders that are restored with a folder, itself included. */
export async function deletedWith(trx: Kysely<Database>, id: number): Promise<FolderPlace[]> {
  const { rows } = await sql<FolderPlace>`
    with recursive ${DELETED_WITH(id)} select id, parent_id as "parentId" from below`.execute(trx);
  return rows;
}

/** Restores a folder and everything below it that was deleted with it. Returns the ids of the folders. */
export async function restoreFolders(trx: Kysely<Database>, id: number): Promise<number[]> {
  // The time is compared in the database, because a date of JavaScript has milliseconds only.
  const { rows } = await sql<{ id: number }>`
    with recursive ${DELETED_WITH(id)},
    files as (
      update attachments a set deleted_at = null, deleted_by_name = null
        from below where a.folder_id = below.id and a.deleted_at = below.deleted_at)
    update folders f set deleted_at = null, deleted_by_name = null from below where f.id = below.id
    returning f.id`.execute(trx);
  return rows.map((row) => row.id);
}

/** The keys of the names of folders in a place that begin like a name. */
export async function takenFolderNames(
  trx: Kysely<Database>,
  place: { customerId: number | null; parentId: number | null },
  name: string,
): Promise<Set<string>> {
  const { rows } = await sql<{ key: string }>`
    select name_key as key from folders f
     where ${isOf('f.customer_id', place.customerId)} and ${isOf('f.parent_id', place.parentId)} and f.deleted_at is null
       and f.name_key like ${beginning(nameKey(name).slice(0, 60))}`.execute(trx);
  return new Set(rows.map(({ key }) => key));
}
