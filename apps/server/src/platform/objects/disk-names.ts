/** The ending of a file that holds an object. Dots of keys are encoded, so that no folder is called so. */
const SUFFIX = '.object';
/** File systems allow 255 bytes for a name; the ending is ours. */
const LONGEST_NAME = 240;
/** S3's own limit. Bytes. */
const LONGEST_KEY = 1_024;
/** Stands for a part of a key that is empty, as in `a//b`. */
const EMPTY = '%';

/**
 * The path of a key below its bucket's folder: readable, the same on file systems that ignore case, and never outside
 * the folder, because dots and slashes of a part are encoded. Null when the key is empty or too long for a file name.
 */
export function pathOfKey(key: string): string | null {
  if (key === '' || Buffer.byteLength(key) > LONGEST_KEY) return null;
  const parts = key.split('/').map(encodePart);
  return parts.some((part) => Buffer.byteLength(part) > LONGEST_NAME) ? null : `${parts.join('/')}${SUFFIX}`;
}

/** The folder that holds the keys beginning with `folder` (which ends in a slash, or is empty); null when there can be none. */
export function pathOfFolder(folder: string): string | null {
  if (folder === '') return '';
  const parts = folder.slice(0, -1).split('/').map(encodePart);
  return parts.some((part) => Buffer.byteLength(part) > LONGEST_NAME) ? null : parts.join('/');
}

/** What an entry of a folder stands for: the last part of a key, or, with a final slash, a folder of keys. */
export function partOfEntry(entry: string, isFolder: boolean): string | null {
  if (isFolder) return `${decodePart(entry)}/`;
  return entry.endsWith(SUFFIX) ? decodePart(entry.slice(0, -SUFFIX.length)) : null;
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
