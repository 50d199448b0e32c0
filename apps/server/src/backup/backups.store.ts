import type { Kysely } from 'kysely';
import type { Database } from '../platform/database/schema.ts';

/** The end of a backup. */
export interface BackupResult {
  startedAt: Date;
  endedAt: Date;
  scheduled: boolean;
  /** the folder of the backup, on the server that made it; null if it failed */
  path: string | null;
  bytes: number | null;
  error: string | null;
}

/** The number of results that are kept. */
const KEPT = 1_000;

/** Records the end of a backup. */
export async function recordBackup(db: Kysely<Database>, result: BackupResult): Promise<void> {
  const { startedAt: started_at, endedAt: ended_at, ...rest } = result;
  const { id } = await db
    .insertInto('backups')
    .values({ started_at, ended_at, ...rest })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .deleteFrom('backups')
    .where('id', '<=', id - KEPT)
    .execute();
}

/** The last backup, the last one that succeeded, and the last scheduled one; null where there is none. */
export async function lastBackups(
  db: Kysely<Database>,
): Promise<Record<'last' | 'succeeded' | 'scheduled', BackupResult | null>> {
  const query = db
    .selectFrom('backups')
    .select(['started_at as startedAt', 'ended_at as endedAt', 'scheduled', 'path', 'bytes', 'error'])
    .orderBy('ended_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1);
  const [last, succeeded, scheduled] = await Promise.all([
    query.executeTakeFirst(),
    query.where('error', 'is', null).executeTakeFirst(),
    query.where('scheduled', '=', true).executeTakeFirst(),
  ]);
  return { last: last ?? null, succeeded: succeeded ?? null, scheduled: scheduled ?? null };
}
