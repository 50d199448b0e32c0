import { publicEndpoints } from 'virtual:public-endpoints';
import type { SharedUpload } from '@chargehand/contract';
import { addressOf } from '../../../shared/api/address.ts';
import { call } from '../../../shared/api/client.ts';
import { isLost, sendParts } from '../../../shared/uploads/send-parts.ts';

export interface SendOptions {
  token: string;
  uploader: string;
  signal: AbortSignal;
  /** `waiting`: the connection was lost, and is tried again */
  onProgress(sent: number, waiting: boolean): void;
  /** the upload to continue, and where to remember it */
  memory: { get(): string | null; set(id: string | null): void };
}

/** The position of a part is wrong, because its answer was lost: continue where the server says. */
const WRONG_PART = 11365;

/**
 * Uploads a file in parts and continues where the server says, as often as the connection is lost.
 * @throws {ApiProblem} if the server refuses the file; an `AbortError` when it was cancelled
 */
export async function sendFile(file: File, options: SendOptions): Promise<void> {
  const { token, signal, onProgress, memory } = options;
  const [method, path] = publicEndpoints.sendSharedPart!;
  await sendParts(file, {
    begin: () => continued(file, options),
    target: ({ id, received }) => [method, addressOf(path, { params: { id }, query: { s: token, offset: received } })],
    ...{ wrongPart: WRONG_PART, signal, onProgress },
  });
  memory.set(null);
}

/** The remembered upload of the file, or a new one. */
async function continued(file: File, { token, uploader, memory, signal }: SendOptions): Promise<SharedUpload> {
  const id = memory.get();
  if (id !== null) {
    try {
      const known = await call('readSharedUpload', { params: { id }, query: { s: token } }, { quiet: true, signal });
      if (known.size === file.size) return known;
    } catch (error) {
      // Without a connection, the upload may still exist.
      if (isLost(error)) throw error;
    }
    memory.set(null);
  }
  const body = { s: token, name: file.name, size: file.size, uploader };
  const begun = await call('startSharedUpload', { body }, { quiet: true, signal });
  memory.set(begun.id);
  return begun;
}
