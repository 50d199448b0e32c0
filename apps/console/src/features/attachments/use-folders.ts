import type { FolderRow } from '@chargehand/contract';
import { type FileLevels, foldersUpFrom, type Levels, levelSuffices, TOP_WRITE_LEVEL } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { queryOf } from '../../shared/api/query.ts';
import { useUser } from '../../shared/session/use-user.ts';

const NONE: readonly FolderRow[] = [];

/** All folders that the user may see, in natural order; empty until they are loaded. */
export function useFolders() {
  const query = useQuery(queryOf('listFolders', { query: {} }, { quiet: true }));
  return { folders: query.data?.items ?? NONE, query };
}

/**
 * True when the user may add files or folders at this place. Outside of folders, users with assigned sites only add
 * folders, each of one of their sites.
 */
export function useMayAdd(folder: FolderRow | undefined, what: 'files' | 'folders'): boolean {
  const { user, info } = useUser();
  if (user.readOnly || (!folder && what === 'files' && !info.role.allSites)) return false;
  const held = (info.role.levels as Levels).attachment.write;
  return folder ? folder.may.write : levelSuffices(held, TOP_WRITE_LEVEL);
}

/** True when the user may download, share and copy what is in a folder. */
export function useMayDownload(folder: FolderRow | undefined): boolean {
  const { user, info } = useUser();
  const held = (info.role.levels as Levels).attachment.download;
  return folder !== undefined && !user.readOnly && levelSuffices(held, folder.downloadLevel);
}

/** The levels of a folder in the form of the domain rules; null outside of any folder. */
export function levelsOf(
  row:
    | { readLevel: FileLevels['read']; writeLevel: FileLevels['write']; downloadLevel: FileLevels['download'] }
    | undefined,
): FileLevels | null {
  return row ? { read: row.readLevel, write: row.writeLevel, download: row.downloadLevel } : null;
}

/** The folders from the top down to one, itself last. */
export function pathOf(folders: readonly FolderRow[], id: number | null): FolderRow[] {
  return foldersUpFrom(folders, id).toReversed();
}
