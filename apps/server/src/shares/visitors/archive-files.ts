import { archivePaths } from '@chargehand/domain';
import type { UserRights } from '../../access/index.ts';
import { Problem } from '../../platform/http/problem.ts';
import type { SharedFile } from '../shared-files.store.ts';
import { mayPassOn, type SharedFiles, unavailability } from '../shared-files.ts';

/** The most files in one archive. */
const MOST_FILES = 5_000;

/**
 * The files in a folder and below it that a user may give away, with their paths in an archive. Those that wait for the
 * virus scanner or have a virus are left out.
 * @throws {Problem} shareArchiveEmpty, shareArchiveLarge
 */
export async function archiveFiles(
  files: SharedFiles,
  creator: UserRights,
  folderId: number,
): Promise<(SharedFile & { path: string })[]> {
  const found: { file: SharedFile; path: string[] }[] = [];
  const waiting: { id: number; path: string[] }[] = [{ id: folderId, path: [] }];
  for (let folder = waiting.shift(); folder; folder = waiting.shift()) {
    const { path } = folder;
    const content = await files.entries(creator, folder.id);
    for (const file of content.files) {
      const isGiven = mayPassOn(creator, file) && unavailability(file) === null;
      if (isGiven) found.push({ file, path: [...path, file.name] });
    }
    for (const inner of content.folders) {
      if (mayPassOn(creator, inner)) waiting.push({ id: inner.id, path: [...path, inner.name] });
    }
    if (found.length > MOST_FILES) throw new Problem('shareArchiveLarge', { values: { most: MOST_FILES } });
  }
  if (found.length === 0) throw new Problem('shareArchiveEmpty');
  const paths = archivePaths(found.map(({ path }) => path));
  return found.map(({ file }, index) => ({ ...file, path: paths[index] ?? file.name }));
}
