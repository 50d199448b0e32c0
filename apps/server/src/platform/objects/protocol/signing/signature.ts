import { createHash, createHmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import { EVERYTHING, isSame } from '../../embedded/grants.ts';
import { S3Problem } from '../problem.ts';
import { type KeyRing, LONGEST_SIGNED_URL, type SignedRequest, type Signer } from './signed-request.ts';
import { authenticateUrlV2, isSignedUrlV2 } from './signed-url-v2.ts';

/** The maximum clock difference (Amazon S3: 15 minutes). */
const SKEW_MS = 15 * 60_000;
/**
 * Verifies the signature of a request (AWS Signature Version 4, in headers or in the query): signs it again with the
 * library that clients use, and compares in constant time.
 * @throws S3Problem with the reason for refusing it
 */
export async function authenticate(request: SignedRequest, keys: KeyRing, now = Date.now()): Promise<Signer> {
  if (isSignedUrlV2(request.query)) return authenticateUrlV2(request, keys, now);
  const claim = request.query.has('X-Amz-Signature') ? fromQuery(request, now) : fromHeader(request, now);
  const { grant, secretAccessKey } = secretOf(claim, keys, now);
  const signer = new SignatureV4({
    service: 's3',
    // Any region: there is only this store, and a client could not read the right one from the answer to a HEAD.
    region: claim.region,
    credentials: { accessKeyId: claim.accessKeyId, secretAccessKey },
    sha256: Sha256,
    uriEscapePath: false,
    applyChecksum: false,
  });
  const options = { signingDate: claim.at, signableHeaders: new Set(claim.signedHeaders) };
  const plain = {
    method: request.method,
    protocol: 'http:',
    hostname: '',
    path: canonicalPath(request.path),
    headers: claim.headers,
    query: queryBag(request.query, claim.presigned),
  };
  const again = claim.presigned
    ? (
        await signer.presign(plain, {
          ...options,
          expiresIn: claim.presigned.seconds,
          unhoistableHeaders: new Set(Object.keys(claim.headers)),
          // Makes the signer leave the body unsigned; the header itself is not signed.
          unsignableHeaders: new Set(claim.signedHeaders.includes(PAYLOAD) ? [] : [PAYLOAD]),
        })
      ).query?.['X-Amz-Signature']
    : (await signer.sign(plain, options)).headers.authorization?.split('Signature=')[1];
  if (!isSame(claim.signature, String(again))) throw new S3Problem('SignatureDoesNotMatch');
  return {
    grant,
    payload: claim.headers[PAYLOAD] ?? UNSIGNED,
    signature: claim.signature,
    longDate: claim.longDate,
    scope: claim.scope,
    sign: (text) => signer.sign(text, { signingDate: claim.at }),
  };
}

const PAYLOAD = 'x-amz-content-sha256';
const UNSIGNED = 'UNSIGNED-PAYLOAD';
/** Query parameters that presigning adds. */
const ADDED = [
  'X-Amz-Algorithm',
  'X-Amz-Credential',
  'X-Amz-Date',
  'X-Amz-Expires',
  'X-Amz-SignedHeaders',
  'X-Amz-Signature',
];

/** The parts of a request's signature. */
interface Claim {
  accessKeyId: string;
  token: string | null;
  region: string;
  scope: string;
  longDate: string;
  at: Date;
  signedHeaders: string[];
  /** the signed headers, and those that the signer needs in addition */
  headers: Record<string, string>;
  signature: string;
  presigned: { seconds: number } | null;
}

function fromHeader({ headers }: SignedRequest, now: number): Claim {
  const { authorization } = headers;
  if (authorization === undefined) throw new S3Problem('AccessDenied');
  if (authorization.startsWith('AWS '))
    throw new S3Problem('InvalidRequest', 'Please use AWS4-HMAC-SHA256: version 2 signs URLs only.');
  const [, credential, signedHeaders, signature] =
    /^AWS4-HMAC-SHA256\s+Credential=([^,\s]+),\s*SignedHeaders=([^,\s]+),\s*Signature=([0-9a-f]+)$/.exec(
      authorization,
    ) ?? malformed('AuthorizationHeaderMalformed');
  const claim = claimOf('AuthorizationHeaderMalformed', {
    credential: credential ?? '',
    longDate: headers['x-amz-date'] ?? '',
    signedHeaders: signedHeaders ?? '',
    signature: signature ?? '',
    token: headers['x-amz-security-token'] ?? null,
    headers,
  });
  if (!claim.signedHeaders.includes(PAYLOAD)) throw new S3Problem('AccessDenied');
  if (Math.abs(claim.at.getTime() - now) > SKEW_MS) throw new S3Problem('RequestTimeTooSkewed');
  return { ...claim, presigned: null };
}

function fromQuery({ query, headers }: SignedRequest, now: number): Claim {
  const get = (name: string) => query.get(name) ?? '';
  if (get('X-Amz-Algorithm') !== 'AWS4-HMAC-SHA256') malformed('AuthorizationQueryParametersError');
  const claim = claimOf('AuthorizationQueryParametersError', {
    credential: get('X-Amz-Credential'),
    longDate: get('X-Amz-Date'),
    signedHeaders: get('X-Amz-SignedHeaders'),
    signature: get('X-Amz-Signature'),
    token: query.get('X-Amz-Security-Token'),
    headers,
  });
  const seconds = /^\d{1,6}$/.test(get('X-Amz-Expires')) ? Number(get('X-Amz-Expires')) : 0;
  if (seconds < 1 || seconds > LONGEST_SIGNED_URL)
    throw new S3Problem(
      'AuthorizationQueryParametersError',
      `X-Amz-Expires must be between 1 and ${LONGEST_SIGNED_URL} seconds`,
    );
  if (claim.at.getTime() - now > SKEW_MS) throw new S3Problem('RequestTimeTooSkewed');
  if (claim.at.getTime() + seconds * 1000 <= now) throw new S3Problem('AccessDenied', 'Request has expired');
  const payload = claim.headers[PAYLOAD] ?? query.get('X-Amz-Content-Sha256') ?? UNSIGNED;
  return { ...claim, headers: { ...claim.headers, [PAYLOAD]: payload }, presigned: { seconds } };
}

function claimOf(
  problem: 'AuthorizationHeaderMalformed' | 'AuthorizationQueryParametersError',
  claimed: {
    credential: string;
    longDate: string;
    signedHeaders: string;
    signature: string;
    token: string | null;
    headers: SignedRequest['headers'];
  },
): Omit<Claim, 'presigned'> {
  const [accessKeyId = '', shortDate, region = '', service, end] = claimed.credential.split('/');
  if (!/^[\w-]{1,64}$/.test(region)) malformed(problem);
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(claimed.longDate) ?? malformed(problem);
  const at = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  if (
    Number.isNaN(at.getTime()) ||
    !claimed.longDate.startsWith(`${shortDate}T`) ||
    service !== 's3' ||
    end !== 'aws4_request'
  )
    malformed(problem);
  const signedHeaders = claimed.signedHeaders.split(';');
  // If these were unsigned, a request could be redirected to another store, or changed.
  const unsigned = Object.keys(claimed.headers).filter(
    (name) => name.startsWith('x-amz-') && !signedHeaders.includes(name),
  );
  // AWS's client signs the host under its name in HTTP/2.
  const host = signedHeaders.includes('host') || signedHeaders.includes(':authority');
  if (!host || unsigned.length > 0)
    throw new S3Problem('AccessDenied', 'There were headers present in the request which were not signed');
  const headers = Object.fromEntries(
    signedHeaders.map((name) => [name, claimed.headers[name] ?? malformed('SignatureDoesNotMatch')]),
  );
  return {
    accessKeyId,
    token: claimed.token,
    region,
    scope: `${shortDate}/${region}/s3/aws4_request`,
    longDate: claimed.longDate,
    at,
    signedHeaders,
    headers,
    signature: claimed.signature,
  };
}

function malformed(
  code: 'AuthorizationHeaderMalformed' | 'AuthorizationQueryParametersError' | 'SignatureDoesNotMatch',
): never {
  throw new S3Problem(code);
}

function secretOf({ accessKeyId, token }: Claim, { operator, tickets }: KeyRing, now: number) {
  if (token !== null) return tickets.open(accessKeyId, token, now);
  if (operator === null || operator.accessKeyId !== accessKeyId) throw new S3Problem('InvalidAccessKeyId');
  return { grant: EVERYTHING, secretAccessKey: operator.secretAccessKey } as const;
}

/** The path as S3 signs it: each character of the key encoded once, slashes unchanged. */
function canonicalPath(path: string): string {
  try {
    return decodeURIComponent(path).split('/').map(encodeRfc3986).join('/');
  } catch {
    throw new S3Problem('InvalidArgument', 'The path must be percent-encoded UTF-8.');
  }
}

function encodeRfc3986(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
}

function queryBag(query: URLSearchParams, presigned: unknown): Record<string, string | string[]> {
  const names = [...new Set(query.keys())].filter((name) => !presigned || !ADDED.includes(name));
  return Object.fromEntries(names.map((name) => [name, query.getAll(name)]));
}

/** SHA-256, or HMAC-SHA-256 with a secret, with the interface that the signer requires. */
class Sha256 {
  readonly #hash;
  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(secret));
  }
  update(data: Uint8Array): void {
    this.#hash.update(data);
  }
  digest(): Promise<Uint8Array> {
    return Promise.resolve(new Uint8Array(this.#hash.digest()));
  }
}

function bytesOf(secret: string | ArrayBuffer | ArrayBufferView): Buffer {
  if (typeof secret === 'string') return Buffer.from(secret);
  return ArrayBuffer.isView(secret)
    ? Buffer.from(secret.buffer, secret.byteOffset, secret.byteLength)
    : Buffer.from(secret);
}
