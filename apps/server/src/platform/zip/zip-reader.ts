import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import {
  type Entry,
  fromBufferPromise,
  fromRandomAccessReaderPromise,
  getFileNameLowLevel,
  type RandomAccessReader,
  validateFileName,
} from 'yauzl';

/** A file of an archive. */
export interface ZipEntry {
  /** with `/` between folders */
  path: string;
  /** as the archive declares it; reading fails if the file has another one */
  size: number;
  /** a symbolic link, whose content is the path of another file */
  isLink: boolean;
  open(): Promise<Readable>;
}

/** Why an archive is refused. */
export class RefusedZip extends Error {
  override name = 'RefusedZip';
  /** `outside`: the path of an entry leads out of the archive */
  readonly reason: 'damaged' | 'many' | 'outside';
  /** the path of the entry */
  readonly path: string;

  constructor(reason: RefusedZip['reason'], path = '') {
    super(`the archive is refused: ${reason}`);
    this.reason = reason;
    this.path = path;
  }
}

/** An archive whose files are read one by one. */
export interface ZipReader {
  /** without folders, by path; of several entries with one path, the first */
  entries: ReadonlyMap<string, ZipEntry>;
  close(): void;
}

/** Opens an archive of at most `most` entries. @throws {RefusedZip} */
export async function openZip(
  source: Buffer | { reader: RandomAccessReader; size: number },
  most: number,
): Promise<ZipReader> {
  // Names are decoded here, because archives from older Windows and macOS do not declare their character set.
  const options = { lazyEntries: true, autoClose: false, decodeStrings: false } as const;
  try {
    const zip = await (Buffer.isBuffer(source)
      ? fromBufferPromise(source, options)
      : fromRandomAccessReaderPromise(source.reader, source.size, options));
    const entries = new Map<string, ZipEntry>();
    if (zip.entryCount > most) throw new RefusedZip('many');
    const found: Entry[] = [];
    for await (const entry of zip.eachEntry()) {
      if (found.length === most) throw new RefusedZip('many');
      found.push(entry);
    }
    // One program wrote all names: a single one that is not UTF-8 decides about the others, which might be either.
    const encoding = found.every((entry) => isDeclared(entry) || isUtf8(entry.fileNameRaw)) ? 'utf-8' : 'gb18030';
    for (const entry of found) {
      const path = pathOf(entry, encoding);
      if (validateFileName(path) !== null) throw new RefusedZip('outside', path);
      if (path.endsWith('/') || entries.has(path)) continue;
      const open = () => zip.openReadStreamPromise(entry);
      entries.set(path, { path, size: entry.uncompressedSize, isLink: isLink(entry), open });
    }
    return { entries, close: () => zip.close() };
  } catch (error) {
    // Any error of the library means that the archive is damaged.
    throw error instanceof RefusedZip ? error : new RefusedZip('damaged');
  }
}

/** The bit that says that a name is UTF-8. */
const UTF_8 = 0x0800;
/** Info-ZIP's field with the name in UTF-8. */
const UNICODE_PATH = 0x7075;

function isDeclared({ generalPurposeBitFlag: flag, extraFields }: Entry): boolean {
  return (flag & UTF_8) !== 0 || extraFields.some(({ id }) => id === UNICODE_PATH);
}

/** The path of an entry; a name without a declared character set is in `encoding`. */
function pathOf(entry: Entry, encoding: 'utf-8' | 'gb18030'): string {
  const { fileNameRaw: raw, generalPurposeBitFlag: flag, extraFields } = entry;
  const declared = () => getFileNameLowLevel(flag, raw, extraFields, false);
  const name = isDeclared(entry) ? declared() : (decoded(raw, encoding) ?? declared());
  return name.replaceAll('\\', '/').normalize('NFC');
}

function decoded(bytes: Buffer, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function isLink({ externalFileAttributes }: Entry): boolean {
  return ((externalFileAttributes >>> 16) & 0o170000) === 0o120000;
}
