import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { join, relative } from 'node:path';

const PROJECT = join(import.meta.dirname, '../../../../..');
/** Packed data folders of the tests' PostgreSQL, each named after the hash of what its content was made from. */
const CACHE = join(PROJECT, 'node_modules', '.cache', 'test-database');
/** Each is some 80 MB. Branches and their changes take turns. */
const KEPT = 4;

/** What the databases of the templates are made from: migrations, test data, and everything that a start writes. */
const SOURCES = ['apps/server/src', 'packages/contract/src', 'packages/domain/src', 'package-lock.json'];
/** Files that no template depends on. */
const UNUSED =
  /(\.(test|full|s3|mqtt|clients|deploy|md)\.\w+|\.md)$|\/testing\/(?!database\/|world\.|config\.|clock\.)/;

/**
 * A hash (hex) of all files that decide the content of the templates.
 * @param sources paths of files and folders in `project`
 */
export async function hashOfSources(project = PROJECT, sources: readonly string[] = SOURCES): Promise<string> {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`);
  for (const source of sources) {
    for (const path of await filesOf(join(project, source))) {
      const name = relative(project, path);
      if (!UNUSED.test(name)) hash.update(`\n${name}\n`).update(await readFile(path));
    }
  }
  return hash.digest('hex').slice(0, 32);
}

/**
 * Unpacks the data folder with this hash.
 * @param folder an existing folder
 * @returns whether there was one
 */
export async function unpackCluster(hash: string, folder: string): Promise<boolean> {
  const file = packed(hash);
  if (!existsSync(file)) return false;
  if (!tar('-xpf', file, '-C', folder)) {
    // Another run may have removed it, or an earlier one was cut off by a full disk.
    await rm(file, { force: true });
    return false;
  }
  await utimes(file, new Date(), new Date()).catch(() => undefined);
  return true;
}

/**
 * Packs the entries of a data folder whose database has stopped, and removes older ones. The file is complete when it
 * gets its name, so that several runs at once can write it.
 */
export async function packCluster(hash: string, folder: string, entries: readonly string[]): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  const unfinished = join(CACHE, `unfinished-${randomBytes(6).toString('hex')}`);
  if (tar('-cf', unfinished, '-C', folder, ...entries)) {
    await chmod(unfinished, 0o600);
    await rename(unfinished, packed(hash));
  }
  await removeOld();
}

async function removeOld(): Promise<void> {
  const found = await Promise.all(
    (await readdir(CACHE)).map(async (name) => {
      const path = join(CACHE, name);
      const used = (await stat(path).catch(() => null))?.mtimeMs ?? 0;
      return { path, used, current: name.startsWith('unfinished-') && Date.now() - used < 600_000 };
    }),
  );
  const finished = found.filter(({ current }) => !current).sort((a, b) => b.used - a.used);
  for (const { path } of finished.slice(KEPT)) await rm(path, { force: true });
}

function packed(hash: string): string {
  return join(CACHE, `${hash}.tar`);
}

function tar(...args: string[]): boolean {
  return spawnSync('tar', args, { stdio: 'ignore' }).status === 0;
}

async function filesOf(path: string): Promise<string[]> {
  if ((await stat(path)).isFile()) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
