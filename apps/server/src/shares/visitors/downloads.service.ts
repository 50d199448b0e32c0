import { Readable } from 'node:stream';
import { contentDisposition, continuesDownload, type SharePreview, sharePreviewOf } from '@chargehand/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/schema.ts';
import { exchangeOf } from '../../platform/http/body/exchange.ts';
import { Problem } from '../../platform/http/problem.ts';
import { rangeOf } from '../../platform/http/range.ts';
import type { Log } from '../../platform/log.ts';
import type { RunningUses } from '../running-uses.ts';
import type { ShareChanges } from '../share-changes.ts';
import type { SharedFile } from '../shared-files.store.ts';
import type { SharedFiles } from '../shared-files.ts';
import { lockShare } from '../shares.store.ts';
import { archiveFiles } from './archive-files.ts';
import { storedZip } from './stored-zip.ts';
import { addProgress, countUse, grantBytes, insertUse, latestUse, type NewUse, restoreProgress } from './uses.store.ts';
import type { Visit } from './visitors.service.ts';

/** A connection without progress for so long is closed. Milliseconds. */
const IDLE_MS = 60_000;
/** How often the progress of a download is stored. Milliseconds. */
const PROGRESS_MS = 5_000;

/** A download is never displayed. If it were, it could do nothing. */
const DOWNLOAD_POLICY = "default-src 'none'; sandbox";

/**
 * Headers that let a browser display a file and nothing else: no script, no form, no request. The viewer for PDF does
 * not work in a sandbox.
 */
const PREVIEW_POLICY: Record<SharePreview, string> = {
  image: "default-src 'none'; sandbox",
  video: "default-src 'none'; media-src 'self'; sandbox",
  text: "default-src 'none'; sandbox",
  pdf: "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'",
};

type Use = Omit<NewUse, 'shareId' | 'visitor' | 'granted'>;
/** The bytes of a file that a request asks for. */
interface Part {
  first: number;
  length: number;
}

export type DownloadsService = ReturnType<typeof downloadsService>;

/** The files of shares as visitors download them, through the server, so that they end with their share. */
export function downloadsService(parts: {
  db: Kysely<Database>;
  clock: Clock;
  files: SharedFiles;
  running: RunningUses;
  changes: ShareChanges;
  log: Log;
}) {
  const { db, clock, files, running, changes, log } = parts;

  /** Begins a use, or finds the one that a request continues. @throws {Problem} shareUsedUp */
  async function begin(visit: Visit, use: Use, { first, length }: Part): Promise<number> {
    const { id: shareId, useLimit } = visit.share;
    const isLimited = useLimit !== null;
    const whole: NewUse = { ...use, shareId, visitor: visit.visitor, granted: length };
    const { id, isNew } = await db.transaction().execute(async (trx) => {
      // Requests at the same time are counted one after the other, each with all bytes that it may send.
      if (isLimited) await lockShare(trx, shareId);
      const earlier = use.attachmentId === null ? null : await latestUse(trx, whole);
      if (earlier) {
        const isBroken = earlier.isOpen && earlier.activeAt < running.startedAt();
        const sent = isLimited && !isBroken ? earlier.granted : earlier.sent;
        // Browsers read previews in many ranges, from the start several times.
        const from = use.kind === 'preview' ? Math.max(1, first) : first;
        if (continuesDownload({ ...earlier, sent }, from, clock.now())) {
          if (isBroken) await restoreProgress(trx, earlier.id, first);
          await grantBytes(trx, earlier.id, length);
          return { id: earlier.id, isNew: false };
        }
      }
      if (use.kind !== 'preview' && !(await countUse(trx, shareId))) throw new Problem('shareUsedUp');
      return { id: await insertUse(trx, whole), isNew: true };
    });
    if (isNew) changes.used(visit.share);
    return id;
  }

  /**
   * Begins a use whose content is open: what cannot be sent is not counted. Returns a function that sends it, counts the
   * bytes in the log, and ends with the share.
   * @throws {Problem} shareBusy, shareUsedUp; then no header of the answer is set
   */
  async function start(
    visit: Visit,
    { use, part, body }: { use: Use; part: Part; body: Readable },
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<() => void> {
    const { share } = visit;
    const exchange = exchangeOf(request);
    const remove = running.add(share.id, () => {
      body.destroy();
      exchange.abort();
    });
    if (!remove) {
      body.destroy();
      throw new Problem('shareBusy', { status: 429 });
    }
    let useId: number | null = null;
    let left = false;
    let unsaved = 0;
    let unsent = part.length;
    let savedAt = Date.now();
    let saving: Promise<void> = Promise.resolve();
    const save = (ended: boolean) => {
      const id = useId;
      if (id === null) return;
      const bytes = unsaved;
      unsaved = 0;
      savedAt = Date.now();
      saving = saving
        .then(() => addProgress(db, id, bytes, ended, ended ? unsent : 0))
        .then(() => changes.used(share))
        .catch((error: unknown) => log.warn({ err: error, share: share.id }, 'a download of a share was not logged'));
    };
    reply.raw.once('close', () => {
      left = true;
      remove();
      body.destroy();
      save(true);
    });
    try {
      useId = await begin(visit, use, part);
    } catch (error) {
      remove();
      body.destroy();
      throw error;
    }
    // The visitor left meanwhile.
    if (left) save(true);
    exchange.endWhenIdle(IDLE_MS);
    const counted = async function* () {
      for await (const chunk of body as AsyncIterable<Buffer>) {
        unsaved += chunk.length;
        unsent -= chunk.length;
        if (Date.now() - savedAt >= PROGRESS_MS) save(false);
        yield chunk;
      }
    };
    return () => void reply.send(Readable.from(counted(), { objectMode: false }));
  }

  return {
    /** Answers with a file, or a range of it. */
    async file(visit: Visit, file: SharedFile, preview: boolean, request: FastifyRequest, reply: FastifyReply) {
      const shown = preview ? sharePreviewOf(file.name) : null;
      // A preview shows the whole content, so it would go around a limit.
      if (preview && (!shown || visit.share.useLimit !== null)) throw new Problem('sharePreviewRefused');
      const etag = `"${file.etag}"`;
      const { range: wanted, 'if-range': condition } = request.headers;
      const range = condition === undefined || condition === etag ? rangeOf(wanted, file.size) : 'whole';
      const part = typeof range === 'string' ? { first: 0, last: file.size - 1 } : range;
      const headersOnly = request.method === 'HEAD' || range === 'none';
      const use = {
        kind: preview ? 'preview' : 'file',
        attachmentId: file.id,
        name: file.name,
        size: file.size,
      } as const;
      const body = headersOnly ? null : await files.open(file.id, typeof range === 'string' ? undefined : part);
      const requested = { first: part.first, length: part.last - part.first + 1 };
      const send = body && (await start(visit, { use, part: requested, body }, request, reply));
      void reply.headers({
        etag,
        'accept-ranges': 'bytes',
        'content-disposition': shown ? 'inline' : contentDisposition(file.name),
        'content-security-policy': shown ? PREVIEW_POLICY[shown.kind] : DOWNLOAD_POLICY,
      });
      if (range === 'none') return void reply.code(416).header('content-range', `bytes */${file.size}`).send();
      void reply.type(shown?.type ?? 'application/octet-stream').header('content-length', part.last - part.first + 1);
      if (range !== 'whole') {
        void reply.code(206).header('content-range', `bytes ${part.first}-${part.last}/${file.size}`);
      }
      // With nothing at all, Fastify would announce a length of 0.
      if (!send) return void reply.send(Readable.from([]));
      send();
    },

    /** Answers with a zip archive of the files in a folder and below it. It cannot be resumed. */
    async archive(
      visit: Visit,
      folder: { id: number; name: string },
      request: FastifyRequest,
      reply: FastifyReply,
    ): Promise<void> {
      const { locale } = request;
      const content = await archiveFiles(files, visit.creator, folder.id, { locale, now: clock.now() });
      if (content.missing.length > 0) {
        const ids = content.missing.map(({ id }) => id);
        log.error({ share: visit.share.id, files: ids }, 'files of a share have no content in the object store');
      }
      const { length, bytes } = storedZip(content.files);
      const name = `${folder.name}.zip`;
      const use = { kind: 'archive', attachmentId: null, name, size: length } as const;
      const body = request.method === 'HEAD' ? null : Readable.from(bytes(), { objectMode: false });
      const send = body && (await start(visit, { use, part: { first: 0, length }, body }, request, reply));
      void reply
        .type('application/zip')
        .headers({ 'content-disposition': contentDisposition(name), 'content-length': length })
        .header('content-security-policy', DOWNLOAD_POLICY);
      if (!send) return void reply.send(Readable.from([]));
      send();
    },
  };
}
