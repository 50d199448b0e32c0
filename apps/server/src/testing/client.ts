import { randomBytes, randomUUID } from 'node:crypto';
import {
  type AnswerOf,
  type BodyOf,
  CSRF_COOKIE,
  CSRF_HEADER,
  type Endpoint,
  type Envelope,
  type Locale,
  type ParamsOf,
  type QueryOf,
  TOKEN_COOKIE,
} from '@chargehand/contract';
import type { Kysely } from 'kysely';
import { hashToken } from '../access/guard.ts';
import type { Database } from '../platform/database/schema.ts';

type Inputs<E extends Endpoint> = (ParamsOf<E> extends undefined ? { params?: undefined } : { params: ParamsOf<E> }) & {
  query?: Partial<QueryOf<E>>;
  body?: BodyOf<E>;
};

/** A user of the API: keeps cookies and uses the contract over real HTTP. */
export interface Client {
  /** The envelope of a call. */
  call<E extends Endpoint>(endpoint: E, inputs?: Inputs<E>): Promise<Envelope<AnswerOf<E>>>;
  /** The `data` of a call; fails the test when the code is not 0. */
  data<E extends Endpoint>(endpoint: E, inputs?: Inputs<E>): Promise<AnswerOf<E>>;
  /** The raw response, for files, streams and malformed requests. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
}

/** A call that takes longer hangs, and fails the test. Milliseconds. */
const CALL_MS = 30_000;

/** A client without a session, or with the given one. */
export function client(
  url: string,
  session: { token: string; csrf: string } | null = null,
  locale: Locale = 'en-US',
): Client {
  const headers: Record<string, string> = {
    'accept-language': locale,
    ...(session
      ? { cookie: `${TOKEN_COOKIE}=${session.token}; ${CSRF_COOKIE}=${session.csrf}`, [CSRF_HEADER]: session.csrf }
      : {}),
  };
  const call: Client['call'] = async (endpoint, inputs) => {
    const response = await fetch(`${url}${addressOf(endpoint, inputs?.params, inputs?.query)}`, {
      method: endpoint.method,
      signal: AbortSignal.timeout(CALL_MS),
      headers: { ...headers, ...(endpoint.method === 'GET' ? {} : { 'content-type': 'application/json' }) },
      ...(endpoint.method === 'GET' ? {} : { body: JSON.stringify(inputs?.body ?? {}) }),
    });
    return (await response.json()) as never;
  };
  return {
    call,
    async data(endpoint, inputs) {
      const envelope = await call(endpoint, inputs);
      if (envelope.code !== 0) throw new Error(`${endpoint.id} answered ${envelope.code}: ${envelope.message}`);
      return envelope.data;
    },
    fetch: (path, init) => fetch(`${url}${path}`, { ...init, headers: { ...headers, ...init?.headers } }),
  };
}

/** The path and query of a call. */
export function addressOf(endpoint: Endpoint, params: unknown, query: unknown): string {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String((params as Record<string, unknown>)[name])),
  );
  const search = new URLSearchParams(
    Object.entries((query ?? {}) as Record<string, unknown>)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]): [string, string] => [key, String(value)]),
  ).toString();
  return search ? `${path}?${search}` : path;
}

/** Opens a session of a user directly in the database, as a sign-in would. */
export async function openSession(
  db: Kysely<Database>,
  userId: number,
  minutes = 30,
): Promise<{ id: string; token: string; csrf: string }> {
  const session = {
    id: randomUUID(),
    token: randomBytes(32).toString('base64url'),
    csrf: randomBytes(16).toString('base64url'),
  };
  await db
    .insertInto('sessions')
    .values({
      id: session.id,
      token_hash: hashToken(session.token),
      csrf: session.csrf,
      user_id: userId,
      expires_at: new Date(Date.now() + minutes * 60_000),
      address: '127.0.0.1',
      user_agent: 'test',
    })
    .execute();
  return session;
}
