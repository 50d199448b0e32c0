import { mkdir, rm, rmdir, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { S3Problem } from '../protocol/problem.ts';
import type { ByteRange, ListedObject, ObjectDetails, ObjectFacts, Place } from '../store.ts';
import { pathOfKey } from './disk-names.ts';
import { keyLocks } from './key-locks.ts';
import { bytesOf, type Draft, draft, moveFile, openObject } from './object-file.ts';
import type { ObjectIndex, PageOptions } from './object-index.ts';

/** Space that is left free on the disk, which the database may share. Bytes. */
const RESERVED_BYTES = 256 * 1024 * 1024;

/** Decides, with the current object, whether a change is allowed; throws when not. */
export type Condition = (found: ObjectFacts | null) => void;

/** Objects as files in `<folder>/<bucket>/…`, incomplete ones in `<folder>/.incoming`, and their keys in an index. */
export interface Disk {
  folder: string;
  /** Starts a new file. @throws S3Problem InsufficientStorage when the disk has no space for `bytes` more */
  draft(bytes: number, options?: { hashed?: boolean }): Promise<Draft>;
  /** Makes a draft the object of a place, if the condition holds at that moment. @throws S3Problem KeyTooLongError */
  store(
    place: Place,
    written: Draft,
    details: ObjectDetails,
    options?: { etag?: string | undefined; condition?: Condition | undefined },
  ): Promise<ObjectFacts>;
  /** The path of an existing or new object of a place. @throws S3Problem KeyTooLongError */
  path(place: Place): string;
  head(place: Place): Promise<ObjectFacts | null>;
  /** `rangeOf` selects the bytes once the object is known. When it throws, the file is closed. */
  read(
    place: Place,
    rangeOf?: (facts: ObjectFacts) => ByteRange | undefined,
  ): Promise<{ facts: ObjectFacts; range: ByteRange | undefined; body: Readable } | null>;
  remove(place: Place, condition?: Condition): Promise<void>;
  /** Renames the file of an object with an ETag, unless the target has one. False when nothing was moved. */
  move(from: Place, to: Place, etag: string): Promise<boolean>;
  /** Updates the index from the file of a place. */
  settle(place: Place): Promise<void>;
  /** Bytes and number of the objects below a prefix. */
  usage(bucket: string, prefix: string): Promise<{ bytes: number; objects: number }>;
  page(options: PageOptions): Promise<Page>;
}

/** An object, or the common prefix of several keys. */
export type Listed = ListedObject | { commonPrefix: string };

export interface Page {
  items: Listed[];
  /** true when there are more items */
  more: boolean;
}

/** Opens the folder. Removes incomplete files of a killed process. */
export async function openDisk(folder: string, buckets: readonly string[], index: ObjectIndex): Promise<Disk> {
  const incoming = join(folder, '.incoming');
  await rm(incoming, { recursive: true, force: true });
  for (const path of [incoming, ...buckets.map((bucket) => join(folder, bucket))])
    await mkdir(path, { recursive: true, mode: 0o700 });

  const locked = keyLocks();
  const path = ({ bucket, key }: Place): string => {
    const relative = pathOfKey(key);
    if (relative === null) throw new S3Problem('KeyTooLongError');
    return join(folder, bucket, relative);
  };
  const head = async (place: Place) => {
    const opened = await openObject(path(place));
    await opened?.file.close();
    return opened?.facts ?? null;
  };
  const lockOf = ({ bucket, key }: Place) => `${bucket}/${key}`;
  const change = <T>(place: Place, work: () => Promise<T>) => locked(lockOf(place), work);
  return {
    folder,
    path,
    head,
    async draft(bytes, options) {
      const { bavail, bsize } = await statfs(folder);
      if (bavail * bsize - bytes < RESERVED_BYTES) throw new S3Problem('InsufficientStorage');
      return await draft(incoming, options);
    },
    async store(place, written, details, { etag, condition } = {}) {
      const { bucket, key } = place;
      const target = path(place);
      return await change(place, async () => {
        condition?.(await head(place));
        await index.mark(bucket, [key]);
        const facts = await written.finish(target, details, { etag, key });
        await index.record(place, facts);
        return facts;
      });
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
    async remove(place, condition) {
      const { bucket, key } = place;
      const file = path(place);
      await change(place, async () => {
        const found = await head(place);
        condition?.(found);
        if (!found) return;
        await index.mark(bucket, [key]);
        await rm(file, { force: true });
        await prune(dirname(file), join(folder, bucket));
        await index.record(place, null);
      });
    },
    async move(from, to, etag) {
      const [source, target] = [path(from), path(to)];
      const places = [from, to].sort((a, b) => (lockOf(a) < lockOf(b) ? -1 : 1));
      if (lockOf(from) === lockOf(to)) return false;
      // The locks are always taken in the same order, so that moves do not wait for each other.
      return await change(places[0]!, () =>
        change(places[1]!, async () => {
          const facts = await head(from);
          if (facts?.etag !== etag || (await head(to))) return false;
          await index.mark(from.bucket, [from.key]);
          await index.mark(to.bucket, [to.key]);
          await moveFile(source, target);
          await prune(dirname(source), join(folder, from.bucket));
          await index.record(to, facts);
          await index.record(from, null);
          return true;
        }),
      );
    },
    settle: (place) => change(place, async () => index.record(place, await head(place))),
    usage: index.usage,
    async page(options) {
      const items: Listed[] = [];
      const { limit } = options;
      let { after } = options;
      for (;;) {
        const wanted = limit + 1 - items.length;
        const rows = await index.page({ ...options, after, limit: wanted });
        let skipped = false;
        for (const { key, commonPrefix, pending, ...row } of rows) {
          const facts = pending ? await head({ bucket: options.bucket, key }) : row;
          if (!facts && commonPrefix !== null) {
            // The key behind its common prefix was removed; another one may replace it.
            [after, skipped] = [key, true];
            break;
          }
          after = commonPrefix ?? key;
          if (!facts) continue;
          if (items.length === limit) return { items, more: true };
          const { size, etag, modifiedAt } = facts;
          items.push(commonPrefix === null ? { key, size, etag, modifiedAt } : { commonPrefix });
        }
        if (!skipped && rows.length < wanted) return { items, more: false };
      }
    },
  };
}

/** Removes empty folders, up to the bucket's own. A folder that was just filled remains. */
async function prune(from: string, root: string): Promise<void> {
  for (let path = from; path.startsWith(`${root}/`); path = dirname(path)) {
    try {
      await rmdir(path);
    } catch {
      // Not empty, or removed already: nothing to do.
      return;
    }
  }
}
