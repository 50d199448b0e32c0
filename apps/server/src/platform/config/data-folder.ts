import { existsSync } from 'node:fs';
import { mkdir, readFile, realpath, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';

/** Everything that the product keeps, and the proof that no other process keeps it at the same time. */
export interface DataFolder {
  /** Absolute, with symbolic links resolved. */
  readonly path: string;
  /** Lets another process have the folder. */
  close(): void;
}

/** How long (ms) to wait for a process that is just ending, so that a stop and a start may follow each other. */
const HANDOVER = 2_000;
/** SQLite's result code for "somebody else holds the lock". */
const SQLITE_BUSY = 5;

/**
 * Creates the folder (closed to other accounts) if need be, and takes it for this process.
 * The lock is the operating system's on an open file, so it ends with the process however that ends, and holds
 * between containers that share the folder. Node has no call for it, but SQLite, which is part of Node, takes it.
 * @throws with a sentence naming the folder and the other process when it is taken, or the reason why it is unusable.
 */
export async function openDataFolder(folder: string): Promise<DataFolder> {
  const path = await makeFolder(folder);
  const timeout = Date.now() + HANDOVER;
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
  await writeFile(join(path, 'server.pid.new'), `${process.pid}\n`, { mode: 0o600 });
  await rename(join(path, 'server.pid.new'), join(path, 'server.pid'));
  return { path, close: () => lock.close() };
}

async function makeFolder(folder: string): Promise<string> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return await realpath(folder);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`The data folder ${folder} cannot be used: ${reason}`, { cause });
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
