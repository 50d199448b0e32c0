import type { DeletionKind } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/schema.ts';

export async function readDatabaseTime(db: Kysely<Database>): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(db);
  return rows[0]!.at;
}

/**
 * When the newest fact was stored: the last heartbeat of a server, and the last entries of the logs. null: none is
 * stored.
 */
export async function newestFact(db: Kysely<Database>): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select greatest((select max(at) from server_beats), (select max(at) from action_logs),
                    (select max(at) from login_logs)) as at`.execute(db);
  return rows[0]?.at ?? null;
}

/** Adds to what was deleted of a kind on a day (UTC). */
export async function addDeletion(
  db: Kysely<Database>,
  { kind, at, count }: { kind: DeletionKind; at: Date; count: number },
): Promise<void> {
  await sql`
    insert into deletions as known (day, kind, at, count) values ((${at}::timestamptz at time zone 'utc')::date, ${kind}, ${at}, ${count})
    on conflict (day, kind) do update set at = excluded.at, count = known.count + excluded.count`.execute(db);
}
