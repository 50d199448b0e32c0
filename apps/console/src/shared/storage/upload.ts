import {
  contentDisposition,
  type FileFault,
  type FilePurpose,
  fileFault,
  mediaTypeOf,
  SNIFFED_BYTES,
  type UploadFolder,
  uploadName,
} from '@chargehand/domain';
import { type StoreClient, storeClient } from './store.ts';
import { ConnectionBroken, type Sent, send } from './transfer.ts';

/** Larger files are uploaded in parts of this size; only failed parts are sent again. S3 requires at least 5 MB. */
const PART_BYTES = 8 * 1024 * 1024;
/** The maximum number of attempts of a request, and the pause before the second; it doubles. */
const TRIES = 3;
const PAUSE_MS = 500;
/** A name from random data and time never exists this many times. */
const MOST_NAMES = 10;

/** Why an upload failed: the file is not allowed, or the store rejected it. */
export class UploadProblem extends Error {
  override name = 'UploadProblem';
  readonly fault: FileFault | 'failed';

  constructor(fault: FileFault | 'failed', message: string = fault) {
    super(message);
    this.fault = fault;
  }
}

interface PutOptions {
  /** a client whose credentials do not expire soon; called for each request */
  client(): Promise<StoreClient>;
  signal: AbortSignal;
  /** from 0 to 1 */
  onProgress(part: number): void;
}

interface UploadOptions extends Omit<PutOptions, 'client'> {
  folder: UploadFolder;
  purpose: FilePurpose;
}

/**
 * Uploads a file directly to the object store and returns its key. Invalid files are rejected before anything is sent.
 * @throws UploadProblem; the signal's reason when it was cancelled
 */
export async function upload(file: File, options: UploadOptions): Promise<string> {
  const head = new Uint8Array(await file.slice(0, SNIFFED_BYTES).arrayBuffer());
  const fault = fileFault({ name: file.name, size: file.size, head }, options.purpose);
  if (fault) throw new UploadProblem(fault);
  const { folder, signal, onProgress } = options;
  return await put(file, `${folder}/`, { client: () => storeClient('write'), signal, onProgress });
}

/**
 * Uploads a file with a random name below the first upload prefix that starts with `folder`, and returns its key.
 * @throws UploadProblem; the signal's reason when it was cancelled
 */
export async function put(file: File, folder: string, options: PutOptions): Promise<string> {
  const [unique, at] = [crypto.randomUUID(), Date.now()];
  for (let counter = 0; counter < MOST_NAMES; counter += 1) {
    const client = await options.client();
    options.signal.throwIfAborted();
    const prefix = client.credential.prefixes.find((one) => one.startsWith(folder));
    if (prefix === undefined) throw new UploadProblem('failed', `There is no place for uploads to ${folder}`);
    const key = prefix + uploadName(unique, at, file.name, counter);
    const work = file.size > PART_BYTES ? putInParts : putWhole;
    if (await work(client.url(key), file, options)) return key;
  }
  throw new UploadProblem('failed', 'Every name was taken');
}

/** False when an object with this name exists. */
async function putWhole(url: URL, file: File, { client, signal, onProgress }: PutOptions): Promise<boolean> {
  const { status } = await retried(signal, async () => {
    const { aws } = await client();
    const request = await aws.sign(url, { method: 'PUT', headers: { ...headersOf(file), 'if-none-match': '*' } });
    return await send(request, file, { signal, onSent: (bytes) => onProgress(Math.min(1, bytes / file.size)) });
  });
  return isNew(status);
}

async function putInParts(url: URL, file: File, options: PutOptions): Promise<boolean> {
  const { client, signal, onProgress } = options;
  const ask = async (target: string, { signal: until, ...signed }: RequestInit): Promise<Response> => {
    const { aws } = await client();
    return await fetch(await aws.sign(target, signed), until ? { signal: until } : {});
  };
  const begun = await ask(`${url}?uploads`, { method: 'POST', headers: headersOf(file), signal });
  const uploadId = /<UploadId>([^<]+)<\/UploadId>/.exec(await begun.text())?.[1];
  if (!begun.ok || uploadId === undefined) throw new UploadProblem('failed', `The store answered ${begun.status}`);
  const upload = `uploadId=${encodeURIComponent(uploadId)}`;
  try {
    const etags: string[] = [];
    for (let start = 0; start < file.size; start += PART_BYTES) {
      const part = file.slice(start, start + PART_BYTES);
      const sent = await retried(signal, async () => {
        const { aws } = await client();
        const request = await aws.sign(`${url}?partNumber=${etags.length + 1}&${upload}`, { method: 'PUT' });
        return await send(request, part, { signal, onSent: (bytes) => onProgress((start + bytes) / file.size) });
      });
      if (sent.status !== 200) throw new UploadProblem('failed', `The store answered ${sent.status}`);
      etags.push(sent.etag);
    }
    const parts = etags.map((etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${etag}</ETag></Part>`);
    const body = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`;
    const done = await ask(`${url}?${upload}`, { method: 'POST', body, headers: { 'if-none-match': '*' }, signal });
    // S3 may respond with 200 before the result is known, and report a failure in the body.
    if (done.ok && (await done.text()).includes('<Error>')) throw new UploadProblem('failed');
    return isNew(done.status);
  } catch (error) {
    // The store deletes remaining parts. An error during cleanup must not hide the original one.
    await ask(`${url}?${upload}`, { method: 'DELETE' }).catch((left: unknown) =>
      console.warn('An unfinished upload could not be deleted', left),
    );
    throw error;
  }
}

/** The headers of the upload: its media type, and the file name for downloads. */
function headersOf(file: File): Record<string, string> {
  const name = contentDisposition(file.name).replace(/^attachment/, 'inline');
  return { 'content-type': mediaTypeOf(file.name), 'content-disposition': name };
}

/** Retries requests that failed on the connection or in the store. */
async function retried(signal: AbortSignal, attempt: () => Promise<Sent>): Promise<Sent> {
  for (let tries = 1; ; tries += 1) {
    try {
      const sent = await attempt();
      if (sent.status < 500 || tries === TRIES) return sent;
    } catch (error) {
      if (!(error instanceof ConnectionBroken)) throw error;
      if (tries === TRIES) throw new UploadProblem('failed', 'The connection broke');
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * 2 ** (tries - 1)));
    signal.throwIfAborted();
  }
}

/** @throws UploadProblem for any response except "stored" and "already exists" */
function isNew(status: number): boolean {
  if (status === 412) return false;
  if (status !== 200) throw new UploadProblem('failed', `The store answered ${status}`);
  return true;
}
