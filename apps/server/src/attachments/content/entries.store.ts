import type { Level, ScanState } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import { naturally } from '../../platform/database/order/natural-order.ts';
import type { Database } from '../../platform/database/schema.ts';
import { type Viewer, visibleFiles, visibleFolders } from '../visible.ts';

/** A folder with what a user sees in it, without what is deleted. */
export interface FolderEntries {
  name: string;
  customerId: number | null;
  folders: { id: number; name: string; downloadLevel: Level }[];
  files: {
    id: number;
    name: string;
    size: number;
    mediaType: string;
    etag: string;
    downloadLevel: Level;
    scan: ScanState;
    createdAt: Date;
  }[];
}

/** The files and folders directly in a folder that a user may see, in natural order. */
export async function childrenOf(
  db: Kysely<Database>,
  viewer: Viewer,
  folderId: number,
): Promise<Pick<FolderEntries, 'folders' | 'files'>> {
  const [folders, files] = await Promise.all([
    sql<FolderEntries['folders'][number]>`
      select f.id, f.name, f.download_level as "downloadLevel" from folders f
       where f.parent_id = ${folderId} and f.deleted_at is null and ${visibleFolders(viewer)}
       order by ${naturally(sql`f.name`)}, f.id`.execute(db),
    sql<FolderEntries['files'][number]>`
      select a.id, a.name, a.size, a.media_type as "mediaType", a.etag, a.download_level as "downloadLevel",
             a.scan_state as scan, a.created_at as "createdAt"
        from attachments a
       where a.folder_id = ${folderId} and a.deleted_at is null and ${visibleFiles(viewer)}
       order by ${naturally(sql`a.name`)}, a.id`.execute(db),
  ]);
  return { folders: folders.rows, files: files.rows };
}
