import type { Kysely } from 'kysely';
import { type Clock, clockAt } from '../platform/clock.ts';
import type { Database } from '../platform/database/schema.ts';
import type { Log } from '../platform/log.ts';
import { oldObjects } from '../platform/objects/old-objects.ts';
import type { ObjectStore } from '../platform/objects/store.ts';
import { forgetArrivals } from './files/arrivals.store.ts';
import type { Contents } from './files/contents.ts';
import { forgetLinks } from './files/linked-files.ts';
import { type DeletedFile, deleteOldDrafts, deleteOldFiles, deleteOldFolders } from './files/trash.store.ts';
import { ATTACHMENT_FILES } from './places.ts';

const INTERVAL_MS = 60 * 60_000;
/** How long an object may exist without a row, because its registration was broken off and can be repeated. */
const GRACE_MS = 24 * 60 * 60_000;
/** How long a draft is kept without its issue: a form can stay open over a weekend or a public holiday. */
const DRAFT_MS = 14 * 24 * 60 * 60_000;
const BATCH = 500;

/** Every hour: deletes what has been in the trash for 30 days, old drafts, and objects without a row. */
export function attachmentSweep(parts: {
  db: Kysely<Database>;
  store: ObjectStore;
  contents: Contents;
  clock: Clock;
  log: Log;
}) {
  const { db, store, contents, clock, log } = parts;
  const bucket = store.buckets.main;

  /** Deletes files in batches, with their objects. */
  async function deleteFiles(next: (limit: number) => Promise<DeletedFile[]>, signal?: AbortSignal): Promise<number> {
    let total = 0;
    for (let count = BATCH; count === BATCH && !signal?.aborted; ) {
      const deleted = await next(BATCH);
      count = deleted.length;
      total += count;
      await contents.removeUnused(deleted.map(({ key }) => key));
    }
    return total;
  }

  /** One round; `old` says what is old enough. */
  async function round(old: Pick<Clock, 'deleteOld'>, signal?: AbortSignal): Promise<void> {
    const ago = (now: Date, ms: number) => new Date(now.getTime() - ms);
    await old.deleteOld('trash', async (now) => {
      const files = await deleteFiles((limit) => deleteOldFiles(db, now, limit), signal);
      return files + (await deleteOldFolders(db, now));
    });
    await old.deleteOld('drafts', (now) =>
      deleteFiles((limit) => deleteOldDrafts(db, ago(now, DRAFT_MS), limit), signal),
    );
    await forgetLinks(db);
    await old.deleteOld('orphanedFiles', async (now) => {
      const before = ago(now, GRACE_MS);
      await forgetArrivals(db, before);
      let count = 0;
      for await (const batch of oldObjects(store.list(bucket, ATTACHMENT_FILES), before, BATCH))
        if (!signal?.aborted) count += await contents.removeUnused(batch);
      return count;
    });
  }

  const turns = clock.repeat((signal) => round(clock, signal), {
    job: 'attachmentCleanup',
    everyMs: INTERVAL_MS,
    log,
    failed: 'deleted files wait for the next sweep',
  });
  return { ...turns, round: (now: Date) => round(clockAt(() => now)) };
}
