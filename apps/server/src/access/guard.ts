import { createHash, timingSafeEqual } from 'node:crypto';
import {
  CSRF_HEADER,
  type Endpoint,
  impersonationEndpoints,
  PAGE_HEADER,
  TOKEN_COOKIE,
  VIEWING_HEADER,
} from '@chargehand/contract';
import type { FastifyRequest } from 'fastify';
import type { DatabaseConnection } from '../platform/database/connect.ts';
import type { Caller } from '../platform/http/caller.ts';
import { Problem } from '../platform/http/problem.ts';
import type { Guard } from '../platform/http/server.ts';
import { type CallerRow, findCaller, findStanding, type StandingRow } from './callers.store.ts';
import {
  type Decided,
  decideAccount,
  decidePassword,
  decidePrivacy,
  decideReadOnly,
  decideRoute,
  decideSecondFactor,
  onlyReads,
  standingOf,
} from './decision.ts';
import { extendSession, type SessionLimits, wasRemoved } from './sign-in/sessions.store.ts';

/** The one prepared query goes to the pool, the rest through the query builder. */
export type Connections = Pick<DatabaseConnection, 'db' | 'pool'>;

/** A session's end is moved at most this often, so that reading a page does not write for each request. */
const EXTEND_AFTER_MS = 60_000;

/**
 * The first two steps of design §5 for every request: who is it (session, still valid, account and customer enabled,
 * csrf for everything but GET, a password of one's own, privacy policy accepted), and may their role use this endpoint.
 * The third, the row, is the stores'. A root account that sees as somebody else is that person here, and may change
 * nothing.
 */
export function sessionGuard(database: Connections, options: SessionLimits): Guard {
  return async (request, endpoint, purpose = 'request') => {
    if (endpoint.policy.route === 'public') return null;
    const holder = await holderOf(database, request, endpoint, purpose === 'watch' ? null : options);
    const { caller, standing, impersonation } = holder;
    if (request.method !== 'GET') requireCsrf(request, caller);
    if (endpoint.id === impersonationEndpoints.stopImpersonation.id && impersonation !== 'off') return caller;
    if (impersonation === 'over') throw new Problem('impersonationOver');
    requireSameEyes(request, caller);
    if (impersonation === 'on') {
      if (!onlyReads(request.method, endpoint)) {
        throw new Problem('impersonationReadOnly', { values: { name: caller.userName } });
      }
    } else {
      admit(decidePassword(standing, endpoint));
      // Deny by default: such a session is told who it is and may sign out, which are public calls, and nothing else.
      if (standing.password_state !== 'own') return caller;
      admit(decideSecondFactor(standing, endpoint));
      if (standing.second_factor_due) return caller;
      admit(decidePrivacy(standing, endpoint));
    }
    admit(decideRoute(standing));
    admit(decideReadOnly(standing, endpoint));
    return caller;
  };
}

/** Whose request it is: the session's own person, or the one they see as. */
export interface Holder {
  caller: Caller;
  /** what decides about the caller */
  standing: StandingRow;
  /** `over`: it ended by itself and the console has not taken note; the caller is the session's own person again */
  impersonation: 'off' | 'on' | 'over';
}

/**
 * Who holds the session of a request, whose end is moved by it unless there are no `options`.
 * @throws {Problem} 20001-20004 when nobody does
 */
export async function holderOf(
  database: Connections,
  request: FastifyRequest,
  endpoint: Endpoint,
  options: SessionLimits | null,
): Promise<Holder> {
  const token = request.cookies[TOKEN_COOKIE];
  const row = token ? await findCaller(database.pool, hashToken(token), endpoint.id) : null;
  if (!row)
    throw new Problem(token && (await wasRemoved(database.db, hashToken(token))) ? 'accountDisabled' : 'notSignedIn');
  admit(decideAccount(row));
  requireOpen(row);
  if (options) {
    const page = pageOf(request);
    // The page of a new session is kept with its first request; later ones come with the moves of its end.
    const isFirst = row.page === null && page !== null;
    if (isFirst || Date.now() - row.last_seen_at.getTime() > EXTEND_AFTER_MS) {
      await extendSession(database.db, row.session_id, options, page);
    }
  }
  const viewed = row.viewing ? await viewedBy(database, row, endpoint) : null;
  if (viewed) return { caller: callerOf(row, viewed, request), standing: viewed, impersonation: 'on' };
  return { caller: callerOf(row, row, request), standing: row, impersonation: row.viewing ? 'over' : 'off' };
}

/** The page of the console that makes a request, as it says itself: a path below /manage, null when it is none. */
function pageOf(request: FastifyRequest): string | null {
  const page = request.headers[PAGE_HEADER];
  return typeof page === 'string' && PAGE.test(page) ? page : null;
}

const PAGE = /^\/manage[\w\-./~%:@]{0,190}$/;

/** The form in which a session token is stored: its SHA-256. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** The person that a root account sees as; null when that is over, or no longer allowed. */
async function viewedBy(database: Connections, row: CallerRow, endpoint: Endpoint): Promise<StandingRow | null> {
  if (row.viewing_over || !row.root || row.viewed_id === null) return null;
  const viewed = await findStanding(database.pool, row.viewed_id, endpoint.id);
  return viewed && mayBeViewed(viewed) ? viewed : null;
}

/** True for somebody a root account may see as: in service, and not a root account themselves. */
export function mayBeViewed(viewed: StandingRow): boolean {
  return !viewed.root && decideAccount(viewed).refusedWith === null;
}

/** The session must still be open; otherwise the code of spec §4 says why it is not. */
function requireOpen(row: CallerRow): void {
  if (row.end_reason === 'replaced') {
    if (row.end_cause === null) throw new Problem('signedOutElsewhere');
    throw new Problem('sessionEndedFor', { values: { cause: row.end_cause, note: row.end_note ?? '' } });
  }
  if (row.ended_at) throw new Problem(row.end_reason === 'networkTimeout' ? 'sessionExpired' : 'notSignedIn');
  if (row.expires_at.getTime() <= Date.now()) throw new Problem('sessionExpired');
}

function callerOf(row: CallerRow, standing: StandingRow, request: Pick<FastifyRequest, 'ip' | 'locale'>): Caller {
  return {
    ...standingOf(standing),
    viewer:
      standing === row
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

function admit({ refusedWith }: Decided): void {
  if (refusedWith) throw new Problem(refusedWith);
}

/** A tab that believes to be somebody else than its session is must not act, nor show what it did not mean to ask for. */
function requireSameEyes(request: FastifyRequest, caller: Caller): void {
  const believed = request.headers[VIEWING_HEADER];
  if (believed !== undefined && believed !== String(caller.viewer ? caller.userId : 0))
    throw new Problem('impersonationOver');
}

function requireCsrf(request: FastifyRequest, caller: Caller): void {
  const given = Buffer.from(String(request.headers[CSRF_HEADER] ?? ''));
  const expected = Buffer.from(caller.csrf);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw new Problem('csrfMissing');
}
