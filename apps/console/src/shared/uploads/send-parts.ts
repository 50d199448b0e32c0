import type { Envelope, SharedUpload } from '@chargehand/contract';
import { ApiProblem } from '../api/problem.ts';
import { i18n } from '../i18n/i18n.ts';

/** The first part is small, because a slow connection must send it within the server's time. Bytes. */
const FIRST_PART = 512 * 1024;
/** A part that was sent faster makes the next one twice as large. Milliseconds. */
const FAST_MS = 3_000;
/** Pauses before a lost connection is tried again; the last one repeats. Milliseconds. */
const PAUSES = [1_000, 2_000, 5_000, 15_000] as const;

export interface PartsOptions {
  /** the upload as the server knows it; called again after a lost connection */
  begin(): Promise<SharedUpload>;
  /** method and address of the next part */
  target(upload: SharedUpload): readonly [method: string, address: string];
  /** more headers, for users who are signed in */
  headers?(): Record<string, string>;
  /** the code of the answer when the position of a part is wrong, because an earlier answer was lost */
  wrongPart: number;
  signal: AbortSignal;
  /** `waiting`: the connection was lost, and is tried again; then `sent` is negative */
  onProgress(sent: number, waiting: boolean): void;
}

/**
 * Uploads a file in parts and continues where the server says, as often as the connection is lost.
 * @throws {ApiProblem} if the server refuses the file; an `AbortError` when it was cancelled
 */
export async function sendParts(file: Blob, options: PartsOptions): Promise<void> {
  const { signal, onProgress, wrongPart } = options;
  let failures = 0;
  let reached = 0;
  let size = FIRST_PART;
  for (;;) {
    signal.throwIfAborted();
    try {
      let upload = await options.begin();
      for (;;) {
        // Only bytes that arrived end a series of failures: beginning may work while no part does.
        if (upload.received > reached) failures = 0;
        reached = Math.max(reached, upload.received);
        onProgress(upload.received, false);
        if (upload.done) return;
        const start = performance.now();
        const part = file.slice(upload.received, upload.received + size);
        upload = await sendPart(options.target(upload), part, signal, options.headers?.());
        const wasFast = performance.now() - start < FAST_MS;
        size = Math.min(upload.partBytes, wasFast ? size * 2 : size);
      }
    } catch (error) {
      if (!isLost(error, wrongPart) || signal.aborted) throw error;
      size = Math.max(64 * 1024, size / 4);
      onProgress(-1, true);
      await pause(PAUSES[Math.min(failures, PAUSES.length - 1)] ?? 1_000, signal);
      failures += 1;
    }
  }
}

async function sendPart(
  [method, address]: readonly [method: string, address: string],
  body: Blob,
  signal: AbortSignal,
  headers?: Record<string, string>,
): Promise<SharedUpload> {
  const response = await fetch(address, {
    method,
    headers: { 'content-type': 'application/octet-stream', 'accept-language': i18n.language, ...headers },
    body,
    credentials: 'same-origin',
    signal,
  });
  // Only a proxy before a server that is not running answers anything else.
  const envelope = (await response.json().catch(() => null)) as Envelope<SharedUpload> | null;
  if (!envelope) {
    const { status } = response;
    if (isRefusal(status)) throw new ApiProblem('http', i18n.t('com_error_system'), { status });
    throw new ApiProblem('network', i18n.t('com_error_net'), { status });
  }
  if (envelope.code === 0) return envelope.data;
  const kind = response.status === 200 ? 'business' : 'http';
  throw new ApiProblem(kind, envelope.message, { code: envelope.code, status: response.status });
}

/** True when the connection or the server failed, not the request. */
export function isLost(error: unknown, wrongPart = -1): boolean {
  if (!(error instanceof ApiProblem)) return error instanceof TypeError;
  if (error.kind === 'network' || error.code === wrongPart) return true;
  return error.kind === 'http' && !isRefusal(error.status);
}

/** True for a status that repeating the request does not change. A timeout (408) and too many requests (429) pass. */
function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}

/** Waits for a time, or until the browser knows that the network is back. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
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
    addEventListener('online', done);
    signal.addEventListener('abort', stop);
  });
}
