import { createHash, createHmac } from 'node:crypto';
import { AwsV4Signer } from 'aws4fetch';

/**
 * A PUT with a body that is signed in chunks, as Amazon's reference describes it ("Signature calculations for the
 * authorization header: transferring payload in multiple chunks"), built without the code under test.
 */
export async function chunked(
  url: string,
  keys: { accessKeyId: string; secretAccessKey: string },
  chunks: readonly string[],
): Promise<{ url: string; init: RequestInit }> {
  const region = 'oss-cn-hongkong';
  const size = chunks.reduce((sum, chunk) => sum + Buffer.byteLength(chunk), 0);
  const headers = {
    'content-encoding': 'aws-chunked',
    'x-amz-content-sha256': 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD',
    'x-amz-decoded-content-length': String(size),
  };
  const signer = new AwsV4Signer({ ...keys, url, method: 'PUT', headers, region, service: 's3' });
  const signed = await signer.sign();
  const date = signed.headers.get('x-amz-date') ?? '';
  const scope = `${date.slice(0, 8)}/${region}/s3/aws4_request`;
  const key = [date.slice(0, 8), region, 's3', 'aws4_request'].reduce<Buffer>(
    (secret, text) => createHmac('sha256', secret).update(text).digest(),
    Buffer.from(`AWS4${keys.secretAccessKey}`),
  );
  const hash = (text: string) => createHash('sha256').update(text).digest('hex');
  let previous = /Signature=(\w+)/.exec(signed.headers.get('authorization') ?? '')?.[1] ?? '';
  let body = '';
  for (const chunk of [...chunks, '']) {
    const text = ['AWS4-HMAC-SHA256-PAYLOAD', date, scope, previous, hash(''), hash(chunk)].join('\n');
    previous = createHmac('sha256', key).update(text).digest('hex');
    body += `${Buffer.byteLength(chunk).toString(16)};chunk-signature=${previous}\r\n${chunk}\r\n`;
  }
  return { url, init: { method: 'PUT', headers: signed.headers, body } };
}
