import { createReadStream } from 'node:fs';
import { rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { constants, createZstdDecompress, zstdCompressSync } from 'node:zlib';
import type { Snapshot } from './dump.ts';
import { hashFile, type Manifest } from './manifest.ts';
import { type BucketUse, backupPath, type ObjectSource, type SourceObject } from './object-source.ts';

/** The file with one line for each object. */
const OBJECT_LIST = 'objects.jsonl.zst';

/** A line of the list of objects. */
export interface BackedUpObject {
  bucket: BucketUse;
  key: string;
  /** bytes of the file: the object and its metadata */
  bytes: number;
  sha256: string;
}

interface Copied extends BackedUpObject {
  etag: string;
  size: number;
}

/** Objects that a view of the database has and the store has no longer. */
export class LostObjects extends Error {
  override name = 'LostObjects';
}

/** Uploads that are not complete yet. A restored installation does not continue them. */
const INCOMPLETE = /(^|\/)incoming\//;

/**
 * Copies objects in passes: the first one while the database continues, the last one for a view of the database, which
 * copies only what is new and removes what the view does not have.
 */
export function objectCopies(source: ObjectSource, folder: string, signal?: AbortSignal) {
  const copies = new Map<string, Copied>();
  let bytes = 0;

  const copy = async (object: SourceObject): Promise<boolean> => {
    const path = backupPath(object);
    const known = copies.get(path);
    if (known?.etag === object.etag && known.size === object.size) return true;
    if (!(await source.copy(object, join(folder, path)))) return false;
    const { bucket, key, etag, size } = object;
    const file = { bytes: (await stat(join(folder, path))).size, sha256: await hashFile(join(folder, path)) };
    copies.set(path, { bucket, key, etag, size, ...file });
    bytes += file.bytes;
    return true;
  };

  return {
    /** Copies the objects of now; one that disappears meanwhile is left out. */
    async copyMost(snapshot: Snapshot, onProgress: (progress: { objects: number; bytes: number }) => void) {
      for await (const object of source.list(snapshot)) {
        signal?.throwIfAborted();
        if (await copy(object)) onProgress({ objects: copies.size, bytes });
      }
    },

    /** Makes the copies those of a view. @throws {LostObjects} if one of them no longer exists */
    async match(snapshot: Snapshot): Promise<void> {
      const wanted = new Set<string>();
      const lost: string[] = [];
      for await (const object of source.list(snapshot)) {
        signal?.throwIfAborted();
        if (await copy(object)) wanted.add(backupPath(object));
        else if (!INCOMPLETE.test(object.key)) lost.push(object.key);
      }
      if (lost.length > 0) throw new LostObjects(`Objects were deleted during the backup, such as ${lost[0]}.`);
      for (const path of copies.keys()) {
        if (wanted.has(path)) continue;
        copies.delete(path);
        await rm(join(folder, path), { force: true });
      }
    },

    /** Writes the list of the copies. */
    async writeList(path: string): Promise<NonNullable<Manifest['objects']>> {
      const lines = [...copies]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([, { etag: _etag, size: _size, ...object }]) => `${JSON.stringify(object)}\n`);
      const list = zstdCompressSync(lines.join(''), { params: { [constants.ZSTD_c_checksumFlag]: 1 } });
      await writeFile(join(path, OBJECT_LIST), list, { mode: 0o600, flush: true });
      let total = 0;
      for (const object of copies.values()) total += object.bytes;
      const sha256 = await hashFile(join(path, OBJECT_LIST));
      return { count: copies.size, bytes: total, file: OBJECT_LIST, sha256 };
    },
  };
}

/** The list of the objects of a backup. */
export async function* readObjectList(path: string): AsyncGenerator<BackedUpObject> {
  const input = createReadStream(path).pipe(createZstdDecompress());
  for await (const line of createInterface({ input })) yield JSON.parse(line) as BackedUpObject;
}
