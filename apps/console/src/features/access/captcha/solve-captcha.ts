import SolveWorker from 'altcha/workers/pbkdf2?worker';

/** More workers would only compete with the page for CPU time. */
const MOST_WORKERS = 4;

/** The message of an ALTCHA worker: a solution, null when it was aborted or timed out, or an error. */
type WorkerAnswer = { counter: number; derivedKey: string; time: number } | { error: unknown } | null;

/**
 * Solves an ALTCHA challenge (proof of work, PBKDF2) in web workers, each of which tries every n-th counter.
 * @returns the payload that the server verifies: base64 of `{ challenge, solution }`
 * @throws when the signal aborts, when a worker fails, or when none finds a solution in time
 */
export function solveCaptcha(challenge: unknown, signal: AbortSignal): Promise<string> {
  const count = Math.max(1, Math.min(MOST_WORKERS, navigator.hardwareConcurrency || 1));
  const workers = Array.from({ length: count }, () => new SolveWorker());
  let working = count;
  return new Promise<string>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
    workers.forEach((worker, index) => {
      worker.onerror = (event) => reject(new Error(event.message || 'The worker could not start'));
      worker.onmessage = ({ data }: MessageEvent<WorkerAnswer>) => {
        if (data && 'error' in data) return reject(data.error);
        if (data) return resolve(btoa(JSON.stringify({ challenge, solution: data })));
        working -= 1;
        if (working === 0) reject(new Error('No solution was found in time'));
      };
      worker.postMessage({ type: 'work', challenge, counterStart: index, counterStep: count, counterMode: 'uint32' });
    });
  }).finally(() => {
    for (const worker of workers) worker.terminate();
  });
}
