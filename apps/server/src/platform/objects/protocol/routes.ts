import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PRODUCT_ADDRESSES } from '../../config/addresses.ts';
import { admits } from '../embedded/grants.ts';
import { xmlError } from './body/xml.ts';
import { bucketCalls } from './bucket-calls.ts';
import type { Handler, S3Call, S3Parts } from './call.ts';
import { copyCalls } from './copying.ts';
import { requireStorableKey } from './keys.ts';
import { objectCalls } from './object-calls.ts';
import { type OperationName, operationOf } from './operations.ts';
import { S3Problem, toS3Problem } from './problem.ts';
import { readObject } from './reading.ts';
import { authenticate } from './signing/signature.ts';
import type { KeyRing } from './signing/signed-request.ts';

const METHODS = ['GET', 'HEAD', 'PUT', 'POST', 'DELETE'];

/**
 * The part of the S3 protocol that browsers and tools need, path-style at the root: `/<bucket>/<key>`. Every request is
 * signed; errors are XML like S3's. Served files run no script, whatever their type.
 */
export async function s3Routes(app: FastifyInstance, parts: S3Parts): Promise<void> {
  const handlers = handlersOf(parts);
  const serve = async (request: FastifyRequest, reply: FastifyReply, bucket: string) => {
    void reply.headers({ 'x-amz-request-id': request.id, 'x-amz-bucket-region': parts.keys.region });
    const { operation, call } = await accepted(request, reply, bucket, parts.keys);
    await handlers[operation](call);
    return reply;
  };
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    // The handlers read the bytes themselves as they arrive.
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined));
    scope.setErrorHandler(refuse);
    for (const bucket of parts.buckets) {
      const handler = (request: FastifyRequest, reply: FastifyReply) => serve(request, reply, bucket);
      const route = { method: METHODS, exposeHeadRoute: false, schema: { hide: true }, handler };
      scope.route({ ...route, url: `/${bucket}` });
      scope.route({ ...route, url: `/${bucket}/*` });
    }
  });
  // Other addresses belong to the console. A signed request to them is for the list of buckets, or for a bucket that
  // does not exist.
  app.addHook('onRequest', async (request, reply) => {
    const path = pathOf(request);
    const [, first = ''] = path.split('/');
    if (!isSigned(request) || PRODUCT_ADDRESSES.test(path) || parts.buckets.includes(first)) return;
    try {
      if (first === '') return await serve(request, reply, '');
      await authenticate(signedRequest(request), parts.keys);
      throw new S3Problem('NoSuchBucket');
    } catch (error) {
      refuse(error, request, reply);
      return reply;
    }
  });
}

function handlersOf(parts: S3Parts): Record<OperationName, Handler> {
  const ofBucket = bucketCalls(parts);
  const ofObject = objectCalls(parts);
  const copies = copyCalls(parts);
  const read = (call: S3Call) => readObject(parts.disk, call);
  return {
    ListBuckets: ofBucket.listBuckets,
    CreateBucket: ofBucket.create,
    HeadBucket: ofBucket.head,
    GetBucketLocation: ofBucket.location,
    ListMultipartUploads: ofBucket.listUploads,
    ListObjects: ofBucket.list,
    ListObjectsV2: ofBucket.list,
    DeleteObjects: ofBucket.deleteMany,
    GetObjectAcl: ofObject.acl,
    GetObjectTagging: ofObject.tags,
    ListParts: ofObject.listParts,
    GetObject: read,
    HeadObject: read,
    UploadPart: ofObject.putPart,
    UploadPartCopy: copies.copyPart,
    PutObject: ofObject.put,
    CopyObject: copies.copy,
    CreateMultipartUpload: ofObject.begin,
    CompleteMultipartUpload: ofObject.complete,
    AbortMultipartUpload: ofObject.abort,
    DeleteObject: ofObject.remove,
  };
}

async function accepted(
  request: FastifyRequest,
  reply: FastifyReply,
  bucket: string,
  keys: KeyRing,
): Promise<{ operation: OperationName; call: S3Call }> {
  const signed = signedRequest(request);
  const { path, query } = signed;
  const headers = headersOf(request);
  const signer = await authenticate(signed, keys);
  // Signed URLs may contain headers of the protocol as parameters.
  for (const [name, value] of query)
    if (
      /^x-amz-(?!algorithm|credential|date|expires|signedheaders|signature|security-token|content-sha256)/i.test(name)
    ) {
      query.delete(name);
      headers[name.toLowerCase()] ??= Buffer.from(value).toString('latin1');
    }
  const key = decoded(path.slice(`/${bucket}/`.length));
  const on = bucket === '' ? 'service' : key === '' ? 'bucket' : 'object';
  const operation = operationOf({ method: request.method, on, query, headers });
  if (key !== '') requireStorableKey(key);
  const call: S3Call = {
    request,
    reply,
    bucket,
    key,
    query,
    headers,
    signer,
    body: () => request.raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>,
    require(action, of = key) {
      if (!admits(signer.grant, action, bucket, of)) throw new S3Problem('AccessDenied');
    },
  };
  return { operation, call };
}

function signedRequest(request: FastifyRequest) {
  const [path = '', search = ''] = (request.raw.url ?? '').split(/\?(.*)/s);
  const headers: Record<string, string | undefined> = Object.fromEntries(
    Object.entries(headersOf(request)).map(([name, value]) => [name, value && textOf(value)]),
  );
  // Behind a trusted proxy the client signed the public host name.
  headers.host = request.host;
  return { method: request.method, path, query: new URLSearchParams(search), headers };
}

/** The headers as they arrived: each character is a byte. Metadata is stored and returned in this form. */
function headersOf({ headers }: FastifyRequest): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : value]),
  );
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true });
const BEYOND_ASCII = /[\x80-\xff]/;

/** A header as its client signed it: the text that it sent in UTF-8, or in Latin-1 if it is none. */
function textOf(value: string): string {
  if (!BEYOND_ASCII.test(value)) return value;
  try {
    return UTF_8.decode(Buffer.from(value, 'latin1'));
  } catch {
    return value;
  }
}

function pathOf(request: FastifyRequest): string {
  return (request.raw.url ?? '').split('?')[0] ?? '';
}

/** True when a request has a signature of the S3 protocol, in its headers or in its URL. */
function isSigned({ headers, raw }: FastifyRequest): boolean {
  return (
    /^AWS(4-HMAC-SHA256)? /.test(headers.authorization ?? '') ||
    /[?&](X-Amz-(Signature|Algorithm)|AWSAccessKeyId)=/.test(raw.url ?? '')
  );
}

function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const problem = toS3Problem(error);
  const path = pathOf(request);
  if (problem.status >= 500 && problem.code !== 'NotImplemented')
    request.log.error({ err: error, path }, 'an object could not be served or stored');
  void reply.code(problem.status).header('x-amz-request-id', request.id).type('application/xml');
  void reply.send(request.method === 'HEAD' ? undefined : xmlError(problem, path, request.id));
  // Unread bytes of the body would precede the next request of the connection.
  request.raw.resume();
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new S3Problem('InvalidArgument', 'The path must be percent-encoded UTF-8.');
  }
}
