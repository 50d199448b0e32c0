import type { Envelope } from '@chargehand/contract';
import {
  CSRF_COOKIE,
  CSRF_HEADER,
  IDEMPOTENCY_HEADER,
  IMPERSONATION_HEADER,
  PAGE_HEADER,
  REQUEST_TIMEOUT_MS,
  SESSION_CODES,
} from '@chargehand/contract/constants';
import { readCookie } from '../lib/browser/cookie.ts';
import { randomId } from '../lib/browser/random-id.ts';
import { takeEarlyResponse } from './early.ts';
import { ApiProblem } from './problem.ts';

/** Paths whose errors are shown on their own pages, without a toast (spec §7). */
export const SILENT_PATHS: readonly string[] = [
  '/api/unauth/info',
  '/api/unauth/login',
  '/api/unauth/password/valid',
  '/api/unauth/password/reset',
  '/api/unauth/password/email',
  '/api/auth/sys/dev/basic/vpn/restart',
  '/api/auth/sys/article/detail',
];

const NO_PERMISSION = 20013;
const PRIVACY_WAITS = 10107;
/** The session has another identity than this tab expects. */
const VIEWING_OVER = 10172;

/** The hooks between the requester and the rest of the console. */
export interface RequestHooks {
  locale(): string;
  /** the cookies of the page, as in `document.cookie` */
  cookies(): string;
  /** the path of the current page */
  page(): string;
  words: {
    notFound(): string;
    serverError(requestId: string | null): string;
    network(): string;
    resultUnknown(): string;
    system(): string;
  };
  showError(message: string): void;
  /** the identity that this tab expects: the id of an impersonated user, `0` for the user's own, null when unknown */
  impersonatedUser(): string | null;
  /** the session has another identity than this tab expected */
  identityChanged(): void;
  sessionEnded(end: { code: number; message: string; path: string }): void;
  /** a newer privacy policy is pending; the server rejects everything else */
  privacyWaits(): void;
  log(message: string, detail: unknown): void;
}

export interface Call {
  method: string;
  /** path and query, relative to the root of this host */
  url: string;
  body?: unknown;
  /** aborts the call when its caller no longer needs it */
  signal?: AbortSignal | undefined;
  /** called with the number of received bytes, for large files */
  onBytes?: ((bytes: number) => void) | undefined;
  /** no toast on any error: a background refresh, or a page that shows the error itself */
  quiet?: boolean;
  /** the request outlives the page, if its body is small enough */
  keepalive?: boolean;
}

/** Browsers refuse requests that outlive their page with more than 64 KiB; larger ones are sent as usual. */
const KEEPALIVE_BYTES = 60_000;

/** A change that is sent again within this time is the same change; later it is a new one. Milliseconds. */
const SAME_CHANGE_MS = 2 * 60_000;

/** A complete response, read to the end, so that several callers can use it. */
export interface Answer {
  status: number;
  headers: Headers;
  body: Blob;
}

export interface Requester {
  /** The `data` of the envelope. @throws ApiProblem */
  json(call: Call): Promise<unknown>;
  /** The response itself, for files. @throws ApiProblem when the server responds with an envelope instead */
  file(call: Call): Promise<Answer>;
  /** Requests a stream only to get the error; a stream that does start is closed immediately. @throws ApiProblem */
  reportRefusal(call: Call): Promise<void>;
}

interface InFlight {
  controller: AbortController;
  successor: Promise<Answer> | null;
}

/**
 * The single HTTP client of the console: cookies, CSRF token, language, timeout, envelope and errors as in spec §7 and
 * §8.
 */
export function createRequester(origin: string, hooks: RequestHooks, timeoutMs = REQUEST_TIMEOUT_MS): Requester {
  const inFlight = new Map<string, InFlight>();
  /** The changes without an answer: the same change sent again soon has the same key, and is not executed twice. */
  const unanswered = new Map<string, { requestKey: string; at: number }>();
  let connectionLost = false;

  /**
   * Sends a call and aborts an identical one in flight (spec §7). If the aborted call is a read of a query (it has a
   * signal), it receives the newer response, so that two queries for the same data do not cancel each other. Other
   * aborted callers get an error.
   */
  function send(call: Call): Promise<Answer> {
    const key = `${call.method} ${call.url} ${JSON.stringify(call.body) ?? ''}`;
    const entry: InFlight = { controller: new AbortController(), successor: null };
    const older = inFlight.get(key);
    inFlight.set(key, entry);
    const signals = [entry.controller.signal, AbortSignal.timeout(timeoutMs)];
    if (call.signal) signals.push(call.signal);
    const requestKey = call.method === 'GET' ? null : keyOfChange(key);
    const answer = exchange(call, requestKey, AbortSignal.any(signals))
      .then((one) => {
        // A gateway or database that did not answer in time says nothing about the change.
        if (one.status < 502) unanswered.delete(key);
        return one;
      })
      .catch((error: unknown) => {
        if (entry.successor && call.method === 'GET' && call.signal && !call.signal.aborted) return entry.successor;
        if (entry.controller.signal.aborted || call.signal?.aborted) throw new ApiProblem('cancelled', 'cancelled');
        hooks.log(`No answer to ${call.method} ${call.url}`, error);
        throw new ApiProblem('network', requestKey === null ? hooks.words.network() : hooks.words.resultUnknown());
      })
      .finally(() => {
        if (inFlight.get(key) === entry) inFlight.delete(key);
      });
    if (older) {
      older.successor = answer;
      older.controller.abort();
    }
    return answer;
  }

  /** The key of a change: that of the same change if it was sent shortly before and got no answer. */
  function keyOfChange(change: string): string {
    const now = Date.now();
    const earlier = unanswered.get(change);
    const requestKey = earlier && now - earlier.at < SAME_CHANGE_MS ? earlier.requestKey : randomId();
    unanswered.set(change, { requestKey, at: now });
    return requestKey;
  }

  async function exchange(call: Call, requestKey: string | null, signal: AbortSignal): Promise<Answer> {
    const body = call.method === 'GET' ? undefined : JSON.stringify(call.body ?? {});
    const early = takeEarlyResponse(`${call.method} ${call.url}`);
    const response = early
      ? await unlessAborted(early, signal)
      : await fetch(new URL(call.url, origin), {
          method: call.method,
          headers: { ...headersOf(call, hooks), ...(requestKey === null ? {} : { [IDEMPOTENCY_HEADER]: requestKey }) },
          body,
          credentials: 'same-origin',
          keepalive: call.keepalive === true && body !== undefined && new Blob([body]).size <= KEEPALIVE_BYTES,
          signal,
        });
    return { status: response.status, headers: response.headers, body: await bodyOf(response, call.onBytes) };
  }

  /** The error of a status other than 200 (spec §8). */
  async function httpProblem(answer: Answer): Promise<ApiProblem> {
    const more = { status: answer.status };
    if (answer.status === 404) return new ApiProblem('http', hooks.words.notFound(), more);
    if (answer.status === 500)
      return new ApiProblem('http', hooks.words.serverError(answer.headers.get('x-request-id')), more);
    const envelope = await readEnvelope(answer);
    return new ApiProblem('http', envelope?.message || hooks.words.system(), { ...more, code: envelope?.code });
  }

  /** The error of an envelope, after recording the end of the session where it ended. */
  function envelopeProblem(envelope: Envelope<unknown>, call: Call): ApiProblem {
    const { code, message, field } = envelope;
    const path = pathOf(call.url);
    if (SESSION_CODES.includes(code)) {
      hooks.sessionEnded({ code, message, path });
      return new ApiProblem('session', message, { code, status: 200 });
    }
    if (code === PRIVACY_WAITS) {
      hooks.privacyWaits();
      return new ApiProblem('permission', message, { code, status: 200 });
    }
    if (code === VIEWING_OVER) hooks.identityChanged();
    if (code === NO_PERMISSION) {
      hooks.log('No permission', call.url);
      return new ApiProblem('permission', message, { code, status: 200 });
    }
    return new ApiProblem('business', message || hooks.words.system(), { code, status: 200, field });
  }

  /** Shows an error once, unless the call is quiet, and returns it. */
  function fail(problem: ApiProblem, call: Call): never {
    const repeated = problem.kind === 'network' && connectionLost;
    connectionLost = problem.kind === 'network' || (connectionLost && problem.kind === 'cancelled');
    const shown = problem.kind === 'business' || problem.kind === 'http' || (problem.kind === 'network' && !repeated);
    if (shown && !call.quiet && !SILENT_PATHS.includes(pathOf(call.url))) hooks.showError(problem.message);
    throw problem;
  }

  async function answered(call: Call): Promise<Answer> {
    const answer = await send(call).catch((problem: ApiProblem) => fail(problem, call));
    connectionLost = false;
    return answer.status === 200 ? answer : fail(await httpProblem(answer), call);
  }

  return {
    async json(call) {
      const answer = await answered(call);
      const envelope = await readEnvelope(answer);
      if (!envelope) return fail(new ApiProblem('http', hooks.words.system(), { status: answer.status }), call);
      return envelope.code === 0 ? envelope.data : fail(envelopeProblem(envelope, call), call);
    },
    async file(call) {
      const answer = await answered(call);
      const envelope = isJson(answer) ? await readEnvelope(answer) : null;
      return envelope && envelope.code !== 0 ? fail(envelopeProblem(envelope, call), call) : answer;
    },
    async reportRefusal(call) {
      const leave = new AbortController();
      const response = await fetch(new URL(call.url, origin), {
        headers: headersOf(call, hooks),
        credentials: 'same-origin',
        signal: leave.signal,
      }).catch(() => fail(new ApiProblem('network', hooks.words.network()), call));
      const { status, headers } = response;
      if (status === 200 && !isJson({ headers })) return leave.abort();
      const answer = { status, headers, body: await response.blob() };
      const envelope = await readEnvelope(answer);
      fail(envelope && status === 200 ? envelopeProblem(envelope, call) : await httpProblem(answer), call);
    },
  };
}

/** A promise that rejects as soon as the signal aborts. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  return Promise.race([promise, aborted]);
}

function headersOf(call: Call, hooks: RequestHooks): Record<string, string> {
  const headers: Record<string, string> = { 'content-type': 'application/json', 'accept-language': hooks.locale() };
  const page = hooks.page();
  if (page.startsWith('/manage')) headers[PAGE_HEADER] = page;
  const impersonated = hooks.impersonatedUser();
  if (impersonated !== null) headers[IMPERSONATION_HEADER] = impersonated;
  const csrf = call.method === 'GET' ? undefined : readCookie(hooks.cookies(), CSRF_COOKIE);
  return csrf ? { ...headers, [CSRF_HEADER]: csrf } : headers;
}

/** The body of a response, read to the end; `onBytes` reports progress. */
async function bodyOf(response: Response, onBytes: Call['onBytes']): Promise<Blob> {
  if (!onBytes || !response.body) return await response.blob();
  const type = response.headers.get('content-type') ?? '';
  let bytes = 0;
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, out) {
        bytes += chunk.length;
        onBytes(bytes);
        out.enqueue(chunk);
      },
    }),
  );
  return await new Response(counted, { headers: { 'content-type': type } }).blob();
}

function isJson(answer: Pick<Answer, 'headers'>): boolean {
  return /\bjson\b/.test(answer.headers.get('content-type') ?? '');
}

/** The envelope of a response, null when the body is not an envelope (such as the error page of a proxy). */
async function readEnvelope(answer: Answer): Promise<Envelope<unknown> | null> {
  try {
    const body: unknown = JSON.parse(await answer.body.text());
    return typeof body === 'object' && body !== null && 'code' in body ? (body as Envelope<unknown>) : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function pathOf(url: string): string {
  return url.split('?')[0] ?? url;
}
