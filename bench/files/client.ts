// The client of the measurement of files, in a process of its own as the AWS CLI is: uploads in parts as the console
// does. Takes orders from its parent, one after the other.
import { openAsBlob } from 'node:fs';
import { attachmentEndpoints, ENDPOINTS } from '@chargehand/contract';
import { AwsClient } from 'aws4fetch';
import { client } from '../../apps/server/src/testing/client.ts';

/** A file to upload; the answer is its id. */
export interface Order {
  path: string;
  /** bytes */
  size: number;
}

const MB = 1024 ** 2;
/** As the console sends parts. */
const PART = 8 * MB;
const AT_ONCE = 3;

const [url = '', token = '', csrf = ''] = process.argv.slice(2);
const user = client(url, { token, csrf });

process.on('message', async ({ path, size }: Order) => {
  process.send?.(await upload(path, size));
});
process.on('disconnect', () => process.exit());
process.send?.('ready');

/** Uploads a file in parts, registers it, and returns its id. */
async function upload(path: string, size: number): Promise<number> {
  const credential = await user.data(ENDPOINTS.writeCredentials);
  const key = `${credential.prefixes.find((prefix) => prefix.startsWith('document/'))}${Date.now()}.zip`;
  const store = new AwsClient({
    ...{ accessKeyId: credential.accessKeyId, secretAccessKey: credential.accessKeySecret },
    ...{ sessionToken: credential.securityToken, service: 's3', region: credential.region },
  });
  const object = `${url}/${credential.bucket}/${key}`;
  const started = await (await store.fetch(`${object}?uploads`, { method: 'POST' })).text();
  const uploadId = /<UploadId>(.+)<\/UploadId>/.exec(started)?.[1];
  const file = await openAsBlob(path);
  const parts = Array.from({ length: Math.ceil(size / PART) }, (_, index) => index);
  const tags: string[] = [];
  const sendParts = async () => {
    for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
      const init = {
        method: 'PUT',
        body: file.slice(part * PART, (part + 1) * PART),
        headers: { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' },
      };
      const answer = await store.fetch(`${object}?partNumber=${part + 1}&uploadId=${uploadId}`, init);
      tags[part] = answer.headers.get('etag') ?? '';
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sendParts));
  const list = tags.map((tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tag}</ETag></Part>`);
  const body = `<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`;
  const completed = await store.fetch(`${object}?uploadId=${uploadId}`, { method: 'POST', body });
  if (!completed.ok) throw new Error(`The upload was not completed: ${await completed.text()}`);
  const registered = { key, name: 'bench.zip' };
  return (await user.data(attachmentEndpoints.registerAttachment, { body: registered })).id;
}
