import type { Envelope } from '@chargehand/contract';
import {
  CSRF_COOKIE,
  CSRF_HEADER,
  PAGE_HEADER,
  REQUEST_TIMEOUT_MS,
  SESSION_CODES,
  VIEWING_HEADER,
} from '@chargehand/contract/constants';
import { readCookie } from '../lib/browser/cookie.ts';
import { takeEarlyResponse } from './early.ts';
import { ApiProblem } from './problem.ts';

/** Paths whose failures are shown by their own screens, without a toast (spec §7). */
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
/** The session sees as somebody else than this tab believes. */
const VIEWING_OVER = 10172;

/** What the requester tells the rest of the console, and asks of it. */
export interface RequestHooks {
  locale(): string;
  /** the cookies of the page, as `document.cookie` gives them */
  cookies(): string;
  /** the path of the page in front */
  page(): string;
  words: { notFound(): string; serverError(): string; network(): string; system(): string };
  showError(message: string): void;
  /** whom this tab believes to see as: a user's id, `0` for oneself, null while nobody is known */
  seesAs(): string | null;
  /** the session sees as somebody else than this tab believed */
  identityChanged(): void;
  sessionEnded(end: { code: number; message: string; path: string }): void;
  /** a newer privacy policy waits for the user's consent; the server lets nothing else through */
  privacyWaits(): void;
  log(message: string, detail: unknown): void;
}

export interface Call {
  method: string;
  /** path and query, from the root of this host */
  url: string;
  body?: unknown;
  /** aborts the call when its caller is no longer interested */
  signal?: AbortSignal | undefined;
  /** told how many bytes of the answer have come, for files that take their time */
  onBytes?: ((bytes: number) => void) | undefined;
  /** no toast whatever happens: a refresh in the background, or a screen that shows the failure in its place */
  quiet?: boolean;
}

/** A whole answer, read to its end, so that more than one caller can use it. */
export interface Answer {
  status: number;
  headers: Headers;
  body: Blob;
}

export interface Requester {
  /** The `data` of the envelope. @throws ApiProblem */
  json(call: Call): Promise<unknown>;
  /** The answer itself, for files. @throws ApiProblem when the server answered with an envelope instead */
  file(call: Call): Promise<Answer>;
  /** Asks for a stream only to learn why there is none; one that does begin is left at once. @throws ApiProblem */
  askWhy(call: Call): Promise<void>;
}

interface InFlight {
  controller: AbortController;
  successor: Promise<Answer> | null;
}

/** One way to the server for the whole console: cookies, csrf, language, timeout, envelope and failures as spec §7 and §8 ask. */
export function createRequester(origin: string, hooks: RequestHooks, timeoutMs = REQUEST_TIMEOUT_MS): Requester {
  const inFlight = new Map<string, InFlight>();
  let connectionLost = false;

  /**
   * Sends a call. An identical one still in flight is cancelled on the wire (spec §7). The cancelled caller of a read
   * that belongs to a query (it came with a signal) is given the newer answer, so that two queries of one thing do not
   * turn each other into failures; every other caller learns that it was cancelled.
   */
  function send(call: Call): Promise<Answer> {
    const key = `${call.method} ${call.url} ${JSON.stringify(call.body) ?? ''}`;
    const entry: InFlight = { controller: new AbortController(), successor: null };
    const older = inFlight.get(key);
    inFlight.set(key, entry);
    const signals = [entry.controller.signal, AbortSignal.timeout(timeoutMs)];
    if (call.signal) signals.push(call.signal);
    const answer = exchange(call, AbortSignal.any(signals))
      .catch((error: unknown) => {
        if (entry.successor && call.method === 'GET' && call.signal && !call.signal.aborted) return entry.successor;
        if (entry.controller.signal.aborted || call.signal?.aborted) throw new ApiProblem('cancelled', 'cancelled');
        hooks.log(`No answer to ${call.method} ${call.url}`, error);
        throw new ApiProblem('network', hooks.words.network());
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

  async function exchange(call: Call, signal: AbortSignal): Promise<Answer> {
    const early = takeEarlyResponse(`${call.method} ${call.url}`);
    const response = early
      ? await unlessAborted(early, signal)
      : await fetch(new URL(call.url, origin), {
          method: call.method,
          headers: headersOf(call, hooks),
          body: call.method === 'GET' ? undefined : JSON.stringify(call.body ?? {}),
          credentials: 'same-origin',
          signal,
        });
    return { status: response.status, headers: response.headers, body: await bodyOf(response, call.onBytes) };
  }

  /** The failure that a status other than 200 stands for (spec §8). */
  async function httpProblem(answer: Answer): Promise<ApiProblem> {
    const more = { status: answer.status };
    if (answer.status === 404) return new ApiProblem('http', hooks.words.notFound(), more);
    if (answer.status === 500) return new ApiProblem('http', hooks.words.serverError(), more);
    const envelope = await readEnvelope(answer);
    return new ApiProblem('http', envelope?.message || hooks.words.system(), { ...more, code: envelope?.code });
  }

  /** The failure that an envelope stands for, after the session has been told where it ended. */
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

  /** Shows a failure once, where showing is wanted, and hands it on. */
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
    async askWhy(call) {
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

/** A promise that fails as soon as the signal aborts. */
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
  const eyes = hooks.seesAs();
  if (eyes !== null) headers[VIEWING_HEADER] = eyes;
  const csrf = call.method === 'GET' ? undefined : readCookie(hooks.cookies(), CSRF_COOKIE);
  return csrf ? { ...headers, [CSRF_HEADER]: csrf } : headers;
}

/** The body of an answer, read to its end; `onBytes` is told as it comes. */
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

/** The envelope of an answer, null when the body is none (a proxy's error page, say). */
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
