import { endpoints } from 'virtual:endpoints';
import { endpoints as moreEndpoints } from 'virtual:more-endpoints';
import { publicEndpoints } from 'virtual:public-endpoints';
import { CODES, type CodeName, type Locale, messageOf, READINESS_PATH } from '@chargehand/contract';
import type { Answer, EndpointName, InputOf } from '../shared/api/client.ts';
import { branding } from '../shared/branding/branding.ts';
import { i18n } from '../shared/i18n/i18n.ts';

/** Responses to requests that pages send in passing, for tests that are not about them: nothing is explained or known. */
const BACKGROUND: Answers = {
  explainCodes: { items: [] },
  readIssueEnds: { closed: 0, items: [] },
  readDictionaryNames: { causes: [], remedies: [], labels: [] },
  readBranding: () => branding.get(),
};

const ERROR_REPORTS = '/api/unauth/errors';

/** A request that a component sent. */
export interface SentCall {
  name: EndpointName;
  params: Record<string, string>;
  query: Record<string, string>;
  body: unknown;
}

/** The responses of the server: data, a file, or a function of the request, which may wait or throw `Refused`. */
export type Answers = {
  [K in EndpointName]?:
    | StubAnswer<K>
    | ((call: SentCall & { input: InputOf<K> }) => StubAnswer<K> | Promise<StubAnswer<K>>);
};
type StubAnswer<K extends EndpointName> = Answer<K> | Response;

/** An error of the contract, thrown by a response function: sent to the console in the envelope. */
export class Refused extends Error {
  readonly error: CodeName;
  readonly values: Record<string, string | number>;
  readonly field: string | undefined;

  constructor(error: CodeName, values: Record<string, string | number> = {}, field?: string) {
    super(error);
    this.error = error;
    this.values = values;
    this.field = field;
  }
}

/** An error without an envelope, thrown by a response function, such as from an overloaded server. */
export class HttpFailure extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`HTTP ${status}`);
    this.status = status;
  }
}

export interface StubServer {
  /** every request, in order */
  calls: SentCall[];
  /** the requests to one endpoint */
  sent(name: EndpointName): SentCall[];
  /** true: no request gets a response, as when the server is down */
  away: boolean;
  /** true: the server reports that it cannot serve data */
  notReady: boolean;
  /** requests without a response in the test */
  unexpected: string[];
  /** From now on, requests fail, also those that wait for a response: nothing of the test is left to arrive. */
  end(): void;
  /** Removes it. */
  stop(): void;
}

const ROUTES = (
  Object.entries({ ...endpoints, ...moreEndpoints, ...publicEndpoints }) as [EndpointName, readonly [string, string]][]
)
  .map(([name, [method, path]]) => ({ name, method, path, keys: [...path.matchAll(/:(\w+)/g)].map(([, key]) => key!) }))
  // A fixed segment of a path takes precedence over a parameter.
  .sort((one, other) => one.keys.length - other.keys.length)
  .map((route) => ({ ...route, pattern: new RegExp(`^${route.path.replace(/:\w+/g, '([^/]+)')}$`) }));

/**
 * Responds to the requests of the page like the server, by the endpoint names of the contract. `rest` responds to read
 * endpoints without a response in the test.
 */
export function stubServer(answers: Answers, rest?: (name: EndpointName) => unknown): StubServer {
  const real = globalThis.fetch;
  const calls: SentCall[] = [];
  const unexpected: string[] = [];
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let isOver = false;
  const overdue = () => envelopeOf(() => Promise.reject(new Refused('notFound')));
  const server: StubServer = {
    calls,
    unexpected,
    away: false,
    notReady: false,
    sent: (name) => calls.filter((call) => call.name === name),
    end() {
      isOver = true;
      end();
    },
    stop() {
      globalThis.fetch = real;
    },
  };
  globalThis.fetch = async (target, init) => {
    const request = new Request(target, init);
    const url = new URL(request.url);
    // The address of an endpoint is loaded first: a page may be gone before its request is sent.
    request.signal.throwIfAborted();
    if (server.away) throw new TypeError('Failed to fetch');
    if (url.pathname === READINESS_PATH) {
      if (!server.notReady) return envelope({ status: 'ready', warnings: [] });
      return await envelopeOf(() => Promise.reject(new Refused('databaseAway')));
    }
    if (!url.pathname.startsWith('/api/')) return await real(target, init);
    if (isOver) return await overdue();
    // Reports of errors are accepted: tests check what their page shows.
    if (url.pathname === ERROR_REPORTS) return envelope(null);
    const call = await readCall(request, url);
    const reads = request.method === 'GET';
    const answer =
      call && (call.name in answers || !reads ? answers[call.name] : (rest?.(call.name) ?? BACKGROUND[call.name]));
    if (!call || answer === undefined) {
      unexpected.push(`${request.method} ${url.pathname}${url.search}`);
      return new Response('', { status: 500 });
    }
    calls.push(call);
    const run = () => (typeof answer === 'function' ? (answer as (call: SentCall) => unknown)(call) : answer);
    return await Promise.race([envelopeOf(run), ended.then(overdue), aborted(request.signal)]);
  };
  return server;
}

async function readCall(request: Request, url: URL): Promise<(SentCall & { input: unknown }) | null> {
  for (const { name, method, pattern, keys } of ROUTES) {
    const match = method === request.method && pattern.exec(url.pathname);
    if (!match) continue;
    const params = Object.fromEntries(keys.map((key, index) => [key, decodeURIComponent(match[index + 1] ?? '')]));
    const query = Object.fromEntries(url.searchParams);
    const text = method === 'GET' ? '' : await request.text();
    // The parts of an upload are bytes.
    const isJson = request.headers.get('content-type') === 'application/json';
    const body = text === '' ? undefined : isJson ? (JSON.parse(text) as unknown) : text;
    return { name, params, query, body, input: { params, query, body } };
  }
  return null;
}

/** Rejects when its request is aborted, like `fetch`. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
}

async function envelopeOf(answer: () => unknown): Promise<Response> {
  try {
    const data = await answer();
    return data instanceof Response ? data : envelope(data ?? null);
  } catch (error) {
    if (error instanceof HttpFailure) return new Response('', { status: error.status });
    if (!(error instanceof Refused)) throw error;
    const message = messageOf(error.error, i18n.language as Locale, error.values);
    return Response.json({ code: CODES[error.error].code, message, data: null, field: error.field });
  }
}

function envelope(data: unknown): Response {
  return Response.json({ code: 0, message: '', data });
}
