import { S3Problem } from './problem.ts';

/** The operations of Amazon S3 that this store implements, with their names in its API reference. */
export type OperationName =
  | 'ListBuckets'
  | 'CreateBucket'
  | 'HeadBucket'
  | 'GetBucketLocation'
  | 'ListMultipartUploads'
  | 'ListObjects'
  | 'ListObjectsV2'
  | 'DeleteObjects'
  | 'GetObjectAcl'
  | 'GetObjectTagging'
  | 'ListParts'
  | 'GetObject'
  | 'HeadObject'
  | 'UploadPart'
  | 'UploadPartCopy'
  | 'PutObject'
  | 'CopyObject'
  | 'CreateMultipartUpload'
  | 'CompleteMultipartUpload'
  | 'AbortMultipartUpload'
  | 'DeleteObject';

interface Operation {
  name: OperationName;
  method: string;
  on: 'service' | 'bucket' | 'object';
  /** query parameters and headers that distinguish it from others with the same method */
  needs?: readonly string[];
  needsHeader?: string;
  /** further query parameters */
  query?: readonly string[];
  /** further headers that are checked, with the implemented values */
  headers?: Readonly<Record<string, RegExp>>;
}

const ANY = /^/;
const LIST = ['prefix', 'delimiter', 'encoding-type'];
const RESPONSE = [
  'response-cache-control',
  'response-content-disposition',
  'response-content-encoding',
  'response-content-language',
  'response-content-type',
  'response-expires',
];
const CONDITIONS = {
  'if-match': ANY,
  'if-none-match': ANY,
  'if-modified-since': ANY,
  'if-unmodified-since': ANY,
};
const WRITE_CONDITIONS = { 'if-match': ANY, 'if-none-match': ANY, 'if-unmodified-since': ANY };
const READING = { ...CONDITIONS, range: ANY, 'if-range': ANY, 'x-amz-checksum-mode': ANY };
/** Objects are private, of one storage class and without tags: headers that request exactly that are accepted. */
const WRITING = {
  'x-amz-acl': /^(private|bucket-owner-full-control)$/,
  'x-amz-storage-class': /^STANDARD$/,
  'x-amz-meta-': ANY,
};
const CHECKSUMS = {
  'x-amz-checksum-algorithm': /^(CRC32|CRC32C|CRC64NVME|SHA1|SHA256)$/i,
  'x-amz-checksum-type': /^(COMPOSITE|FULL_OBJECT)$/i,
  'x-amz-checksum-crc32': ANY,
  'x-amz-checksum-crc32c': ANY,
  'x-amz-checksum-crc64nvme': ANY,
  'x-amz-checksum-sha1': ANY,
  'x-amz-checksum-sha256': ANY,
};
const SOURCE = {
  'x-amz-copy-source': ANY,
  'x-amz-copy-source-if-match': ANY,
  'x-amz-copy-source-if-none-match': ANY,
  'x-amz-copy-source-if-modified-since': ANY,
  'x-amz-copy-source-if-unmodified-since': ANY,
};
const DIRECTIVES = { 'x-amz-metadata-directive': ANY, 'x-amz-tagging-directive': /^COPY$/ };
const COPY = 'x-amz-copy-source';

/** The first matching operation is used. */
const OPERATIONS: readonly Operation[] = [
  { name: 'ListBuckets', method: 'GET', on: 'service' },
  { name: 'CreateBucket', method: 'PUT', on: 'bucket', headers: { 'x-amz-acl': WRITING['x-amz-acl'] } },
  { name: 'HeadBucket', method: 'HEAD', on: 'bucket' },
  { name: 'GetBucketLocation', method: 'GET', on: 'bucket', needs: ['location'] },
  {
    name: 'ListMultipartUploads',
    method: 'GET',
    on: 'bucket',
    needs: ['uploads'],
    query: [...LIST, 'key-marker', 'upload-id-marker', 'max-uploads'],
  },
  {
    name: 'ListObjectsV2',
    method: 'GET',
    on: 'bucket',
    needs: ['list-type'],
    query: [...LIST, 'max-keys', 'continuation-token', 'start-after', 'fetch-owner'],
  },
  { name: 'ListObjects', method: 'GET', on: 'bucket', query: [...LIST, 'max-keys', 'marker'] },
  { name: 'DeleteObjects', method: 'POST', on: 'bucket', needs: ['delete'], headers: CHECKSUMS },
  { name: 'GetObjectAcl', method: 'GET', on: 'object', needs: ['acl'] },
  { name: 'GetObjectTagging', method: 'GET', on: 'object', needs: ['tagging'] },
  {
    name: 'ListParts',
    method: 'GET',
    on: 'object',
    needs: ['uploadId'],
    query: ['max-parts', 'part-number-marker', 'encoding-type'],
  },
  { name: 'GetObject', method: 'GET', on: 'object', query: RESPONSE, headers: READING },
  { name: 'HeadObject', method: 'HEAD', on: 'object', query: RESPONSE, headers: READING },
  {
    name: 'UploadPartCopy',
    method: 'PUT',
    on: 'object',
    needs: ['uploadId', 'partNumber'],
    needsHeader: COPY,
    headers: { ...SOURCE, 'x-amz-copy-source-range': ANY },
  },
  { name: 'UploadPart', method: 'PUT', on: 'object', needs: ['uploadId', 'partNumber'], headers: CHECKSUMS },
  {
    name: 'CopyObject',
    method: 'PUT',
    on: 'object',
    needsHeader: COPY,
    headers: { ...SOURCE, ...DIRECTIVES, ...WRITING, ...WRITE_CONDITIONS },
  },
  { name: 'PutObject', method: 'PUT', on: 'object', headers: { ...WRITING, ...WRITE_CONDITIONS, ...CHECKSUMS } },
  {
    name: 'CreateMultipartUpload',
    method: 'POST',
    on: 'object',
    needs: ['uploads'],
    headers: { ...WRITING, ...CHECKSUMS },
  },
  {
    name: 'CompleteMultipartUpload',
    method: 'POST',
    on: 'object',
    needs: ['uploadId'],
    headers: { ...WRITE_CONDITIONS, 'x-amz-checksum-type': CHECKSUMS['x-amz-checksum-type'] },
  },
  { name: 'AbortMultipartUpload', method: 'DELETE', on: 'object', needs: ['uploadId'] },
  { name: 'DeleteObject', method: 'DELETE', on: 'object', headers: { 'if-match': ANY } },
];

/** Headers and parameters of any operation: the signature, the body's encoding, names of the calling SDK. */
const COMMON_HEADERS =
  /^x-amz-(date|content-sha256|security-token|user-agent|decoded-content-length|trailer|sdk-checksum-algorithm)$/;
const COMMON_QUERY =
  /^(x-id|X-Amz-(Algorithm|Credential|Date|Expires|SignedHeaders|Signature|Security-Token|Content-Sha256)|AWSAccessKeyId|Expires|Signature)$/;
/** Headers that change the meaning of a request: unknown ones must not be ignored. */
const MEANINGFUL = /^(x-amz-|if-(?!range)|content-range$)/;
/** Browsers and SDKs send these with requests on which they have no effect. */
const HARMLESS = new Set(['range', 'if-range']);

/**
 * The implemented operation that a request asks for. Everything that could change the meaning of the request must be
 * known.
 * @throws S3Problem NotImplemented with the unknown part
 */
export function operationOf(request: {
  method: string;
  on: Operation['on'];
  query: URLSearchParams;
  headers: Record<string, string | undefined>;
}): OperationName {
  const { method, on, query, headers } = request;
  const operation = OPERATIONS.find(
    (one) =>
      one.method === method &&
      one.on === on &&
      (one.needs ?? []).every((name) => query.has(name)) &&
      (one.needsHeader === undefined || headers[one.needsHeader] !== undefined),
  );
  if (!operation) throw notImplemented(`${method} of ${on === 'object' ? 'an object' : `the ${on}`}`);
  for (const name of query.keys())
    if (!COMMON_QUERY.test(name) && !operation.needs?.includes(name) && !operation.query?.includes(name))
      throw notImplemented(`the query parameter ${name}`);
  for (const [name, value = ''] of Object.entries(headers)) {
    if (!MEANINGFUL.test(name) || COMMON_HEADERS.test(name) || HARMLESS.has(name)) continue;
    const known = operation.headers?.[name.startsWith('x-amz-meta-') ? 'x-amz-meta-' : name];
    if (!known) throw notImplemented(`the header ${name}`);
    if (!known.test(value)) throw notImplemented(`the value ${value.slice(0, 100)} of the header ${name}`);
  }
  return operation.name;
}

function notImplemented(what: string): S3Problem {
  return new S3Problem('NotImplemented', `This store does not implement ${what}.`);
}
