import type { Level, ScanState } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { UserRights } from '../access/index.ts';
import { visibleFiles, visibleFolders } from '../attachments/index.ts';
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
  scan: ScanState;
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

/** A file that is not in the trash. `viewer`: only when this user may see it. */
export async function findFile(db: Kysely<Database>, id: number, viewer?: UserRights): Promise<SharedFile | null> {
  const { rows } = await sql<SharedFile>`
    select a.id, a.name, a.size, a.download_level as level, a.etag, a.created_at as at, a.scan_state as scan,
           a.folder_id as "folderId", a.firmware_id as "firmwareId", a.device_log_id as "deviceLogId"
      from attachments a
     where a.id = ${id} and a.deleted_at is null ${viewer ? sql`and ${visibleFiles(viewer)}` : sql``}`.execute(db);
  return rows[0] ?? null;
}

/**
 * The folders from a folder down to one below it, both included; null when it is not below, or when one of them is in
 * the trash or hidden from the viewer.
 */
export async function foldersBetween(
  db: Kysely<Database>,
  viewer: UserRights,
  topId: number,
  folderId: number,
): Promise<SharedFolderEntry[] | null> {
  const { rows } = await sql<SharedFolderEntry & { open: boolean }>`
    with recursive up as (
      select id, parent_id, 0 as depth from folders where id = ${folderId}
      union all
      select above.id, above.parent_id, up.depth + 1
        from folders above join up on above.id = up.parent_id where up.id <> ${topId})
    select f.id, f.name, f.download_level as level, f.deleted_at is null and ${visibleFolders(viewer)} as open
      from up join folders f on f.id = up.id order by up.depth desc`.execute(db);
  if (rows[0]?.id !== topId || !rows.every(({ open }) => open)) return null;
  return rows.map(({ id, name, level }) => ({ id, name, level }));
}
