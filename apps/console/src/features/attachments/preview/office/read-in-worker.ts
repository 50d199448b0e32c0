import type { OfficeAnswer } from './answer.ts';
import { OfficeProblem } from './unpack.ts';

/** A file that takes longer is not shown: its reader is stopped. */
const MOST_MS = 30_000;

/**
 * Reads a file in a worker of its own, which ends with it: the page stays usable, whatever the file contains.
 * @throws OfficeProblem, or the reason of the signal
 */
export function readInWorker<T>(Reader: new () => Worker, file: ArrayBuffer, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const worker = new Reader();
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const timer = setTimeout(() => reject(new OfficeProblem('slow')), MOST_MS);
  signal.addEventListener('abort', () => reject(signal.reason));
  worker.onerror = ({ message }) => reject(new OfficeProblem('unreadable', { cause: message }));
  worker.onmessage = ({ data }: MessageEvent<OfficeAnswer<T>>) => {
    if ('fault' in data) reject(new OfficeProblem(data.fault));
    else resolve(data.value);
  };
  worker.postMessage(file, [file]);
  return promise.finally(() => {
    clearTimeout(timer);
    worker.terminate();
  });
}
