import { Problem } from '../../http/problem.ts';

/**
 * The errors of the S3 protocol that this store returns: status and message. Amazon S3 API Reference, "List of error
 * codes".
 */
const PROBLEMS = {
  AccessDenied: [403, 'Access Denied'],
  AuthorizationHeaderMalformed: [400, 'The authorization header that you provided is not valid.'],
  AuthorizationQueryParametersError: [400, 'The query parameters that carry the signature are not valid.'],
  BadDigest: [400, 'The checksum that you specified did not match what was received.'],
  BucketAlreadyOwnedByYou: [409, 'The bucket exists, and you own it. Buckets are named in the configuration.'],
  EntityTooLarge: [400, 'Your proposed upload exceeds the maximum allowed size.'],
  EntityTooSmall: [400, 'Every part except the last must have at least 5 MiB.'],
  ExpiredToken: [400, 'The provided token has expired.'],
  IncompleteBody: [400, 'You did not provide the number of bytes that you declared.'],
  InsufficientStorage: [507, 'The store has no space left.'],
  InternalError: [500, 'We encountered an internal error. Please try again.'],
  InvalidAccessKeyId: [403, 'The access key ID that you provided does not exist in our records.'],
  InvalidArgument: [400, 'Invalid argument.'],
  InvalidDigest: [400, 'The Content-MD5 or checksum value that you specified is not valid.'],
  InvalidPart: [400, 'One or more of the specified parts could not be found.'],
  InvalidPartOrder: [400, 'The list of parts was not in ascending order.'],
  InvalidRange: [416, 'The requested range cannot be satisfied.'],
  InvalidRequest: [400, 'The request is not valid.'],
  InvalidToken: [400, 'The provided token is malformed or otherwise not valid.'],
  KeyTooLongError: [400, 'Your key is too long.'],
  MalformedXML: [
    400,
    'The XML that you provided was not well formed or did not validate against our published schema.',
  ],
  MaxMessageLengthExceeded: [400, 'Your request was too large.'],
  MetadataTooLarge: [400, 'Your metadata headers exceed the maximum allowed metadata size.'],
  MethodNotAllowed: [405, 'The specified method is not allowed against this resource.'],
  MissingContentLength: [411, 'You must provide the Content-Length HTTP header.'],
  NoSuchBucket: [404, 'The specified bucket does not exist.'],
  NoSuchKey: [404, 'The specified key does not exist.'],
  NoSuchUpload: [404, 'The specified multipart upload does not exist.'],
  NotImplemented: [501, 'A header or query that you provided implies functionality that is not implemented.'],
  PreconditionFailed: [412, 'At least one of the preconditions that you specified did not hold.'],
  QuotaExceeded: [403, 'The objects below this prefix have reached their size limit.'],
  RequestTimeTooSkewed: [403, 'The difference between the request time and the server’s time is too large.'],
  SignatureDoesNotMatch: [
    403,
    'The request signature that we calculated does not match the signature that you provided.',
  ],
  XAmzContentSHA256Mismatch: [400, 'The provided x-amz-content-sha256 header does not match what was computed.'],
} as const satisfies Record<string, readonly [number, string]>;
export type S3Code = keyof typeof PROBLEMS;

/** An error of the S3 protocol. */
export class S3Problem extends Error {
  readonly code: S3Code;
  readonly status: number;

  constructor(code: S3Code, message: string = PROBLEMS[code][1]) {
    super(message);
    this.name = 'S3Problem';
    this.code = code;
    this.status = PROBLEMS[code][0];
  }
}

/** A failure as an error of the S3 protocol. */
export function toS3Problem(error: unknown): S3Problem {
  if (error instanceof S3Problem) return error;
  const { statusCode, status = statusCode } = error as { statusCode?: number; status?: number };
  if (status === 404) return new S3Problem('NoSuchKey');
  // Errors from the checks before the routes: invalid characters, requests from other sites.
  if (error instanceof Problem && error.status < 500)
    return new S3Problem('InvalidArgument', error.envelope('en-US').message);
  if (status !== undefined && status < 500) return new S3Problem('InvalidArgument', (error as Error).message);
  return new S3Problem('InternalError');
}
