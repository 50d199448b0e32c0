import type { ActivityKind, ActivityResult } from '@chargehand/contract';
import { type Kysely, type SqlBool, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';

export interface ActivityRecord {
  linkId: number;
  /** in its link, from 1 */
  number: number;
  kind: ActivityKind;
  startedAt: Date;
  endedAt: Date | null;
  text: string;
  /** the name of the guest who did it */
  guest: string | null;
  result: ActivityResult | null;
  status: number | null;
  bytesIn: number;
  bytesOut: number;
}

const COLUMNS = sql`
  link_id as "linkId", number, kind, started_at as "startedAt", ended_at as "endedAt", text, guest, result, status,
  bytes_in as "bytesIn", bytes_out as "bytesOut"`;

/** Stores activity of links, and what has changed in it since. Links that were removed meanwhile are left out. */
export async function writeActivity(db: Kysely<Database>, records: readonly ActivityRecord[]): Promise<void> {
  const column = <K extends keyof ActivityRecord>(name: K) => records.map((record) => record[name]);
  await sql`
    insert into link_activity
      (link_id, number, kind, started_at, ended_at, text, result, status, bytes_in, bytes_out, guest)
    select a.* from unnest(
        ${column('linkId')}::int[], ${column('number')}::int[], ${column('kind')}::text[],
        ${column('startedAt')}::timestamptz[], ${column('endedAt')}::timestamptz[], ${column('text')}::text[],
        ${column('result')}::text[], ${column('status')}::int[], ${column('bytesIn')}::bigint[],
        ${column('bytesOut')}::bigint[], ${column('guest')}::text[])
      as a (link_id, number, kind, started_at, ended_at, text, result, status, bytes_in, bytes_out, guest)
      join links l on l.id = a.link_id
    on conflict (link_id, number) do update
      set ended_at = excluded.ended_at, result = excluded.result, status = excluded.status,
          bytes_in = excluded.bytes_in, bytes_out = excluded.bytes_out`.execute(db);
}

export interface ActivityFilters {
  kind?: ActivityKind | undefined;
  /** a part of the text, in upper or lower case */
  search?: string | undefined;
}

/** The newest activity of a link, before a number. */
export async function listActivity(
  db: Kysely<Database>,
  linkId: number,
  { before, ...filters }: ActivityFilters & { before?: number | undefined },
  limit: number,
): Promise<ActivityRecord[]> {
  const { rows } = await sql<ActivityRecord>`
    select ${COLUMNS} from link_activity
     where link_id = ${linkId} and number < ${before ?? 2_147_483_647} and ${isAmong(filters)}
     order by number desc limit ${limit}`.execute(db);
  return rows;
}

/** The oldest activity of a link, after a number. */
export async function activityAfter(
  db: Kysely<Database>,
  linkId: number,
  after: number,
  filters: ActivityFilters,
  limit: number,
): Promise<ActivityRecord[]> {
  const { rows } = await sql<ActivityRecord>`
    select ${COLUMNS} from link_activity
     where link_id = ${linkId} and number > ${after} and ${isAmong(filters)}
     order by number limit ${limit}`.execute(db);
  return rows;
}

function isAmong({ kind, search }: ActivityFilters) {
  return sql<SqlBool>`
    (${kind ?? null}::text is null or kind = ${kind ?? null})
    and (${search ?? null}::text is null or position(lower(${search ?? null}) in lower(text)) > 0)`;
}
