import { copyObject } from '../embedded/copy-object.ts';
import type { ByteRange, ObjectFacts, Place } from '../store.ts';
import { answer, isOperator, type S3Call, type S3Parts } from './call.ts';
import { conditionsOf, evaluate, hasConditions, requireMet } from './conditions.ts';
import { detailsOf } from './details.ts';
import { S3Problem } from './problem.ts';

/** CopyObject and UploadPartCopy. Only the operator's key may both read and write. */
export function copyCalls({ disk, uploads, buckets }: S3Parts) {
  function sourceOf(call: S3Call): Place {
    call.require('PutObject');
    if (!isOperator(call)) throw new S3Problem('AccessDenied');
    const [path = '', version] = (call.headers['x-amz-copy-source'] ?? '').split('?versionId=');
    if (version !== undefined) throw new S3Problem('NotImplemented', 'This store keeps no versions.');
    const [, bucket = '', key = ''] = /^\/?([^/]+)\/(.+)$/s.exec(decoded(path)) ?? [];
    if (key === '')
      throw new S3Problem('InvalidArgument', 'x-amz-copy-source must be <bucket>/<key>, percent-encoded.');
    if (!buckets.includes(bucket)) throw new S3Problem('NoSuchBucket');
    return { bucket, key };
  }

  function requireSource(call: S3Call, facts: ObjectFacts): void {
    const met = evaluate(conditionsOf(call.headers, 'x-amz-copy-source-'), facts) === 'met';
    if (!met) throw new S3Problem('PreconditionFailed');
  }

  return {
    async copy(call: S3Call): Promise<void> {
      const source = sourceOf(call);
      const directive = call.headers['x-amz-metadata-directive'] ?? 'COPY';
      if (directive !== 'COPY' && directive !== 'REPLACE')
        throw new S3Problem('InvalidArgument', 'x-amz-metadata-directive must be COPY or REPLACE.');
      const replaced = directive === 'REPLACE' ? detailsOf(call.headers) : undefined;
      if (!replaced && source.bucket === call.bucket && source.key === call.key)
        throw new S3Problem('InvalidRequest', 'A copy of an object onto itself must replace its metadata.');
      const conditions = conditionsOf(call.headers);
      const { etag, modifiedAt } = await copyObject(disk, source, call, {
        details: replaced,
        ofSource: (facts) => facts && requireSource(call, facts),
        ...(hasConditions(conditions) ? { ofTarget: (found) => requireMet(conditions, found) } : {}),
      });
      answer(call, 'CopyObjectResult', { LastModified: modifiedAt.toISOString(), ETag: `"${etag}"` });
    },

    async copyPart(call: S3Call): Promise<void> {
      const source = sourceOf(call);
      let length = 0;
      const found = await disk.read(source, (facts) => {
        requireSource(call, facts);
        const range = rangeIn(call.headers['x-amz-copy-source-range'], facts.size);
        length = range ? range.last - range.first + 1 : facts.size;
        return range;
      });
      if (!found) throw new S3Problem('NoSuchKey');
      try {
        const { query } = call;
        const number = Number(query.get('partNumber'));
        const part = await uploads.part(call, query.get('uploadId') ?? '', number, found.body, length);
        answer(call, 'CopyPartResult', { LastModified: part.modifiedAt.toISOString(), ETag: `"${part.etag}"` });
      } finally {
        found.body.destroy();
      }
    },
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new S3Problem('InvalidArgument', 'x-amz-copy-source must be percent-encoded UTF-8.');
  }
}

/** Both ends are required and must be within the source (Amazon S3, UploadPartCopy). */
function rangeIn(header: string | undefined, size: number): ByteRange | undefined {
  if (header === undefined) return undefined;
  const [, first = '', last = ''] = /^bytes=(\d+)-(\d+)$/.exec(header) ?? [];
  if (first === '' || Number(first) > Number(last))
    throw new S3Problem('InvalidArgument', 'x-amz-copy-source-range must be bytes=<first>-<last>.');
  if (Number(last) >= size) throw new S3Problem('InvalidRange');
  return { first: Number(first), last: Number(last) };
}
