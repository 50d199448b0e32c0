import { randomUUID } from 'node:crypto';
import { S3Client, type S3ClientConfig, type S3ServiceException } from '@aws-sdk/client-s3';
import { AwsClient } from 'aws4fetch';
import { afterAll, beforeAll } from 'vitest';
import type { ObjectStore } from '../../platform/objects/store.ts';

/** A store under test, and the address of its S3 protocol. */
export interface StoreUnderTest {
  store: ObjectStore;
  endpoint: string;
  /** a key with all permissions, as tools use it */
  operator: { accessKeyId: string; secretAccessKey: string };
  /** how AWS's client connects, if not as it does by default */
  requestHandler?: S3ClientConfig['requestHandler'];
  stop(): Promise<void>;
}

/** Where a service is known to deviate from Amazon S3: those checks are skipped for it. */
export type Deviation =
  | 'ifMatchOfPut'
  | 'copyConditions'
  | 'negativePage'
  | 'orderOfParts'
  | 'prefixesOfUploads'
  | 'partsOfEndedUpload';

/** Clients of tools, with the operator's key. */
export interface ToolsClient {
  s3: S3Client;
  bucket: string;
  /** a unique prefix */
  fresh(): string;
  url(key: string): string;
  /** a signed request as it is */
  fetch(url: string, init?: RequestInit): Promise<Response>;
}

export function toolsClient(under: () => StoreUnderTest): () => ToolsClient {
  let client: ToolsClient;
  beforeAll(() => {
    const { endpoint, operator, store, requestHandler } = under();
    const { region } = store;
    const bucket = store.buckets.main;
    // A single attempt, because refusals are tested.
    const s3 = new S3Client({
      ...{ endpoint, region, credentials: operator, forcePathStyle: true, maxAttempts: 1 },
      ...(requestHandler === undefined ? {} : { requestHandler }),
    });
    const raw = new AwsClient({ ...operator, region, service: 's3', retries: 0 });
    client = {
      s3,
      bucket,
      fresh: () => `tools/${randomUUID()}/`,
      url: (key) => `${endpoint}/${bucket}${key === '' ? '' : '/'}${key.split('/').map(encodeURIComponent).join('/')}`,
      fetch: (url, init) => raw.fetch(url, init),
    };
  });
  afterAll(() => client.s3.destroy());
  return () => client;
}

/** Status and code of a call's error; `ok` when it succeeds. */
export async function refusalOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return 'ok';
  } catch (error) {
    const { name, $metadata } = error as S3ServiceException;
    return `${$metadata?.httpStatusCode} ${name}`;
  }
}
