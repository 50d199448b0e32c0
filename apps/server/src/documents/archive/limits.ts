import { formatSize, LARGEST_UPLOAD } from '@chargehand/domain';
import { Problem } from '../../platform/http/problem.ts';

/** The most pictures and files in an archive. An export stays within the limits of an import. */
export const MOST_FILES = 5_000;
/** Their size together. Bytes. */
export const FILE_BYTES = LARGEST_UPLOAD;
/** The most entries of an archive: files, and Markdown files for them. */
export const MOST_ENTRIES = 2 * MOST_FILES;
/** All Markdown files of an archive together. Bytes. */
export const TEXT_BYTES = 64 * 1024 * 1024;

/** An archive is beyond a limit. */
export function archiveLarge(): Problem {
  const values = { most: MOST_FILES, text: formatSize(TEXT_BYTES), limit: formatSize(FILE_BYTES) };
  return new Problem('documentArchiveLarge', { values });
}
