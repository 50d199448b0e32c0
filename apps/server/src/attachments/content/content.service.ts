import type { Readable } from 'node:stream';
import { type FileLevels, meets, shownType } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Pool } from 'pg';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import type { ByteRange, ObjectStore } from '../../platform/objects/store.ts';
import { attachmentRows } from '../attachment-rows.ts';
import { isManaged } from '../files/file-values.ts';
import { type FileRecord, readFile, readFiles } from '../files/files.store.ts';
import { readFolder } from '../folders/folders.store.ts';
import type { Viewer } from '../visible.ts';
import { childrenOf, type FolderEntries } from './entries.store.ts';
import { mayDownloadManaged } from './managed-files.ts';

/** The content of a file, or a part of it. */
export interface OpenContent {
  name: string;
  /** of the whole file, bytes */
  size: number;
  mediaType: string;
  /** without quotes */
  etag: string;
  stream: Readable;
}

/** A file that a caller may download. */
export interface Download {
  id: number;
  name: string;
  size: number;
  /** without quotes */
  etag: string;
}

/** A user, signed in or not, as far as reading files depends on them. */
type Reader = Pick<Caller, 'userId' | 'root' | 'keys' | 'platformVendor' | 'customerId' | 'levels' | 'scope'>;

/** What an answer says about the content of a file, before it is read. */
export interface ContentFacts {
  id: number;
  name: string;
  size: number;
  etag: string;
  /** the type with which a browser displays it; null when it is downloaded */
  shown: string | null;
}

/** Objects whose facts are read at the same time. */
const HEADS_AT_ONCE = 16;

export type ContentService = ReturnType<typeof contentService>;

/** Reads files. Nobody reads one in the trash, or one with a virus. */
export function contentService({ db, pool, store }: { db: Kysely<Database>; pool: Pool; store: ObjectStore }) {
  /** @throws {Problem} notFound, attachmentInfected, attachmentWaiting */
  async function readable(id: number): Promise<FileRecord> {
    const file = await readFile(db, id);
    const problem = problemOf(file);
    if (problem || !file) throw problem ?? notFound('attachment');
    return file;
  }

  async function streamOf(file: FileRecord, range?: ByteRange): Promise<Readable> {
    const place = { bucket: store.buckets[file.bucket], key: file.objectKey };
    const found = await store.read(place, file.size === 0 ? undefined : range);
    if (!found) throw new Problem('attachmentGone');
    return found.body;
  }

  return {
    /**
     * The facts about a file that a caller may read, with the levels that decide about downloading it. What a browser
     * does not display is only downloaded.
     */
    async facts(
      caller: Caller,
      id: number,
      own: FileLevels & { area: 'attachment' | string },
      download: boolean,
    ): Promise<ContentFacts> {
      const file = await readable(id);
      const shown = download || isManaged(file) ? null : shownType(file.name);
      if (shown === null && own.area === 'attachment') {
        const needed = { area: 'attachment', verb: 'download', level: own.download } as const;
        if (!meets(caller.levels, [needed])) throw new Problem('noPermission');
      }
      if (!mayDownloadManaged(caller, file)) throw new Problem('noPermission');
      const { name, size, etag } = file;
      return { id, name, size, etag, shown };
    },

    /**
     * Which of some files a caller may download, under the rules of their own address: by the levels of a file, or as a
     * reader of a document, a device or an issue that uses it. The others have a problem.
     */
    async downloads(caller: Reader, ids: readonly number[]): Promise<Map<number, Download | Problem>> {
      const [files, rows] = await Promise.all([
        readFiles(db, ids),
        attachmentRows.attachmentContent(pool, caller, ids),
      ]);
      const byId = new Map(files.map((file) => [file.id, file]));
      const owns = new Map(rows.map(({ id, own }) => [Number(id), own]));
      return new Map(
        ids.map((id) => {
          const [file, own] = [byId.get(id), owns.get(id)];
          if (!file || !own) return [id, notFound('attachment')];
          const needed = [
            { area: own.area, verb: 'read', level: own.read } as const,
            ...(own.area === 'attachment' ? [{ area: own.area, verb: 'download', level: own.download } as const] : []),
          ];
          const isAllowed = meets(caller.levels, needed) && mayDownloadManaged(caller, file);
          const problem = problemOf(file) ?? (isAllowed ? null : new Problem('noPermission'));
          return [id, problem ?? { id, name: file.name, size: file.size, etag: file.etag }];
        }),
      );
    },

    /** The content of a file for callers that are authorized elsewhere. @throws {Problem} when it cannot be read */
    async open(id: number, range?: ByteRange): Promise<OpenContent> {
      const file = await readable(id);
      const { name, size, mediaType, etag } = file;
      return { name, size, mediaType, etag, stream: await streamOf(file, range) };
    },

    /**
     * Which of some files have no content in the object store, or not all of it, such as after a restored backup. Does
     * not authorize.
     */
    async missing(ids: readonly number[]): Promise<Set<number>> {
      const missing = new Set<number>();
      const left = (await readFiles(db, ids)).values();
      const work = async () => {
        for (const { id, bucket, objectKey: key, size } of left) {
          const facts = await store.head({ bucket: store.buckets[bucket], key });
          if (facts?.size !== size) missing.add(id);
        }
      };
      await Promise.all(Array.from({ length: HEADS_AT_ONCE }, work));
      return missing;
    },

    /**
     * The files and folders in a folder that a user may see; null when it does not exist. That they may see the folder
     * is checked elsewhere.
     */
    async entries(viewer: Viewer, folderId: number): Promise<FolderEntries | null> {
      const folder = await readFolder(db, folderId);
      return (
        folder && { name: folder.name, customerId: folder.customerId, ...(await childrenOf(db, viewer, folderId)) }
      );
    },
  };
}

/** Why nobody reads a file; null when its readers may. */
function problemOf(file: FileRecord | null): Problem | null {
  if (!file || file.deletedAt !== null) return notFound('attachment');
  if (file.scan === 'infected') return new Problem('attachmentInfected', { values: { virus: file.virus ?? '' } });
  return file.scan === 'waiting' ? new Problem('attachmentWaiting') : null;
}
