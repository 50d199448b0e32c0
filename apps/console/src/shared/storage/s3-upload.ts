import { contentDisposition, type FileFault, mediaTypeOf } from '@chargehand/domain';
import type { StoreClient } from './store.ts';
import { ConnectionBroken, type Sent, send } from './transfer.ts';

/** Larger files are uploaded in parts of this size; only failed parts are sent again. S3 requires at least 5 MB. */
export const PART_BYTES = 8 * 1024 * 1024;
/** The maximum number of attempts of a request, and the pause before the second; it doubles. */
const TRIES = 3;
const PAUSE_MS = 500;

/** Why an upload failed: the file is not allowed, or the store rejected it. */
export class UploadProblem extends Error {
  override name = 'UploadProblem';
  readonly fault: FileFault | 'failed';

  constructor(fault: FileFault | 'failed', message: string = fault) {
    super(message);
    this.fault = fault;
  }
}

/** The store does not know a multipart upload: it was completed, aborted or swept. */
export class UploadGone extends Error {
  override name = 'UploadGone';
}

export interface PutOptions {
  /** a client whose credentials do not expire soon; called for each request */
  client(): Promise<StoreClient>;
  signal: AbortSignal;
  /** from 0 to 1 */
  onProgress(part: number): void;
}

/** The calls of one multipart upload. */
export interface Multipart {
  /** Starts the upload and returns its id. @throws UploadProblem, ConnectionBroken */
  begin(file: File): Promise<string>;
  /** Sends a part, numbered from 1, and returns its ETag. @throws UploadProblem, UploadGone, ConnectionBroken */
  part(uploadId: string, number: number, body: Blob, onSent: (bytes: number) => void): Promise<string>;
  /** False when an object with this name exists. @throws UploadProblem, UploadGone, ConnectionBroken */
  complete(uploadId: string, etags: readonly string[]): Promise<boolean>;
  /** Deletes the sent parts. Does not fail: the store sweeps what is left. */
  abort(uploadId: string): Promise<void>;
}

/** A multipart upload to a URL. `client` returns credentials that do not expire soon; it is called for each request. */
export function multipart(url: URL, client: () => Promise<StoreClient>, signal: AbortSignal): Multipart {
  const request = async (target: string, { signal: until, ...signed }: RequestInit): Promise<Response> => {
    const { aws } = await client();
    const ready = await aws.sign(target, signed);
    try {
      return await fetch(ready, until ? { signal: until } : {});
    } catch (error) {
      throw error instanceof TypeError ? new ConnectionBroken() : error;
    }
  };
  const of = (uploadId: string) => `uploadId=${encodeURIComponent(uploadId)}`;

  return {
    async begin(file) {
      const begun = await request(`${url}?uploads`, { method: 'POST', headers: headersOf(file), signal });
      const uploadId = (await begun.text()).split('<UploadId>')[1]?.split('</UploadId>')[0];
      if (!begun.ok || uploadId === undefined) throw refusal(begun.status);
      return uploadId;
    },

    async part(uploadId, number, body, onSent) {
      const sent = await retried(signal, async () => {
        const { aws } = await client();
        const ready = await aws.sign(`${url}?partNumber=${number}&${of(uploadId)}`, { method: 'PUT' });
        return await send(ready, body, { signal, onSent });
      });
      if (sent.status === 404) throw new UploadGone();
      if (sent.status !== 200) throw refusal(sent.status);
      return sent.etag;
    },

    async complete(uploadId, etags) {
      const parts = etags.map(
        (etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${etag}</ETag></Part>`,
      );
      const body = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`;
      const headers = { 'if-none-match': '*' };
      const done = await request(`${url}?${of(uploadId)}`, { method: 'POST', body, headers, signal });
      if (done.status === 404) throw new UploadGone();
      // S3 may respond with 200 before the result is known, and report a failure in the body.
      if (done.ok && (await done.text()).includes('<Error>')) throw new UploadProblem('failed');
      return isNew(done.status);
    },

    async abort(uploadId) {
      await request(`${url}?${of(uploadId)}`, { method: 'DELETE' }).catch((left: unknown) =>
        console.warn('An unfinished upload could not be deleted', left),
      );
    },
  };
}

/** The first prefix for uploads that starts with `folder`. @throws UploadProblem when there is none */
export function incomingPrefix({ credential }: StoreClient, folder: string): string {
  const prefix = credential.prefixes.find((one) => one.startsWith(folder));
  if (prefix === undefined) throw new UploadProblem('failed', `There is no place for uploads to ${folder}`);
  return prefix;
}

/** Uploads a file in one request. False when an object with this name exists. @throws UploadProblem, ConnectionBroken */
export async function putWhole(url: URL, file: File, { client, signal, onProgress }: PutOptions): Promise<boolean> {
  const { status } = await retried(signal, async () => {
    const { aws } = await client();
    const request = await aws.sign(url, { method: 'PUT', headers: { ...headersOf(file), 'if-none-match': '*' } });
    return await send(request, file, { signal, onSent: (bytes) => onProgress(Math.min(1, bytes / file.size)) });
  });
  return isNew(status);
}

/** The headers of an upload: its media type, and the file name for downloads. */
function headersOf(file: File): Record<string, string> {
  const name = contentDisposition(file.name).replace(/^attachment/, 'inline');
  return { 'content-type': mediaTypeOf(file.name), 'content-disposition': name };
}

/** Retries requests that failed on the connection or in the store. @throws ConnectionBroken after the last attempt */
async function retried(signal: AbortSignal, attempt: () => Promise<Sent>): Promise<Sent> {
  for (let tries = 1; ; tries += 1) {
    try {
      const sent = await attempt();
      if (!isBusy(sent.status) || tries === TRIES) return sent;
    } catch (error) {
      if (!(error instanceof ConnectionBroken) || tries === TRIES) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * 2 ** (tries - 1)));
    signal.throwIfAborted();
  }
}

/** @throws UploadProblem, ConnectionBroken for any response except "stored" and "already exists" */
function isNew(status: number): boolean {
  if (status === 412) return false;
  if (status !== 200) throw refusal(status);
  return true;
}

/** A store that is busy or restarting is like a broken connection: the upload may continue later. */
function refusal(status: number): UploadProblem | ConnectionBroken {
  return isBusy(status) ? new ConnectionBroken() : new UploadProblem('failed', `The store answered ${status}`);
}

function isBusy(status: number): boolean {
  return status === 429 || status >= 500;
}
