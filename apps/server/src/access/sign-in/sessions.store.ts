import type { EndCause, KickCause, PasswordState } from '@chargehand/contract';
import { type Kysely, sql } from 'kysely';
import type { LoginReason } from '../../audit/index.ts';
import type { Database } from '../../platform/database/schema.ts';

/** The fields of an account that a sign-in needs. */
export interface AccountRow {
  id: number;
  user_name: string;
  password_hash: string;
  customer_id: number;
  enabled: boolean;
  customer_enabled: boolean;
}

/** The account with a name in the form of `userNameKey`; null when there is none. */
export async function findAccount(db: Kysely<Database>, key: string): Promise<AccountRow | null> {
  const { rows } = await sql<AccountRow>`
    select u.id, u.user_name, u.password_hash, u.customer_id, u.enabled, c.enabled as customer_enabled
      from users u join customers c on c.id = u.customer_id
     where lower(u.user_name) = ${key}`.execute(db);
  return rows[0] ?? null;
}

/** A session that has just ended, with the fields for the sign-in log. */
export interface EndedSession {
  id: string;
  user_id: number;
  user_name: string;
  customer_id: number;
  end_reason: LoginReason;
  end_cause: EndCause | null;
  end_note: string | null;
  address: string;
  user_agent: string;
}

const ENDED = sql`
  s.id, s.user_id, u.user_name, u.customer_id, s.end_reason, s.end_cause, s.end_note, s.address, s.user_agent`;

/**
 * Runs the sign-ins of one account one after the other, until the end of the transaction. Returns the current password
 * hash.
 */
export async function lockAccount(trx: Kysely<Database>, userId: number): Promise<string | null> {
  const account = await trx
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
  return account?.password_hash ?? null;
}

/** The stored password of an account, and who chose it; null when there is no such account. */
export async function findPassword(
  db: Kysely<Database>,
  userId: number,
): Promise<{ hash: string; state: PasswordState } | null> {
  const account = await db
    .selectFrom('users')
    .select(['password_hash as hash', 'password_state as state'])
    .where('id', '=', userId)
    .executeTakeFirst();
  return account ?? null;
}

/** The lifetime of a session: minutes without a request, and hours in total. */
export interface SessionLimits {
  sessionMinutes: number;
  sessionHours: number;
}

export interface NewSession {
  id: string;
  tokenHash: Buffer;
  csrf: string;
  userId: number;
  /** without a request, and in total */
  minutes: number;
  hours: number;
  address: string;
  userAgent: string;
}

export async function insertSession(trx: Kysely<Database>, session: NewSession): Promise<void> {
  await sql`
    insert into sessions (id, token_hash, csrf, user_id, created_at, expires_at, address, user_agent)
    values (${session.id}, ${session.tokenHash}, ${session.csrf}, ${session.userId}, clock_timestamp(),
            now() + least(make_interval(mins => ${session.minutes}), make_interval(hours => ${session.hours})), ${session.address}, left(${session.userAgent}, 300))`.execute(
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
    returning ${ENDED}`.execute(trx);
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
    returning ${ENDED}`.execute(db);
  return rows[0] ?? null;
}

/** Ends expired sessions, and those of disabled accounts and customers. */
export async function endExpiredSessions(trx: Kysely<Database>): Promise<EndedSession[]> {
  const { rows } = await sql<EndedSession>`
    update sessions s set ended_at = now(),
           end_reason = case when u.enabled and c.enabled then 'networkTimeout' else 'authRejected' end
      from users u join customers c on c.id = u.customer_id
     where u.id = s.user_id and s.ended_at is null and (s.expires_at <= now() or not u.enabled or not c.enabled)
    returning ${ENDED}`.execute(trx);
  return rows;
}

/** How long ended sessions are listed. */
const ENDED_MS = 7 * 86_400_000;

/** Removes sessions that ended long before a time. The sign-in log keeps the events. Returns their number. */
export async function forgetEndedSessions(db: Kysely<Database>, now: Date): Promise<number> {
  const before = new Date(now.getTime() - ENDED_MS);
  const { numAffectedRows } = await sql`
    delete from sessions where ended_at < ${before} or (user_id is null and expires_at < ${before})`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/**
 * Extends a session, at most to `hours` after its start, and stores the current page of its user if known. The caller
 * ensures that this happens at most once a minute per session.
 */
export async function extendSession(
  db: Kysely<Database>,
  sessionId: string,
  { sessionMinutes, sessionHours }: SessionLimits,
  page: string | null,
): Promise<void> {
  await sql`
    update sessions set last_seen_at = now(), expires_at = least(now() + make_interval(mins => ${sessionMinutes}),
                                                           created_at + make_interval(hours => ${sessionHours})),
           page = coalesce(${page}, page)
     where id = ${sessionId} and ended_at is null and expires_at > now()`.execute(db);
}

/** Applies lengths of sessions to open sessions that would end later. */
export async function shortenSessions(
  db: Kysely<Database>,
  { sessionMinutes, sessionHours }: SessionLimits,
): Promise<void> {
  await sql`
    update sessions s set expires_at = e.at
      from (select id, least(last_seen_at + make_interval(mins => ${sessionMinutes}),
                             created_at + make_interval(hours => ${sessionHours})) as at from sessions) e
     where s.id = e.id and s.ended_at is null and s.expires_at > e.at`.execute(db);
}

/** How and why sessions end. */
export interface Ending {
  reason: LoginReason;
  cause?: EndCause | undefined;
  /** a comment on the reason */
  note?: string | undefined;
}

/** The reasons of an administrator for ending sessions. A note without a reason uses `other`. */
export function kickOf(cause: KickCause | undefined, note: string | undefined): Pick<Ending, 'cause' | 'note'> {
  const entered = note?.trim() || undefined;
  if (cause === undefined && entered === undefined) return {};
  return { cause: cause ?? 'other', ...(entered !== undefined && { note: entered }) };
}

/** Ends the open sessions of an account: all, all except the session `but`, or the one with number `only`. */
export async function endSessionsOf(
  trx: Kysely<Database>,
  userId: number,
  ending: Ending,
  which: { but?: string; only?: number } = {},
): Promise<EndedSession[]> {
  const { reason, cause = null, note = null } = ending;
  const { rows } = await sql<EndedSession>`
    update sessions s set ended_at = now(), end_reason = ${reason}, end_cause = ${cause}, end_note = ${note}
      from users u
     where u.id = s.user_id and s.user_id = ${userId} and s.ended_at is null and s.expires_at > now()
       and (${which.but ?? null}::uuid is null or s.id <> ${which.but ?? null})
       and (${which.only ?? null}::int is null or s.number = ${which.only ?? null})
    returning ${ENDED}`.execute(trx);
  return rows;
}

/** True when a token belonged to a session whose account has been removed since. */
export async function wasRemoved(db: Kysely<Database>, tokenHash: Buffer): Promise<boolean> {
  const { rows } = await sql`select from sessions where token_hash = ${tokenHash} and user_id is null`.execute(db);
  return rows.length > 0;
}
