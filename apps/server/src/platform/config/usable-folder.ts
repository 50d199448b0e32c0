import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/**
 * Creates a folder with access only for this account if necessary, one level at a time: with `recursive`, Node 24 never
 * returns for a path in a virtual file system such as /proc.
 * @throws the error of the operating system
 */
export async function createFolder(folder: string): Promise<void> {
  const missing: string[] = [];
  for (let path = resolve(folder); !existsSync(path) && path !== dirname(path); path = dirname(path))
    missing.push(path);
  for (const path of missing.reverse()) {
    await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

/**
 * Checks that backups can be written to their folder, by writing there.
 * @throws with one sentence that names the setting, the folder and the reason
 */
export async function requireBackupFolder(folder: string): Promise<void> {
  const probe = join(folder, `.chargehand-check-${process.pid}`);
  try {
    await createFolder(folder);
    await writeFile(probe, '', { mode: 0o600 });
    await rm(probe);
  } catch (cause) {
    const { message } = cause as Error;
    throw new Error(
      `Backups cannot be written to ${folder} (CHARGEHAND_BACKUP_FOLDER): ${message}. ` +
        'Give this account write access, or choose another folder.',
      { cause },
    );
  }
}
