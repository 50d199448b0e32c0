import type { Kysely } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/schema.ts';
import type { Log } from '../platform/log.ts';
import { oldObjects } from '../platform/objects/old-objects.ts';
import type { ObjectStore } from '../platform/objects/store.ts';
import type { ScheduledJob } from '../platform/work/scheduled-job.ts';
import { unusedKeys } from './files.store.ts';
import { CUSTOMER_IMAGES, INCOMING_PREFIXES, PLATFORM_IMAGES } from './places.ts';
import type { UploadLimits } from './upload-limits.ts';

/**
 * How long an upload is kept until it is used, and a copy until its row exists. A form that is sent later is refused and
 * asks for the file again.
 */
const GRACE_MS = 24 * 60 * 60_000;
const INTERVAL_MS = 60 * 60_000;
/** The number of keys in one query. */
const BATCH = 500;

export interface FileSweep extends Pick<ScheduledJob, 'start' | 'stop'> {
  /** One round: removes unused uploads and unreferenced objects, as of a time. */
  round(now: Date): Promise<number>;
}

/** A folder of another room, which knows what is unused there. */
export interface SweptFolder {
  prefix: string;
  /** Removes the unused of the objects that were stored before a time. Returns their number. */
  remove(keys: readonly string[], before: Date): Promise<number>;
}

/** Removes unused uploads and the objects of replaced pictures. A round that fails is logged and repeated later. */
export function fileSweep(parts: {
  db: Kysely<Database>;
  store: ObjectStore;
  limits: UploadLimits;
  clock: Clock;
  log: Log;
  others: readonly SweptFolder[];
}): FileSweep {
  const { db, store, limits, clock, log, others } = parts;
  const bucket = store.buckets.main;

  /** @returns the number of removed objects */
  async function round(now: Date, signal?: AbortSignal): Promise<number> {
    let count = 0;
    const before = new Date(now.getTime() - GRACE_MS);
    const removeOld = async (prefix: string, unused: (keys: string[]) => Promise<string[]>) => {
      for await (const batch of oldObjects(store.list(bucket, prefix), before, BATCH))
        for (const key of await unused(batch)) {
          if (signal?.aborted) return;
          await store.remove({ bucket, key });
          count += 1;
        }
    };
    for (const prefix of INCOMING_PREFIXES) await removeOld(prefix, async (keys) => keys);
    for (const prefix of [CUSTOMER_IMAGES, PLATFORM_IMAGES]) await removeOld(prefix, (keys) => unusedKeys(db, keys));
    for (const { prefix, remove } of others) {
      for await (const batch of oldObjects(store.list(bucket, prefix), before, BATCH)) {
        if (!signal?.aborted) count += await remove(batch, before);
      }
    }
    await store.abandonUploads(before);
    return count;
  }

  const sweep = async (signal: AbortSignal) => {
    await clock.deleteOld('orphanedFiles', (now) => round(now, signal));
    await limits.forgetExpired();
  };
  const turns = clock.repeat(sweep, {
    job: 'fileCleanup',
    everyMs: INTERVAL_MS,
    log,
    failed: 'orphaned files wait for the next sweep',
  });
  return { ...turns, round: (now) => round(now) };
}
