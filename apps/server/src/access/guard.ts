import { createHash, timingSafeEqual } from 'node:crypto';
import {
  CSRF_HEADER,
  type DecidedStep,
  decideAccount,
  decideSession,
  type Endpoint,
  IMPERSONATION_HEADER,
  impersonationEndpoints,
  onlyReads,
  PAGE_HEADER,
  refusalOf,
  TOKEN_COOKIE,
} from '@chargehand/contract';
import type { FastifyRequest } from 'fastify';
import type { Clock } from '../platform/clock.ts';
import type { DatabaseConnection } from '../platform/database/connect.ts';
import type { Caller } from '../platform/http/caller.ts';
import { Problem } from '../platform/http/problem.ts';
import type { Guard } from '../platform/http/server.ts';
import { type AccountStateRow, type CallerRow, findAccountState, findCaller } from './callers.store.ts';
import { accountOf, accountStateOf } from './decision.ts';
import { extendSession, type SessionLimits, wasRemoved } from './sign-in/sessions.store.ts';

/** The prepared query uses the pool, the others use the query builder. */
export type GuardParts = Pick<DatabaseConnection, 'db' | 'pool'> & { clock: Clock };

/** The expiry of a session is extended at most this often, so that reading pages does not write for each request. */
const EXTEND_AFTER_MS = 60_000;

/**
 * The first two steps of design §5 for every request. Who is the caller (valid session, enabled account and customer,
 * CSRF token except for GET, own password, accepted privacy policy)? Does their role include this endpoint? The third
 * step, the row, is enforced by the stores. During an impersonation a root account has the rights of the viewed user
 * and may change nothing.
 */
export function sessionGuard(parts: GuardParts, options: SessionLimits): Guard {
  return async (request, endpoint, purpose = 'request') => {
    if (endpoint.policy.route === 'public') return null;
    const holder = await holderOf(parts, request, endpoint, purpose === 'watch' ? null : options);
    const { caller, accountState, impersonation } = holder;
    if (request.method !== 'GET') requireCsrf(request, caller);
    if (endpoint.id === impersonationEndpoints.stopImpersonation.id && impersonation !== 'off') return caller;
    if (impersonation === 'over') throw new Problem('impersonationOver');
    requireSameEyes(request, caller);
    const viewed = impersonation === 'on';
    if (viewed && !onlyReads(request.method, endpoint)) {
      throw new Problem('impersonationReadOnly', { values: { name: caller.userName } });
    }
    admit(decideSession(accountOf(accountState), endpoint, { signsIn: !viewed }));
    return caller;
  };
}

/** The user of a request: the user of the session, or the viewed user. */
export interface Holder {
  caller: Caller;
  /** the state that decides about the caller */
  accountState: AccountStateRow;
  /** `over`: it ended and the console has not acknowledged it; the caller is the user of the session again */
  impersonation: 'off' | 'on' | 'over';
}

/**
 * The user of the session of a request. Extends the session unless `options` are missing.
 * @throws {Problem} 20001-20004 without a valid session
 */
export async function holderOf(
  parts: GuardParts,
  request: FastifyRequest,
  endpoint: Endpoint,
  options: SessionLimits | null,
): Promise<Holder> {
  const { db, pool } = parts;
  const now = parts.clock.now().getTime();
  const token = request.cookies[TOKEN_COOKIE];
  const row = token ? await findCaller(pool, hashToken(token), endpoint.id) : null;
  if (!row) throw new Problem(token && (await wasRemoved(db, hashToken(token))) ? 'accountDisabled' : 'notSignedIn');
  admit([decideAccount(accountOf(row))]);
  requireOpen(row, now);
  if (options) {
    const page = pageOf(request);
    // The page of a new session is stored with its first request, later pages when the session is extended.
    const isFirst = row.page === null && page !== null;
    if (isFirst || now - row.last_seen_at.getTime() > EXTEND_AFTER_MS) {
      await extendSession(db, row.session_id, options, page);
    }
  }
  const viewed = row.viewing ? await viewedBy(parts, row, endpoint) : null;
  if (viewed) return { caller: callerOf(row, viewed, request), accountState: viewed, impersonation: 'on' };
  return { caller: callerOf(row, row, request), accountState: row, impersonation: row.viewing ? 'over' : 'off' };
}

/**
 * The user of a request to a public route, which only notes who calls; null without an open session. It does not count
 * as activity of the user.
 */
export async function callerIfAny(
  parts: GuardParts,
  request: FastifyRequest,
  endpoint: Endpoint,
): Promise<Caller | null> {
  if (!request.cookies[TOKEN_COOKIE]) return null;
  try {
    return (await holderOf(parts, request, endpoint, null)).caller;
  } catch (error) {
    if (error instanceof Problem) return null;
    throw error;
  }
}

/** The page of the console that sent a request: a path below /manage; null if it is none. */
function pageOf(request: FastifyRequest): string | null {
  const page = request.headers[PAGE_HEADER];
  return typeof page === 'string' && PAGE.test(page) ? page : null;
}

const PAGE = /^\/manage[\w\-./~%:@]{0,190}$/;

/** The stored form of a session token: its SHA-256. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** The viewed user of a root account; null if the impersonation has ended or is not allowed. */
async function viewedBy({ pool }: GuardParts, row: CallerRow, endpoint: Endpoint): Promise<AccountStateRow | null> {
  if (row.viewing_over || !row.root || row.viewed_id === null) return null;
  const viewed = await findAccountState(pool, row.viewed_id, endpoint.id);
  return viewed && mayBeViewed(viewed) ? viewed : null;
}

/** True for a user that a root account may view: enabled, and not a root account. */
export function mayBeViewed(viewed: AccountStateRow): boolean {
  return !viewed.root && decideAccount(accountOf(viewed)).refusedWith === null;
}

/** The session must be open at `now` (milliseconds). Otherwise the code of spec §4 says why it is not. */
function requireOpen(row: CallerRow, now: number): void {
  if (row.end_reason === 'replaced') {
    if (row.end_cause === null) throw new Problem('signedOutElsewhere');
    throw new Problem('sessionEndedFor', { values: { cause: row.end_cause, note: row.end_note ?? '' } });
  }
  if (row.ended_at) throw new Problem(row.end_reason === 'networkTimeout' ? 'sessionExpired' : 'notSignedIn');
  if (row.expires_at.getTime() <= now) throw new Problem('sessionExpired');
}

function callerOf(
  row: CallerRow,
  accountState: AccountStateRow,
  request: Pick<FastifyRequest, 'ip' | 'locale'>,
): Caller {
  return {
    ...accountStateOf(accountState),
    viewer:
      accountState === row
        ? null
        : {
            userId: row.user_id,
            userName: row.user_name,
            since: row.viewing_since ?? row.last_seen_at,
            until: row.viewing_until ?? row.expires_at,
          },
    sessionId: row.session_id,
    csrf: row.csrf,
    address: request.ip,
    locale: request.locale,
  };
}

function admit(steps: readonly DecidedStep[]): void {
  const refused = refusalOf(steps)?.refusedWith;
  if (refused) throw new Problem(refused);
}

/** A tab that shows another user than its session must not act or load data. */
function requireSameEyes(request: FastifyRequest, caller: Caller): void {
  const expected = request.headers[IMPERSONATION_HEADER];
  if (expected !== undefined && expected !== String(caller.viewer ? caller.userId : 0))
    throw new Problem('impersonationOver');
}

function requireCsrf(request: FastifyRequest, caller: Caller): void {
  const given = Buffer.from(String(request.headers[CSRF_HEADER] ?? ''));
  const expected = Buffer.from(caller.csrf);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw new Problem('csrfMissing');
}
