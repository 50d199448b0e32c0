import { createHmac, timingSafeEqual } from 'node:crypto';
import { SIGNATURE_ALGORITHM, type SignatureParams } from '@chargehand/domain';
import { httpbis } from 'http-message-signatures';
import { isInnerList, parseDictionary } from 'structured-headers';

/** A longer header is refused before it is parsed. Bytes. */
const MOST_HEADER_BYTES = 2_000;

/** What a request says about its signature. */
export interface SentSignature extends SignatureParams {
  /** the appId */
  keyId: string | null;
  /** compares the signature with the one of a secret, in constant time */
  matches(secret: string): Promise<boolean>;
}

/** A request as its signature sees it. */
export interface SignedRequest {
  method: string;
  /** the path with the query, as received */
  url: string;
  headers: Record<string, string | string[] | undefined>;
}

/** The signature of a request (RFC 9421); null if it has none, or one that cannot be read. Only one is allowed. */
export function readSignature({ method, url, headers }: SignedRequest): SentSignature | null {
  const input = headers['signature-input'];
  const value = headers.signature;
  if (typeof input !== 'string' || typeof value !== 'string') return null;
  if (input.length > MOST_HEADER_BYTES || value.length > MOST_HEADER_BYTES) return null;
  try {
    const inputs = parseDictionary(input);
    const [name, params] = [...inputs][0] ?? [];
    if (inputs.size !== 1 || name === undefined || params === undefined || !isInnerList(params)) return null;
    const [bytes] = parseDictionary(value).get(name) ?? [];
    if (!(bytes instanceof ArrayBuffer)) return null;
    const given = Buffer.from(bytes);
    const text = (key: string) => {
      const found = params[1].get(key);
      return typeof found === 'string' ? found : null;
    };
    const created = params[1].get('created');
    return {
      // A component with parameters, such as `"@query";req`, covers something else.
      components: params[0].map(([component, more]) => (more.size === 0 ? String(component) : '')),
      created: typeof created === 'number' ? created : null,
      nonce: text('nonce'),
      keyId: text('keyid'),
      alg: text('alg'),
      async matches(secret) {
        try {
          return (
            (await httpbis.verifyMessage(
              {
                keyLookup: async () => ({
                  algs: [SIGNATURE_ALGORITHM],
                  verify: async (data) => {
                    const expected = createHmac('sha256', secret).update(data).digest();
                    return expected.length === given.length && timingSafeEqual(expected, given);
                  },
                }),
                // The time is checked with the clock of the server, before.
                notAfter: Number.POSITIVE_INFINITY,
              },
              { method, url: new URL(url, 'http://localhost'), headers: definedOf(headers) },
            )) === true
          );
        } catch {
          // Such as a covered header that the request does not have.
          return false;
        }
      },
    };
  } catch {
    return null;
  }
}

function definedOf(headers: SignedRequest['headers']): Record<string, string | string[]> {
  return Object.fromEntries(Object.entries(headers).filter((one): one is [string, string | string[]] => !!one[1]));
}

/** The SHA-256 digest of a body in a Content-Digest header (RFC 9530); null if there is none. */
export function sentDigest(header: string | string[] | undefined): Buffer | null {
  if (typeof header !== 'string' || header.length > MOST_HEADER_BYTES) return null;
  try {
    const [bytes] = parseDictionary(header).get('sha-256') ?? [];
    return bytes instanceof ArrayBuffer && bytes.byteLength === 32 ? Buffer.from(bytes) : null;
  } catch {
    return null;
  }
}
