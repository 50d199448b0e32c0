import { type FilePurpose, fileFault, SNIFFED_BYTES, type UploadFolder, uploadName } from '@chargehand/domain';
import { incomingPrefix, multipart, PART_BYTES, type PutOptions, putWhole, UploadProblem } from './s3-upload.ts';
import { storeClient } from './store.ts';
import { ConnectionBroken } from './transfer.ts';

/** A name from random data and time never exists this many times. */
const MOST_NAMES = 10;

export { UploadProblem } from './s3-upload.ts';

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
  try {
    for (let counter = 0; counter < MOST_NAMES; counter += 1) {
      const client = await options.client();
      options.signal.throwIfAborted();
      const key = incomingPrefix(client, folder) + uploadName(unique, at, file.name, counter);
      const work = file.size > PART_BYTES ? putInParts : putWhole;
      if (await work(client.url(key), file, options)) return key;
    }
  } catch (error) {
    throw error instanceof ConnectionBroken ? new UploadProblem('failed', 'The connection broke') : error;
  }
  throw new UploadProblem('failed', 'Every name was taken');
}

async function putInParts(url: URL, file: File, { client, signal, onProgress }: PutOptions): Promise<boolean> {
  const parts = multipart(url, client, signal);
  const uploadId = await parts.begin(file);
  try {
    const etags: string[] = [];
    for (let start = 0; start < file.size; start += PART_BYTES) {
      const body = file.slice(start, start + PART_BYTES);
      const onSent = (bytes: number) => onProgress((start + bytes) / file.size);
      etags.push(await parts.part(uploadId, etags.length + 1, body, onSent));
    }
    return await parts.complete(uploadId, etags);
  } catch (error) {
    await parts.abort(uploadId);
    throw error;
  }
}
