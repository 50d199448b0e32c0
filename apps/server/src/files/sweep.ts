import type { Kysely } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import type { Log } from '../platform/log.ts';
import type { ListedObject, ObjectStore } from '../platform/objects/store.ts';
import { unusedKeys } from './files.store.ts';
import { ARRIVALS, KEPT_IMAGES, PLATFORM_IMAGES } from './places.ts';
import type { UploadLimits } from './upload-limits.ts';

/** How long an upload waits to be taken, and a copy for its row: nobody has a form open that long. */
const GRACE_MS = 24 * 60 * 60_000;
const INTERVAL_MS = 60 * 60_000;
/** Keys that one query looks up. */
const BATCH = 500;

export interface FileSweep {
  start(): void;
  /** One round: removes what nobody took or refers to, as of a time. */
  round(now: Date): Promise<void>;
  stop(): Promise<void>;
}

/** Removes what uploads and changes left behind. A round that fails is logged, and the next one tries again. */
export function fileSweep(parts: {
  db: Kysely<Database>;
  store: ObjectStore;
  limits: UploadLimits;
  log: Log;
}): FileSweep {
  const { db, store, limits, log } = parts;
  const bucket = store.buckets.main;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;
  let stopped = false;

  const removeAll = async (keys: readonly string[]) => {
    for (const key of keys) if (!stopped) await store.remove({ bucket, key });
  };
  const round = async (now: Date) => {
    const before = new Date(now.getTime() - GRACE_MS);
    for (const prefix of ARRIVALS)
      for await (const batch of oldBatches(store.list(bucket, prefix), before)) await removeAll(batch);
    for (const prefix of [KEPT_IMAGES, PLATFORM_IMAGES])
      for await (const batch of oldBatches(store.list(bucket, prefix), before))
        await removeAll(await unusedKeys(db, batch));
    await store.abandonUploads(before);
    await limits.forgetExpired();
  };
  const wake = () => {
    running ??= round(new Date())
      .catch((error: unknown) => log.warn({ err: error }, 'orphaned files wait for the next sweep'))
      .finally(() => {
        running = null;
      });
  };
  return {
    start() {
      timer = setInterval(wake, INTERVAL_MS);
      timer.unref();
      wake();
    },
    round,
    async stop() {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
}

/** The keys of objects that were stored before a time, in batches. */
async function* oldBatches(objects: AsyncIterable<ListedObject>, before: Date): AsyncGenerator<string[]> {
  let batch: string[] = [];
  for await (const { key, modifiedAt } of objects) {
    if (modifiedAt < before) batch.push(key);
    if (batch.length === BATCH) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}
