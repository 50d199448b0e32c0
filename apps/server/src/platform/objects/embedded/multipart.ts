import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { S3Problem } from '../protocol/problem.ts';
import type { ObjectDetails, Place } from '../store.ts';
import type { Condition, Disk } from './disk.ts';
import { keyLocks } from './key-locks.ts';
import { bytesOf, ifAbsent, openObject } from './object-file.ts';

/** The number of parts of an upload (Amazon S3: 1 to 10,000). */
const MOST_PARTS = 10_000;
/** The minimum size of every part except the last (Amazon S3). Bytes. */
const SMALLEST_PART = 5 * 1024 * 1024;

const UPLOAD_ID = /^[0-9a-f]{32}$/;

interface Upload extends Place {
  details: ObjectDetails;
  /** the maximum size of the whole object, from the grant at its start */
  limit: number;
}

/** What remains of a completed upload, until it is abandoned. */
interface Completed extends Place {
  etag: string;
  /** the numbers and ETags of its parts */
  parts: string;
}

export interface StoredPart {
  number: number;
  etag: string;
  size: number;
  modifiedAt: Date;
}

export interface StartedUpload {
  key: string;
  id: string;
  startedAt: Date;
}

/** Multipart uploads: `<folder>/.uploads/<id>/`, each part a separate file until they are combined. */
export interface MultipartUploads {
  begin(place: Place, details: ObjectDetails, limit: number): Promise<string>;
  /**
   * Stores a part, replacing an earlier one with its number, and returns its ETag. @throws S3Problem NoSuchUpload,
   * EntityTooLarge
   */
  part(place: Place, id: string, number: number, body: AsyncIterable<Buffer>, length: number): Promise<StoredPart>;
  /** in the order of their numbers */
  parts(place: Place, id: string): Promise<StoredPart[]>;
  /**
   * Combines the parts, if the condition holds for the current object at that moment. Repeated with the same parts, such
   * as after a lost answer, it returns the same ETag again, and changes nothing.
   * @throws S3Problem NoSuchUpload, InvalidPart, InvalidPartOrder, EntityTooSmall, EntityTooLarge
   */
  complete(
    place: Place,
    id: string,
    parts: readonly { number: number; etag: string }[],
    condition?: Condition,
  ): Promise<{ etag: string }>;
  abort(place: Place, id: string): Promise<void>;
  /** Running uploads of a bucket, by key and then by start time. */
  list(bucket: string, prefix: string): Promise<StartedUpload[]>;
  /** Aborts uploads that were started before a time. */
  abandon(before: Date): Promise<void>;
  /** Bytes and number of waiting parts below a prefix. */
  waiting(bucket: string, prefix: string): Promise<{ bytes: number; objects: number }>;
}

export async function multipartUploads(disk: Disk): Promise<MultipartUploads> {
  const root = join(disk.folder, '.uploads');
  await mkdir(root, { recursive: true, mode: 0o700 });
  const locked = keyLocks();
  const folderOf = (id: string) => join(root, id);
  const partFile = (id: string, number: number) => join(folderOf(id), `${String(number).padStart(5, '0')}.part`);

  const read = async (id: string): Promise<Upload | undefined> => {
    const text = await readFile(join(folderOf(id), 'upload.json'), 'utf8').catch(ifAbsent);
    return text === undefined ? undefined : JSON.parse(text);
  };
  const require = async ({ bucket, key }: Place, id: string): Promise<Upload> => {
    const upload = UPLOAD_ID.test(id) ? await read(id) : undefined;
    if (!upload || upload.bucket !== bucket || upload.key !== key) throw new S3Problem('NoSuchUpload');
    return upload;
  };
  const completedFile = (id: string) => join(folderOf(id), 'completed.json');
  const completed = async ({ bucket, key }: Place, id: string, parts: string): Promise<Completed | null> => {
    const text = UPLOAD_ID.test(id) ? await readFile(completedFile(id), 'utf8').catch(ifAbsent) : undefined;
    const found = text === undefined ? null : (JSON.parse(text) as Completed);
    return found?.bucket === bucket && found.key === key && found.parts === parts ? found : null;
  };
  /** The files of a running upload are read once, so that many parts do not open more and more files. */
  const known = new Map<string, Promise<Map<number, StoredPart>>>();
  const partsOf = (id: string) => {
    const found = known.get(id) ?? readParts(folderOf(id));
    known.set(id, found);
    // The caller receives the error; the next call reads the folder again.
    found.catch(() => known.delete(id));
    return found;
  };
  const listParts = async (id: string) => [...(await partsOf(id)).values()].sort((a, b) => a.number - b.number);
  const end = async (id: string) => {
    await rm(folderOf(id), { recursive: true, force: true });
    known.delete(id);
  };

  /** Removes the parts, after it is certain that a repeated call finds the result. */
  const remember = async (result: Completed, id: string) => {
    await writeFile(completedFile(id), JSON.stringify(result), { mode: 0o600 });
    known.delete(id);
    for (const name of await readdir(folderOf(id)))
      if (name !== basename(completedFile(id))) await rm(join(folderOf(id), name), { force: true });
  };

  const complete: MultipartUploads['complete'] = async (place, id, wanted, condition) => {
    const list = wanted.map(({ number, etag }) => `${number} ${etag}`).join('\n');
    const before = await completed(place, id, list);
    if (before) return before;
    const { details, limit } = await require(place, id);
    const stored = await partsOf(id);
    if (wanted.length === 0) throw new S3Problem('MalformedXML');
    const parts = wanted.map(({ number, etag }, index) => {
      if (index > 0 && number <= (wanted[index - 1]?.number ?? 0)) throw new S3Problem('InvalidPartOrder');
      const part = stored.get(number);
      if (part?.etag !== etag) throw new S3Problem('InvalidPart');
      return part;
    });
    if (parts.slice(0, -1).some((part) => part.size < SMALLEST_PART)) throw new S3Problem('EntityTooSmall');
    const size = parts.reduce((sum, part) => sum + part.size, 0);
    if (size > limit) throw new S3Problem('EntityTooLarge');
    const draft = await disk.draft(size, { hashed: false });
    try {
      for (const { number, etag } of parts) {
        const opened = await openObject(partFile(id, number));
        if (!opened) throw new S3Problem('NoSuchUpload');
        const bytes = bytesOf(opened);
        if (opened.facts.etag !== etag) {
          bytes.destroy();
          throw new S3Problem('InvalidPart');
        }
        for await (const chunk of bytes) await draft.write(chunk);
      }
      const facts = await disk.store(place, draft, details, { etag: combinedTag(parts), condition });
      await remember({ bucket: place.bucket, key: place.key, etag: facts.etag, parts: list }, id);
      return facts;
    } finally {
      await draft.discard();
    }
  };

  return {
    async begin({ bucket, key }, details, limit) {
      disk.path({ bucket, key });
      const id = randomBytes(16).toString('hex');
      await mkdir(folderOf(id), { mode: 0o700 });
      const upload: Upload = { bucket, key, details, limit };
      await writeFile(join(folderOf(id), 'upload.json'), JSON.stringify(upload), { mode: 0o600 });
      return id;
    },

    async part(place, id, number, body, length) {
      const { limit } = await require(place, id);
      if (!(number >= 1 && number <= MOST_PARTS))
        throw new S3Problem('InvalidArgument', 'Part number must be an integer between 1 and 10000');
      const others = (await listParts(id)).filter((part) => part.number !== number);
      if (others.reduce((sum, { size }) => sum + size, length) > limit) throw new S3Problem('EntityTooLarge');
      const draft = await disk.draft(length);
      try {
        for await (const chunk of body) await draft.write(chunk);
        // An upload that was aborted meanwhile has no folder, which must not be created again.
        await require(place, id);
        // One after the other for a number, so that the remembered part is the one in its file.
        return await locked(`${id}/${number}`, async () => {
          const { etag, size, modifiedAt } = await draft.finish(partFile(id, number), { contentType: '' });
          const part = { number, etag, size, modifiedAt };
          (await partsOf(id)).set(number, part);
          return part;
        });
      } finally {
        await draft.discard();
      }
    },

    async parts(place, id) {
      await require(place, id);
      return await listParts(id);
    },

    complete: (place, id, wanted, condition) => locked(id, () => complete(place, id, wanted, condition)),

    async abort(place, id) {
      await require(place, id);
      await end(id);
    },

    async list(bucket, prefix) {
      const found: StartedUpload[] = [];
      for (const id of await readdir(root)) {
        const upload = await read(id);
        if (upload?.bucket !== bucket || !upload.key.startsWith(prefix)) continue;
        const facts = await stat(join(folderOf(id), 'upload.json')).catch(ifAbsent);
        if (facts) found.push({ key: upload.key, id, startedAt: facts.mtime });
      }
      return found.sort(
        (a, b) =>
          Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)) ||
          a.startedAt.getTime() - b.startedAt.getTime() ||
          (a.id < b.id ? -1 : 1),
      );
    },

    async abandon(before) {
      for (const id of await readdir(root)) {
        const facts = await stat(join(folderOf(id), 'upload.json')).catch(ifAbsent);
        const begun = facts?.mtime ?? (await stat(folderOf(id)).catch(ifAbsent))?.mtime;
        if (begun && begun < before) await end(id);
      }
    },

    async waiting(bucket, prefix) {
      const sum = { bytes: 0, objects: 0 };
      for (const id of await readdir(root)) {
        const upload = await read(id);
        if (upload?.bucket !== bucket || !upload.key.startsWith(prefix)) continue;
        const parts = await listParts(id);
        sum.bytes += parts.reduce((total, { size }) => total + size, 0);
        sum.objects += 1;
      }
      return sum;
    },
  };
}

/** S3's ETag of an object of several parts: the MD5 of their MD5s, and the number of parts. */
function combinedTag(parts: readonly { etag: string }[]): string {
  const sums = Buffer.concat(parts.map(({ etag }) => Buffer.from(etag, 'hex')));
  return `${createHash('md5').update(sums).digest('hex')}-${parts.length}`;
}

async function readParts(folder: string): Promise<Map<number, StoredPart>> {
  const parts = new Map<number, StoredPart>();
  for (const name of (await readdir(folder).catch(ifAbsent)) ?? []) {
    if (!name.endsWith('.part')) continue;
    const opened = await openObject(join(folder, name));
    if (!opened) continue;
    await opened.file.close();
    const { etag, size, modifiedAt } = opened.facts;
    const number = Number.parseInt(name, 10);
    parts.set(number, { number, etag, size, modifiedAt });
  }
  return parts;
}
