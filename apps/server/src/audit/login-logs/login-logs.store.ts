import type { EndCause, LoginReason } from '@chargehand/contract';
import type { Scope } from '@chargehand/domain';
import { foldCase } from '@chargehand/domain';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { beginning } from '../../platform/database/patterns.ts';
import type { Database } from '../../platform/database/schema.ts';

export type { LoginReason };

/** A sign-in or sign-out for the log. */
interface LoginEntry {
  type: 'login' | 'logout';
  /** null for a successful sign-in */
  reason: LoginReason | null;
  succeeded: boolean;
  /** null when no account has the given name */
  userId: number | null;
  userName: string;
  address: string;
  userAgent: string;
  /** why the session was ended by an action, and an optional comment */
  cause?: EndCause | null;
  note?: string | null;
}

/** Spec §3, log types. */
const TYPES = { login: 0, logout: 1 } as const;

/** Names and user agents are unauthenticated input, so their stored length is limited. */
const LONGEST_NAME = 64;
const LONGEST_AGENT = 300;

/** Records sign-ins and sign-outs. `db` is the transaction of the session's change if there is one. */
export async function logLogins(db: Kysely<Database>, entries: readonly LoginEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await db
    .insertInto('login_logs')
    .values(
      entries.map((entry) => ({
        type: TYPES[entry.type],
        reason: entry.reason,
        succeeded: entry.succeeded,
        user_id: entry.userId,
        user_name: storable(entry.userName, LONGEST_NAME),
        address: entry.address,
        user_agent: storable(entry.userAgent, LONGEST_AGENT),
        end_cause: entry.cause ?? null,
        end_note: entry.note ?? null,
      })),
    )
    .execute();
}

/** The filters of the sign-in log. Missing fields do not filter. */
export interface LoginLogFilter {
  /** the start of a user name, in any case */
  userName?: string | undefined;
  /** of users who belong to it now */
  customerId?: number | undefined;
  type?: number | undefined;
  succeeded?: boolean | undefined;
  reason?: LoginReason | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

export interface LoginLogRecord {
  id: number;
  at: Date;
  type: number;
  reason: LoginReason | null;
  succeeded: boolean;
  user_name: string;
  address: string;
  user_agent: string;
  end_cause: EndCause | null;
  end_note: string | null;
}

/**
 * The newest sign-ins and sign-outs that a user may see, older than the id `before` if given: their own, those of users
 * of customers they see completely, and, for users who see all customers, attempts with unknown names.
 */
export async function findLoginLogs(
  db: Kysely<Database>,
  scope: Scope,
  ownUserId: number,
  filter: LoginLogFilter,
  before: number | undefined,
  limit: number,
): Promise<LoginLogRecord[]> {
  const { rows } = await sql<LoginLogRecord>`
    select l.id, l.at, l.type, l.reason, l.succeeded, l.user_name, l.address, l.user_agent,
           l.end_cause, l.end_note
      from login_logs l
     where ${sql.join([visible(scope, ownUserId), ...conditionsOf(filter, before)], sql` and `)}
     order by l.id desc
     limit ${limit}`.execute(db);
  return rows;
}

/** The newest sign-ins of an account, including refused ones. */
export async function latestSignIns(db: Kysely<Database>, userId: number, limit: number): Promise<LoginLogRecord[]> {
  const { rows } = await sql<LoginLogRecord>`
    select l.id, l.at, l.type, l.reason, l.succeeded, l.user_name, l.address, l.user_agent, l.end_cause, l.end_note
      from login_logs l
     where l.user_id = ${userId} and l.type = ${TYPES.login}
     order by l.id desc
     limit ${limit}`.execute(db);
  return rows;
}

function visible(scope: Scope, ownUserId: number): RawBuilder<SqlBool> {
  if (scope.sites !== 'all') return sql<SqlBool>`l.user_id = ${ownUserId}`;
  if (scope.customers === 'all') return sql<SqlBool>`true`;
  return sql<SqlBool>`(l.user_id = ${ownUserId} or l.user_id in (${ofCustomers(scope.customers)}))`;
}

function ofCustomers(ids: readonly number[]): RawBuilder<unknown> {
  return sql`select id from users where customer_id = any(${[...ids]}::int[])`;
}

function conditionsOf(filter: LoginLogFilter, before: number | undefined): RawBuilder<SqlBool>[] {
  const { userName, customerId, type, succeeded, reason, from, to } = filter;
  return [
    before !== undefined && sql<SqlBool>`l.id < ${before}`,
    userName !== undefined && sql<SqlBool>`lower(l.user_name) like ${beginning(foldCase(userName))}`,
    customerId !== undefined && sql<SqlBool>`l.user_id in (${ofCustomers([customerId])})`,
    type !== undefined && sql<SqlBool>`l.type = ${type}`,
    succeeded !== undefined && sql<SqlBool>`l.succeeded = ${succeeded}`,
    reason !== undefined && sql<SqlBool>`l.reason = ${reason}`,
    from !== undefined && sql<SqlBool>`l.at >= ${from}`,
    to !== undefined && sql<SqlBool>`l.at < ${to}`,
  ].filter((condition) => condition !== false);
}

/** Text without characters that PostgreSQL cannot store, cut at a whole character. */
function storable(text: string, longest: number): string {
  return [...text.toWellFormed().replaceAll('\u0000', '\ufffd')].slice(0, longest).join('');
}
