import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import type { Clock } from '../../platform/clock.ts';
import type { ObjectStore } from '../../platform/objects/store.ts';
import { type ZipPart, zipStream } from '../../platform/zip/zip-stream.ts';

const DAY_MS = 86_400_000;
/** An archive, by its day in UTC. */
const ARCHIVE = /^chargehand-(\d{4}-\d{2}-\d{2})\.zip$/;

export interface UploadTarget {
  store: Pick<ObjectStore, 'write' | 'list' | 'remove' | 'abandonUploads'>;
  bucket: string;
  /** of all keys: empty, or with a slash at its end */
  prefix: string;
  /** how long archives are kept */
  days: number;
}

/** A run of an upload. */
export interface UploadRun {
  now: Date;
  signal?: AbortSignal | undefined;
  /** decides about older archives (`Clock`); undefined: none is deleted */
  deleteOld?: Clock['deleteOld'] | undefined;
}

/**
 * Uploads a backup as one ZIP archive with the key of its day, completely or not at all, and removes archives that are
 * too old. A second one on the same day replaces the first. @returns the key
 */
export async function uploadBackup(
  path: string,
  { store, bucket, prefix, days }: UploadTarget,
  { now, signal, deleteOld }: UploadRun,
): Promise<string> {
  const key = `${prefix}chargehand-${now.toISOString().slice(0, 10)}.zip`;
  // Parts of an upload whose server was killed.
  await store.abandonUploads(new Date(now.getTime() - DAY_MS));
  await store.write({ bucket, key }, abortable(zipStream(filesOf(path)), signal), { contentType: 'application/zip' });
  await deleteOld?.('uploadedBackups', async (at) => {
    const oldest = new Date(at.getTime() - days * DAY_MS).toISOString().slice(0, 10);
    let count = 0;
    for await (const { key: found } of store.list(bucket, prefix)) {
      const [, day] = ARCHIVE.exec(found.slice(prefix.length)) ?? [];
      if (found === key || day === undefined || day >= oldest) continue;
      await store.remove({ bucket, key: found });
      count += 1;
    }
    return count;
  });
  return key;
}

async function* abortable(chunks: AsyncIterable<Uint8Array>, signal: AbortSignal | undefined) {
  for await (const chunk of chunks) {
    signal?.throwIfAborted();
    yield chunk;
  }
}

/** The files of a backup, in a folder with its name. */
async function* filesOf(path: string): AsyncGenerator<ZipPart> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  for (const file of files.sort()) {
    const content = createReadStream(file) as AsyncIterable<Uint8Array>;
    yield { path: `${basename(path)}/${relative(path, file)}`, content, packed: true };
  }
}
