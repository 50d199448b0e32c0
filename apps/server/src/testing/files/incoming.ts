import { randomUUID } from 'node:crypto';
import { ENDPOINTS } from '@chargehand/contract';
import { AwsClient } from 'aws4fetch';
import type { Client } from '../client.ts';

/** The incoming area of a user: an S3 client with its credentials, and the address and the key of a new upload. */
export async function incomingArea(
  url: string,
  client: Client,
  ending = 'txt',
): Promise<{ s3: AwsClient; key: string; address: string }> {
  const credential = await client.data(ENDPOINTS.writeCredentials);
  const { accessKeyId, accessKeySecret: secretAccessKey, securityToken: sessionToken, region, bucket } = credential;
  const s3 = new AwsClient({ accessKeyId, secretAccessKey, sessionToken, service: 's3', region, retries: 0 });
  const key = `${credential.prefixes.find((prefix) => prefix.startsWith('document/'))}${randomUUID()}.${ending}`;
  return { s3, key, address: `${url}/${bucket}/${key}` };
}

/** Puts bytes into the incoming area of a user and returns their key. */
export async function uploadIncoming(
  url: string,
  client: Client,
  bytes: Uint8Array | string = 'Some text.\n',
  ending = 'txt',
): Promise<string> {
  const { s3, key, address } = await incomingArea(url, client, ending);
  const answer = await s3.fetch(address, { method: 'PUT', body: Buffer.from(bytes) });
  if (!answer.ok) throw new Error(`The object store answered ${answer.status}`);
  return key;
}
