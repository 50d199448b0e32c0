import type { Condition } from '../embedded/disk.ts';
import { EVERYTHING } from '../embedded/grants.ts';
import { bodyLength, checkedBody } from './body/body.ts';
import {
  answer,
  isOperator,
  keyEncoder,
  largestFor,
  numberIn,
  OWNER,
  readXml,
  type S3Call,
  type S3Parts,
} from './call.ts';
import { conditionsOf, hasConditions, requireMet } from './conditions.ts';
import { detailsOf } from './details.ts';
import { S3Problem } from './problem.ts';

/** Amazon S3's limits of a multipart upload: the number of parts, and of parts per page. */
const MOST_PARTS = 10_000;
const PAGE_OF_PARTS = 1_000;
const COMPLETION = {
  root: 'CompleteMultipartUpload',
  row: 'Part',
  rowFields: [
    'PartNumber',
    'ETag',
    'ChecksumCRC32',
    'ChecksumCRC32C',
    'ChecksumCRC64NVME',
    'ChecksumSHA1',
    'ChecksumSHA256',
  ],
  fields: [],
  mostRows: MOST_PARTS,
};

/** Calls that store and remove an object, and multipart uploads. */
export function objectCalls({ disk, uploads, quotas }: S3Parts) {
  async function reserve({ signer, key }: S3Call, bytes: number) {
    return signer.grant === EVERYTHING ? null : await quotas.reserve(signer.grant, key, bytes);
  }
  const uploadId = ({ query }: S3Call) => query.get('uploadId') ?? '';
  const requireFitting = (call: S3Call): number => {
    const length = bodyLength(call.headers);
    if (length > largestFor(call.signer)) throw new S3Problem('EntityTooLarge');
    return length;
  };

  return {
    /** There are no access control lists: the operator may do everything, and nobody else anything. */
    async acl(call: S3Call): Promise<void> {
      if (!isOperator(call)) throw new S3Problem('AccessDenied');
      const grantee = {
        '@xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
        '@xsi:type': 'CanonicalUser',
        ...OWNER,
      };
      const grants = { Grant: { Grantee: grantee, Permission: 'FULL_CONTROL' } };
      answer(call, 'AccessControlPolicy', { Owner: OWNER, AccessControlList: grants });
    },

    /** No object has tags. Tools that copy large objects request them first. */
    async tags(call: S3Call): Promise<void> {
      if (!isOperator(call)) throw new S3Problem('AccessDenied');
      if (!(await disk.head(call))) throw new S3Problem('NoSuchKey');
      answer(call, 'Tagging', { TagSet: '' });
    },

    async put(call: S3Call): Promise<void> {
      call.require('PutObject');
      const { headers, signer, reply } = call;
      const length = requireFitting(call);
      const condition = writeCondition(call);
      // Checked before the upload to save a client from sending a gigabyte in vain; the check when it is stored
      // decides.
      if (condition) condition(await disk.head(call));
      const details = detailsOf(headers);
      const room = await reserve(call, length);
      disk.path(call);
      const draft = await disk.draft(length);
      try {
        for await (const chunk of checkedBody(call.body(), headers, signer)) await draft.write(chunk);
        const { etag } = await disk.store(call, draft, details, { condition });
        void reply.header('etag', `"${etag}"`).send();
      } finally {
        room?.release();
        await draft.discard();
      }
    },

    async remove(call: S3Call): Promise<void> {
      call.require('DeleteObject');
      await disk.remove(call, writeCondition(call));
      void call.reply.code(204).send();
    },

    async begin(call: S3Call): Promise<void> {
      call.require('PutObject');
      const room = await reserve(call, 0);
      try {
        const id = await uploads.begin(call, detailsOf(call.headers), largestFor(call.signer));
        answer(call, 'InitiateMultipartUploadResult', { Bucket: call.bucket, Key: call.key, UploadId: id });
      } finally {
        room?.release();
      }
    },

    async putPart(call: S3Call): Promise<void> {
      call.require('PutObject');
      const length = requireFitting(call);
      const room = await reserve(call, length);
      try {
        const body = checkedBody(call.body(), call.headers, call.signer);
        const number = Number(call.query.get('partNumber'));
        const { etag } = await uploads.part(call, uploadId(call), number, body, length);
        void call.reply.header('etag', `"${etag}"`).send();
      } finally {
        room?.release();
      }
    },

    async listParts(call: S3Call): Promise<void> {
      call.require('PutObject');
      const { query } = call;
      const limit = numberIn(query, 'max-parts', PAGE_OF_PARTS, PAGE_OF_PARTS);
      const marker = numberIn(query, 'part-number-marker', 0, MOST_PARTS);
      const left = (await uploads.parts(call, uploadId(call))).filter(({ number }) => number > marker);
      const page = left.slice(0, limit);
      const encoded = keyEncoder(query);
      answer(call, 'ListPartsResult', {
        Bucket: call.bucket,
        ...(query.has('encoding-type') ? { EncodingType: 'url' } : {}),
        Key: encoded(call.key),
        UploadId: uploadId(call),
        Initiator: OWNER,
        Owner: OWNER,
        StorageClass: 'STANDARD',
        PartNumberMarker: marker,
        NextPartNumberMarker: page.at(-1)?.number ?? marker,
        MaxParts: limit,
        IsTruncated: left.length > page.length,
        Part: page.map(({ number, etag, size, modifiedAt }) => ({
          PartNumber: number,
          LastModified: modifiedAt.toISOString(),
          ETag: `"${etag}"`,
          Size: size,
        })),
      });
    },

    async complete(call: S3Call): Promise<void> {
      call.require('PutObject');
      const { rows } = await readXml(call, COMPLETION);
      const parts = rows.map(({ PartNumber = '', ETag }) => {
        if (!/^\d{1,5}$/.test(PartNumber) || ETag === undefined) throw new S3Problem('MalformedXML');
        return { number: Number(PartNumber), etag: ETag.replace(/^"|"$/g, '') };
      });
      const { etag } = await uploads.complete(call, uploadId(call), parts, writeCondition(call));
      const path = call.key.split('/').map(encodeURIComponent).join('/');
      answer(call, 'CompleteMultipartUploadResult', {
        Location: `/${call.bucket}/${path}`,
        Bucket: call.bucket,
        Key: call.key,
        ETag: `"${etag}"`,
      });
    },

    async abort(call: S3Call): Promise<void> {
      call.require('PutObject');
      await uploads.abort(call, uploadId(call));
      void call.reply.code(204).send();
    },
  };
}

/**
 * The condition for replacing or removing an object. Every writer may require that there is no object yet; any other
 * condition reveals something of the object and requires the right to read.
 */
function writeCondition(call: S3Call): Condition | undefined {
  const conditions = conditionsOf(call.headers);
  if (!hasConditions(conditions)) return undefined;
  const { noneMatch, ...others } = conditions;
  const onlyNew = noneMatch?.trim() === '*' && !hasConditions(others);
  if (!onlyNew) call.require('GetObject');
  return (found) => requireMet(conditions, found);
}
