import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './public-addresses.ts';

/** From the start of a request to the end of its answer. Milliseconds. */
const TIMEOUT_MS = 10_000;
/** How much of an answer is read. */
const ANSWER_BYTES = 2_000;

/** The answer of another server. */
export interface OutboundAnswer {
  status: number;
  /** its beginning */
  text: string;
  retryAfter: string | undefined;
}

/** There is no answer, for the reason in the message. */
export class OutboundError extends Error {
  override name = 'OutboundError';
  /** the address may not be used, whatever the server would answer */
  readonly forbidden: boolean;

  constructor(message: string, { forbidden = false, cause }: { forbidden?: boolean; cause?: unknown } = {}) {
    super(message, { cause });
    this.forbidden = forbidden;
  }
}

/** Resolves a host name to all of its addresses. */
export type ResolveAll = (
  host: string,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Requests to servers that users name. */
export interface Outbound {
  /** true: private networks and `http://` are allowed */
  readonly allowsPrivate: boolean;
  /**
   * Whether an address leads into a private network, as far as its name can be resolved now. Each request checks again.
   */
  isPrivate(url: URL): Promise<boolean>;
  /**
   * Sends a POST request. The connection is made to an address that was checked, so a name that is resolved differently
   * a moment later changes nothing. Redirects are answers.
   * @throws {OutboundError}
   */
  post(url: string, request: { headers: Record<string, string>; body: string | Buffer }): Promise<OutboundAnswer>;
}

export function outbound(options: { allowsPrivate: boolean; resolve?: ResolveAll; timeoutMs?: number }): Outbound {
  const { allowsPrivate, timeoutMs = TIMEOUT_MS } = options;
  const resolve: ResolveAll = options.resolve ?? ((host, done) => systemLookup(host, { all: true }, done));
  const isAllowed = (address: string) => allowsPrivate || isPublicAddress(address);

  const lookup: LookupFunction = (host, { all }, done) => {
    resolve(host, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error || !first) return done(error ?? new OutboundError(`${host} has no address.`), '', 4);
      // One private address is enough: the name is not that of a public server.
      if (!addresses.every(({ address }) => isAllowed(address))) return done(privateNetwork(host), '', 4);
      return all ? done(null, addresses) : done(null, first.address, first.family);
    });
  };

  return {
    allowsPrivate,
    isPrivate: (url) =>
      new Promise((answer) => {
        const host = hostOf(url);
        if (allowsPrivate) return answer(false);
        if (isIP(host) !== 0) return answer(!isPublicAddress(host));
        if (host === 'localhost' || host.endsWith('.localhost')) return answer(true);
        resolve(host, (_error, addresses) =>
          answer(!(addresses ?? []).every(({ address }) => isPublicAddress(address))),
        );
      }),
    post: (text, { headers, body }) =>
      new Promise((answer, fail) => {
        const url = URL.parse(text);
        if (!url || !isAllowedUrl(url, allowsPrivate)) {
          fail(new OutboundError('The URL is not allowed.', { forbidden: true }));
          return;
        }
        // `lookup` is not called for a host that is an address.
        const host = hostOf(url);
        if (isIP(host) !== 0 && !isAllowed(host)) {
          fail(privateNetwork(host));
          return;
        }
        const signal = AbortSignal.timeout(timeoutMs);
        const failed = (cause: unknown) => fail(errorOf(cause, signal, timeoutMs));
        const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(
          url,
          {
            method: 'POST',
            agent: false,
            lookup,
            signal,
            headers: { ...headers, 'content-length': Buffer.byteLength(body) },
          },
          (response) => {
            const parts: Buffer[] = [];
            let bytes = 0;
            const finish = () => {
              answer({
                status: response.statusCode ?? 0,
                text: Buffer.concat(parts).subarray(0, ANSWER_BYTES).toString('utf8'),
                retryAfter: response.headers['retry-after'],
              });
              request.destroy();
            };
            response.on('data', (part: Buffer) => {
              parts.push(part);
              bytes += part.length;
              if (bytes >= ANSWER_BYTES) finish();
            });
            response.on('end', finish);
            response.on('error', failed);
          },
        );
        request.on('error', failed);
        request.end(body);
      }),
  };
}

/** True for a URL that may be used: `https://` without a user name, and plain HTTP only in private networks. */
export function isAllowedUrl({ protocol, username, password }: URL, allowsPrivate: boolean): boolean {
  return (protocol === 'https:' || (allowsPrivate && protocol === 'http:')) && username === '' && password === '';
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

function privateNetwork(host: string): OutboundError {
  return new OutboundError(`${host} is inside a private network.`, { forbidden: true });
}

function errorOf(cause: unknown, signal: AbortSignal, timeoutMs: number): OutboundError {
  if (cause instanceof OutboundError) return cause;
  if (signal.aborted) return new OutboundError(`No answer within ${timeoutMs / 1_000} s.`, { cause });
  const { message, code } = cause as NodeJS.ErrnoException;
  return new OutboundError(message || code || 'The connection failed.', { cause });
}
