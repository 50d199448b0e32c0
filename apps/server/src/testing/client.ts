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
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { hashToken } from '../access/guard.ts';
import type { Database } from '../platform/database/schema.ts';

type Inputs<E extends Endpoint> = (ParamsOf<E> extends undefined ? { params?: undefined } : { params: ParamsOf<E> }) & {
  query?: Partial<QueryOf<E>>;
  body?: BodyOf<E>;
};

interface Sent {
  method: Endpoint['method'];
  headers?: Record<string, string>;
  body?: string;
}

/** A user of the API: keeps cookies and uses the contract over real HTTP. */
export interface Client {
  /** The envelope of a call. */
  call<E extends Endpoint>(endpoint: E, inputs?: Inputs<E>): Promise<Envelope<AnswerOf<E>>>;
  /** The `data` of a call; fails the test when the code is not 0. */
  data<E extends Endpoint>(endpoint: E, inputs?: Inputs<E>): Promise<AnswerOf<E>>;
  /** The response of a call whose answer is JSON, without a socket where the server is in this process. */
  send(path: string, init: Sent): Promise<Pick<Response, 'status' | 'headers' | 'json' | 'arrayBuffer'>>;
  /** The raw response, for files, streams and malformed requests. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
}

/** A call that takes longer hangs, and fails the test. Milliseconds. */
const CALL_MS = 30_000;

/** Handles calls without a socket, which takes a third of the time. */
type App = Pick<FastifyInstance, 'inject'>;

/**
 * A client without a session, or with the given one.
 *
 * @param app the server of `url` in this process: calls go to it directly, only `fetch` uses the network
 */
export function client(
  url: string,
  session: { token: string; csrf: string } | null = null,
  locale: Locale = 'en-US',
  app?: () => App,
): Client {
  const headers: Record<string, string> = {
    'accept-language': locale,
    ...(session
      ? { cookie: `${TOKEN_COOKIE}=${session.token}; ${CSRF_COOKIE}=${session.csrf}`, [CSRF_HEADER]: session.csrf }
      : {}),
  };
  const send: Client['send'] = async (path, init) => {
    const signal = AbortSignal.timeout(CALL_MS);
    const sent = { ...init, signal, headers: { ...headers, ...init.headers } };
    if (!app) return await fetch(`${url}${path}`, sent);
    const { rawPayload, statusCode, headers: answered } = await app().inject({ ...sent, url: path });
    return new Response(rawPayload, { status: statusCode, headers: answered as Record<string, string> });
  };
  const call: Client['call'] = async (endpoint, inputs) => {
    const { method } = endpoint;
    const json = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(inputs?.body ?? {}) };
    const path = addressOf(endpoint, inputs?.params, inputs?.query);
    const response = await send(path, { method, ...(method === 'GET' ? {} : json) });
    return (await response.json()) as never;
  };
  return {
    call,
    send,
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
