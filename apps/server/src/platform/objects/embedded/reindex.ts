import { opendir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Log } from '../../log.ts';
import type { Disk } from './disk.ts';
import { keyOfPath } from './disk-names.ts';
import { ifAbsent, openObject } from './object-file.ts';
import type { IndexedKey, ObjectIndex } from './object-index.ts';

/** The number of keys that are compared at a time. */
const BATCH = 500;

/** Makes the index match the files of a bucket after a crash, an update or a restored backup. */
export function reindexer(disk: Disk, index: ObjectIndex, log: Pick<Log, 'error'> | null) {
  /** A file that cannot be read must not prevent the start; its row stays marked. */
  const settle = async (bucket: string, key: string) => {
    try {
      await disk.settle({ bucket, key });
    } catch (error) {
      log?.error({ err: error, bucket, key }, 'the file of an object cannot be read');
    }
  };
  return {
    /** Settles the changes that a killed process had started and not recorded. */
    async settlePending(bucket: string): Promise<void> {
      for (let after: string | undefined = ''; after !== undefined; ) {
        const keys = await index.pending(bucket, after);
        for (const key of keys) await settle(bucket, key);
        after = keys.at(-1);
      }
    },

    /**
     * Adds files that are missing in the index: those of an earlier version, and of a backup that is newer than the
     * database's.
     */
    async addUnknownFiles(bucket: string, stop?: AbortSignal): Promise<void> {
      let batch: string[] = [];
      const add = async () => {
        for (const key of await index.markMissing(bucket, batch)) await settle(bucket, key);
        batch = [];
      };
      for await (const key of keysOnDisk(join(disk.folder, bucket))) {
        if (stop?.aborted) return;
        if (batch.push(key) === BATCH) await add();
      }
      await add();
    },

    /** Removes keys without a file from the index: those of a database that is newer than the backup of the files. */
    async removeLostKeys(bucket: string, stop?: AbortSignal): Promise<void> {
      for (let after: string | undefined = ''; after !== undefined; ) {
        const rows: IndexedKey[] = await index.page({ bucket, prefix: '', after, delimiter: '', limit: BATCH });
        for (const { key } of rows) {
          if (stop?.aborted) return;
          if (!(await exists(disk.path({ bucket, key })))) await settle(bucket, key);
        }
        after = rows.at(-1)?.key;
      }
    },
  };
}

async function* keysOnDisk(root: string, folder = root): AsyncGenerator<string> {
  const entries = await opendir(folder).catch(ifAbsent);
  if (!entries) return;
  for await (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* keysOnDisk(root, path);
    else {
      const key = keyOfPath(relative(root, path).replaceAll('\\', '/')) ?? (await keyInFile(path));
      if (key !== undefined) yield key;
    }
  }
}

async function keyInFile(path: string): Promise<string | undefined> {
  if (!path.endsWith('.object')) return undefined;
  const opened = await openObject(path);
  await opened?.file.close();
  return opened?.key;
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(ifAbsent)) !== undefined;
}
