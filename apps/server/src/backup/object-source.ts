import { createReadStream } from 'node:fs';
import { mkdir, open, rename, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pathOfKey } from '../platform/objects/embedded/disk-names.ts';
import { draft, openObject } from '../platform/objects/embedded/object-file.ts';
import type { ListedObject, ObjectFacts, ObjectStore } from '../platform/objects/store.ts';
import type { Snapshot } from './dump.ts';

/** The two buckets by their use, because their names are settings. */
export const BUCKETS = ['main', 'firmware'] as const;
export type BucketUse = (typeof BUCKETS)[number];

/** An object of a backup. */
export interface SourceObject extends ListedObject {
  bucket: BucketUse;
}

/** Where a backup finds the objects of an installation. */
export interface ObjectSource {
  /** The objects of a view of the database, or of now if only the object store knows. */
  list(snapshot: Snapshot): AsyncIterable<SourceObject>;
  /**
   * Copies an object to a file of the format of the embedded store. @returns false if the object no longer exists or
   * was replaced
   */
  copy(object: SourceObject, path: string): Promise<boolean>;
}

/** The path of an object below the folder `objects` of a backup. */
export function backupPath({ bucket, key }: { bucket: BucketUse; key: string }): string {
  const path = pathOfKey(key);
  if (path === null) throw new Error(`The key of an object in the bucket ${bucket} is too long.`);
  return `${bucket}/${path}`;
}

/** The objects of the embedded store: files, and their index in the database. */
export function embeddedSource(dataFolder: string, buckets: ObjectStore['buckets']): ObjectSource {
  return {
    async *list({ query }) {
      for (const bucket of BUCKETS) {
        for (let after = ''; ; ) {
          const { rows } = await query<{ key: string; size: string; etag: string; at: Date; pending: boolean }>(
            `select key, size, etag, modified_at as at, pending from stored_objects
              where bucket = $1 and key collate "C" > $2 order by key collate "C" limit 1000`,
            [buckets[bucket], after],
          );
          for (const { key, size, etag, at, pending } of rows) {
            const found = pending
              ? await factsOf(join(dataFolder, 'objects', buckets[bucket], pathOfKey(key) ?? ''))
              : null;
            if (found) yield { bucket, key, size: found.size, etag: found.etag, modifiedAt: found.modifiedAt };
            else if (!pending) yield { bucket, key, size: Number(size), etag, modifiedAt: at };
          }
          const last = rows.at(-1);
          if (last === undefined) break;
          after = last.key;
        }
      }
    },
    async copy({ bucket, key, etag, size }, path) {
      const opened = await openObject(join(dataFolder, 'objects', buckets[bucket], pathOfKey(key) ?? ''));
      if (!opened) return false;
      const { etag: found, size: bytes, modifiedAt } = opened.facts;
      if (found !== etag || bytes !== size) {
        await opened.file.close();
        return false;
      }
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const target = await open(`${path}.new`, 'w', 0o600);
      await pipeline(createReadStream('', { fd: opened.file, start: 0 }), target.createWriteStream({ flush: true }));
      await utimes(`${path}.new`, modifiedAt, modifiedAt);
      await rename(`${path}.new`, path);
      return true;
    },
  };
}

async function factsOf(path: string): Promise<ObjectFacts | null> {
  const opened = await openObject(path);
  await opened?.file.close();
  return opened?.facts ?? null;
}

/** The objects of an S3 service. */
export function serviceSource(store: ObjectStore): ObjectSource {
  return {
    async *list() {
      for (const bucket of BUCKETS)
        for await (const object of store.list(store.buckets[bucket], '')) yield { ...object, bucket };
    },
    async copy({ bucket, key, etag }, path) {
      const found = await store.read({ bucket: store.buckets[bucket], key });
      if (!found) return false;
      if (found.facts.etag !== etag) {
        found.body.destroy();
        return false;
      }
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const written = await draft(dirname(path), { hashed: false });
      try {
        const target = new Writable({
          write: (chunk: Uint8Array, _encoding, done) => void written.write(chunk).then(() => done(), done),
        });
        await pipeline(found.body, target);
        const { size: _size, modifiedAt, ...details } = found.facts;
        await written.finish(path, details, { etag, key });
        await utimes(path, modifiedAt, modifiedAt);
      } finally {
        await written.discard();
      }
      return true;
    },
  };
}
