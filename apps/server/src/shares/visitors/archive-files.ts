import { Readable } from 'node:stream';
import type { Locale } from '@chargehand/contract';
import { archivePaths } from '@chargehand/domain';
import type { UserRights } from '../../access/index.ts';
import { Problem } from '../../platform/http/problem.ts';
import type { SharedFile } from '../shared-files.store.ts';
import { mayPassOn, type SharedFiles, unavailability } from '../shared-files.ts';
import type { ZipFile } from './stored-zip.ts';

/** The most files in one archive. */
const MOST_FILES = 5_000;

/** What an archive says about the files whose content is missing. */
const LEFT_OUT: Record<Locale, string> = {
  'en-US': 'These files are not in the archive, because their content is missing on the server:',
  'zh-CN': '以下文件的内容在服务器上缺失，未包含在压缩包中：',
};

/** The files of an archive, and those that are part of the folder but have no content. */
export interface ArchiveFiles {
  files: readonly ZipFile[];
  missing: readonly SharedFile[];
}

/**
 * The files in a folder and below it that a user may give away, with their paths in an archive. Those that wait for the
 * virus scanner or have a virus are left out. Files without content are named in `left-out.txt`: what is missing later,
 * after the first byte, breaks the archive off.
 * @throws {Problem} shareArchiveEmpty, shareArchiveLarge
 */
export async function archiveFiles(
  files: SharedFiles,
  creator: UserRights,
  folderId: number,
  { locale, now }: { locale: Locale; now: Date },
): Promise<ArchiveFiles> {
  const found = await givenFiles(files, creator, folderId);
  const gone = await files.missing(found.map(({ file }) => file.id));
  const present = found.filter(({ file }) => !gone.has(file.id));
  const missing = found.filter(({ file }) => gone.has(file.id));
  const names = [...present.map(({ path }) => path), ...(missing.length > 0 ? [['left-out.txt']] : [])];
  const paths = archivePaths(names);
  const zipped: ZipFile[] = present.map(({ file: { id, size, at } }, index) => {
    return { path: paths[index]!, size, at, open: () => files.open(id) };
  });
  if (missing.length > 0) {
    const lines = [LEFT_OUT[locale], '', ...missing.map(({ path }) => path.join('/'))];
    const text = Buffer.from(lines.map((line) => `${line}\r\n`).join(''));
    zipped.push({ path: paths.at(-1)!, size: text.length, at: now, open: async () => Readable.from([text]) });
  }
  return { files: zipped, missing: missing.map(({ file }) => file) };
}

/** @throws {Problem} shareArchiveEmpty, shareArchiveLarge */
async function givenFiles(
  files: SharedFiles,
  creator: UserRights,
  folderId: number,
): Promise<{ file: SharedFile; path: string[] }[]> {
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
  return found;
}
