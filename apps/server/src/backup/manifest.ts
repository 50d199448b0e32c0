import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** The version of the layout of a backup folder. */
const FORMAT = 1;
const NAME = 'manifest.json';
const CHECKSUM = 'manifest.json.sha256';

/** A table of a backup: one file with its rows in the text format of COPY, compressed with Zstandard. */
export interface BackedUpTable {
  name: string;
  /** the partitioned table to which it belongs, and the bounds of its partition */
  partition: { of: string; bounds: string } | null;
  columns: string[];
  rows: number;
  file: string;
  bytes: number;
  sha256: string;
}

/** What a backup contains: the file `manifest.json`, which is written last. */
export interface Manifest {
  format: number;
  /** the version of the product */
  version: string;
  startedAt: string;
  /** the time of the data: everything that was committed before it is in the backup */
  takenAt: string;
  endedAt: string;
  postgres: string;
  keys: string;
  migrations: { name: string; checksum: string }[];
  tables: BackedUpTable[];
  /** the last value of each sequence; null if it was never used */
  sequences: { name: string; last: string | null }[];
  /** null for a backup without objects */
  objects: { count: number; bytes: number; file: string; sha256: string } | null;
}

/** The sentence about secrets in every backup and in the output of the command. */
export const KEYS_STATEMENT =
  'The backup contains all keys and secrets that are in the database (password hashes, keys of sealed values, ' +
  'signing keys). It does not contain settings of the environment or certificate files. ' +
  'Protect it like the data folder.';

/** A backup is damaged, or this version cannot use it. The message is for the operator. */
export class BackupProblem extends Error {
  override name = 'BackupProblem';
}

/** Writes the manifest and its checksum. */
export async function writeManifest(folder: string, manifest: Omit<Manifest, 'format' | 'keys'>): Promise<Manifest> {
  const complete: Manifest = { format: FORMAT, ...manifest, keys: KEYS_STATEMENT };
  const text = `${JSON.stringify(complete, null, 2)}\n`;
  await writeFile(join(folder, NAME), text, { mode: 0o600, flush: true });
  await writeFile(join(folder, CHECKSUM), `${sha256Of(text)}  ${NAME}\n`, { mode: 0o600, flush: true });
  return complete;
}

/** @throws {BackupProblem} if the folder is not a complete backup that this version can read */
export async function readManifest(folder: string): Promise<Manifest> {
  const [text, checksum] = await Promise.all(
    [NAME, CHECKSUM].map((name) => readFile(join(folder, name), 'utf8').catch(() => null)),
  );
  if (text == null || checksum == null) throw new BackupProblem(`${folder} is not a complete backup.`);
  if (checksum.split(' ')[0] !== sha256Of(text)) throw new BackupProblem(`${join(folder, NAME)} is damaged.`);
  const manifest: Manifest = JSON.parse(text);
  if (manifest.format !== FORMAT)
    throw new BackupProblem(`Version ${manifest.version} made this backup. Restore it with that version.`);
  return manifest;
}

function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The SHA-256 of a file, in hexadecimal digits. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
