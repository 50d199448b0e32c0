import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { BodyOf, publicShareEndpoints, SharedUpload } from '@chargehand/contract';
import { formatSize } from '@chargehand/domain';
import type { FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { exchangeOf } from '../../platform/http/body/exchange.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import type { Log } from '../../platform/log.ts';
import { oldObjects } from '../../platform/objects/old-objects.ts';
import { partObjects } from '../../platform/objects/part-objects.ts';
import type { ObjectStore, Place } from '../../platform/objects/store.ts';
import type { RunningUses } from '../running-uses.ts';
import type { ShareChanges } from '../share-changes.ts';
import type { ShareMails } from '../share-mails.ts';
import type { SharedFiles } from '../shared-files.ts';
import { claimNotice, type ShareRecord } from '../shares.store.ts';
import {
  addPart,
  deleteUpload,
  findUpload,
  finishUpload,
  insertUpload,
  knownUploads,
  silentUploads,
  type UploadRecord,
} from './uploads.store.ts';
import { addProgress, countUse, insertUse, uncountUse } from './uses.store.ts';
import type { Visit } from './visitors.service.ts';

/** The largest part of an upload. Its sender starts with smaller ones, because a part must arrive within 30 seconds. */
const PART_BYTES = 8 * 1024 * 1024;
/** Where parts are, until the last one has arrived. Only the server writes there. */
const PARTS = 'document/shares/';
/** An upload can be continued for so long after its last part. Milliseconds. */
const CONTINUE_MS = 24 * 60 * 60_000;
/** An upload without a first part holds space for so long; the browser announces it again. Milliseconds. */
const START_MS = 10 * 60_000;
const BATCH = 200;

export type UploadsService = ReturnType<typeof uploadsService>;

/**
 * Files that visitors upload for a request, in parts: each part is stored before it is acknowledged, so that an upload
 * continues after a lost connection, a reload or a restart of the server.
 */
export function uploadsService(parts: {
  db: Kysely<Database>;
  store: ObjectStore;
  files: SharedFiles;
  mails: ShareMails;
  running: RunningUses;
  changes: ShareChanges;
  log: Log;
}) {
  const { db, store, files, mails, running, changes, log } = parts;
  const arriving = new Set<string>();
  const stored = partObjects(store, PARTS);
  const at = (key: string): Place => ({ bucket: store.buckets.main, key });

  async function found(visit: Visit, id: string): Promise<UploadRecord> {
    requireRequest(visit);
    const upload = await findUpload(db, id);
    if (!upload || upload.shareId !== visit.share.id) throw notFound('sharedUpload');
    return upload;
  }

  /** Removes an upload that will not be completed, and no longer counts it. */
  async function drop({ id, shareId, useId, size, done }: UploadRecord): Promise<void> {
    await db.transaction().execute(async (trx) => {
      if (!(await deleteUpload(trx, id)) || done) return;
      await uncountUse(trx, shareId, size);
      await addProgress(trx, useId, 0, true);
    });
    await stored.remove(id);
  }

  /**
   * Makes a complete upload a file of the folder, in the name of the creator of the request. The key is a function of
   * the upload, so that the next call continues what an interrupted one left, and writes nothing twice.
   */
  async function finish(visit: Visit, upload: UploadRecord): Promise<void> {
    const { share, creator, visitor } = visit;
    const incoming = `document/incoming/u${share.createdBy}/${upload.id}`;
    if (!(await files.hasArrived(incoming))) {
      await store.write(at(incoming), stored.content(upload.id), { contentType: 'application/octet-stream' });
    }
    try {
      const { uploader } = upload;
      const file = { key: incoming, name: upload.name, uploader, address: visitor.address };
      // In the transaction that adds the file, so that it is added once, even if the server is killed.
      await files.add(share, creator, file, async (trx, name) => {
        if (!(await finishUpload(trx, upload.id))) throw new Error('another request completed the upload');
        await addProgress(trx, upload.useId, 0, true);
        await notify(trx, share, name);
      });
    } catch (error) {
      // Any other failure may be temporary: the next call finds the object.
      if (error instanceof Problem) {
        await store.remove(at(incoming));
        await drop(upload);
      }
      throw error;
    }
    await stored.remove(upload.id);
  }

  /** Tells the creator that files arrive, once an hour at most. */
  async function notify(trx: Kysely<Database>, share: ShareRecord, name: string): Promise<void> {
    if (await claimNotice(trx, share.id)) await mails.uploaded(trx, share, name);
  }

  /** Stores one part. It ends with the share. */
  async function receive(visit: Visit, upload: UploadRecord, offset: number, request: FastifyRequest, body: Readable) {
    const announced = Number(request.headers['content-length'] ?? Number.NaN);
    const left = upload.size - upload.received;
    if (offset !== upload.received || !(announced <= Math.min(PART_BYTES, left)) || (announced === 0 && left > 0)) {
      throw new Problem('shareUploadPart', { field: 'offset' });
    }
    if (announced === 0) return;
    const exchange = exchangeOf(request);
    const remove = running.add(visit.share.id, () => {
      body.destroy();
      exchange.abort();
    });
    if (!remove) throw new Problem('shareBusy', { status: 429 });
    let head: Buffer;
    try {
      head = await stored.write(upload.id, offset, announced, body);
    } finally {
      remove();
    }
    if (offset === 0) {
      try {
        files.requireAllowed({ name: upload.name, size: upload.size, head });
      } catch (error) {
        await drop(upload);
        throw error;
      }
    }
    await db.transaction().execute(async (trx) => {
      if (!(await addPart(trx, upload.id, { offset, bytes: announced }))) {
        throw new Problem('shareUploadPart', { field: 'offset' });
      }
      await addProgress(trx, upload.useId, announced, false);
    });
  }

  return {
    /** Announces a file: checks its name and size, and counts it against the limits. */
    async begin(
      visit: Visit,
      entered: BodyOf<(typeof publicShareEndpoints)['startSharedUpload']>,
    ): Promise<SharedUpload> {
      requireRequest(visit);
      const { size, uploader = '' } = entered;
      const name = files.requireAllowed({ name: entered.name, size, head: null });
      const { id: shareId, byteLimit, bytes } = visit.share;
      const id = randomUUID();
      await db.transaction().execute(async (trx) => {
        // Checked again when the file is complete: other files may have taken the space.
        await files.reserveSpace(trx, visit.share, size);
        if (!(await countUse(trx, shareId, size))) {
          if (visit.usedUp || byteLimit === null || bytes + size <= byteLimit) throw new Problem('shareUsedUp');
          const left = formatSize(Math.max(0, byteLimit - bytes));
          throw new Problem('shareUploadsFull', { field: 'size', values: { left } });
        }
        const use = { shareId, kind: 'upload' as const, attachmentId: null, name, size, visitor: visit.visitor };
        const useId = await insertUse(trx, use);
        await insertUpload(trx, { id, shareId, useId, name, uploader: uploader.trim(), size });
      });
      changes.used(visit.share);
      return shown({ id, received: 0, size, done: false });
    },

    read: async (visit: Visit, id: string): Promise<SharedUpload> => shown(await found(visit, id)),

    /** Stores the next part; after the last one the file is in the folder. */
    async part(visit: Visit, id: string, offset: number, request: FastifyRequest): Promise<SharedUpload> {
      const upload = await found(visit, id);
      const body = request.part;
      if (!body) throw new Problem('badBody');
      if (upload.done) return shown(upload);
      if (arriving.has(id)) throw new Problem('shareUploadPart', { field: 'offset' });
      arriving.add(id);
      try {
        await receive(visit, upload, offset, request, body);
        const now = (await findUpload(db, id)) ?? upload;
        if (now.received === now.size && !now.done) await finish(visit, now);
        return shown((await findUpload(db, id)) ?? now);
      } finally {
        arriving.delete(id);
        changes.used(visit.share);
      }
    },

    /** Removes uploads that were not started soon or not continued for a day, and parts without an upload. */
    async sweep(time: Date, signal?: AbortSignal): Promise<number> {
      const now = time.getTime();
      let count = 0;
      const before = new Date(now - CONTINUE_MS);
      for (const upload of await silentUploads(db, { before, startedBefore: new Date(now - START_MS) }, BATCH)) {
        if (signal?.aborted) return count;
        await drop(upload);
        count += 1;
      }
      for await (const keys of oldObjects(store.list(store.buckets.main, PARTS), before, BATCH)) {
        const known = await knownUploads(db, [...new Set(keys.map(stored.uploadOf))]);
        for (const key of keys) {
          if (signal?.aborted) return count;
          if (known.has(stored.uploadOf(key))) continue;
          await store
            .remove(at(key))
            .catch((error: unknown) => log.warn({ err: error, key }, 'a part was not removed'));
        }
      }
      return count;
    },
  };
}

function requireRequest({ share }: Visit): void {
  if (share.kind !== 'upload') throw new Problem('shareDownloadOnly');
}

function shown({ id, received, size, done }: Pick<UploadRecord, 'id' | 'received' | 'size' | 'done'>): SharedUpload {
  return { id, received, size, done, partBytes: PART_BYTES };
}
