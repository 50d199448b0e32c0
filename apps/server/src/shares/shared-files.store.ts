import type { Level } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../platform/database/schema.ts';

/** A stored file as shares see it. */
export interface SharedFile {
  id: number;
  name: string;
  size: number;
  /** the level that is needed to download it */
  level: Level;
  /** changes with its content */
  etag: string;
  /** when it was stored */
  at: Date;
  /** null outside of folders */
  folderId: number | null;
  /** the firmware or device log that it belongs to */
  firmwareId: number | null;
  deviceLogId: number | null;
}

/** A folder as shares see it. */
export interface SharedFolderEntry {
  id: number;
  name: string;
  level: Level;
}

/** A file that is not in the trash. */
export async function findFile(db: Kysely<Database>, id: number): Promise<SharedFile | null> {
  const { rows } = await sql<SharedFile>`
    select id, name, size, download_level as level, etag, created_at as at, folder_id as "folderId",
           firmware_id as "firmwareId", device_log_id as "deviceLogId"
      from attachments where id = ${id} and deleted_at is null`.execute(db);
  return rows[0] ?? null;
}

/**
 * The folders from a folder down to one below it, both included; null when it is not below, or one of them is in the
 * trash.
 */
export async function foldersBetween(
  db: Kysely<Database>,
  topId: number,
  folderId: number,
): Promise<SharedFolderEntry[] | null> {
  const { rows } = await sql<SharedFolderEntry & { deleted: boolean }>`
    with recursive up as (
      select id, parent_id, name, download_level, deleted_at, 0 as depth from folders where id = ${folderId}
      union all
      select f.id, f.parent_id, f.name, f.download_level, f.deleted_at, up.depth + 1
        from folders f join up on f.id = up.parent_id where up.id <> ${topId})
    select id, name, download_level as level, deleted_at is not null as deleted from up order by depth desc`.execute(
    db,
  );
  if (rows[0]?.id !== topId || rows.some(({ deleted }) => deleted)) return null;
  return rows.map(({ id, name, level }) => ({ id, name, level }));
}
