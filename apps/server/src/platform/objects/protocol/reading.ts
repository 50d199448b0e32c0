import type { Disk } from '../embedded/disk.ts';
import type { ByteRange, ObjectFacts } from '../store.ts';
import { isOperator, type S3Call } from './call.ts';
import { conditionsOf, evaluate } from './conditions.ts';
import { S3Problem } from './problem.ts';

/**
 * An uploaded file never acts as a page of the product: no script, no form, no frame, whatever its type. In addition to
 * `x-content-type-options: nosniff`, which every response of the product has.
 */
const HARMLESS = "default-src 'none'; sandbox; frame-ancestors 'none'";

/** GetObject and HeadObject. */
export async function readObject(disk: Disk, call: S3Call): Promise<void> {
  call.require('GetObject');
  const { reply, headers, request } = call;
  const conditions = conditionsOf(headers);
  let unchanged = false;
  const rangeOf = (facts: ObjectFacts): ByteRange | undefined => {
    const result = evaluate(conditions, facts);
    if (result === 'failed') throw new S3Problem('PreconditionFailed');
    unchanged = result === 'notModified';
    return !unchanged && isSameVersion(headers['if-range'], facts) ? rangeIn(headers.range, facts.size) : undefined;
  };
  const found = await disk.read(call, rangeOf);
  if (!found) throw absent(call);
  const { facts, range, body } = found;
  const kept = storedHeaders(facts);
  void reply.headers({
    // Browsers cache pictures for an hour. Tools would mistake this header for stored metadata.
    ...(isOperator(call) ? {} : { 'cache-control': 'private, max-age=3600' }),
    ...kept,
    etag: `"${facts.etag}"`,
    'last-modified': facts.modifiedAt.toUTCString(),
    'accept-ranges': 'bytes',
    'content-security-policy': HARMLESS,
  });
  for (const [name, value] of call.query) {
    if (!name.startsWith('response-')) continue;
    void reply.header(name.slice('response-'.length), headerValue(name, value));
  }
  if (unchanged) {
    body.destroy();
    return void reply.code(304).removeHeader('content-type').send();
  }
  void reply.header('content-length', range ? range.last - range.first + 1 : facts.size);
  if (range) void reply.code(206).header('content-range', `bytes ${range.first}-${range.last}/${facts.size}`);
  if (request.method === 'HEAD') {
    body.destroy();
    return void reply.send();
  }
  void reply.send(body);
}

/** As with S3, only a client that may list learns that there is no such object. */
function absent(call: S3Call): S3Problem {
  return new S3Problem(isOperator(call) ? 'NoSuchKey' : 'AccessDenied');
}

function storedHeaders(facts: ObjectFacts): Record<string, string> {
  const { contentType, contentDisposition, contentEncoding, contentLanguage, cacheControl, expires, metadata } = facts;
  const all = {
    'content-type': contentType,
    'content-disposition': contentDisposition,
    'content-encoding': contentEncoding,
    'content-language': contentLanguage,
    'cache-control': cacheControl,
    expires,
    ...Object.fromEntries(Object.entries(metadata ?? {}).map(([name, value]) => [`x-amz-meta-${name}`, value])),
  };
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value]): [string, string][] => (value ? [[name, value]] : [])),
  );
}

/** A header cannot contain line breaks or characters beyond Latin-1. @throws S3Problem InvalidArgument */
function headerValue(name: string, value: string): string {
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
    throw new S3Problem('InvalidArgument', `${name} contains a character that headers cannot contain.`);
  return value;
}

/** If-Range: RFC 9110 section 13.1.5. */
function isSameVersion(header: string | undefined, { etag, modifiedAt }: ObjectFacts): boolean {
  if (header === undefined) return true;
  return header === `"${etag}"` || Math.floor(modifiedAt.getTime() / 1000) * 1000 === new Date(header).getTime();
}

/** The single range of a header, as S3 supports it; undefined for none or several. @throws S3Problem InvalidRange */
function rangeIn(header: string | undefined, size: number): ByteRange | undefined {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  // A first byte after the last makes the header invalid, and the RFC requires to ignore invalid ones.
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined;
  const range =
    from === ''
      ? { first: Math.max(0, size - Number(to)), last: size - 1 }
      : { first: Number(from), last: to === '' ? size - 1 : Math.min(Number(to), size - 1) };
  if (range.first > range.last || range.first >= size) throw new S3Problem('InvalidRange');
  return range;
}
