import { createHash } from 'node:crypto';
import { lstat, mkdir, realpath, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The socket name of PostgreSQL for its default port. The port is only part of the name; nothing listens on it. */
export const SOCKET_NAME = '.s.PGSQL.5432';
/** sockaddr_un has 104 bytes on macOS and 108 on Linux, including a terminating zero. */
const LONGEST_SOCKET_PATH = 103;

/**
 * The folder for the database's socket: in the data folder when the path is short enough and the file system supports
 * sockets, else a folder in the system's temporary directory whose name depends on the data folder.
 */
export async function chooseSocketFolder(dataFolder: string): Promise<string> {
  const real = await realpath(dataFolder);
  const inside = join(real, 'postgres-run');
  if (Buffer.byteLength(join(inside, SOCKET_NAME)) <= LONGEST_SOCKET_PATH && (await canHoldSockets(inside))) {
    return inside;
  }
  const name = createHash('sha256').update(real).digest('hex').slice(0, 16);
  const outside = join(tmpdir(), `chargehand-${name}`);
  await refuseForeignFolder(outside);
  return outside;
}

async function canHoldSockets(folder: string): Promise<boolean> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'probe');
  await rm(path, { force: true });
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(path, () => probe.close(() => resolve(true)));
  });
}

/** In a world-writable directory another user may have created the name first, as a link to their own place. */
async function refuseForeignFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const found = await lstat(folder);
  const mine = process.getuid?.() === 0 || found.uid === process.getuid?.();
  if (!found.isDirectory() || !mine || (found.mode & 0o022) !== 0) {
    throw new Error(`${folder} is needed for the database's socket but belongs to another account. Remove it.`);
  }
}
