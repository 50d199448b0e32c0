import { createHash } from 'node:crypto';

/** The ending of a file that holds an object. Dots of keys are encoded, so that no folder has such a name. */
const SUFFIX = '.object';
/** File systems allow 255 bytes for a name; the ending is ours. */
const LONGEST_NAME = 240;
/** Paths have a limit, too: 1,024 bytes on macOS with what stands before this. */
const LONGEST_PATH = 700;
/** S3's own limit. Bytes. */
const LONGEST_KEY = 1_024;
/** Stands for a part of a key that is empty, as in `a//b`. */
const EMPTY = '%';
/** The folder of keys that make no path: `%` is always followed by two digits in the names of others. */
const HASHED = '%long';

/**
 * The path of a key below its bucket's folder: readable, the same on file systems that ignore case, and never outside
 * the folder, because dots and slashes of a part are encoded. A key whose path would be too long is named by its hash;
 * its file says the key. Null when the key is empty or longer than S3 allows.
 */
export function pathOfKey(key: string): string | null {
  if (key === '' || Buffer.byteLength(key) > LONGEST_KEY) return null;
  const parts = key.split('/').map(encodePart);
  const path = parts.join('/');
  const fits = path.length <= LONGEST_PATH && parts.every((part) => Buffer.byteLength(part) <= LONGEST_NAME);
  if (fits) return `${path}${SUFFIX}`;
  const hash = createHash('sha256').update(key).digest('hex');
  return `${HASHED}/${hash.slice(0, 2)}/${hash}${SUFFIX}`;
}

/** The key of a path below a bucket's folder: null when the file itself says it, undefined when it is no object. */
export function keyOfPath(path: string): string | null | undefined {
  if (!path.endsWith(SUFFIX)) return undefined;
  if (path.startsWith(`${HASHED}/`)) return null;
  return path.slice(0, -SUFFIX.length).split('/').map(decodePart).join('/');
}

function encodePart(part: string): string {
  if (part === '') return EMPTY;
  return part.replace(/[^a-z0-9_\-\u3400-\u9fff]+/gu, (characters) =>
    [...Buffer.from(characters)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  );
}

function decodePart(name: string): string {
  return name === EMPTY ? '' : decodeURIComponent(name);
}
