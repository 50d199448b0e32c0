import { randomUUID } from 'node:crypto';
import type { Clock } from '../platform/clock.ts';
import type { Submission } from '../ports/uplink-items.ts';
import { gatheringRule } from './gathering.ts';

export interface LaneParts {
  clock: Clock;
  store(batchId: string, submissions: readonly Submission[]): Promise<void>;
  /** true if the data of the submissions is at fault, so that a retry would fail again */
  isFaultOfData(error: unknown): boolean;
  /** true if this process may store nothing any more */
  isFenced?(error: unknown): boolean;
  onRetry(error: unknown, attempt: number): void;
  /** one submission could not be stored at all */
  onRefused(error: unknown, submission: Submission): void;
}

export interface Lane {
  add(submission: Submission): void;
  /** Resolves when everything is stored. Without the database, rejects the rest at `deadline`. */
  drain(deadline: number): Promise<void>;
}

/** The maximum number of submissions in one transaction. */
const BATCH_LIMIT = 2_000;
/**
 * The maximum size of submissions in one transaction. Storing copies a batch several times: laid out, as arrays, and as
 * the message to the database. A single larger submission is a batch of its own.
 */
const BATCH_BYTES = 4 * 1024 * 1024;
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 2_000;
/** How long a lane waits for more submissions at everyday rates, where a transaction for each costs more than its data. */
const GATHER_MS = 15;

/**
 * Stores submissions in order. Submissions that arrive during a commit form the next batch. A batch that fails because
 * of the database is retried until it succeeds. A batch that fails because of its data is halved until the faulty
 * submission is alone and rejected. At everyday rates it waits a moment for others, as long as others come.
 */
export function lane(parts: LaneParts): Lane {
  const { clock } = parts;
  const waiting: Submission[] = [];
  let busy: Promise<void> | null = null;
  let giveUpAt = Number.POSITIVE_INFINITY;
  let wake: (() => void) | null = null;
  const now = () => clock.now().getTime();
  const gathering = gatheringRule();

  const run = async () => {
    // Include everything that arrives in this turn of the event loop in the first batch.
    await new Promise<void>((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      if (gathering.begins(waiting)) await gather();
      const batch = waiting.splice(0, nextBatch(waiting));
      gathering.ends(batch);
      await settle(batch);
    }
    busy = null;
  };

  const settle = async (batch: Submission[]): Promise<void> => {
    const batchId = randomUUID();
    for (let attempt = 1; ; attempt += 1) {
      try {
        await parts.store(batchId, batch);
        for (const submission of batch) submission.resolve(submission.stored);
        return;
      } catch (error) {
        if (parts.isFenced?.(error)) {
          for (const submission of batch) submission.reject(error);
          return;
        }
        if (parts.isFaultOfData(error)) return refuse(batch, error);
        parts.onRetry(error, attempt);
        if (now() >= giveUpAt) {
          for (const submission of batch) submission.reject(error);
          return;
        }
        await pause(Math.min(FIRST_RETRY_MS * 2 ** (attempt - 1), LAST_RETRY_MS, Math.max(0, giveUpAt - now())));
      }
    }
  };

  const refuse = async (batch: Submission[], error: unknown): Promise<void> => {
    const [only] = batch;
    if (batch.length === 1 && only) {
      parts.onRefused(error, only);
      only.reject(error);
      return;
    }
    const middle = batch.length >> 1;
    await settle(batch.slice(0, middle));
    await settle(batch.slice(middle));
  };

  const pause = (delay: number) =>
    new Promise<void>((resolve) => {
      const cancel = clock.after(delay, resolve);
      wake = () => {
        cancel();
        resolve();
      };
    });

  const gather = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, GATHER_MS);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  return {
    add(submission) {
      waiting.push(submission);
      gathering.arrives(performance.now());
      busy ??= run();
    },
    async drain(deadline) {
      giveUpAt = deadline;
      wake?.();
      while (busy) await busy;
    },
  };
}

/** How many of the waiting submissions are the next batch: at least one. */
function nextBatch(waiting: readonly Submission[]): number {
  let bytes = waiting[0]?.bytes ?? 0;
  let count = 1;
  for (; count < Math.min(waiting.length, BATCH_LIMIT); count += 1) {
    bytes += waiting[count]?.bytes ?? 0;
    if (bytes > BATCH_BYTES) break;
  }
  return count;
}
