import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import type { Grant, ObjectFacts, ObjectStore, Place } from '../store.ts';

export interface S3Options {
  endpoint: string;
  stsEndpoint: string;
  roleArn: string;
  region: string;
  key: { accessKeyId: string; secretAccessKey: string };
  buckets: ObjectStore['buckets'];
}

/** AssumeRole issues credentials for at least 15 minutes. Seconds. */
const SHORTEST_ROLE = 900;

/**
 * A real S3 service with path-style addresses. Temporary credentials are those of its STS, restricted by an inline
 * policy.
 */
export function s3Objects(options: S3Options): ObjectStore {
  const { endpoint, stsEndpoint, roleArn, region, key, buckets } = options;
  // Not every S3 service supports the newer checksums.
  const checksums = {
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  } as const;
  const s3 = new S3Client({ endpoint, region, credentials: key, forcePathStyle: true, ...checksums });
  const sts = new STSClient({ endpoint: stsEndpoint, region, credentials: key });

  const head = async (place: Place) => {
    const answer = await s3.send(new HeadObjectCommand(of(place))).catch(ifAbsent);
    return answer ? factsOf(answer) : null;
  };

  return {
    buckets,
    region,
    endpoint,
    head,
    async put({ bucket, key: name }, bytes, { contentType, contentDisposition, metadata }) {
      await s3.send(
        new PutObjectCommand({
          Bucket: bucket,
          Key: name,
          Body: bytes,
          ContentType: contentType,
          ContentDisposition: contentDisposition,
          Metadata: metadata,
        }),
      );
    },

    async write(place, chunks, { contentType, contentDisposition, metadata }) {
      const details = { ContentType: contentType, ContentDisposition: contentDisposition, Metadata: metadata };
      const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ ...of(place), ...details }));
      const upload = { ...of(place), UploadId };
      try {
        const Parts: { PartNumber: number; ETag: string | undefined }[] = [];
        let size = 0;
        for await (const Body of inParts(chunks)) {
          const PartNumber = Parts.length + 1;
          const { ETag } = await s3.send(new UploadPartCommand({ ...upload, PartNumber, Body }));
          Parts.push({ PartNumber, ETag });
          size += Body.length;
        }
        await s3.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }));
        return size;
      } catch (error) {
        // `abandonUploads` ends what remains; an error of the cleanup must not hide the original one.
        await s3.send(new AbortMultipartUploadCommand(upload)).catch(() => undefined);
        throw error;
      }
    },

    async read(place, range) {
      const Range = range ? `bytes=${range.first}-${range.last}` : undefined;
      const answer = await s3.send(new GetObjectCommand({ ...of(place), Range })).catch(ifAbsent);
      if (!answer) return null;
      if (!(answer.Body instanceof Readable)) throw new Error('The S3 service returned no stream');
      const whole = /\/(\d+)$/.exec(answer.ContentRange ?? '')?.[1];
      const facts = factsOf({ ...answer, ContentLength: whole === undefined ? answer.ContentLength : Number(whole) });
      return { facts, body: answer.Body };
    },

    async copy(from, to) {
      await s3.send(new CopyObjectCommand({ ...of(to), CopySource: sourceOf(from) }));
    },

    async move(from, to, etag) {
      if (await head(to)) return false;
      // Not every S3 service supports conditions on the source of a copy.
      if ((await head(from))?.etag !== etag) return false;
      const copy = new CopyObjectCommand({ ...of(to), CopySource: sourceOf(from), CopySourceIfMatch: `"${etag}"` });
      const copied = await s3.send(copy).catch(ifChanged);
      if (copied) await s3.send(new DeleteObjectCommand(of(from)));
      return copied !== undefined;
    },

    async remove(place) {
      await s3.send(new DeleteObjectCommand(of(place)));
    },

    async *list(bucket, prefix) {
      let after: string | undefined;
      do {
        const page = await s3.send(
          new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ContinuationToken: after }),
        );
        for (const { Key = '', Size = 0, ETag = '', LastModified = new Date() } of page.Contents ?? [])
          yield { key: Key, size: Size, etag: bare(ETag), modifiedAt: LastModified };
        after = page.NextContinuationToken;
      } while (after !== undefined);
    },

    async credentials(grant, seconds) {
      const { Credentials } = await sts.send(
        new AssumeRoleCommand({
          RoleArn: roleArn,
          RoleSessionName: `chargehand-${grant.mode}`,
          DurationSeconds: Math.max(SHORTEST_ROLE, seconds),
          Policy: JSON.stringify(policyOf(grant)),
        }),
      );
      const { AccessKeyId, SecretAccessKey, SessionToken, Expiration } = Credentials ?? {};
      if (!AccessKeyId || !SecretAccessKey || !SessionToken || !Expiration)
        throw new Error('The S3 service returned no temporary credentials');
      return {
        accessKeyId: AccessKeyId,
        secretAccessKey: SecretAccessKey,
        sessionToken: SessionToken,
        expiration: Expiration,
      };
    },

    async abandonUploads(before) {
      for (const Bucket of Object.values(buckets)) {
        const { Uploads = [] } = await s3.send(new ListMultipartUploadsCommand({ Bucket }));
        for (const { Key, UploadId, Initiated } of Uploads) {
          if (Initiated && Initiated < before)
            await s3.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
        }
      }
    },
  };
}

/** Parts of a multipart upload: S3 requires at least 5 MB for all except the last. Bytes. */
const PART_BYTES = 8 * 1024 * 1024;

/** Chunks combined to parts; one empty part when there are no bytes, which S3 requires too. */
async function* inParts(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = [];
  let bytes = 0;
  let any = false;
  for await (const chunk of chunks) {
    waiting.push(chunk);
    bytes += chunk.length;
    if (bytes < PART_BYTES) continue;
    yield Buffer.concat(waiting);
    [waiting, bytes, any] = [[], 0, true];
  }
  if (bytes > 0 || !any) yield Buffer.concat(waiting);
}

const READS = ['s3:GetObject'];
const WRITES = ['s3:PutObject', 's3:AbortMultipartUpload', 's3:ListMultipartUploadParts'];

/** The permissions of a grant, as an S3 policy. */
function policyOf({ mode, bucket, prefixes }: Grant) {
  return {
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Action: mode === 'read' ? READS : WRITES,
        Resource: prefixes.map((prefix) => `arn:aws:s3:::${bucket}/${prefix}*`),
      },
    ],
  };
}

function of({ bucket, key }: Place) {
  return { Bucket: bucket, Key: key };
}

function sourceOf({ bucket, key }: Place): string {
  return `${bucket}/${key.split('/').map(encodeURIComponent).join('/')}`;
}

function factsOf(answer: {
  ContentLength?: number | undefined;
  ETag?: string | undefined;
  LastModified?: Date | undefined;
  ContentType?: string | undefined;
  ContentDisposition?: string | undefined;
  Metadata?: Record<string, string> | undefined;
}): ObjectFacts {
  const {
    ContentLength = 0,
    ETag = '',
    LastModified = new Date(0),
    ContentType,
    ContentDisposition,
    Metadata,
  } = answer;
  return {
    size: ContentLength,
    etag: bare(ETag),
    modifiedAt: LastModified,
    contentType: ContentType ?? 'application/octet-stream',
    ...(ContentDisposition ? { contentDisposition: ContentDisposition } : {}),
    ...(Metadata && Object.keys(Metadata).length > 0 ? { metadata: Metadata } : {}),
  };
}

function bare(etag: string): string {
  return etag.replace(/^"|"$/g, '');
}

/** Undefined when there is no such object. Other errors are thrown. */
function ifAbsent(error: unknown): undefined {
  if (statusOf(error) !== 404) throw error;
}

/** Undefined when the object was removed or replaced. Other errors are thrown. */
function ifChanged(error: unknown): undefined {
  if (statusOf(error) !== 404 && statusOf(error) !== 412) throw error;
}

function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
}
