import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import { Problem } from '../http/problem.ts';

/** Threads for work that would block the event loop. If possible, one processor is left for the rest of the product. */
const THREADS = Math.max(1, Math.min(2, availableParallelism() - 1));
/** Tasks that may wait for a thread. With more, the server answers that it is busy. */
const WAITING = 8;
/** The maximum time of a task, including its wait. Milliseconds. */
const TASK_MS = 30_000;
/** An idle thread ends after this. Milliseconds. */
const IDLE_MS = 60_000;
/** Memory limit: several times what the largest file within its limits needs. */
const MEMORY_MB = 512;

let pool: Piscina | undefined;

/**
 * Runs the default export of a module in a thread of the process's one small pool. The task and its result are copied
 * (structured clone), so both should be texts, short lists, or views of shared memory, which are not copied. An error of
 * the task rejects.
 * @throws Problem `workTooLong`, `workTooLarge`, `serverBusy`
 */
export async function inWorker<Task, Result>(module: URL, task: Task): Promise<Result> {
  pool ??= new Piscina({
    ...{ minThreads: 0, maxThreads: THREADS, maxQueue: WAITING, idleTimeout: IDLE_MS, atomics: 'disabled' },
    ...{ recordTiming: false, resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB } },
  });
  try {
    return await pool.run(task, { filename: module.href, signal: AbortSignal.timeout(TASK_MS) });
  } catch (error) {
    const { name, code, message } = error as { name?: string; code?: string; message?: string };
    if (name === 'AbortError' || name === 'TimeoutError') throw new Problem('workTooLong');
    if (code === 'ERR_WORKER_OUT_OF_MEMORY') throw new Problem('workTooLarge');
    if (message === 'Task queue is at limit') throw new Problem('serverBusy', { status: 503 });
    throw error;
  }
}
