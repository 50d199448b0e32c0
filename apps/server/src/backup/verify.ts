import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readObjectList } from './copy-objects.ts';
import { BackupProblem, hashFile, type Manifest, readManifest } from './manifest.ts';
import { backupPath } from './object-source.ts';

/**
 * Compares every file of a backup with its checksum.
 * @throws {BackupProblem} with the first file that is missing or damaged
 */
export async function verifyBackup(
  path: string,
  onProgress: (sentence: string) => void = () => undefined,
): Promise<Manifest> {
  const manifest = await readManifest(path);
  for (const { file, bytes, sha256 } of manifest.tables) await check(join(path, 'database', file), bytes, sha256);
  const { objects } = manifest;
  if (objects === null) return manifest;
  const list = join(path, objects.file);
  await check(list, null, objects.sha256);
  let checked = 0;
  for await (const object of readObjectList(list)) {
    await check(join(path, 'objects', backupPath(object)), object.bytes, object.sha256);
    checked += 1;
    onProgress(`${checked} of ${objects.count} objects checked`);
  }
  if (checked !== objects.count) throw new BackupProblem(`${list} is damaged.`);
  return manifest;
}

async function check(file: string, bytes: number | null, sha256: string): Promise<void> {
  const found = await stat(file).catch(() => null);
  if (found === null) throw new BackupProblem(`${file} is missing.`);
  if ((bytes !== null && found.size !== bytes) || (await hashFile(file)) !== sha256)
    throw new BackupProblem(`${file} is damaged.`);
}
