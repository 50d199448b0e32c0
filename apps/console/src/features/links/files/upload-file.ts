import { endpoints } from 'virtual:endpoints';
import { CSRF_COOKIE, CSRF_HEADER } from '@chargehand/contract/constants';
import { addressOf } from '../../../shared/api/address.ts';
import { call } from '../../../shared/api/client.ts';
import { readCookie } from '../../../shared/lib/browser/cookie.ts';
import { sendParts } from '../../../shared/uploads/send-parts.ts';

/** The terminal whose user on the device has the files. */
export interface FilePlace {
  linkId: number;
  /** of the terminal */
  terminalKey: string;
}

interface Options extends FilePlace {
  /** on the device */
  path: string;
  replace: boolean;
  signal: AbortSignal;
  /** `waiting`: the connection was lost, and is tried again; then `sent` is negative */
  onProgress(sent: number, waiting: boolean): void;
}

/** `deviceUploadPart`: continue where the server says. */
const WRONG_PART = 11549;

/**
 * Uploads a file to the device of a terminal, and continues after a lost connection.
 * @throws {ApiProblem} if the server or the device refuses it; an `AbortError` when it was cancelled
 */
export async function uploadFile(file: File, options: Options): Promise<void> {
  const { linkId, terminalKey: key, path, replace, signal, onProgress } = options;
  const [method, address] = endpoints.sendUploadPart!;
  let id: string | null = null;
  const begin = async () => {
    if (id !== null) {
      const params = { id: linkId, transferId: id };
      return await call('readUpload', { params, query: { key } }, { quiet: true, signal });
    }
    const body = { key, path, size: file.size, replace };
    const begun = await call('startUpload', { params: { id: linkId }, body }, { quiet: true, signal });
    id = begun.id;
    return begun;
  };
  try {
    await sendParts(file, {
      begin,
      target: ({ id: transferId, received }) => [
        method,
        addressOf(address, { params: { id: linkId, transferId }, query: { key, offset: received } }),
      ],
      headers: () => ({ [CSRF_HEADER]: readCookie(document.cookie, CSRF_COOKIE) ?? '' }),
      ...{ wrongPart: WRONG_PART, signal, onProgress },
    });
  } catch (error) {
    if (signal.aborted && id !== null) {
      const params = { id: linkId, transferId: id };
      // It also ends with the terminal.
      await call('cancelTransfer', { params, body: { key } }, { quiet: true }).catch(() => undefined);
    }
    throw error;
  }
}
