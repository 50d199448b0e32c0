import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import { Problem } from '../http/problem.ts';

/** Threads for work that would block the event loop: one stays free for the rest of the product where it can. */
const THREADS = Math.max(1, Math.min(2, availableParallelism() - 1));
/** Tasks that wait for a thread; with more the server is busy and says so. */
const WAITING = 8;
/** A task may take this long, with its wait. Milliseconds. */
const TASK_MS = 30_000;
/** A thread without work ends after this. Milliseconds. */
const IDLE_MS = 60_000;
/** Several times what the largest file takes that is within its limits. */
const MEMORY_MB = 512;

let pool: Piscina | undefined;

/**
 * Runs the default export of a module on a thread of the process's one small pool. The task and its result are copied
 * (structured clone), so that both should be texts or short lists; an error of the task rejects.
 * `moved`: buffers of the task that are handed over instead.
 * @throws Problem `workTooLong`, `workTooLarge`, `serverBusy`
 */
export async function inWorker<Task, Result>(module: URL, task: Task, moved: ArrayBuffer[] = []): Promise<Result> {
  pool ??= new Piscina({
    ...{ minThreads: 0, maxThreads: THREADS, maxQueue: WAITING, idleTimeout: IDLE_MS, atomics: 'disabled' },
    ...{ recordTiming: false, resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB } },
  });
  try {
    return await pool.run(task, {
      ...{ filename: module.href, signal: AbortSignal.timeout(TASK_MS) },
      transferList: moved,
    });
  } catch (error) {
    const { name, code, message } = error as { name?: string; code?: string; message?: string };
    if (name === 'AbortError' || name === 'TimeoutError') throw new Problem('workTooLong');
    if (code === 'ERR_WORKER_OUT_OF_MEMORY') throw new Problem('workTooLarge');
    if (message === 'Task queue is at limit') throw new Problem('serverBusy', { status: 503 });
    throw error;
  }
}
