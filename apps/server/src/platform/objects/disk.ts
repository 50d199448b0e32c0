import { mkdir, readdir, rm, rmdir, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { partOfEntry, pathOfFolder, pathOfKey } from './disk-names.ts';
import { bytesOf, type Draft, draft, ifAbsent, openObject } from './object-file.ts';
import { S3Problem } from './s3-problem.ts';
import type { ByteRange, ListedObject, ObjectFacts, Place } from './store.ts';

/** What is left free on the disk, which the database may share. Bytes. */
const KEPT_FREE = 256 * 1024 * 1024;

/** Objects as files: `<folder>/<bucket>/…`, what is under way in `<folder>/.incoming`. */
export interface Disk {
  folder: string;
  /** Begins a new object. @throws S3Problem InsufficientStorage when the disk has no room for `bytes` more */
  draft(bytes: number): Promise<Draft>;
  /** Where the object of a place is or would be. @throws S3Problem KeyTooLongError */
  path(place: Place): string;
  head(place: Place): Promise<ObjectFacts | null>;
  /** `rangeOf` picks the bytes once the size is known; what it throws closes the file. */
  read(
    place: Place,
    rangeOf?: (facts: ObjectFacts) => ByteRange | undefined,
  ): Promise<{ facts: ObjectFacts; range: ByteRange | undefined; body: Readable } | null>;
  remove(place: Place): Promise<void>;
  /** Bytes and number of what lies below a prefix, as the file system counts them. */
  usage(bucket: string, prefix: string): Promise<{ bytes: number; objects: number }>;
  /** In the order of the keys' bytes, after a key; `folders` gives `a/` once instead of all that begins with it. */
  list(bucket: string, prefix: string, options?: { after?: string; folders?: boolean }): AsyncIterable<Listed>;
}

/** An object, or a folder of objects. */
export type Listed = ListedObject | { folder: string };

/** Opens the folder; what a killed process left under way is removed. */
export async function openDisk(folder: string, buckets: readonly string[]): Promise<Disk> {
  const incoming = join(folder, '.incoming');
  await rm(incoming, { recursive: true, force: true });
  for (const path of [incoming, ...buckets.map((bucket) => join(folder, bucket))])
    await mkdir(path, { recursive: true, mode: 0o700 });

  const path = ({ bucket, key }: Place): string => {
    const relative = pathOfKey(key);
    if (relative === null) throw new S3Problem('KeyTooLongError');
    return join(folder, bucket, relative);
  };
  return {
    folder,
    path,
    async draft(bytes) {
      const { bavail, bsize } = await statfs(folder);
      if (bavail * bsize - bytes < KEPT_FREE) throw new S3Problem('InsufficientStorage');
      return await draft(incoming);
    },
    async head(place) {
      const opened = await openObject(path(place));
      await opened?.file.close();
      return opened?.facts ?? null;
    },
    async read(place, rangeOf) {
      const opened = await openObject(path(place));
      if (!opened) return null;
      try {
        const range = rangeOf?.(opened.facts);
        return { facts: opened.facts, range, body: bytesOf(opened, range) };
      } catch (error) {
        await opened.file.close();
        throw error;
      }
    },
    async remove(place) {
      const file = path(place);
      await rm(file, { force: true });
      await prune(dirname(file), join(folder, place.bucket));
    },
    async usage(bucket, prefix) {
      const below = pathOfFolder(prefix.slice(0, prefix.lastIndexOf('/') + 1));
      return below === null ? { bytes: 0, objects: 0 } : await measure(join(folder, bucket, below));
    },
    list: (bucket, prefix, { after = '', folders = false } = {}) =>
      walk(join(folder, bucket), prefix.slice(0, prefix.lastIndexOf('/') + 1), { prefix, after, folders }),
  };
}

/** Removes folders that hold nothing any more, up to the bucket's own; one that was just filled stays. */
async function prune(from: string, root: string): Promise<void> {
  for (let path = from; path.startsWith(`${root}/`); path = dirname(path)) {
    try {
      await rmdir(path);
    } catch {
      // Not empty, or gone already: nothing to tidy up here.
      return;
    }
  }
}

async function measure(folder: string): Promise<{ bytes: number; objects: number }> {
  const sum = { bytes: 0, objects: 0 };
  for (const entry of (await readdir(folder, { withFileTypes: true }).catch(ifAbsent)) ?? []) {
    const path = join(folder, entry.name);
    const { bytes, objects } = entry.isDirectory()
      ? await measure(path)
      : { bytes: (await stat(path).catch(ifAbsent))?.size ?? 0, objects: 1 };
    sum.bytes += bytes;
    sum.objects += objects;
  }
  return sum;
}

async function* walk(
  root: string,
  folder: string,
  which: { prefix: string; after: string; folders: boolean },
): AsyncGenerator<Listed> {
  const relative = pathOfFolder(folder);
  if (relative === null) return;
  const entries = (await readdir(join(root, relative), { withFileTypes: true }).catch(ifAbsent)) ?? [];
  const keys = entries
    .flatMap((entry) => {
      const part = partOfEntry(entry.name, entry.isDirectory());
      return part === null ? [] : { key: folder + part, isFolder: entry.isDirectory() };
    })
    .filter(({ key, isFolder }) => key.startsWith(which.prefix) || (isFolder && which.prefix.startsWith(key)))
    .sort((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)));
  for (const { key, isFolder } of keys) {
    if (isFolder) {
      if (isBefore(key, which.after) && !which.after.startsWith(key)) continue;
      if (which.folders && key !== which.after) yield { folder: key };
      else if (!which.folders) yield* walk(root, key, which);
    } else if (which.after === '' || isBefore(which.after, key)) {
      const opened = await openObject(join(root, pathOfKey(key) ?? ''));
      if (!opened) continue;
      await opened.file.close();
      const { size, etag, modifiedAt } = opened.facts;
      yield { key, size, etag, modifiedAt };
    }
  }
}

function isBefore(key: string, other: string): boolean {
  return Buffer.compare(Buffer.from(key), Buffer.from(other)) < 0;
}
