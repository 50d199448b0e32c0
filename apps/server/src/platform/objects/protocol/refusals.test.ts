import { createHash, createHmac } from 'node:crypto';
import { AwsClient } from 'aws4fetch';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATOR, type ServedStore, serveEmbeddedStore } from '../../../testing/objects/embedded-store.ts';

const BUCKET = 'chargehand';
let served: ServedStore;
let tool: AwsClient;
beforeAll(async () => {
  served = await serveEmbeddedStore();
  tool = new AwsClient({ ...OPERATOR, region: served.store.region, service: 's3', retries: 0 });
  await served.store.put({ bucket: BUCKET, key: 'a.txt' }, Buffer.from('text'), { contentType: 'text/plain' });
});
afterAll(() => served.stop());

const url = (path: string) => `${served.endpoint}/${path}`;
const send = (method: string, path: string, headers: Record<string, string> = {}, body?: string) =>
  tool.fetch(url(path), { method, headers, ...(body === undefined ? {} : { body }) });
const codeOf = async (answer: Promise<Response>) => {
  const { status, headers, ...rest } = await answer.then(async (found) => ({
    status: found.status,
    headers: found.headers,
    text: await found.text(),
  }));
  expect(headers.get('content-type')).toBe('application/xml');
  return `${status} ${/<Code>(\w+)<\/Code>/.exec(rest.text)?.[1]}`;
};
const textIn = async (key: string) => {
  const found = await served.store.read({ bucket: BUCKET, key });
  return found && Buffer.concat(await found.body.toArray()).toString();
};

describe('operations that this store does not implement', () => {
  const subresources: [string, string][] = [
    ['GET', `${BUCKET}?acl`],
    ['PUT', `${BUCKET}?acl`],
    ['GET', `${BUCKET}?versioning`],
    ['PUT', `${BUCKET}?versioning`],
    ['GET', `${BUCKET}?versions`],
    ['GET', `${BUCKET}?policy`],
    ['PUT', `${BUCKET}?policy`],
    ['GET', `${BUCKET}?lifecycle`],
    ['GET', `${BUCKET}?cors`],
    ['GET', `${BUCKET}?encryption`],
    ['GET', `${BUCKET}?object-lock`],
    ['GET', `${BUCKET}?tagging`],
    ['GET', `${BUCKET}?website`],
    ['GET', `${BUCKET}?notification`],
    ['GET', `${BUCKET}?replication`],
    ['DELETE', BUCKET],
    ['POST', BUCKET],
    ['GET', `${BUCKET}?uploads&max-keys=1`],
    ['PUT', `${BUCKET}/a.txt?acl`],
    ['PUT', `${BUCKET}/a.txt?tagging`],
    ['DELETE', `${BUCKET}/a.txt?tagging`],
    ['GET', `${BUCKET}/a.txt?retention`],
    ['GET', `${BUCKET}/a.txt?legal-hold`],
    ['GET', `${BUCKET}/a.txt?attributes`],
    ['GET', `${BUCKET}/a.txt?torrent`],
    ['GET', `${BUCKET}/a.txt?versionId=1`],
    ['DELETE', `${BUCKET}/a.txt?versionId=1`],
    ['GET', `${BUCKET}/a.txt?partNumber=1`],
    ['POST', `${BUCKET}/a.txt?restore`],
    ['POST', `${BUCKET}/a.txt?select&select-type=2`],
    ['PUT', `${BUCKET}/a.txt?append&position=0`],
    ['POST', `${BUCKET}/a.txt`],
    ['GET', `?max-buckets=1`],
  ];
  test.each(subresources)('%s %s', async (method, path) => {
    expect(await codeOf(send(method, path))).toBe('501 NotImplemented');
    expect(await textIn('a.txt')).toBe('text');
  });

  const headers: [string, string][] = [
    ['x-amz-server-side-encryption', 'AES256'],
    ['x-amz-server-side-encryption-aws-kms-key-id', 'key'],
    ['x-amz-server-side-encryption-customer-algorithm', 'AES256'],
    ['x-amz-acl', 'public-read'],
    ['x-amz-grant-read', 'uri="http://acs.amazonaws.com/groups/global/AllUsers"'],
    ['x-amz-tagging', 'a=b'],
    ['x-amz-storage-class', 'GLACIER'],
    ['x-amz-object-lock-mode', 'COMPLIANCE'],
    ['x-amz-object-lock-legal-hold', 'ON'],
    ['x-amz-website-redirect-location', '/'],
    ['x-amz-write-offset-bytes', '4'],
    ['x-amz-expected-bucket-owner', '123456789012'],
    ['x-amz-checksum-xxhash64', 'AAAAAAAAAAA='],
    ['if-modified-since', new Date(0).toUTCString()],
    ['content-range', 'bytes 0-3/4'],
    ['x-amz-something-new', '1'],
  ];
  test.each(headers)('PUT with %s: %s', async (name, value) => {
    expect(await codeOf(send('PUT', `${BUCKET}/a.txt`, { [name]: value }, 'other'))).toBe('501 NotImplemented');
    expect(await textIn('a.txt')).toBe('text');
  });

  test('an object has no tags', async () => {
    const answer = await send('GET', `${BUCKET}/a.txt?tagging`);
    expect(await answer.text()).toContain('<TagSet></TagSet>');
    expect(await codeOf(send('GET', `${BUCKET}/none.txt?tagging`))).toBe('404 NoSuchKey');
  });

  test('headers that request the default behaviour are accepted', async () => {
    const same = { 'x-amz-acl': 'private', 'x-amz-storage-class': 'STANDARD' };
    expect((await send('PUT', `${BUCKET}/same.txt`, same, 'same')).status).toBe(200);
    expect(await textIn('same.txt')).toBe('same');
  });

  test('parameters of a signed URL count, and are refused like the headers', async () => {
    const signed = async (query: string) => {
      const request = await tool.sign(url(`${BUCKET}/signed.txt?${query}&X-Amz-Expires=60`), {
        method: 'PUT',
        aws: { signQuery: true },
      });
      return await fetch(request.url, { method: 'PUT', body: 'signed' });
    };
    expect(await codeOf(signed('x-amz-acl=public-read'))).toBe('501 NotImplemented');
    expect((await signed('x-amz-meta-a=1')).status).toBe(200);
    expect(await served.store.head({ bucket: BUCKET, key: 'signed.txt' })).toMatchObject({ metadata: { a: '1' } });
  });
});

describe('checksums', () => {
  const crc = { crc32: 'Y7bRfg==', crc32c: 'n+RIKQ==' };

  test('each checksum of a request is verified', async () => {
    const sha1 = createHash('sha1').update('checked').digest('base64');
    const sums = { sha1, sha256: createHash('sha256').update('checked').digest('base64') };
    for (const [name, sum] of Object.entries(sums))
      expect((await send('PUT', `${BUCKET}/checked.txt`, { [`x-amz-checksum-${name}`]: sum }, 'checked')).status).toBe(
        200,
      );
    for (const [name, sum] of Object.entries({ ...sums, ...crc, crc64nvme: 'AAAAAAAAAAA=' })) {
      const put = send('PUT', `${BUCKET}/wrong.txt`, { [`x-amz-checksum-${name}`]: sum }, 'other');
      expect(await codeOf(put), name).toBe('400 BadDigest');
    }
    expect(await codeOf(send('PUT', `${BUCKET}/wrong.txt`, { 'content-md5': 'nonsense' }, 'other'))).toBe(
      '400 InvalidDigest',
    );
    expect(await textIn('wrong.txt')).toBeNull();
  });

  test('a checksum that a trailer announces is required and verified', async () => {
    const put = (trailer: string) => {
      const wrapped = {
        'x-amz-content-sha256': 'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
        'x-amz-decoded-content-length': '9',
        'x-amz-trailer': 'x-amz-checksum-crc32',
      };
      return send('PUT', `${BUCKET}/trailer.txt`, wrapped, `9\r\n123456789\r\n0\r\n${trailer}\r\n`);
    };
    expect(await codeOf(put(''))).toBe('400 IncompleteBody');
    expect(await codeOf(put('x-amz-checksum-crc32:AAAAAA==\r\n'))).toBe('400 BadDigest');
    expect(await textIn('trailer.txt')).toBeNull();
    expect((await put('x-amz-checksum-crc32:y/Q5Jg==\r\n')).status).toBe(200);
    expect(await textIn('trailer.txt')).toBe('123456789');
  });

  test('the check value of each algorithm', async () => {
    // "123456789": the catalogue of CRC algorithms lists these as their check values.
    const sums = { crc32: 'cbf43926', crc32c: 'e3069283', crc64nvme: 'ae8b14860a799888' };
    for (const [name, hex] of Object.entries(sums)) {
      const sum = Buffer.from(hex, 'hex').toString('base64');
      const put = await send('PUT', `${BUCKET}/check.txt`, { [`x-amz-checksum-${name}`]: sum }, '123456789');
      expect(put.status, name).toBe(200);
    }
  });
});

describe('buckets', () => {
  test('an existing bucket is not created again; a missing one is reported', async () => {
    expect(await codeOf(send('PUT', BUCKET))).toBe('409 BucketAlreadyOwnedByYou');
    expect(await codeOf(send('GET', 'other-bucket'))).toBe('404 NoSuchBucket');
    expect(await codeOf(send('PUT', 'other-bucket/a.txt', {}, 'text'))).toBe('404 NoSuchBucket');
    const copy = { 'x-amz-copy-source': 'other-bucket/a.txt' };
    expect(await codeOf(send('PUT', `${BUCKET}/b.txt`, copy))).toBe('404 NoSuchBucket');
    const stranger = new AwsClient({
      ...OPERATOR,
      secretAccessKey: 'x'.repeat(20),
      region: 'oss-cn-hongkong',
      service: 's3',
    });
    expect(await codeOf(stranger.fetch(url('')))).toBe('403 SignatureDoesNotMatch');
    expect(await codeOf(stranger.fetch(url('other-bucket')))).toBe('403 SignatureDoesNotMatch');
  });

  test('temporary credentials list neither buckets nor uploads', async () => {
    for (const mode of ['read', 'write'] as const) {
      const keys = await served.store.credentials({ mode, bucket: BUCKET, prefixes: [''] }, 60);
      const holder = new AwsClient({ ...keys, region: served.store.region, service: 's3', retries: 0 });
      for (const path of ['', `${BUCKET}?uploads`, `${BUCKET}?list-type=2`])
        expect(await codeOf(holder.fetch(url(path))), `${mode} ${path}`).toBe('403 AccessDenied');
      expect(await codeOf(holder.fetch(url(BUCKET), { method: 'PUT' }))).toBe('403 AccessDenied');
    }
  });

  test('a client that may only write can check whether there is an object, and learns nothing else about it', async () => {
    const keys = await served.store.credentials({ mode: 'write', bucket: BUCKET, prefixes: ['own/'] }, 60);
    const writer = new AwsClient({ ...keys, region: served.store.region, service: 's3', retries: 0 });
    const put = (headers: Record<string, string>) =>
      writer.fetch(url(`${BUCKET}/own/a.txt`), { method: 'PUT', body: 'text', headers });
    expect((await put({ 'if-none-match': '*' })).status).toBe(200);
    expect(await codeOf(put({ 'if-none-match': '*' }))).toBe('412 PreconditionFailed');
    const questions: Record<string, string>[] = [
      { 'if-match': '"guess"' },
      { 'if-none-match': '"guess"' },
      { 'if-unmodified-since': new Date(0).toUTCString() },
    ];
    for (const headers of questions) expect(await codeOf(put(headers))).toBe('403 AccessDenied');
  });
});

describe('URLs of signature version 2', () => {
  const signed = (path: string, expires: number, query = '', secret = OPERATOR.secretAccessKey) => {
    const text = `GET\n\n\n${expires}\n/${path}${query === '' ? '' : `?${decodeURIComponent(query)}`}`;
    const signature = createHmac('sha1', secret).update(text).digest('base64');
    const more = query === '' ? '' : `&${query}`;
    return url(
      `${path}?AWSAccessKeyId=${OPERATOR.accessKeyId}&Expires=${expires}&Signature=${encodeURIComponent(signature)}${more}`,
    );
  };
  const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

  test('give access to one object for at most an hour', async () => {
    const answer = await fetch(signed(`${BUCKET}/a.txt`, inSeconds(600), 'response-content-type=text%2Fcsv'));
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([200, 'text/csv', 'text']);
    expect(await codeOf(fetch(signed(`${BUCKET}/a.txt`, inSeconds(-1))))).toBe('403 AccessDenied');
    expect(await codeOf(fetch(signed(`${BUCKET}/a.txt`, inSeconds(7_200))))).toBe('403 AccessDenied');
    expect(await codeOf(fetch(signed(`${BUCKET}/a.txt`, inSeconds(600), '', 'another-secret')))).toBe(
      '403 SignatureDoesNotMatch',
    );
    const other = signed(`${BUCKET}/a.txt`, inSeconds(600)).replace('a.txt', 'same.txt');
    expect(await codeOf(fetch(other))).toBe('403 SignatureDoesNotMatch');
    const put = fetch(signed(`${BUCKET}/a.txt`, inSeconds(600)), { method: 'PUT', body: 'x' });
    expect(await codeOf(put)).toBe('403 SignatureDoesNotMatch');
  });
});

describe('a multipart upload', () => {
  const FIRST = 'x'.repeat(5 * 1024 * 1024);
  const begun = async (key: string) => {
    const text = await (await send('POST', `${BUCKET}/${key}?uploads`)).text();
    return /<UploadId>(.+)<\/UploadId>/.exec(text)?.[1] ?? '';
  };
  const put = async (key: string, id: string, number: number, body: string) =>
    (await send('PUT', `${BUCKET}/${key}?partNumber=${number}&uploadId=${id}`, {}, body)).headers.get('etag') ?? '';
  const complete = (key: string, id: string, ...parts: [number: number, etag: string][]) => {
    const list = parts.map(([number, tag]) => `<Part><PartNumber>${number}</PartNumber><ETag>${tag}</ETag></Part>`);
    const body = `<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`;
    return send('POST', `${BUCKET}/${key}?uploadId=${id}`, {}, body);
  };

  test('is completed only with its parts in order, each with the ETag it was stored with', async () => {
    const key = 'parts/whole.bin';
    const id = await begun(key);
    const one = await put(key, id, 1, FIRST);
    const former = await put(key, id, 2, 'former');
    const two = await put(key, id, 2, 'last');
    const refused = async (...parts: [number, string][]) => codeOf(complete(key, id, ...parts));
    expect(await refused([2, two], [1, one])).toBe('400 InvalidPartOrder');
    expect(await refused([1, one], [1, one], [2, two])).toBe('400 InvalidPartOrder');
    expect(await refused([1, two], [2, one])).toBe('400 InvalidPart');
    expect(await refused([1, one], [2, former])).toBe('400 InvalidPart');
    expect(await refused([1, one], [3, two])).toBe('400 InvalidPart');
    expect(await refused()).toBe('400 MalformedXML');
    expect(await textIn(key)).toBeNull();
    const first = await (await complete(key, id, [1, one], [2, two])).text();
    // Its answer may be lost: the same call has the same result, whatever happened to the object since.
    expect(await (await complete(key, id, [1, one], [2, two])).text()).toBe(first);
    expect(await codeOf(complete(key, id, [1, one]))).toBe('404 NoSuchUpload');
    expect(await codeOf(complete(`${key}x`, id, [1, one], [2, two]))).toBe('404 NoSuchUpload');
    expect(await textIn(key)).toBe(`${FIRST}last`);
  });

  test('requires at least 5 MiB in every part except the last', async () => {
    const key = 'parts/small.bin';
    const id = await begun(key);
    const one = await put(key, id, 1, FIRST.slice(1));
    const two = await put(key, id, 2, 'last');
    expect(await codeOf(complete(key, id, [1, one], [2, two]))).toBe('400 EntityTooSmall');
    expect((await complete(key, id, [2, two])).status).toBe(200);
    expect(await textIn(key)).toBe('last');
  });
});
