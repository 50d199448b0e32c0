import { openZip, RefusedZip, type ZipEntry, type ZipReader } from '../../platform/zip/zip-reader.ts';
import { archiveLarge, MOST_ENTRIES } from './limits.ts';

/** All archives inside an archive together: they are read into memory. Bytes. */
const INNER_BYTES = 64 * 1024 * 1024;

/**
 * An archive with the files of the archives in it, as Notion exports them: in the folder where the inner one is. Archives
 * inside those stay files.
 * @throws {Problem} `documentArchiveLarge`
 */
export async function withInnerArchives(archive: ZipReader): Promise<ZipReader> {
  const inner = [...archive.entries.values()].filter(({ path, isLink }) => /\.zip$/i.test(path) && !isLink);
  if (inner.length === 0) return archive;
  const entries = new Map(archive.entries);
  const opened: ZipReader[] = [archive];
  const close = () => {
    for (const one of opened) one.close();
  };
  try {
    let left = INNER_BYTES;
    for (const entry of inner) {
      const bytes = await bytesOf(entry, left);
      left -= bytes.length;
      const found = await openZip(bytes, MOST_ENTRIES).catch((error: unknown) => {
        if (error instanceof RefusedZip) return null;
        throw error;
      });
      // A damaged one stays a file that no document shows.
      if (!found) continue;
      opened.push(found);
      entries.delete(entry.path);
      const folder = entry.path.slice(0, entry.path.lastIndexOf('/') + 1);
      for (const one of found.entries.values()) {
        const path = `${folder}${one.path}`;
        if (!entries.has(path)) entries.set(path, { ...one, path });
      }
      if (entries.size > MOST_ENTRIES) throw archiveLarge();
    }
    return { entries, close };
  } catch (error) {
    close();
    throw error;
  }
}

async function bytesOf({ open }: ZipEntry, most: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let left = most;
  for await (const part of await open()) {
    left -= (part as Buffer).length;
    if (left < 0) throw archiveLarge();
    parts.push(part as Buffer);
  }
  return Buffer.concat(parts);
}
