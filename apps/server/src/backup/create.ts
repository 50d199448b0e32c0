import { mkdir, open, readdir, rename, rm, statfs } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Clock } from '../platform/clock.ts';
import { LostObjects, objectCopies } from './copy-objects.ts';
import { claimBackup, dumpDatabase, openSnapshot, type Snapshot } from './dump.ts';
import { type Manifest, writeManifest } from './manifest.ts';
import type { ObjectSource } from './object-source.ts';

/** The name of a complete backup: its time in UTC. */
const NAME = /^chargehand-\d{8}T\d{6}Z$/;
/** The extension of a folder that is being written. */
const UNFINISHED = '.unfinished';
/** How often a view of the database is tried whose objects are deleted before they are copied. */
const ATTEMPTS = 5;
/** Space that a backup leaves free. Bytes. */
const RESERVED_BYTES = 256 * 1024 * 1024;

export interface BackupOptions {
  /** of the database */
  url: string;
  /** null: a backup without objects, whose storage has backups of its own */
  objects: ObjectSource | null;
  /** contains the folders of all backups */
  folder: string;
  /** of the product */
  version: string;
  /** how many complete backups to keep, with the new one; all, if undefined */
  keep?: number | undefined;
  onProgress?: (sentence: string) => void;
  signal?: AbortSignal | undefined;
  now?: () => Date;
  /** decides about older backups (`Clock`); undefined: nothing is deleted */
  deleteOld?: Clock['deleteOld'] | undefined;
}

/**
 * Backs up an installation while it is running. The folder gets its name when it is complete; what an interrupted
 * backup left is removed.
 * @returns the folder of the backup, and its manifest
 */
export async function createBackup(options: BackupOptions): Promise<{ path: string; manifest: Manifest }> {
  const { url, folder, signal, onProgress = () => undefined, now = () => new Date() } = options;
  const startedAt = now();
  const path = join(folder, `chargehand-${startedAt.toISOString().replaceAll(/[-:]|\.\d+/g, '')}`);
  const unfinished = `${path}${UNFINISHED}`;
  const claim = await claimBackup(url);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (const name of await readdir(folder))
      if (name.endsWith(UNFINISHED) && NAME.test(name.slice(0, -UNFINISHED.length)))
        await rm(join(folder, name), { recursive: true, force: true });
    for (const part of [unfinished, join(unfinished, 'database')]) await mkdir(part, { mode: 0o700 });
    try {
      const manifest = await write(options, unfinished, { startedAt, now, onProgress, signal });
      await sync(unfinished);
      await rename(unfinished, path);
      await sync(folder);
      const { keep } = options;
      if (keep !== undefined) await options.deleteOld?.('backups', () => removeOld(folder, path, keep));
      return { path, manifest };
    } catch (error) {
      await rm(unfinished, { recursive: true, force: true });
      throw error;
    }
  } finally {
    await claim.release();
  }
}

/** The complete backups of a folder, the oldest first. */
export async function listBackups(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => NAME.test(name)).sort();
}

/** Removes the oldest backups, but never the new one, even if the clock was ahead before. @returns their number */
async function removeOld(folder: string, made: string, keep: number): Promise<number> {
  const others = (await listBackups(folder)).filter((name) => name !== basename(made));
  const old = others.slice(0, Math.max(0, others.length - (keep - 1)));
  for (const name of old) {
    // Renamed first, so that a backup that is half removed does not look complete.
    await rename(join(folder, name), join(folder, `${name}${UNFINISHED}`));
    await rm(join(folder, `${name}${UNFINISHED}`), { recursive: true, force: true });
  }
  return old.length;
}

interface Run extends Required<Pick<BackupOptions, 'now' | 'onProgress'>> {
  startedAt: Date;
  signal: AbortSignal | undefined;
}

async function write(options: BackupOptions, path: string, run: Run): Promise<Manifest> {
  const { url, version, objects } = options;
  const { startedAt, now, onProgress, signal } = run;
  await requireSpace(options, path);
  const copies = objects && objectCopies(objects, join(path, 'objects'), signal);
  if (copies) {
    const first = await openSnapshot(url);
    try {
      await copies.copyMost(first, ({ objects: count, bytes }) => onProgress(`${count} objects, ${megabytes(bytes)}`));
    } finally {
      await first.close();
    }
  }
  const snapshot = await matchingSnapshot(url, copies);
  try {
    const dump = await dumpDatabase(url, snapshot, {
      folder: join(path, 'database'),
      onProgress: ({ tables, of, bytes }) => onProgress(`${tables} of ${of} tables, ${megabytes(bytes)}`),
      signal,
    });
    return await writeManifest(path, {
      ...{ version, startedAt: startedAt.toISOString(), takenAt: snapshot.takenAt.toISOString() },
      ...{ ...dump, objects: copies ? await copies.writeList(path) : null, endedAt: now().toISOString() },
    });
  } finally {
    await snapshot.close();
  }
}

/** A view of the database for which all objects are copied. */
async function matchingSnapshot(url: string, copies: ReturnType<typeof objectCopies> | null): Promise<Snapshot> {
  for (let attempt = 1; ; attempt += 1) {
    const snapshot = await openSnapshot(url);
    try {
      await copies?.match(snapshot);
      return snapshot;
    } catch (error) {
      await snapshot.close();
      if (!(error instanceof LostObjects) || attempt === ATTEMPTS) throw error;
    }
  }
}

/** @throws with a message if the disk has no space for the objects */
async function requireSpace({ url, objects }: BackupOptions, path: string): Promise<void> {
  if (!objects) return;
  const snapshot = await openSnapshot(url);
  try {
    let needed = RESERVED_BYTES;
    for await (const { size } of objects.list(snapshot)) needed += size;
    const { bavail, bsize } = await statfs(path);
    if (bavail * bsize < needed)
      throw new Error(`The backup needs ${megabytes(needed)}, but only ${megabytes(bavail * bsize)} are free.`);
  } finally {
    await snapshot.close();
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(bytes < 10_000_000 ? 1 : 0)} MB`;
}

async function sync(folder: string): Promise<void> {
  const opened = await open(folder, 'r');
  await opened.sync();
  await opened.close();
}
