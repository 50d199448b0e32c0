import { publicEndpoints } from 'virtual:public-endpoints';
import type { Envelope, SharedUpload } from '@chargehand/contract';
import { addressOf } from '../../../shared/api/address.ts';
import { call } from '../../../shared/api/client.ts';
import { ApiProblem } from '../../../shared/api/problem.ts';
import { i18n } from '../../../shared/i18n/i18n.ts';

/** The first part is small, because a slow connection must send it within the server's time. Bytes. */
const FIRST_PART = 512 * 1024;
/** A part that was sent faster makes the next one twice as large. Milliseconds. */
const FAST_MS = 3_000;
/** Pauses before a lost connection is tried again; the last one repeats. Milliseconds. */
const PAUSES = [1_000, 2_000, 5_000, 15_000] as const;

export interface SendOptions {
  token: string;
  uploader: string;
  signal: AbortSignal;
  /** `waiting`: the connection was lost, and is tried again */
  onProgress(sent: number, waiting: boolean): void;
  /** the upload to continue, and where to remember it */
  memory: { get(): string | null; set(id: string | null): void };
}

/**
 * Uploads a file in parts and continues where the server says, as often as the connection is lost.
 * @throws {ApiProblem} if the server refuses the file; an `AbortError` when it was cancelled
 */
export async function sendFile(file: File, options: SendOptions): Promise<void> {
  const { token, signal, onProgress, memory } = options;
  let failures = 0;
  let size = FIRST_PART;
  for (;;) {
    signal.throwIfAborted();
    try {
      let upload = await continued(file, options);
      failures = 0;
      for (;;) {
        onProgress(upload.received, false);
        if (upload.done) return memory.set(null);
        const start = performance.now();
        upload = await sendPart(token, upload, file, size, signal);
        const wasFast = performance.now() - start < FAST_MS;
        size = Math.min(upload.partBytes, wasFast ? size * 2 : size);
      }
    } catch (error) {
      if (!isLost(error) || signal.aborted) throw error;
      size = Math.max(64 * 1024, size / 4);
      onProgress(-1, true);
      await pause(PAUSES[Math.min(failures, PAUSES.length - 1)] ?? 1_000, signal);
      failures += 1;
    }
  }
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

async function sendPart(
  token: string,
  { id, received }: SharedUpload,
  file: File,
  size: number,
  signal: AbortSignal,
): Promise<SharedUpload> {
  const [method, path] = publicEndpoints.sendSharedPart!;
  const response = await fetch(addressOf(path, { params: { id }, query: { s: token, offset: received } }), {
    method,
    headers: { 'content-type': 'application/octet-stream', 'accept-language': i18n.language },
    body: file.slice(received, received + size),
    credentials: 'same-origin',
    signal,
  });
  // Only a proxy before a server that is not running answers anything else.
  const envelope = (await response.json().catch(() => null)) as Envelope<SharedUpload> | null;
  if (!envelope) throw new ApiProblem('network', i18n.t('com_error_net'));
  if (envelope.code === 0) return envelope.data;
  const kind = response.status === 200 ? 'business' : 'http';
  throw new ApiProblem(kind, envelope.message, { code: envelope.code, status: response.status });
}

/** The position of a part is wrong, because its answer was lost: continue where the server says. */
const WRONG_PART = 11365;

/** True when the connection or the server failed, not the upload. */
function isLost(error: unknown): boolean {
  if (!(error instanceof ApiProblem)) return error instanceof TypeError;
  return error.kind === 'network' || error.kind === 'http' || error.code === WRONG_PART;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener('online', done);
      signal.removeEventListener('abort', stop);
      resolve();
    };
    const stop = () => {
      done();
      reject(signal.reason);
    };
    const timer = setTimeout(done, ms);
    // The browser knows earlier that the network is back.
    addEventListener('online', done);
    signal.addEventListener('abort', stop);
  });
}
