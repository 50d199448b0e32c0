import { createReadStream, existsSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Config } from '../platform/config/config.ts';
import { openDataFolder, UNFINISHED_RESTORE } from '../platform/config/data-folder.ts';
import { connectDatabase, requireSupportedServer } from '../platform/database/connect.ts';
import { claimDatabase } from '../platform/database/connections/only-server.ts';
import { startEmbeddedPostgres } from '../platform/database/embedded/embedded.ts';
import { stopOrphans } from '../platform/database/embedded/embedded-processes.ts';
import { migrate, readMigrations } from '../platform/database/migrate.ts';
import type { Log } from '../platform/log.ts';
import { pathOfKey } from '../platform/objects/embedded/disk-names.ts';
import { bytesOf, openObject } from '../platform/objects/embedded/object-file.ts';
import type { ObjectStore } from '../platform/objects/store.ts';
import { RESTORED } from '../platform/work/outgoing-hold.ts';
import { readObjectList } from './copy-objects.ts';
import { clearDatabase, hasTables, loadDatabase } from './load.ts';
import { BackupProblem, type Manifest } from './manifest.ts';
import { BUCKETS, backupPath } from './object-source.ts';
import { verifyBackup } from './verify.ts';

export interface RestoreOptions {
  /** the folder of the backup */
  from: string;
  config: Config;
  log: Log;
  /** replaces the data of an installation that is not empty */
  force?: boolean;
  onProgress?: (sentence: string) => void;
}

/** The extension of what a restore replaces, until it is complete. */
const REPLACED = '.replaced';

/**
 * Restores a backup into an empty installation, which must not be running. The backup is checked before anything is
 * changed. After an interruption the server does not start, and the restore can be repeated.
 * @throws {BackupProblem} if the backup is damaged or from an incompatible version, or the installation is not empty
 */
export async function restoreBackup(options: RestoreOptions): Promise<Manifest> {
  const { from, config, log, force = false, onProgress = () => undefined } = options;
  const manifest = await verifyBackup(from, onProgress);
  const last = await requireKnownMigrations(manifest);
  const data = await openDataFolder(config.dataFolder, { unfinishedRestore: true });
  try {
    const marker = join(data.path, UNFINISHED_RESTORE);
    const replaces = force || existsSync(marker);
    const service = await serviceOf(config);
    if (!replaces && (await isUsed(config, data.path, service))) {
      throw new BackupProblem(
        'This installation is not empty. Restore into an empty one, or replace all of its data with --force.',
      );
    }
    await writeFile(marker, `${from}\n`, { mode: 0o600, flush: true });
    if (replaces) await setAside(config, data.path, log);
    await restoreDatabase(options, { folder: data.path, manifest, last });
    if (manifest.objects) await restoreObjects(options, { folder: data.path, manifest, service });
    // The next start sends nothing until root releases it: the receivers are real, and the copy may not be.
    await writeFile(join(data.path, RESTORED), '', { mode: 0o600, flush: true });
    await rm(marker);
    for (const name of ['postgres', 'objects'])
      await rm(join(data.path, name + REPLACED), { recursive: true, force: true });
    return manifest;
  } finally {
    data.close();
  }
}

/**
 * The schema of the backup must be one that this version had or has. @returns the last migration of the backup
 * @throws {BackupProblem}
 */
async function requireKnownMigrations({ migrations, version }: Manifest): Promise<string> {
  const last = migrations.at(-1)?.name ?? '';
  const files = (await readMigrations()).filter(({ name }) => name <= last);
  const known = new Map(files.map(({ name, checksum }) => [name, checksum]));
  const foreign = migrations.find(({ name, checksum }) => known.get(name) !== checksum);
  if (foreign !== undefined || known.size !== migrations.length) {
    throw new BackupProblem(
      `Version ${version} made this backup, and its database${foreign ? ` (${foreign.name})` : ''} is unknown here. ` +
        'Restore it with the version that made it, or a later one.',
    );
  }
  return last;
}

async function serviceOf({ objects }: Config): Promise<ObjectStore | null> {
  const { service, key, region, buckets } = objects;
  if (service === null || key === null) return null;
  const { s3Objects } = await import('../platform/objects/service/s3-objects.ts');
  return s3Objects({ ...service, region, buckets, key });
}

async function isUsed({ databaseUrl }: Config, folder: string, service: ObjectStore | null): Promise<boolean> {
  if (databaseUrl === undefined ? existsSync(join(folder, 'postgres')) : await hasTables(databaseUrl)) return true;
  if (service === null) return hasFile(join(folder, 'objects'));
  for (const use of BUCKETS) for await (const _object of service.list(service.buckets[use], '')) return true;
  return false;
}

async function hasFile(folder: string): Promise<boolean> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.some((entry) => entry.isFile());
}

/**
 * Keeps what is replaced until the restore is complete, and removes what an interrupted restore wrote. An external
 * database is cleared.
 */
async function setAside({ databaseUrl }: Config, folder: string, log: Log): Promise<void> {
  if (databaseUrl === undefined) await stopOrphans(join(folder, 'postgres'), log);
  for (const name of databaseUrl === undefined ? ['postgres', 'objects'] : ['objects']) {
    const path = join(folder, name);
    if (existsSync(path + REPLACED)) await rm(path, { recursive: true, force: true });
    else if (existsSync(path)) await rename(path, path + REPLACED);
  }
  if (databaseUrl !== undefined) await clearDatabase(databaseUrl);
}

async function restoreDatabase(
  { from, config, log, onProgress = () => undefined }: RestoreOptions,
  { folder, manifest, last }: { folder: string; manifest: Manifest; last: string },
): Promise<void> {
  const embedded = config.databaseUrl === undefined ? await startEmbeddedPostgres({ folder, log }) : null;
  const url = embedded?.url ?? config.databaseUrl ?? '';
  const database = connectDatabase(url, { log, max: 2 });
  try {
    await requireSupportedServer(database.pool, { log, waitMs: config.database.waitSeconds * 1_000 });
    const claim = await claimDatabase(url, { log, onLost: () => log.error('a server uses this database') });
    try {
      await migrate(database.pool, { until: last });
      await loadDatabase(url, manifest, {
        folder: join(from, 'database'),
        onProgress: ({ tables, of }) => onProgress(`${tables} of ${of} tables restored`),
      });
    } finally {
      await claim.release();
    }
  } finally {
    await database.close();
    await embedded?.stop();
  }
}

async function restoreObjects(
  { from, config, onProgress = () => undefined }: RestoreOptions,
  { folder, manifest, service }: { folder: string; manifest: Manifest; service: ObjectStore | null },
): Promise<void> {
  const { file, count } = manifest.objects!;
  let restored = 0;
  for await (const object of readObjectList(join(from, file))) {
    const source = join(from, 'objects', backupPath(object));
    const bucket = config.objects.buckets[object.bucket];
    if (service === null) await copyFile(source, join(folder, 'objects', bucket, pathOfKey(object.key) ?? ''));
    else await upload(source, service, { bucket, key: object.key });
    restored += 1;
    onProgress(`${restored} of ${count} objects restored`);
  }
}

async function copyFile(source: string, target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  const file = await open(source, 'r');
  const { mtime } = await file.stat();
  const written = await open(target, 'w', 0o600);
  await pipeline(createReadStream('', { fd: file }), written.createWriteStream({ flush: true }));
  await utimes(target, mtime, mtime);
}

async function upload(source: string, store: ObjectStore, place: { bucket: string; key: string }): Promise<void> {
  const opened = await openObject(source);
  if (!opened) throw new BackupProblem(`${source} is missing.`);
  const { size, etag: _etag, modifiedAt: _modifiedAt, ...details } = opened.facts;
  const body = bytesOf(opened);
  // An upload in parts needs at least one byte.
  if (size === 0) await store.put(place, new Uint8Array(), details);
  else await store.write(place, body, details);
}
