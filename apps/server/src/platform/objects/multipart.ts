import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Disk } from './disk.ts';
import { bytesOf, ifAbsent, openObject } from './object-file.ts';
import { S3Problem } from './s3-problem.ts';
import type { ObjectDetails, ObjectFacts, Place } from './store.ts';

/** Parts of an upload (Amazon S3: 1 to 10,000). */
const MOST_PARTS = 10_000;

interface Upload extends Place {
  details: ObjectDetails;
  /** the largest that the whole may become, as granted when it was begun */
  limit: number;
}

/** Uploads in parts: `<folder>/.uploads/<id>/`, each part a file of its own until they are put together. */
export interface MultipartUploads {
  begin(place: Place, details: ObjectDetails, limit: number): Promise<string>;
  /** Stores a part, in place of a former one of its number; answers its ETag. @throws S3Problem NoSuchUpload, EntityTooLarge */
  part(place: Place, id: string, number: number, body: AsyncIterable<Buffer>, length: number): Promise<string>;
  parts(place: Place, id: string): Promise<{ number: number; etag: string; size: number; modifiedAt: Date }[]>;
  /**
   * Puts the parts together, with `onlyNew` where there is no object yet.
   * @throws S3Problem NoSuchUpload, InvalidPart, InvalidPartOrder, EntityTooLarge, PreconditionFailed
   */
  complete(
    place: Place,
    id: string,
    parts: readonly { number: number; etag: string }[],
    onlyNew: boolean,
  ): Promise<ObjectFacts>;
  abort(place: Place, id: string): Promise<void>;
  /** Ends uploads that were begun before a time. */
  abandon(before: Date): Promise<void>;
  /** Bytes and number of parts that wait below a prefix. */
  waiting(bucket: string, prefix: string): Promise<{ bytes: number; objects: number }>;
}

export async function multipartUploads(disk: Disk): Promise<MultipartUploads> {
  const root = join(disk.folder, '.uploads');
  await mkdir(root, { recursive: true, mode: 0o700 });
  const folderOf = (id: string) => join(root, id);
  const partFile = (id: string, number: number) => join(folderOf(id), `${String(number).padStart(5, '0')}.part`);

  const read = async (id: string): Promise<Upload | undefined> => {
    const text = await readFile(join(folderOf(id), 'upload.json'), 'utf8').catch(ifAbsent);
    return text === undefined ? undefined : JSON.parse(text);
  };
  const require = async ({ bucket, key }: Place, id: string): Promise<Upload> => {
    const upload = /^[0-9a-f]{32}$/.test(id) ? await read(id) : undefined;
    if (!upload || upload.bucket !== bucket || upload.key !== key) throw new S3Problem('NoSuchUpload');
    return upload;
  };
  const listParts = async (id: string) => {
    const names = (await readdir(folderOf(id)).catch(ifAbsent)) ?? [];
    const found = names.filter((name) => name.endsWith('.part')).sort();
    return await Promise.all(
      found.map(async (name) => {
        const opened = await openObject(join(folderOf(id), name));
        if (!opened) throw new S3Problem('NoSuchUpload');
        await opened.file.close();
        const { etag, size, modifiedAt } = opened.facts;
        return { number: Number.parseInt(name, 10), etag, size, modifiedAt };
      }),
    );
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
        // An upload that was ended meanwhile has no folder any more, and must not get one.
        await require(place, id);
        return (await draft.finish(partFile(id, number), { contentType: '' })).etag;
      } finally {
        await draft.discard();
      }
    },

    async parts(place, id) {
      await require(place, id);
      return await listParts(id);
    },

    async complete(place, id, wanted, onlyNew) {
      const { details, limit } = await require(place, id);
      const stored = new Map((await listParts(id)).map((part) => [part.number, part]));
      if (wanted.length === 0) throw new S3Problem('MalformedXML');
      const parts = wanted.map(({ number, etag }, index) => {
        if (index > 0 && number <= (wanted[index - 1]?.number ?? 0)) throw new S3Problem('InvalidPartOrder');
        const part = stored.get(number);
        if (part?.etag !== etag) throw new S3Problem('InvalidPart');
        return part;
      });
      const size = parts.reduce((sum, part) => sum + part.size, 0);
      if (size > limit) throw new S3Problem('EntityTooLarge');
      const draft = await disk.draft(size);
      try {
        for (const { number } of parts) {
          const opened = await openObject(partFile(id, number));
          if (!opened) throw new S3Problem('NoSuchUpload');
          for await (const chunk of bytesOf(opened)) await draft.write(chunk);
        }
        const facts = await draft.finish(disk.path(place), details, { etag: combinedTag(parts), onlyNew });
        await rm(folderOf(id), { recursive: true, force: true });
        return facts;
      } finally {
        await draft.discard();
      }
    },

    async abort(place, id) {
      await require(place, id);
      await rm(folderOf(id), { recursive: true, force: true });
    },

    async abandon(before) {
      for (const id of await readdir(root)) {
        const facts = await stat(join(folderOf(id), 'upload.json')).catch(ifAbsent);
        const begun = facts?.mtime ?? (await stat(folderOf(id)).catch(ifAbsent))?.mtime;
        if (begun && begun < before) await rm(folderOf(id), { recursive: true, force: true });
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

/** S3's ETag of an object of several parts: the MD5 of their MD5s, and how many they were. */
function combinedTag(parts: readonly { etag: string }[]): string {
  const sums = Buffer.concat(parts.map(({ etag }) => Buffer.from(etag, 'hex')));
  return `${createHash('md5').update(sums).digest('hex')}-${parts.length}`;
}
