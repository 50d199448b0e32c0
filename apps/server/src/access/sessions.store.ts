import { type Kysely, sql } from 'kysely';
import type { LoginReason } from '../audit/index.ts';
import type { Database } from '../platform/database/schema.ts';

/** What a sign-in needs to know of an account. */
export interface AccountRow {
  id: number;
  user_name: string;
  password_hash: string;
  enabled: boolean;
  customer_enabled: boolean;
}

/** The account of a name, in any mixture of upper and lower case; null when there is none. */
export async function findAccount(db: Kysely<Database>, userName: string): Promise<AccountRow | null> {
  const { rows } = await sql<AccountRow>`
    select u.id, u.user_name, u.password_hash, u.enabled, c.enabled as customer_enabled
      from users u join customers c on c.id = u.customer_id
     where lower(u.user_name) = lower(${userName})`.execute(db);
  return rows[0] ?? null;
}

/** A session that has just ended, with what its row in the login log needs. */
export interface EndedSession {
  id: string;
  user_id: number;
  user_name: string;
  end_reason: LoginReason;
  address: string;
  user_agent: string;
}

/** Makes the sign-ins of one account take turns until the end of the transaction; answers the password it has by then. */
export async function lockAccount(trx: Kysely<Database>, userId: number): Promise<string | null> {
  const account = await trx
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
  return account?.password_hash ?? null;
}

export interface NewSession {
  id: string;
  tokenHash: Buffer;
  csrf: string;
  userId: number;
  minutes: number;
  address: string;
  userAgent: string;
}

export async function insertSession(trx: Kysely<Database>, session: NewSession): Promise<void> {
  await sql`
    insert into sessions (id, token_hash, csrf, user_id, created_at, expires_at, address, user_agent)
    values (${session.id}, ${session.tokenHash}, ${session.csrf}, ${session.userId}, clock_timestamp(),
            now() + make_interval(mins => ${session.minutes}), ${session.address}, left(${session.userAgent}, 300))`.execute(
    trx,
  );
}

/** Ends all but the newest `keep` open sessions of an account. */
export async function endOlderSessions(trx: Kysely<Database>, userId: number, keep: number): Promise<EndedSession[]> {
  const { rows } = await sql<EndedSession>`
    update sessions s set ended_at = now(), end_reason = 'replaced'
      from users u
     where u.id = s.user_id and s.id in (
       select id from sessions where user_id = ${userId} and ended_at is null
        order by created_at desc, id offset ${keep})
    returning s.id, s.user_id, u.user_name, s.end_reason, s.address, s.user_agent`.execute(trx);
  return rows;
}

/** Ends the session of a token; null when it was not open. */
export async function endSession(
  db: Kysely<Database>,
  tokenHash: Buffer,
  reason: LoginReason,
): Promise<EndedSession | null> {
  const { rows } = await sql<EndedSession>`
    update sessions s set ended_at = now(), end_reason = ${reason}
      from users u
     where u.id = s.user_id and s.token_hash = ${tokenHash} and s.ended_at is null
    returning s.id, s.user_id, u.user_name, s.end_reason, s.address, s.user_agent`.execute(db);
  return rows[0] ?? null;
}

/** Ends the sessions that ran out, and those of accounts and customers that were disabled. */
export async function endLapsedSessions(trx: Kysely<Database>): Promise<EndedSession[]> {
  const { rows } = await sql<EndedSession>`
    update sessions s set ended_at = now(),
           end_reason = case when u.enabled and c.enabled then 'networkTimeout' else 'authRejected' end
      from users u join customers c on c.id = u.customer_id
     where u.id = s.user_id and s.ended_at is null and (s.expires_at <= now() or not u.enabled or not c.enabled)
    returning s.id, s.user_id, u.user_name, s.end_reason, s.address, s.user_agent`.execute(trx);
  return rows;
}

/** Removes sessions that ended long ago; the login log keeps what happened. */
export async function forgetEndedSessions(db: Kysely<Database>): Promise<void> {
  await sql`delete from sessions where ended_at < now() - interval '7 days'`.execute(db);
}

/** Moves the end of a session forward; at most once a minute for each, which is the caller's care. */
export async function extendSession(db: Kysely<Database>, sessionId: string, minutes: number): Promise<void> {
  await sql`
    update sessions set last_seen_at = now(), expires_at = now() + make_interval(mins => ${minutes})
     where id = ${sessionId} and ended_at is null and expires_at > now()`.execute(db);
}

/** Ends every open session of an account. */
export async function endSessionsOf(
  trx: Kysely<Database>,
  userId: number,
  reason: LoginReason,
): Promise<EndedSession[]> {
  const { rows } = await sql<EndedSession>`
    update sessions s set ended_at = now(), end_reason = ${reason}
      from users u
     where u.id = s.user_id and s.user_id = ${userId} and s.ended_at is null
    returning s.id, s.user_id, u.user_name, s.end_reason, s.address, s.user_agent`.execute(trx);
  return rows;
}
