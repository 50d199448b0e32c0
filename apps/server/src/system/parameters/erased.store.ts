import type { ParameterKey } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';

/** Stored data that a retention would delete. */
export interface Erased {
  rows: number;
  approximate: boolean;
  oldest: Date | null;
}

/** Tables in days, months or years, of which whole parts are dropped. Their rows are estimated. */
const PARTITIONED: Partial<Record<ParameterKey, readonly string[]>> = {
  protocolLogDays: ['protocol_frames', 'frame_batches'],
  readingDays: ['readings', 'reading_batches'],
  rollup5minDays: ['readings_5m'],
  rollupHourDays: ['readings_1h'],
  rollupDayDays: ['readings_1d'],
};

/** The column that a retention is counted from, and the rows that it applies to. */
const COUNTED: Partial<Record<ParameterKey, { table: string; at: string; only?: string }>> = {
  actionLogDays: { table: 'action_logs', at: 'at' },
  signInLogDays: { table: 'login_logs', at: 'at' },
  errorLogDays: { table: 'error_groups', at: 'last_at' },
  deviceLogDays: { table: 'device_logs', at: 'received_at' },
  linkDays: { table: 'links', at: 'ended_at', only: "state = 'ended' and issue_id is null" },
};

/** The stored data of a retention that is older than a time. */
export async function countErased(db: Kysely<Database>, key: ParameterKey, before: Date): Promise<Erased> {
  const counted = COUNTED[key];
  if (counted !== undefined) {
    const { table, at, only = 'true' } = counted;
    const { rows } = await sql<{ rows: number; oldest: Date | null }>`
      select count(*) filter (where ${sql.ref(at)} < ${before}) as rows, min(${sql.ref(at)}) as oldest
        from ${sql.table(table)} where ${sql.raw(only)}`.execute(db);
    return { rows: Number(rows[0]?.rows ?? 0), approximate: false, oldest: rows[0]?.oldest ?? null };
  }
  const found: Erased = { rows: 0, approximate: true, oldest: null };
  for (const table of PARTITIONED[key] ?? []) {
    for (const { part, rows } of await listParts(db, table)) {
      const { rows: ends } = await sql<{ oldest: Date | null; newest: Date | null }>`
        select min(at) as oldest, max(at) as newest from ${sql.table(part)}`.execute(db);
      const { oldest = null, newest = null } = ends[0] ?? {};
      if (oldest !== null && (found.oldest === null || oldest < found.oldest)) found.oldest = oldest;
      // Parts are dropped when their last row is too old.
      if (newest !== null && newest < before) found.rows += rows > 0 ? rows : await countRows(db, part);
    }
  }
  return found;
}

/** The parts of a table with the estimate of the database; -1 before the first one. */
async function listParts(db: Kysely<Database>, table: string): Promise<{ part: string; rows: number }[]> {
  const { rows } = await sql<{ part: string; rows: number }>`
    select c.relname as part, c.reltuples::float8 as rows
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = ${table}::regclass`.execute(db);
  return rows;
}

async function countRows(db: Kysely<Database>, table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(db);
  return Number(rows[0]?.count ?? 0);
}
