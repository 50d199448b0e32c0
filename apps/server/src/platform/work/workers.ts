import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import { Problem } from '../http/problem.ts';
import { fairQueue, QueueFull } from './fair-queue.ts';

/** Threads for work that would block the event loop. If possible, one processor is left for the rest of the product. */
const THREADS = Math.max(1, Math.min(2, availableParallelism() - 1));
/** Tasks that may wait for a thread: of one owner, and of all. With more, the server answers that it is busy. */
const WAITING = { owner: 6, all: 24 };
/** How long a task waits for a thread. Milliseconds. */
const WAIT_MS = 30_000;
/** The processor time of a task from outside, and how often it is compared. Milliseconds. */
const CPU_MS = 5_000;
const CHECK_MS = 200;
/** The least time of a task without its wait. Milliseconds. */
const TASK_MS = 30_000;
/** On a busy machine, a task takes several times its processor time. */
const TIME_PER_CPU = 3;
/** An idle thread ends after this. Milliseconds. */
const IDLE_MS = 60_000;
/** Memory limit: several times what the largest file within its limits needs. */
const MEMORY_MB = 512;

/**
 * A customer, or the product itself, whose tasks have no limit of processor time. They are rare, so their thread ends with
 * them: an idle one keeps 35 MB.
 */
export type WorkOwner = { customerId: number } | 'product';

const queue = fairQueue({
  ...{ places: THREADS, share: Math.ceil(THREADS / 2), waiting: WAITING, waitMs: WAIT_MS },
});
/** One pool for each thread, so that the processor time of a thread belongs to one task. */
const threads: (Piscina | undefined)[] = [];

/**
 * Runs the default export of a module in one of the few threads of the process. Owners take turns and run in at most
 * half of the threads each, so the files of one customer never stop the imports of others. The task and its result are
 * copied (structured clone), so both should be texts, short lists, or views of shared memory, which are not copied. An
 * error of the task rejects.
 * @throws Problem `workTooLong`, `workTooLarge`, `serverBusy`
 */
export async function inWorker<Task, Result>(
  owner: WorkOwner,
  module: URL,
  task: Task,
  cpuMs: number = owner === 'product' ? Number.POSITIVE_INFINITY : CPU_MS,
): Promise<Result> {
  try {
    return await queue.run(owner === 'product' ? owner : String(owner.customerId), async (place) => {
      const pool = threadAt(place);
      try {
        return await inThread<Result>(pool, module, task, cpuMs);
      } finally {
        if (owner === 'product') {
          threads[place] = undefined;
          await pool.destroy();
        }
      }
    });
  } catch (error) {
    const { name, code } = error as { name?: string; code?: string };
    if (name === 'AbortError' || name === 'TimeoutError') throw new Problem('workTooLong');
    if (code === 'ERR_WORKER_OUT_OF_MEMORY') throw new Problem('workTooLarge');
    if (error instanceof QueueFull) throw new Problem('serverBusy', { status: 503 });
    throw error;
  }
}

function threadAt(place: number): Piscina {
  const pool =
    threads[place] ??
    new Piscina({
      ...{ minThreads: 0, maxThreads: 1, idleTimeout: IDLE_MS, atomics: 'disabled', recordTiming: false },
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    });
  threads[place] = pool;
  return pool;
}

/** The time limit of a task in milliseconds, by the limit of its processor time. */
export function taskMs(cpuMs: number): number {
  return Number.isFinite(cpuMs) ? Math.max(TASK_MS, TIME_PER_CPU * cpuMs) : TASK_MS;
}

/** Ends the thread when its task has used too much processor time. */
async function inThread<Result>(pool: Piscina, filename: URL, task: unknown, cpuMs: number): Promise<Result> {
  const ending = new AbortController();
  const run = pool.run(task, {
    filename: filename.href,
    signal: AbortSignal.any([ending.signal, AbortSignal.timeout(taskMs(cpuMs))]),
  });
  const usedBefore = usageOf(pool);
  const check = setInterval(async () => {
    const [before, now] = await Promise.all([usedBefore, usageOf(pool)]);
    if (now - before > cpuMs) ending.abort();
  }, CHECK_MS);
  try {
    return await run;
  } finally {
    clearInterval(check);
  }
}

/** The processor time of the thread of a pool, in milliseconds; 0 while it starts or after it has ended. */
async function usageOf({ threads: [thread] }: Piscina): Promise<number> {
  const usage = await thread?.cpuUsage().catch(() => null);
  return usage ? (usage.user + usage.system) / 1_000 : 0;
}
