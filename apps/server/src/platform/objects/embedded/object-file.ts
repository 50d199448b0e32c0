import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { S3Problem } from '../protocol/problem.ts';
import type { ByteRange, ObjectDetails, ObjectFacts } from '../store.ts';

/*
 * One file per object: its bytes, then a trailer with its metadata, so that both appear with one rename. Trailer: JSON,
 * its length (4 bytes, big-endian), a magic number. Programs that open the file ignore the trailer: images, archives
 * and texts end before it.
 */
const MARK = Buffer.from('CHOBJ001');
const TAIL = 4 + MARK.length;
const LONGEST_TRAILER = 16_384;

/** How much of a file is read at a time: with more, downloads are not faster; with the default, they need more CPU. */
const CHUNK_BYTES = 256 * 1024;

interface Trailer extends ObjectDetails {
  etag: string;
  /** the key, when the object's path may be too short for it; parts of uploads have none */
  key?: string | undefined;
}

/** An incomplete file: written outside the objects, and moved when it is complete. */
export interface Draft {
  size: number;
  write(chunk: Uint8Array): Promise<void>;
  /**
   * Moves the file to a path, durably before it returns, and replaces any file there. The ETag is the MD5 of the bytes,
   * like S3's of an object stored in one piece, unless it is given.
   */
  finish(
    path: string,
    details: ObjectDetails,
    options?: { etag?: string | undefined; key?: string },
  ): Promise<ObjectFacts>;
  /** Removes the file; harmless after `finish`. */
  discard(): Promise<void>;
}

/** Starts a file in the folder for incomplete files; `hashed` is false when the ETag is known otherwise. */
export async function draft(folder: string, { hashed = true } = {}): Promise<Draft> {
  const path = join(folder, randomUUID());
  const file = await open(path, 'wx', 0o600);
  const hash = hashed ? createHash('md5') : null;
  let isOpen = true;
  let size = 0;
  const close = async () => {
    if (isOpen) await file.close();
    isOpen = false;
  };
  return {
    get size() {
      return size;
    },
    async write(chunk) {
      hash?.update(chunk);
      size += chunk.length;
      await writeAll(file, chunk);
    },
    async finish(target, details, { etag = hash?.digest('hex') ?? '', key } = {}) {
      const trailer: Trailer = { ...details, etag, key };
      const json = Buffer.from(JSON.stringify(trailer));
      if (json.length > LONGEST_TRAILER) throw new S3Problem('MetadataTooLarge');
      const length = Buffer.alloc(4);
      length.writeUInt32BE(json.length);
      await writeAll(file, Buffer.concat([json, length, MARK]));
      await file.sync();
      const { mtime } = await file.stat();
      await close();
      await moveFile(path, target);
      return { ...details, etag, size, modifiedAt: mtime };
    },
    async discard() {
      await close();
      await rm(path, { force: true });
    },
  };
}

/** The object in a file, and its bytes; null when there is none. The caller closes it. */
export async function openObject(
  path: string,
): Promise<{ file: FileHandle; facts: ObjectFacts; key: string | undefined } | null> {
  const file = await open(path, 'r').catch(ifAbsent);
  if (!file) return null;
  try {
    const { size, mtime } = await file.stat();
    const tail = Buffer.alloc(TAIL);
    await file.read(tail, 0, TAIL, Math.max(0, size - TAIL));
    const length = tail.readUInt32BE(0);
    if (!tail.subarray(4).equals(MARK) || length > LONGEST_TRAILER || length + TAIL > size)
      throw new Error(`${path} is not an object of this store`);
    const json = Buffer.alloc(length);
    await file.read(json, 0, length, size - TAIL - length);
    const { key, ...trailer }: Trailer = JSON.parse(json.toString());
    return { file, key, facts: { ...trailer, size: size - TAIL - length, modifiedAt: mtime } };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** The bytes of an open object, which is closed with the stream. */
export function bytesOf(opened: { file: FileHandle; facts: ObjectFacts }, range?: ByteRange): Readable {
  const { size } = opened.facts;
  if (size === 0) {
    void opened.file.close();
    return Readable.from([]);
  }
  const [start, end] = [range?.first ?? 0, range?.last ?? size - 1];
  return createReadStream('', { fd: opened.file, start, end, highWaterMark: CHUNK_BYTES });
}

/** Undefined when there is no such file or folder. Other errors are thrown. */
export function ifAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
}

async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    const { bytesWritten } = await file.write(bytes, written, bytes.length - written);
    written += bytesWritten;
  }
}

/** Moves a complete file to its place and makes the move durable. A folder that was just removed is created again. */
export async function moveFile(from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    await mkdir(dirname(to), { recursive: true, mode: 0o700 });
    try {
      await rename(from, to);
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempt === 5) throw error;
    }
  }
  const folder = await open(dirname(to), 'r').catch(ifAbsent);
  await folder?.sync();
  await folder?.close();
}
