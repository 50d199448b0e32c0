import type { S3Call, S3Parts } from './s3-call.ts';
import { S3Problem } from './s3-problem.ts';
import { readKeys, xml } from './s3-xml.ts';
import type { ListedObject } from './store.ts';

/** Amazon S3's page of a list. */
const PAGE = 1_000;

/** Calls about a bucket: where it is, what is in it, deleting many. */
export function bucketCalls({ disk, keys }: S3Parts) {
  return async (call: S3Call): Promise<void> => {
    const { request, reply, query } = call;
    if (request.method === 'POST' && query.has('delete')) return await deleteMany(call);
    if (request.method !== 'GET' && request.method !== 'HEAD') throw new S3Problem('MethodNotAllowed');
    call.require('ListBucket');
    if (request.method === 'HEAD') void reply.send();
    else if (query.has('location'))
      void reply.type('application/xml').send(xml('LocationConstraint', { '#text': keys.region }));
    else await list(call);
  };

  async function deleteMany(call: S3Call): Promise<void> {
    const wanted = await readKeys(call.body());
    for (const key of wanted.keys) {
      call.require('DeleteObject', key);
      await disk.remove({ bucket: call.bucket, key });
    }
    const deleted = wanted.quiet ? {} : { Deleted: wanted.keys.map((key) => ({ Key: key })) };
    void call.reply.type('application/xml').send(xml('DeleteResult', deleted));
  }

  /** ListObjectsV2, and its elder sister, which differ in how the next page is asked for. */
  async function list({ bucket, query, reply }: S3Call): Promise<void> {
    const isNew = query.get('list-type') === '2';
    const prefix = query.get('prefix') ?? '';
    const delimiter = query.get('delimiter') ?? '';
    if (delimiter !== '' && delimiter !== '/') throw new S3Problem('NotImplemented');
    const token = query.get('continuation-token');
    const marker = isNew ? (query.get('start-after') ?? '') : (query.get('marker') ?? '');
    const after = token === null ? marker : Buffer.from(token, 'base64url').toString();
    const limit = Math.min(PAGE, Number(query.get('max-keys') ?? PAGE));
    if (!(limit >= 0)) throw new S3Problem('InvalidArgument');
    const said = encoder(query.get('encoding-type'));

    const objects: ListedObject[] = [];
    const folders: string[] = [];
    let last = '';
    let more = false;
    for await (const item of disk.list(bucket, prefix, { after, folders: delimiter === '/' })) {
      if (objects.length + folders.length === limit) {
        more = true;
        break;
      }
      if ('folder' in item) folders.push(item.folder);
      else objects.push(item);
      last = 'folder' in item ? item.folder : item.key;
    }
    const next = isNew
      ? { NextContinuationToken: Buffer.from(last).toString('base64url') }
      : { NextMarker: said(last) };
    const answer = {
      Name: bucket,
      Prefix: said(prefix),
      ...(delimiter === '' ? {} : { Delimiter: delimiter }),
      MaxKeys: limit,
      ...(isNew ? { KeyCount: objects.length + folders.length } : { Marker: said(marker) }),
      ...(query.has('encoding-type') ? { EncodingType: 'url' } : {}),
      IsTruncated: more,
      ...(more ? next : {}),
      Contents: objects.map(({ key, size, etag, modifiedAt }) => ({
        Key: said(key),
        LastModified: modifiedAt.toISOString(),
        ETag: `"${etag}"`,
        Size: size,
        StorageClass: 'STANDARD',
      })),
      CommonPrefixes: folders.map((folder) => ({ Prefix: said(folder) })),
    };
    void reply.type('application/xml').send(xml('ListBucketResult', answer));
  }
}

function encoder(type: string | null): (text: string) => string {
  if (type === null) return (text) => text;
  if (type !== 'url') throw new S3Problem('InvalidArgument');
  return (text) => text.split('/').map(encodeURIComponent).join('/');
}
