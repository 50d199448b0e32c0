import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';

/** An impersonation, with the fields for the action log. */
export interface ImpersonationRecord {
  sessionId: string;
  viewerId: number;
  viewerName: string;
  address: string;
  viewedId: number | null;
  viewedName: string;
  customerId: number | null;
  since: Date;
  /** it has already ended and was logged */
  endedAt: Date | null;
}

/**
 * Starts an impersonation for a number of minutes.
 * @throws unique violation `viewings_pkey` if the session already has one
 */
export async function insertImpersonation(
  trx: Kysely<Database>,
  sessionId: string,
  viewed: { id: number; userName: string; customerId: number },
  minutes: number,
): Promise<Date> {
  const { rows } = await sql<{ until: Date }>`
    insert into viewings (session_id, viewed_id, viewed_name, viewed_customer_id, until)
    values (${sessionId}, ${viewed.id}, ${viewed.userName}, ${viewed.customerId},
            now() + make_interval(mins => ${minutes}))
    returning until`.execute(trx);
  const [row] = rows;
  if (!row) throw new Error('The insert returned no row.');
  return row.until;
}

const RECORD = sql`
  v.session_id as "sessionId", u.id as "viewerId", u.user_name as "viewerName", s.address, v.viewed_id as "viewedId",
  v.viewed_name as "viewedName", v.viewed_customer_id as "customerId", v.since, v.ended_at as "endedAt"`;

/** Deletes the impersonation of a session; null if there is none. */
export async function deleteImpersonation(
  trx: Kysely<Database>,
  sessionId: string,
): Promise<ImpersonationRecord | null> {
  const { rows } = await sql<ImpersonationRecord>`
    delete from viewings v using sessions s join users u on u.id = s.user_id
     where s.id = v.session_id and v.session_id = ${sessionId}
    returning ${RECORD}`.execute(trx);
  return rows[0] ?? null;
}

/** Ends impersonations after their time, or without a session or user. Returns each once. */
export async function endExpiredImpersonations(trx: Kysely<Database>): Promise<ImpersonationRecord[]> {
  const { rows } = await sql<ImpersonationRecord>`
    update viewings v set ended_at = now()
      from sessions s join users u on u.id = s.user_id
     where s.id = v.session_id and v.ended_at is null
       and (v.until <= now() or v.viewed_id is null or s.ended_at is not null or s.expires_at <= now())
    returning ${RECORD}`.execute(trx);
  return rows;
}
