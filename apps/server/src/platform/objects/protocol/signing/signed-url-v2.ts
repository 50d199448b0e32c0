import { createHmac } from 'node:crypto';
import { EVERYTHING, isSame } from '../../embedded/grants.ts';
import { S3Problem } from '../problem.ts';
import { type KeyRing, LONGEST_SIGNED_URL, type SignedRequest, type Signer } from './signed-request.ts';

/** Parameters that are signed too (AWS Signature Version 2, "CanonicalizedResource"). */
const SIGNED_QUERY =
  /^(acl|delete|location|partNumber|uploadId|uploads|response-(cache-control|content-(disposition|encoding|language|type)|expires))$/;

/** True for URLs signed with AWS Signature Version 2, which `s3cmd signurl` still creates. */
export function isSignedUrlV2(query: URLSearchParams): boolean {
  return query.has('AWSAccessKeyId') && query.has('Signature');
}

/**
 * Verifies a URL that the operator signed with AWS Signature Version 2 (Amazon S3 user guide, "Signing and
 * authenticating REST requests", query string authentication). It must expire within an hour, like URLs of version 4.
 * @throws S3Problem with the reason for refusing it
 */
export function authenticateUrlV2(request: SignedRequest, { operator }: KeyRing, now: number): Signer {
  const { query, headers } = request;
  const expires = query.get('Expires') ?? '';
  if (!/^\d{1,12}$/.test(expires))
    throw new S3Problem('AccessDenied', 'Query-string authentication requires Expires in seconds since 1970');
  if (operator === null || operator.accessKeyId !== query.get('AWSAccessKeyId'))
    throw new S3Problem('InvalidAccessKeyId');
  const expected = createHmac('sha1', operator.secretAccessKey).update(textToSign(request, expires)).digest('base64');
  if (!isSame(query.get('Signature') ?? '', expected)) throw new S3Problem('SignatureDoesNotMatch');
  const seconds = Number(expires) - now / 1000;
  if (seconds <= 0) throw new S3Problem('AccessDenied', 'Request has expired');
  if (seconds > LONGEST_SIGNED_URL + 1)
    throw new S3Problem('AccessDenied', `A signed URL must expire within ${LONGEST_SIGNED_URL} seconds`);
  if (headers['x-amz-content-sha256']?.startsWith('STREAMING-')) throw new S3Problem('NotImplemented');
  return {
    grant: EVERYTHING,
    payload: 'UNSIGNED-PAYLOAD',
    signature: '',
    longDate: '',
    scope: '',
    sign: () => Promise.reject(new S3Problem('NotImplemented')),
  };
}

function textToSign({ method, path, query, headers }: SignedRequest, expires: string): string {
  const amazon = Object.entries(headers)
    .filter(([name]) => name.startsWith('x-amz-'))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value = '']) => `${name}:${value.trim()}\n`);
  const signed = [...query]
    .filter(([name]) => SIGNED_QUERY.test(name))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => (value === '' ? name : `${name}=${value}`));
  const resource = `${path}${signed.length > 0 ? `?${signed.join('&')}` : ''}`;
  const { 'content-md5': md5 = '', 'content-type': type = '' } = headers;
  return `${method}\n${md5}\n${type}\n${expires}\n${amazon.join('')}${resource}`;
}
