import { randomUUID } from 'node:crypto';
import { S3Client, type S3ServiceException } from '@aws-sdk/client-s3';
import { AwsClient } from 'aws4fetch';
import { afterAll, beforeAll } from 'vitest';
import type { ObjectStore } from '../../platform/objects/store.ts';

/** A store under test, and where its S3 protocol is reached. */
export interface StoreUnderTest {
  store: ObjectStore;
  endpoint: string;
  /** a key that may do everything, as tools have */
  operator: { accessKeyId: string; secretAccessKey: string };
  stop(): Promise<void>;
}

/** Where a service is known not to follow Amazon S3: those checks are left out for it. */
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
  /** a prefix that nobody else uses */
  fresh(): string;
  url(key: string): string;
  /** a signed request as it is */
  fetch(url: string, init?: RequestInit): Promise<Response>;
}

export function toolsClient(under: () => StoreUnderTest): () => ToolsClient {
  let client: ToolsClient;
  beforeAll(() => {
    const { endpoint, operator, store } = under();
    const { region } = store;
    const bucket = store.buckets.main;
    // One attempt: a refusal is what is tested.
    const s3 = new S3Client({ endpoint, region, credentials: operator, forcePathStyle: true, maxAttempts: 1 });
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

/** Status and code of the error that a call fails with; `ok` when it does not fail. */
export async function refusalOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return 'ok';
  } catch (error) {
    const { name, $metadata } = error as S3ServiceException;
    return `${$metadata?.httpStatusCode} ${name}`;
  }
}
