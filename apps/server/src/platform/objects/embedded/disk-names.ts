import { createHash } from 'node:crypto';

/** The extension of a file that contains an object. Dots of keys are encoded, so no folder has such a name. */
const SUFFIX = '.object';
/** File systems allow 255 bytes for a name, including the extension. */
const LONGEST_NAME = 240;
/** Paths also have a limit: 1,024 bytes on macOS, including the part before this one. */
const LONGEST_PATH = 700;
/** S3's own limit. Bytes. */
const LONGEST_KEY = 1_024;
/** Replaces an empty part of a key, as in `a//b`. */
const EMPTY = '%';
/** The folder of keys that cannot be a path: in other names `%` is always followed by two digits. */
const HASHED = '%long';

/**
 * The path of a key below its bucket's folder: readable, the same on case-insensitive file systems, and never outside
 * the folder, because dots and slashes of a part are encoded. A key whose path would be too long is named by its hash,
 * and its file contains the key. Null when the key is empty or longer than S3 allows.
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

/** True when the path of a key does not tell the key, so that the file must contain it. */
export function isHashed(key: string): boolean {
  return pathOfKey(key)?.startsWith(`${HASHED}/`) === true;
}

/**
 * The key of a path below a bucket's folder: null when it is in the file itself, undefined when the path is not an
 * object.
 */
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
