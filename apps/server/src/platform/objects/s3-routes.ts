import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../http/problem.ts';
import { admits } from './grants.ts';
import { bucketCalls } from './s3-bucket-calls.ts';
import type { S3Call, S3Parts } from './s3-call.ts';
import { objectCalls } from './s3-object-calls.ts';
import { S3Problem } from './s3-problem.ts';
import { authenticate, type KeyRing } from './s3-signature.ts';
import { xmlError } from './s3-xml.ts';

const METHODS = ['GET', 'HEAD', 'PUT', 'POST', 'DELETE'];
/** What a query may hold; anything else asks for a part of S3 that is not here. */
const KNOWN_QUERY =
  /^(x-amz-.*|response-content-(type|disposition)|acl|uploads|uploadId|partNumber|x-id|location|delete|list-type|prefix|delimiter|marker|max-keys|continuation-token|start-after|encoding-type|fetch-owner|max-parts|part-number-marker)$/i;

/**
 * The part of the S3 protocol that browsers and tools need, path-style at the root: `/<bucket>/<key>`. Every request is
 * signed; errors are XML as S3's. What is served runs no script, whatever its type says.
 */
export async function s3Routes(app: FastifyInstance, parts: S3Parts): Promise<void> {
  app.removeAllContentTypeParsers();
  // The handlers read the bytes themselves, as they come.
  app.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined));
  app.setErrorHandler((error, request, reply) => {
    const problem = problemOf(error);
    const [path = ''] = request.url.split('?');
    if (problem.status >= 500 && problem.code !== 'NotImplemented')
      request.log.error({ err: error, path }, 'an object could not be served or stored');
    void reply.code(problem.status).header('x-amz-request-id', request.id).type('application/xml');
    void reply.send(request.method === 'HEAD' ? undefined : xmlError(problem, path, request.id));
  });
  const ofObject = objectCalls(parts);
  const ofBucket = bucketCalls(parts);
  for (const bucket of parts.buckets) {
    const handler = async (request: FastifyRequest, reply: FastifyReply) => {
      const call = await accepted(request, reply, bucket, parts.keys);
      void reply.header('x-amz-request-id', request.id);
      await (call.key === '' ? ofBucket(call) : ofObject(call));
      return reply;
    };
    const route = { method: METHODS, exposeHeadRoute: false, schema: { hide: true }, handler };
    app.route({ ...route, url: `/${bucket}` });
    app.route({ ...route, url: `/${bucket}/*` });
  }
}

async function accepted(request: FastifyRequest, reply: FastifyReply, bucket: string, keys: KeyRing): Promise<S3Call> {
  const [path = '', search = ''] = (request.raw.url ?? '').split(/\?(.*)/s);
  const query = new URLSearchParams(search);
  for (const name of query.keys()) if (!KNOWN_QUERY.test(name)) throw new S3Problem('NotImplemented');
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : value]),
  );
  // Behind a trusted proxy the client signed the host that it knows.
  headers.host = request.host;
  const signer = await authenticate({ method: request.method, path, query, headers }, keys);
  const key = keyOf(path, bucket);
  return {
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
}

function keyOf(path: string, bucket: string): string {
  try {
    return decodeURIComponent(path.slice(`/${bucket}/`.length));
  } catch {
    throw new S3Problem('InvalidArgument');
  }
}

function problemOf(error: unknown): S3Problem {
  if (error instanceof S3Problem) return error;
  const status =
    (error as { statusCode?: number; status?: number }).statusCode ?? (error as { status?: number }).status;
  if (status === 404) return new S3Problem('NoSuchKey');
  // What stands before the routes refuses in its own words: hostile characters, requests from other sites.
  if (error instanceof Problem && error.status < 500)
    return new S3Problem('InvalidArgument', error.envelope('en-US').message);
  if (status !== undefined && status < 500) return new S3Problem('InvalidArgument', (error as Error).message);
  return new S3Problem('InternalError');
}
