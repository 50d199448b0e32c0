import { DEFAULT_QUOTA, formatSize } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { Problem } from '../../platform/http/problem.ts';
import { lockOwner, spaceOf } from './files.store.ts';

/** An owner has space for so many more bytes. @throws {Problem} attachmentQuota */
export async function requireSpace(
  db: Kysely<Database>,
  customerId: number | null,
  size: number,
  { field, announced = 0 }: { field?: string; announced?: number } = {},
): Promise<void> {
  const { used: stored, limit } = await spaceOf(db, customerId, DEFAULT_QUOTA);
  const used = stored + announced;
  if (used + size <= limit) return;
  const free = formatSize(Math.max(0, limit - used));
  const values = { size: formatSize(size), free, limit: formatSize(limit) };
  throw new Problem('attachmentQuota', { ...(field && { field }), values });
}

/** The bytes of the files of an owner that a module announced and that are not complete. */
export type AnnouncedBytes = (trx: Kysely<Database>, customerId: number | null) => Promise<number>;

/** The space for files that are announced and arrive in parts, of all modules that take such files. */
export function announcedSpace() {
  const sources: AnnouncedBytes[] = [];
  return {
    /** Counts the files that a module announces. Called before the server answers requests. */
    countAnnounced(source: AnnouncedBytes): void {
      sources.push(source);
    },

    /**
     * As `requireSpace`, for a file that is announced, with all others that are: they occupy the object store already.
     * Others that are announced for the owner wait until the end of the transaction.
     * @throws {Problem} attachmentQuota
     */
    async reserveSpace(trx: Kysely<Database>, customerId: number | null, size: number): Promise<void> {
      await lockOwner(trx, customerId);
      let announced = 0;
      for (const source of sources) announced += await source(trx, customerId);
      await requireSpace(trx, customerId, size, { announced });
    },
  };
}
