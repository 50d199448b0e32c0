import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, realpath, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { createFolder } from './usable-folder.ts';

/** The folder with all data of the product, locked against other processes. */
export interface DataFolder {
  /** Absolute, with symbolic links resolved. */
  readonly path: string;
  /** The folder of what only this process uses. */
  readonly own: string;
  /** A random name that stays with `own`. */
  readonly identity: string;
  /** Releases the folder for other processes. */
  close(): void;
}

/** Marks a data folder in which a restore has started and not ended. */
export const UNFINISHED_RESTORE = 'restore.unfinished';
/** How long (ms) to wait for a process that is ending, so that a start can directly follow a stop. */
const TAKEOVER_TIMEOUT_MS = 2_000;
/** SQLite's result code for "another process holds the lock". */
const SQLITE_BUSY = 5;

/**
 * Creates the folder (with access only for this account) if necessary, and locks it for this process. The lock is a
 * lock of the operating system on an open file, so it ends with the process in any case, and works between containers
 * that share the folder. Node has no call for it, but SQLite, which is part of Node, takes one.
 * @throws with a message that names the folder and the other process when it is locked, or the reason why it cannot be
 * used, such as a restore that was interrupted (unless the caller repeats it).
 */
export async function openDataFolder(folder: string, { unfinishedRestore = false } = {}): Promise<DataFolder> {
  const path = await makeFolder(folder);
  const timeout = Date.now() + TAKEOVER_TIMEOUT_MS;
  let lock = takeLock(path);
  while (lock === undefined && Date.now() < timeout) {
    await wait(100);
    lock = takeLock(path);
  }
  if (lock === undefined) {
    const holder = await readHolder(path);
    throw new Error(
      `Chargehand already runs on the data folder ${path}${holder === undefined ? '' : ` (process ${holder})`}. ` +
        'Stop it, or set CHARGEHAND_DATA to another folder.',
    );
  }
  if (!unfinishedRestore && existsSync(join(path, UNFINISHED_RESTORE))) {
    lock.close();
    throw new Error(`The restore of a backup into ${path} was interrupted. Repeat it with npm run restore.`);
  }
  await writeFile(join(path, 'server.pid.new'), `${process.pid}\n`, { mode: 0o600 });
  await rename(join(path, 'server.pid.new'), join(path, 'server.pid'));
  return { path, own: path, identity: await readIdentity(path), close: () => lock.close() };
}

/**
 * Opens a data folder that another process has locked, for one of the processes that it started.
 * @param part the name of this process
 */
export async function openPartOfFolder(folder: string, part: string): Promise<DataFolder> {
  const path = await makeFolder(folder);
  const own = await openDataFolder(join(path, 'processes', part));
  return { ...own, path };
}

async function readIdentity(path: string): Promise<string> {
  const file = join(path, 'node.id');
  const known = existsSync(file) ? (await readFile(file, 'utf8')).trim() : '';
  if (known !== '') return known;
  const identity = randomUUID();
  await writeFile(`${file}.new`, `${identity}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
  return identity;
}

async function makeFolder(folder: string): Promise<string> {
  try {
    await createFolder(folder);
    return await realpath(folder);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`The data folder ${folder} (CHARGEHAND_DATA) cannot be used: ${reason}`, { cause });
  }
}

function takeLock(path: string): DatabaseSync | undefined {
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(join(path, 'server.lock'));
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (cause) {
    lock?.close();
    if (cause instanceof Error && 'errcode' in cause && cause.errcode === SQLITE_BUSY) return undefined;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`The data folder ${path} cannot be written by this account: ${reason}`, { cause });
  }
}

async function readHolder(path: string): Promise<number | undefined> {
  const file = join(path, 'server.pid');
  return existsSync(file) ? Number.parseInt(await readFile(file, 'utf8'), 10) : undefined;
}
