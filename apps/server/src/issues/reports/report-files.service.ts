import type { Readable } from 'node:stream';
import type { BodyOf, publicReportEndpoints, SharedUpload } from '@chargehand/contract';
import {
  contentPurpose,
  FILE_RULES,
  type FileFault,
  fileFault,
  formatSize,
  REPORT_LIMITS,
  reportFileFault,
} from '@chargehand/domain';
import type { FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { type AttachmentsRoom, enteredName } from '../../attachments/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import type { Log } from '../../platform/log.ts';
import { oldObjects } from '../../platform/objects/old-objects.ts';
import { partObjects } from '../../platform/objects/part-objects.ts';
import type { ObjectStore } from '../../platform/objects/store.ts';
import type { IssueChanges } from '../issue-changes.ts';
import { requireFollowed } from './follow.service.ts';
import {
  addReportPart,
  announcedBytes,
  appendToMessage,
  bytesOfReport,
  deleteReportUpload,
  findReportUpload,
  finishReportUpload,
  insertReportUpload,
  lockMessageFiles,
  openReportUploads,
  type ReportUploadRecord,
  silentReportUploads,
} from './report-uploads.store.ts';
import type { FollowedRecord } from './reports.store.ts';

/** The largest part. Its sender starts with smaller ones, because a part must arrive within 30 seconds. */
const PART_BYTES = 8 * 1024 * 1024;
/** An upload can be continued for so long after its last part: a phone may be without a network for days. */
const CONTINUE_MS = 7 * 24 * 60 * 60_000;
/** An upload without a first part holds space for so long; the browser announces it again. Milliseconds. */
const START_MS = 10 * 60_000;
const BATCH = 200;

const FAULTS = {
  nameless: 'fileNameless',
  type: 'fileType',
  content: 'fileContent',
  tooLarge: 'fileTooLarge',
  empty: 'fileEmpty',
} as const satisfies Record<FileFault, string>;

export type ReportFilesService = ReturnType<typeof reportFilesService>;

/**
 * Photos and videos of reporters. They arrive in parts after the text of their message, so that a problem is known
 * before its pictures, and an upload continues after a lost connection.
 */
export function reportFilesService(parts: {
  db: Kysely<Database>;
  store: ObjectStore;
  attachments: Pick<
    AttachmentsRoom,
    'arrive' | 'settle' | 'settled' | 'hasArrived' | 'reserveSpace' | 'countAnnounced'
  >;
  changes: IssueChanges;
  log: Log;
}) {
  const { db, store, attachments, changes, log } = parts;
  attachments.countAnnounced(announcedBytes);
  const stored = partObjects(store, 'document/reports/');
  const arriving = new Set<string>();

  async function found(report: FollowedRecord, id: string): Promise<ReportUploadRecord> {
    const upload = await findReportUpload(db, id);
    if (upload?.reportId !== report.id) throw notFound('sharedUpload');
    return upload;
  }

  async function drop(id: string): Promise<void> {
    await deleteReportUpload(db, id);
    await stored.remove(id);
  }

  /** Makes a complete upload a file of the issue, and shows it in its message. */
  async function finish(report: FollowedRecord, { id, name, message }: ReportUploadRecord): Promise<void> {
    const key = `document/incoming/reports/${id}`;
    if (!(await attachments.hasArrived(key))) {
      const place = { bucket: store.buckets.main, key };
      await store.write(place, stored.content(id), { contentType: 'application/octet-stream' });
    }
    const { customerId, siteId, issueId, rootId, key: issueKey } = report;
    const uses = [...new Set([issueId, rootId])].map((objectId) => ({ kind: 'issue' as const, objectId }));
    const by = { userId: null, userName: issueKey };
    const intake = { key, name, type: 'issue' as const, folderId: null, customerId, siteId, uses, by };
    try {
      const arrived = await asReportersRead(() => attachments.arrive(intake));
      if ('file' in arrived) return;
      await db.transaction().execute(async (trx) => {
        const file = await asReportersRead(() =>
          attachments.settle(trx, intake, arrived, async (_, added) => {
            if (!(await finishReportUpload(trx, id, added.name)))
              throw new Error('another request completed the upload');
          }),
        );
        const attrs = { file: String(file.id) };
        const node =
          contentPurpose(file.name) === 'image'
            ? { type: 'image', attrs: { ...attrs, alt: file.name } }
            : { type: 'video', attrs: { ...attrs, name: file.name } };
        await appendToMessage(trx, report, message, node);
      });
      attachments.settled(customerId);
    } catch (error) {
      // Any other failure may be temporary: the next call finds the object.
      if (error instanceof Problem) {
        await store.remove({ bucket: store.buckets.main, key });
        await drop(id);
      }
      throw error;
    }
    await stored.remove(id);
    await changes.changed({ ...report, id: rootId });
  }

  async function receive(upload: ReportUploadRecord, offset: number, request: FastifyRequest, body: Readable) {
    const announced = Number(request.headers['content-length'] ?? Number.NaN);
    const left = upload.size - upload.received;
    if (offset !== upload.received || !(announced <= Math.min(PART_BYTES, left)) || (announced === 0 && left > 0)) {
      throw new Problem('reportUploadPart', { field: 'offset' });
    }
    if (announced === 0) return;
    const head = await stored.write(upload.id, offset, announced, body);
    if (offset === 0) {
      try {
        requireAllowed({ name: upload.name, size: upload.size, head });
      } catch (error) {
        await drop(upload.id);
        throw error;
      }
    }
    if (!(await addReportPart(db, upload.id, { offset, bytes: announced }))) {
      throw new Problem('reportUploadPart', { field: 'offset' });
    }
  }

  return {
    /** Announces a file of the latest message of the reporter. */
    async begin(entered: BodyOf<(typeof publicReportEndpoints)['startReportUpload']>): Promise<SharedUpload> {
      const { f, requestKey: id, size } = entered;
      const report = await requireFollowed(db, f);
      const known = await findReportUpload(db, id);
      if (known) return shown(await found(report, id));
      const name = enteredName(entered.name);
      requireAllowed({ name, size, head: null });
      const { customerId } = report;
      await db.transaction().execute(async (trx) => {
        await asReportersRead(() => attachments.reserveSpace(trx, customerId, size));
        const names = await lockMessageFiles(trx, report.id, report.replies);
        const fault = reportFileFault(names, name);
        if (fault === 'tooMany') {
          throw new Problem('reportFiles', { field: 'name', values: { photos: REPORT_LIMITS.photos } });
        }
        if ((await bytesOfReport(trx, report.id)) + size > REPORT_LIMITS.bytes) {
          throw new Problem('reportSpaceFull', { field: 'size' });
        }
        await insertReportUpload(trx, { id, reportId: report.id, message: report.replies, name, size });
      });
      return shown({ id, received: 0, size, done: false });
    },

    read: async (f: string, id: string): Promise<SharedUpload> => shown(await found(await requireFollowed(db, f), id)),

    /** Stores the next part; after the last one the file is in the issue. */
    async part(f: string, id: string, offset: number, request: FastifyRequest): Promise<SharedUpload> {
      const report = await requireFollowed(db, f);
      const upload = await found(report, id);
      const body = request.part;
      if (!body) throw new Problem('badBody');
      if (upload.done) return shown(upload);
      if (arriving.has(id)) throw new Problem('reportUploadPart', { field: 'offset' });
      arriving.add(id);
      try {
        await receive(upload, offset, request, body);
        const now = (await findReportUpload(db, id)) ?? upload;
        if (now.received === now.size && !now.done) await finish(report, now);
        return shown((await findReportUpload(db, id)) ?? now);
      } finally {
        arriving.delete(id);
      }
    },

    /** Removes uploads that were not started soon or not continued for a week, and parts without an upload. */
    async sweep(at: Date, signal?: AbortSignal): Promise<number> {
      const now = at.getTime();
      let count = 0;
      const before = new Date(now - CONTINUE_MS);
      for (const id of await silentReportUploads(db, { before, startedBefore: new Date(now - START_MS) }, BATCH)) {
        if (signal?.aborted) return count;
        await drop(id);
        count += 1;
      }
      for await (const keys of oldObjects(store.list(store.buckets.main, stored.prefix), before, BATCH)) {
        const known = await openReportUploads(db, [...new Set(keys.map(stored.uploadOf))]);
        for (const key of keys) {
          if (signal?.aborted) return count;
          if (known.has(stored.uploadOf(key))) continue;
          await stored
            .removeKey(key)
            .catch((error: unknown) => log.warn({ err: error, key }, 'a part was not removed'));
        }
      }
      return count;
    },
  };
}

/** @throws {Problem} for a file that is neither a photo nor a video, also by its first bytes */
function requireAllowed({ name, size, head }: { name: string; size: number; head: Uint8Array | null }): void {
  const purpose = contentPurpose(name) === 'video' ? 'video' : 'image';
  const fault = fileFault({ name, size, head: head ?? new Uint8Array() }, purpose);
  if (fault === null || (fault === 'content' && head === null)) return;
  const types = [...FILE_RULES.image.endings, ...FILE_RULES.video.endings].join(', ');
  const field = fault === 'tooLarge' || fault === 'empty' ? 'size' : 'name';
  throw new Problem(FAULTS[fault], { field, values: { types, limit: formatSize(FILE_RULES[purpose].limit) } });
}

/** Reporters cannot make space, so they read another message. */
async function asReportersRead<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'attachmentQuota') throw error;
    throw new Problem('reportSpaceFull', { field: 'size' });
  }
}

function shown({
  id,
  received,
  size,
  done,
}: Pick<ReportUploadRecord, 'id' | 'received' | 'size' | 'done'>): SharedUpload {
  return { id, received, size, done, partBytes: PART_BYTES };
}
