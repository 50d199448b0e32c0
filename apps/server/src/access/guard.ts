import { createHash, timingSafeEqual } from 'node:crypto';
import {
  accessEndpoints,
  CSRF_HEADER,
  type Endpoint,
  PAGE_HEADER,
  PERMISSIONS,
  recoveryEndpoints,
  TOKEN_COOKIE,
} from '@chargehand/contract';
import { levelsAll, scopeOf } from '@chargehand/domain';
import type { FastifyRequest } from 'fastify';
import type { DatabaseConnection } from '../platform/database/connect.ts';
import { Problem } from '../platform/http/problem.ts';
import type { Guard } from '../platform/http/server.ts';
import type { Caller } from '../ports/caller.ts';
import { type CallerRow, findCaller } from './callers.store.ts';
import { extendSession, wasRemoved } from './sessions.store.ts';

/** The one prepared query goes to the pool, the rest through the query builder. */
export type Connections = Pick<DatabaseConnection, 'db' | 'pool'>;

/** A session's end is moved at most this often, so that reading a page does not write for each request. */
const EXTEND_AFTER_MS = 60_000;

/**
 * The first two steps of design §5 for every request: who is it (session, still valid, account and customer enabled,
 * csrf for everything but GET, a password of one's own, privacy policy accepted), and may their role use this endpoint. The third, the row, is
 * the stores'.
 */
export function sessionGuard(database: Connections, options: { sessionMinutes: number }): Guard {
  return async (request, endpoint, purpose = 'request') => {
    if (endpoint.access === 'public') return null;
    const { caller, row } = await holderOf(database, request, endpoint, purpose === 'watch' ? null : options);
    if (request.method !== 'GET') requireCsrf(request, caller);
    if (row.password_state !== 'own') {
      // Deny by default: such a session is told who it is and may sign out, which are public calls, and nothing else.
      if (endpoint.id !== recoveryEndpoints.chooseFirstPassword.id) throw new Problem('passwordGiven');
      return caller;
    }
    if (row.privacy_waits && endpoint.id !== accessEndpoints.acceptPrivacy.id) throw new Problem('privacyNotAccepted');
    if (!caller.root && !row.reaches) throw new Problem('noPermission');
    if (caller.readOnly && CHANGING.has(endpoint.effect)) throw new Problem('noPermission');
    return caller;
  };
}

/**
 * Who holds the session of a request, whose end is moved by it unless there are no `options`.
 * @throws {Problem} 20001-20004 when nobody does
 */
export async function holderOf(
  database: Connections,
  request: FastifyRequest,
  endpoint: Endpoint,
  options: { sessionMinutes: number } | null,
): Promise<{ caller: Caller; row: CallerRow }> {
  const token = request.cookies[TOKEN_COOKIE];
  const row = token ? await findCaller(database.pool, hashToken(token), endpoint.id) : null;
  if (!row)
    throw new Problem(token && (await wasRemoved(database.db, hashToken(token))) ? 'accountDisabled' : 'notSignedIn');
  const caller = admit(row, request);
  if (options) {
    const page = pageOf(request);
    // The page of a new session is kept with its first request; later ones come with the moves of its end.
    const isFirst = row.page === null && page !== null;
    if (isFirst || Date.now() - row.last_seen_at.getTime() > EXTEND_AFTER_MS) {
      await extendSession(database.db, row.session_id, options.sessionMinutes, page);
    }
  }
  return { caller, row };
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

/** Effects that change something: closed to people of a read-only customer. */
const CHANGING: ReadonlySet<Endpoint['effect']> = new Set(['create', 'update', 'delete', 'control']);

/** The holder of a session, or the code of spec §4 that says why there is none. */
function admit(row: CallerRow, request: Pick<FastifyRequest, 'ip' | 'locale'>): Caller {
  if (!row.enabled || !row.customer_enabled) throw new Problem('accountDisabled');
  if (row.end_reason === 'replaced') {
    if (row.end_cause === null) throw new Problem('signedOutElsewhere');
    throw new Problem('sessionEndedFor', { values: { cause: row.end_cause, note: row.end_note ?? '' } });
  }
  if (row.ended_at) throw new Problem(row.end_reason === 'networkTimeout' ? 'sessionExpired' : 'notSignedIn');
  if (row.expires_at.getTime() <= Date.now()) throw new Problem('sessionExpired');
  return {
    userId: row.user_id,
    userName: row.user_name,
    customerId: row.customer_id,
    platformVendor: row.platform_vendor,
    readOnly: row.read_only && !row.root,
    sessionId: row.session_id,
    csrf: row.csrf,
    root: row.root,
    keys: new Set(row.root ? Object.keys(PERMISSIONS) : row.keys),
    levels: row.root ? levelsAll(0) : (row.levels ?? levelsAll(5)),
    scope: scopeOf({
      root: row.root,
      customerAccess: row.customer_access ?? -1,
      siteAccess: row.site_access ?? -1,
      ownCustomerId: row.customer_id,
      assignedCustomerIds: row.customer_ids,
      assignedSiteIds: row.site_ids,
    }),
    address: request.ip,
    locale: request.locale,
  };
}

function requireCsrf(request: FastifyRequest, caller: Caller): void {
  const given = Buffer.from(String(request.headers[CSRF_HEADER] ?? ''));
  const expected = Buffer.from(caller.csrf);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw new Problem('csrfMissing');
}
