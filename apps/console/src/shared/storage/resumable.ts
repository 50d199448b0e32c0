import { uploadName } from '@chargehand/domain';
import { incomingPrefix, multipart, PART_BYTES, putWhole, UploadGone, UploadProblem } from './s3-upload.ts';
import type { StoreClient } from './store.ts';

/** How many parts of a file are sent at the same time. */
const PARALLEL_PARTS = 3;

/** What the store has of a file: enough to continue the upload after a reload. */
export interface StoredParts {
  key: string;
  /** null for a file that is sent in one request */
  uploadId: string | null;
  /** the ETag of each part, null until it is stored */
  etags: readonly (string | null)[];
  /** the whole object is stored */
  complete: boolean;
}

export interface ResumableOptions {
  /** a client whose credentials do not expire soon; called for each request */
  client(): Promise<StoreClient>;
  /** the folder of the object store */
  folder: string;
  /** Aborting pauses the upload: the stored parts remain. */
  signal: AbortSignal;
  /** what the store has already; null for a new upload */
  stored: StoredParts | null;
  /** called with the number of stored and sent bytes */
  onSent(bytes: number): void;
  /** called whenever the store has more of the file */
  onStored(stored: StoredParts): void;
}

/**
 * Uploads a file and returns its key. Unlike `put`, an error or a pause keeps the stored parts, and a later call with
 * `stored` sends only the others. The file is never read as a whole.
 * @throws UploadProblem, ConnectionBroken; the signal's reason when it was paused
 */
export async function putResumable(file: File, options: ResumableOptions): Promise<string> {
  const { stored } = options;
  if (stored?.complete) return stored.key;
  if (stored?.uploadId == null) return await start(file, options);
  try {
    return await sendParts(file, stored, options);
  } catch (error) {
    if (!(error instanceof UploadGone)) throw error;
    // The store has swept the parts.
    return await start(file, { ...options, stored: null });
  }
}

async function start(file: File, options: ResumableOptions): Promise<string> {
  const { client, signal, onSent, onStored } = options;
  const first = await client();
  signal.throwIfAborted();
  const key = incomingPrefix(first, options.folder) + uploadName(crypto.randomUUID(), Date.now(), file.name);
  if (file.size <= PART_BYTES) {
    const onProgress = (part: number) => onSent(part * file.size);
    // The random name is new. If it exists, the response to an earlier attempt was lost.
    await putWhole(first.url(key), file, { client, signal, onProgress });
    onStored({ key, uploadId: null, etags: [], complete: true });
    return key;
  }
  const uploadId = await multipart(first.url(key), client, signal).begin(file);
  const etags = Array.from({ length: Math.ceil(file.size / PART_BYTES) }, () => null);
  const stored: StoredParts = { key, uploadId, etags, complete: false };
  onStored(stored);
  return await sendParts(file, stored, options);
}

async function sendParts(file: File, stored: StoredParts, options: ResumableOptions): Promise<string> {
  const { client, onSent, onStored } = options;
  const { key, uploadId } = stored;
  if (uploadId === null) throw new UploadProblem('failed', 'The upload was not started');
  // The first failed part stops the others; the caller's signal does the same.
  const failed = new AbortController();
  const signal = AbortSignal.any([options.signal, failed.signal]);
  const parts = multipart((await client()).url(key), client, signal);
  const etags = [...stored.etags];
  const sent = etags.map((etag, index) => (etag === null ? 0 : bytesOf(file, index)));
  const report = () => onSent(sent.reduce((sum, bytes) => sum + bytes, 0));
  report();
  let next = 0;

  async function worker(): Promise<void> {
    while (next < etags.length) {
      const index = next;
      next += 1;
      if (etags[index] !== null) continue;
      signal.throwIfAborted();
      const body = file.slice(index * PART_BYTES, (index + 1) * PART_BYTES);
      etags[index] = await parts.part(uploadId!, index + 1, body, (bytes) => {
        sent[index] = bytes;
        report();
      });
      sent[index] = body.size;
      report();
      onStored({ ...stored, etags: [...etags] });
    }
  }

  const workers = Array.from({ length: PARALLEL_PARTS }, () =>
    worker().catch((error: unknown) => {
      failed.abort(error);
      throw error;
    }),
  );
  await Promise.allSettled(workers);
  signal.throwIfAborted();

  try {
    await parts.complete(uploadId, etags as string[]);
  } catch (error) {
    // All parts were stored, so an earlier request has completed the upload and its response was lost.
    if (!(error instanceof UploadGone)) throw error;
  }
  onStored({ key, uploadId, etags, complete: true });
  return key;
}

/** How many bytes of a file the store has. */
export function storedBytes({ complete, etags }: StoredParts, file: { size: number }): number {
  if (complete) return file.size;
  return etags.reduce((sum, etag, index) => sum + (etag === null ? 0 : bytesOf(file, index)), 0);
}

function bytesOf(file: { size: number }, index: number): number {
  return Math.min(PART_BYTES, file.size - index * PART_BYTES);
}

/** Deletes the parts of an upload that is not continued. Objects that are stored completely are swept. */
export async function discardParts(stored: StoredParts, client: () => Promise<StoreClient>): Promise<void> {
  if (stored.uploadId === null || stored.complete) return;
  const parts = multipart((await client()).url(stored.key), client, new AbortController().signal);
  await parts.abort(stored.uploadId);
}
