import { copyObject } from './copy-object.ts';
import { EVERYTHING } from './grants.ts';
import { bodyLength, checkedBody } from './s3-body.ts';
import { largestFor, type S3Call, type S3Parts } from './s3-call.ts';
import { S3Problem } from './s3-problem.ts';
import { readParts, xml } from './s3-xml.ts';
import type { ByteRange, ObjectDetails, ObjectFacts } from './store.ts';

/**
 * Nothing that was uploaded acts as a page of ours: no script, no form, no frame, whatever its type says.
 * Stands beside `x-content-type-options: nosniff`, which every answer of the product has.
 */
const HARMLESS = "default-src 'none'; sandbox; frame-ancestors 'none'";
/** Amazon S3: 2 KB of `x-amz-meta-…`. */
const LONGEST_METADATA = 2_048;

/** Calls about an object: read, store, copy, remove, and uploads in parts. */
export function objectCalls({ disk, uploads, quotas, buckets }: S3Parts) {
  return async (call: S3Call): Promise<void> => {
    const { method } = call.request;
    const uploadId = call.query.get('uploadId');
    if (call.query.has('acl')) return acl(call);
    if (method === 'GET' && uploadId !== null) return await listParts(call, uploadId);
    if (method === 'GET' || method === 'HEAD') return await read(call, method);
    if (method === 'PUT' && uploadId !== null) return await putPart(call, uploadId);
    if (method === 'PUT') return call.headers['x-amz-copy-source'] ? await copy(call) : await put(call);
    if (method === 'POST' && call.query.has('uploads')) return await begin(call);
    if (method === 'POST' && uploadId !== null) return await complete(call, uploadId);
    if (method === 'DELETE' && uploadId !== null) {
      call.require('PutObject');
      await uploads.abort(call, uploadId);
      return void call.reply.code(204).send();
    }
    if (method !== 'DELETE') throw new S3Problem('MethodNotAllowed');
    call.require('DeleteObject');
    await disk.remove(call);
    void call.reply.code(204).send();
  };

  /** There are none: what tools are told is that the operator may do everything, and nobody else anything. */
  function acl(call: S3Call): void {
    if (call.request.method !== 'GET') throw new S3Problem('NotImplemented');
    if (call.signer.grant !== EVERYTHING) throw new S3Problem('AccessDenied');
    const owner = { ID: 'operator', DisplayName: 'operator' };
    const grantee = {
      '@xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
      '@xsi:type': 'CanonicalUser',
      ...owner,
    };
    const grants = { Grant: { Grantee: grantee, Permission: 'FULL_CONTROL' } };
    void call.reply
      .type('application/xml')
      .send(xml('AccessControlPolicy', { Owner: owner, AccessControlList: grants }));
  }

  async function read(call: S3Call, method: 'GET' | 'HEAD'): Promise<void> {
    call.require('GetObject');
    const { reply, headers, query } = call;
    const rangeOf = (facts: ObjectFacts) => {
      const isSame = headers['if-range'] === undefined || headers['if-range'] === `"${facts.etag}"`;
      return isSame ? rangeIn(headers.range, facts.size) : undefined;
    };
    const facts = await disk.head(call);
    if (!facts) throw absent(call);
    const matches = headers['if-none-match']?.split(/\s*,\s*/).includes(`"${facts.etag}"`);
    const found =
      method === 'HEAD' || matches ? { facts, range: rangeOf(facts), body: undefined } : await disk.read(call, rangeOf);
    if (!found) throw absent(call);
    const { range, body } = found;
    const { size, etag, modifiedAt, contentType, contentDisposition, metadata } = found.facts;
    const disposition = query.get('response-content-disposition') ?? contentDisposition;
    void reply.headers({
      etag: `"${etag}"`,
      'last-modified': modifiedAt.toUTCString(),
      'accept-ranges': 'bytes',
      'cache-control': 'private, max-age=3600',
      'content-security-policy': HARMLESS,
      ...(disposition ? { 'content-disposition': disposition } : {}),
      ...Object.fromEntries(Object.entries(metadata ?? {}).map(([name, value]) => [`x-amz-meta-${name}`, value])),
    });
    if (matches) return void reply.code(304).send();
    void reply.type(query.get('response-content-type') ?? contentType);
    void reply.header('content-length', range ? range.last - range.first + 1 : size);
    if (range) void reply.code(206).header('content-range', `bytes ${range.first}-${range.last}/${size}`);
    void reply.send(body);
  }

  async function put(call: S3Call): Promise<void> {
    call.require('PutObject');
    const { headers, signer, reply } = call;
    const length = bodyLength(headers);
    if (length > largestFor(signer)) throw new S3Problem('EntityTooLarge');
    const onlyNew = isOnlyNew(call);
    const room = await reserve(call, length);
    const path = disk.path(call);
    const draft = await disk.draft(length);
    try {
      for await (const chunk of checkedBody(call.body(), headers, signer)) await draft.write(chunk);
      const { etag } = await draft.finish(path, detailsOf(headers), { onlyNew });
      void reply.header('etag', `"${etag}"`).send();
    } finally {
      room?.release();
      await draft.discard();
    }
  }

  async function copy(call: S3Call): Promise<void> {
    call.require('PutObject');
    // Only the operator reads and writes with one key.
    if (call.signer.grant !== EVERYTHING) throw new S3Problem('AccessDenied');
    const [, bucket = '', key = ''] =
      /^\/?([^/]+)\/(.+)$/s.exec(decodeURIComponent(call.headers['x-amz-copy-source'] ?? '')) ?? [];
    if (!buckets.includes(bucket)) throw new S3Problem('InvalidArgument');
    const { etag, modifiedAt } = await copyObject(disk, { bucket, key }, call);
    const result = { LastModified: modifiedAt.toISOString(), ETag: `"${etag}"` };
    void call.reply.type('application/xml').send(xml('CopyObjectResult', result));
  }

  async function begin(call: S3Call): Promise<void> {
    call.require('PutObject');
    const room = await reserve(call, 0);
    try {
      const id = await uploads.begin(call, detailsOf(call.headers), largestFor(call.signer));
      const result = { Bucket: call.bucket, Key: call.key, UploadId: id };
      void call.reply.type('application/xml').send(xml('InitiateMultipartUploadResult', result));
    } finally {
      room?.release();
    }
  }

  async function putPart(call: S3Call, id: string): Promise<void> {
    call.require('PutObject');
    if (call.headers['x-amz-copy-source']) throw new S3Problem('NotImplemented');
    const length = bodyLength(call.headers);
    if (length > largestFor(call.signer)) throw new S3Problem('EntityTooLarge');
    const room = await reserve(call, length);
    try {
      const body = checkedBody(call.body(), call.headers, call.signer);
      const etag = await uploads.part(call, id, Number(call.query.get('partNumber')), body, length);
      void call.reply.header('etag', `"${etag}"`).send();
    } finally {
      room?.release();
    }
  }

  async function listParts(call: S3Call, id: string): Promise<void> {
    call.require('PutObject');
    const result = {
      Bucket: call.bucket,
      Key: call.key,
      UploadId: id,
      IsTruncated: false,
      Part: (await uploads.parts(call, id)).map(({ number, etag, size, modifiedAt }) => ({
        PartNumber: number,
        LastModified: modifiedAt.toISOString(),
        ETag: `"${etag}"`,
        Size: size,
      })),
    };
    void call.reply.type('application/xml').send(xml('ListPartsResult', result));
  }

  async function complete(call: S3Call, id: string): Promise<void> {
    call.require('PutObject');
    const { etag } = await uploads.complete(call, id, await readParts(call.body()), isOnlyNew(call));
    const result = { Location: `/${call.bucket}/${call.key}`, Bucket: call.bucket, Key: call.key, ETag: `"${etag}"` };
    void call.reply.type('application/xml').send(xml('CompleteMultipartUploadResult', result));
  }

  async function reserve({ signer, key }: S3Call, bytes: number) {
    return signer.grant === EVERYTHING ? null : await quotas.reserve(signer.grant, key, bytes);
  }
}

/** True when the client wants no object to be replaced. */
function isOnlyNew({ headers }: S3Call): boolean {
  const condition = headers['if-none-match'];
  if (condition !== undefined && condition !== '*') throw new S3Problem('NotImplemented');
  return condition === '*';
}

/** As with S3, only who may list learns that there is no such object. */
function absent({ signer }: S3Call): S3Problem {
  return new S3Problem(signer.grant === EVERYTHING ? 'NoSuchKey' : 'AccessDenied');
}

/** What a client wants kept beside the bytes. @throws S3Problem MetadataTooLarge */
function detailsOf(headers: S3Call['headers']): ObjectDetails {
  const metadata = Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      name.startsWith('x-amz-meta-') && value !== undefined ? [[name.slice('x-amz-meta-'.length), value]] : [],
    ),
  );
  const contentType = headers['content-type'] ?? 'application/octet-stream';
  const contentDisposition = headers['content-disposition'];
  const size = [contentType, contentDisposition ?? '', ...Object.entries(metadata).flat()].join('').length;
  if (size > LONGEST_METADATA) throw new S3Problem('MetadataTooLarge');
  return { contentType, contentDisposition, ...(Object.keys(metadata).length > 0 ? { metadata } : {}) };
}

/** The one range that a header asks for, as S3 serves it; undefined for none or several. @throws S3Problem InvalidRange */
function rangeIn(header: string | undefined, size: number): ByteRange | undefined {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  const range =
    from === ''
      ? { first: Math.max(0, size - Number(to)), last: size - 1 }
      : { first: Number(from), last: to === '' ? size - 1 : Math.min(Number(to), size - 1) };
  if (range.first > range.last || range.first >= size) throw new S3Problem('InvalidRange');
  return range;
}
