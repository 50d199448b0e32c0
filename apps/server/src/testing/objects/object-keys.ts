import { createHash } from 'node:crypto';
import type { StorageCredential } from '@chargehand/contract';
import { AwsClient } from 'aws4fetch';

/** A user with credentials for the object store, as a browser has them. */
export function keyHolder(credential: StorageCredential): AwsClient {
  const { accessKeyId, accessKeySecret, securityToken, region } = credential;
  const keys = { accessKeyId, secretAccessKey: accessKeySecret, sessionToken: securityToken };
  return new AwsClient({ ...keys, region, service: 's3', retries: 0 });
}

/**
 * Uploads a content to the folder of these credentials, with this name, and returns its key. @throws when the store
 * refuses
 */
export async function putObject(
  url: string,
  credential: StorageCredential,
  name: string,
  content: Uint8Array,
): Promise<string> {
  const key = `${credential.prefixes[0]}${name}`;
  const { status } = await keyHolder(credential).fetch(`${url}/${credential.bucket}/${key}`, {
    method: 'PUT',
    body: content as Uint8Array<ArrayBuffer>,
  });
  if (status !== 200) throw new Error(`The store answers an upload with ${status}`);
  return key;
}

/** The SHA-256 of a content, in the form used for files. */
export function sha256(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex');
}
