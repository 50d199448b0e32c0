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

/**
 * The same for a file that is announced and arrives in parts, with all others that are announced: they occupy the object
 * store already. Others that are announced for the owner wait until the end of the transaction.
 * @param announced the bytes of the files that are announced and not complete
 * @throws {Problem} attachmentQuota
 */
export async function reserveSpace(
  trx: Kysely<Database>,
  customerId: number | null,
  size: number,
  announced: (trx: Kysely<Database>) => Promise<number>,
): Promise<void> {
  await lockOwner(trx, customerId);
  await requireSpace(trx, customerId, size, { announced: await announced(trx) });
}
