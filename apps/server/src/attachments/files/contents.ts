import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { Log } from '../../platform/log.ts';
import type { ObjectStore } from '../../platform/objects/store.ts';
import { unusedAttachmentKeys } from './trash.store.ts';

export type Contents = ReturnType<typeof contentsOf>;

/** Removes objects that files no longer need. */
export function contentsOf({ db, store, log }: { db: Kysely<Database>; store: ObjectStore; log: Log }) {
  const bucket = store.buckets.main;

  return {
    /**
     * Removes the objects of files that were deleted for good, unless copies of the files share them. When it fails, the
     * sweep removes them.
     */
    async removeUnused(keys: readonly string[]): Promise<number> {
      const unused = await unusedAttachmentKeys(db, keys);
      for (const key of unused)
        await store
          .remove({ bucket, key })
          .catch((error: unknown) => log.warn({ err: error, key }, 'an object waits for the sweep'));
      return unused.length;
    },
  };
}
