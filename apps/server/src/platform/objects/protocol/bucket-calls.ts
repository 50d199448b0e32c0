import type { Condition } from '../embedded/disk.ts';
import { answer, isOperator, keyEncoder, numberIn, OWNER, readXml, type S3Call, type S3Parts } from './call.ts';
import { requireMet } from './conditions.ts';
import { requireStorableKey } from './keys.ts';
import { S3Problem, toS3Problem } from './problem.ts';

/** Amazon S3's page size of a list, and its maximum number of keys of one DeleteObjects call. */
const PAGE = 1_000;
/**
 * How many objects of one call are removed at the same time, because other requests need the disk and the database too.
 */
const AT_ONCE = 4;
const DELETION = { root: 'Delete', row: 'Object', rowFields: ['Key', 'ETag'], fields: ['Quiet'], mostRows: PAGE };

/** Calls for the service and its buckets: list buckets, list objects, delete several objects. */
export function bucketCalls({ disk, uploads, keys, buckets }: S3Parts) {
  return {
    async listBuckets(call: S3Call): Promise<void> {
      if (!isOperator(call)) throw new S3Problem('AccessDenied');
      const CreationDate = new Date(0).toISOString();
      const Bucket = buckets.toSorted().map((Name) => ({ Name, CreationDate }));
      answer(call, 'ListAllMyBucketsResult', { Owner: OWNER, Buckets: { Bucket } });
    },

    /** Tools create a bucket before they use it, and continue when they already own it. */
    create(call: S3Call): void {
      throw new S3Problem(isOperator(call) ? 'BucketAlreadyOwnedByYou' : 'AccessDenied');
    },

    head(call: S3Call): void {
      call.require('ListBucket');
      void call.reply.send();
    },

    async location(call: S3Call): Promise<void> {
      call.require('ListBucket');
      answer(call, 'LocationConstraint', { '#text': keys.region });
    },

    async deleteMany(call: S3Call): Promise<void> {
      const { rows, fields } = await readXml(call, DELETION);
      if (rows.length === 0 || rows.some(({ Key = '' }) => Key === '')) throw new S3Problem('MalformedXML');
      const results: ({ deleted: object } | { failed: object })[] = [];
      let next = 0;
      const work = async () => {
        for (let at = next++; at < rows.length; at = next++) {
          const { Key: key = '', ETag: match } = rows[at] ?? {};
          try {
            call.require('DeleteObject', key);
            requireStorableKey(key);
            const condition: Condition = (found) => match !== undefined && requireMet({ match }, found);
            await disk.remove({ bucket: call.bucket, key }, condition);
            results[at] = { deleted: { Key: key } };
          } catch (error) {
            const { code, message, status } = toS3Problem(error);
            if (status >= 500) call.request.log.error({ err: error, key }, 'an object could not be removed');
            results[at] = { failed: { Key: key, Code: code, Message: message } };
          }
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      const isQuiet = fields.Quiet?.trim().toLowerCase() === 'true';
      answer(call, 'DeleteResult', {
        Deleted: results.flatMap((result) => ('deleted' in result && !isQuiet ? result.deleted : [])),
        Error: results.flatMap((result) => ('failed' in result ? result.failed : [])),
      });
    },

    /** ListObjectsV2 and the older ListObjects, which differ in how the next page is requested. */
    async list(call: S3Call): Promise<void> {
      call.require('ListBucket');
      const { bucket, query } = call;
      const isNew = query.has('list-type');
      if (isNew && query.get('list-type') !== '2') throw new S3Problem('InvalidArgument', 'list-type must be 2.');
      const prefix = query.get('prefix') ?? '';
      const delimiter = query.get('delimiter') ?? '';
      const token = query.get('continuation-token');
      const marker = isNew ? (query.get('start-after') ?? '') : (query.get('marker') ?? '');
      const after = token === null ? marker : fromToken(token);
      const limit = numberIn(query, 'max-keys', PAGE, PAGE);
      const encoded = keyEncoder(query);
      const { items, more } =
        limit === 0 ? { items: [], more: false } : await disk.page({ bucket, prefix, after, delimiter, limit });
      const last = items.at(-1);
      const lastKey = last === undefined ? '' : 'key' in last ? last.key : last.commonPrefix;
      const next = isNew ? { NextContinuationToken: toToken(lastKey) } : { NextMarker: encoded(lastKey) };
      const owner = !isNew || query.get('fetch-owner') === 'true' ? { Owner: OWNER } : {};
      answer(call, 'ListBucketResult', {
        Name: bucket,
        Prefix: encoded(prefix),
        ...(isNew ? {} : { Marker: encoded(marker) }),
        ...(isNew && query.has('start-after') ? { StartAfter: encoded(marker) } : {}),
        ...(token === null ? {} : { ContinuationToken: token }),
        MaxKeys: limit,
        ...(delimiter === '' ? {} : { Delimiter: encoded(delimiter) }),
        ...(query.has('encoding-type') ? { EncodingType: 'url' } : {}),
        ...(isNew ? { KeyCount: items.length } : {}),
        IsTruncated: more,
        ...(more ? next : {}),
        Contents: items.flatMap((item) =>
          'key' in item
            ? {
                Key: encoded(item.key),
                LastModified: item.modifiedAt.toISOString(),
                ETag: `"${item.etag}"`,
                Size: item.size,
                ...owner,
                StorageClass: 'STANDARD',
              }
            : [],
        ),
        CommonPrefixes: items.flatMap((item) => ('key' in item ? [] : { Prefix: encoded(item.commonPrefix) })),
      });
    },

    async listUploads(call: S3Call): Promise<void> {
      call.require('ListBucket');
      const { bucket, query } = call;
      const prefix = query.get('prefix') ?? '';
      const delimiter = query.get('delimiter') ?? '';
      const [keyMarker, idMarker] = [query.get('key-marker') ?? '', query.get('upload-id-marker') ?? ''];
      const limit = numberIn(query, 'max-uploads', PAGE, PAGE);
      const encoded = keyEncoder(query);
      const commonOf = (key: string) => {
        const at = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length);
        return at < 0 ? null : key.slice(0, at + delimiter.length);
      };
      const all = await uploads.list(bucket, prefix);
      // Ids have no meaning for the order: for the marker's key, uploads after the marker's own count.
      const marked = all.findIndex(({ key, id }) => key === keyMarker && id === idMarker);
      const rest = all.filter(({ key }, at) => {
        if (keyMarker === '') return true;
        if (key === keyMarker) return marked >= 0 && at > marked;
        return isAfter(key, keyMarker) && commonOf(key) !== keyMarker;
      });
      const items: { common: string | null; key: string; id: string; startedAt: Date }[] = [];
      for (const upload of rest) {
        const common = commonOf(upload.key);
        if (common === null || items.at(-1)?.common !== common) items.push({ ...upload, common });
      }
      const page = items.slice(0, limit);
      const last = page.at(-1);
      const more = items.length > page.length && last !== undefined;
      answer(call, 'ListMultipartUploadsResult', {
        Bucket: bucket,
        KeyMarker: encoded(keyMarker),
        UploadIdMarker: idMarker,
        ...(more
          ? { NextKeyMarker: encoded(last.common ?? last.key), NextUploadIdMarker: last.common ? '' : last.id }
          : {}),
        Prefix: encoded(prefix),
        ...(delimiter === '' ? {} : { Delimiter: encoded(delimiter) }),
        ...(query.has('encoding-type') ? { EncodingType: 'url' } : {}),
        MaxUploads: limit,
        IsTruncated: more,
        Upload: page.flatMap(({ common, key, id, startedAt }) =>
          common === null
            ? {
                Key: encoded(key),
                UploadId: id,
                Initiator: OWNER,
                Owner: OWNER,
                StorageClass: 'STANDARD',
                Initiated: startedAt.toISOString(),
              }
            : [],
        ),
        CommonPrefixes: page.flatMap(({ common }) => (common === null ? [] : { Prefix: encoded(common) })),
      });
    },
  };
}

function isAfter(key: string, other: string): boolean {
  return Buffer.compare(Buffer.from(key), Buffer.from(other)) > 0;
}

function toToken(key: string): string {
  return Buffer.from(key).toString('base64url');
}

function fromToken(token: string): string {
  const key = Buffer.from(token, 'base64url').toString();
  if (token === '' || toToken(key) !== token)
    throw new S3Problem('InvalidArgument', 'The continuation token provided is incorrect');
  return key;
}
