import { createHash, createHmac, randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { DeleteObjectsCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { SignatureV4 } from '@smithy/signature-v4';
import { AwsClient } from 'aws4fetch';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { OPERATOR, type ServedStore, serveEmbeddedStore } from '../../../testing/objects/embedded-store.ts';
import { chunked } from '../../../testing/objects/signed-chunks.ts';
import { openDisk } from '../embedded/disk.ts';
import { credentialIssuer } from '../embedded/grants.ts';
import { objectIndex } from '../embedded/object-index.ts';
import type { Grant } from '../store.ts';

let served: ServedStore;
beforeAll(async () => {
  served = await serveEmbeddedStore();
});
afterAll(() => served.stop());

const BUCKET = 'chargehand';
const url = (key: string) => `${served.endpoint}/${BUCKET}/${key}`;
const signer = (keys: { accessKeyId: string; secretAccessKey: string; sessionToken?: string }, more: object = {}) =>
  new AwsClient({ ...keys, region: 'oss-cn-hongkong', service: 's3', retries: 0, ...more });
const operator = () => signer(OPERATOR);
const grant = (more: Partial<Grant>): Grant => ({ mode: 'read', bucket: BUCKET, prefixes: ['own/'], ...more });
const holderOf = async (more: Partial<Grant>, seconds = 3_600) =>
  signer(await served.store.credentials(grant(more), seconds));
const put = (key: string, body = 'picture') =>
  served.store.put({ bucket: BUCKET, key }, Buffer.from(body), { contentType: 'text/plain' });
const codeOf = async (answer: Response | Promise<Response>) => {
  const { status, headers } = await answer;
  const text = await (await answer).text();
  expect(headers.get('content-type')).toBe('application/xml');
  return `${status} ${/<Code>(\w+)<\/Code>/.exec(text)?.[1]}`;
};

test('a request that was signed for another region is served, and told the region of the store', async () => {
  await put('own/region.txt');
  const other = signer(OPERATOR, { region: 'us-east-1' });
  for (const method of ['HEAD', 'GET']) {
    const answer = await other.fetch(url('own/region.txt'), { method });
    expect([answer.status, answer.headers.get('x-amz-bucket-region')]).toEqual([200, 'oss-cn-hongkong']);
  }
  const forged = await other.sign(url('own/region.txt'));
  const authorization = forged.headers.get('authorization')!.replace('us-east-1', 'eu-west-1');
  expect(await codeOf(fetch(forged.url, { headers: { ...Object.fromEntries(forged.headers), authorization } }))).toBe(
    '403 SignatureDoesNotMatch',
  );
});

test.each([
  ['UTF-8', 'Nürnberg 充电站 🔌', (text: string) => Buffer.from(text).toString('latin1')],
  ['Latin-1', 'Nürnberg', (text: string) => text],
])('metadata in %s keeps its bytes', async (_, text, sent) => {
  const { signature, headers } = await signedPut('own/metadata.txt', { 'x-amz-meta-place': text });
  const { hostname, port } = new URL(served.endpoint);
  const answered = await new Promise<number>((resolve, reject) => {
    const request = httpRequest(
      {
        hostname,
        port,
        method: 'PUT',
        path: `/${BUCKET}/own/metadata.txt`,
        headers: { ...headers, authorization: signature, 'x-amz-meta-place': sent(text) },
      },
      (answer) => resolve(answer.resume().statusCode ?? 0),
    );
    request.on('error', reject).end();
  });
  expect(answered).toBe(200);
  const { headers: stored } = await operator().fetch(url('own/metadata.txt'), { method: 'HEAD' });
  expect(stored.get('x-amz-meta-place')).toBe(sent(text));
});

/** A PUT of an empty object as clients sign it: the text of a header, whatever bytes it is sent as. */
async function signedPut(key: string, more: Record<string, string>) {
  class Sha256 {
    readonly #hash;
    constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
      this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', secret as Uint8Array);
    }
    update(data: Uint8Array): void {
      this.#hash.update(data);
    }
    digest = () => Promise.resolve(new Uint8Array(this.#hash.digest()));
  }
  const region = 'oss-cn-hongkong';
  const scheme = { service: 's3', region, sha256: Sha256, uriEscapePath: false, applyChecksum: false };
  const v4 = new SignatureV4({ ...scheme, credentials: OPERATOR });
  const { host: name } = new URL(served.endpoint);
  const headers = { host: name, 'content-length': '0', 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD', ...more };
  const plain = { method: 'PUT', protocol: 'http:', hostname: name, path: `/${BUCKET}/${key}`, headers };
  const signed = await v4.sign(plain, { signableHeaders: new Set(Object.keys(more)) });
  return { signature: String(signed.headers.authorization), headers: signed.headers };
}

describe('refused requests', () => {
  test('expired credentials, and credentials with a changed grant, give no access', async () => {
    await put('own/a.txt');
    expect(await codeOf((await holderOf({}, -1)).fetch(url('own/a.txt')))).toBe('400 ExpiredToken');
    const { accessKeyId, secretAccessKey, sessionToken } = await served.store.credentials(grant({}), 3_600);
    const [content = '', mac] = sessionToken.split('.');
    const ticket = JSON.parse(Buffer.from(content, 'base64url').toString());
    const wider = { ...ticket, grant: { ...ticket.grant, prefixes: [''] }, until: ticket.until + 86_400 };
    const forged = `${Buffer.from(JSON.stringify(wider)).toString('base64url')}.${mac}`;
    expect(await codeOf(signer({ accessKeyId, secretAccessKey, sessionToken: forged }).fetch(url('other/a.txt')))).toBe(
      '400 InvalidToken',
    );
    expect(await codeOf(signer({ ...OPERATOR, sessionToken }).fetch(url('own/a.txt')))).toBe('403 InvalidAccessKeyId');
    const foreign = credentialIssuer(randomBytes(32)).issue(grant({}), 3_600);
    expect(await codeOf(signer(foreign).fetch(url('own/a.txt')))).toBe('400 InvalidToken');
    // Every node with the same key accepts them, because nothing of them is stored.
    const elsewhere = credentialIssuer(served.key).issue(grant({}), 3_600);
    expect((await signer(elsewhere).fetch(url('own/a.txt'))).status).toBe(200);
  });

  test('a signed URL is valid for an hour at most, and not after its expiry', async () => {
    await put('own/a.txt');
    const reader = await holderOf({});
    const signed = async (seconds: number, datetime?: string) => {
      const sign = { signQuery: true, ...(datetime ? { datetime } : {}) };
      return await fetch((await reader.sign(`${url('own/a.txt')}?X-Amz-Expires=${seconds}`, { aws: sign })).url);
    };
    const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString().replace(/[:-]|\.\d{3}/g, '');
    expect((await signed(3_600)).status).toBe(200);
    expect((await signed(3_600, ago(59))).status).toBe(200);
    expect(await codeOf(signed(3_601))).toBe('400 AuthorizationQueryParametersError');
    expect(await codeOf(signed(604_800))).toBe('400 AuthorizationQueryParametersError');
    expect(await codeOf(signed(3_600, ago(61)))).toBe('403 AccessDenied');
    expect(await codeOf(signed(3_600, ago(-60)))).toBe('403 RequestTimeTooSkewed');
    const own = (await reader.sign(`${url('own/a.txt')}?X-Amz-Expires=60`, { aws: { signQuery: true } })).url;
    for (const changed of [own.replace('a.txt', 'b.txt'), own.replace('Expires=60', 'Expires=600'), `${own}&x-id=1`])
      expect(await codeOf(fetch(changed))).toBe('403 SignatureDoesNotMatch');
  });

  test('a request from another time, or with a changed header or body', async () => {
    const client = operator();
    const signed = await client.sign(url('own/b.txt'), {
      method: 'PUT',
      body: 'one',
      headers: { 'x-amz-meta-a': '1' },
    });
    const send = (headers: Record<string, string>, body = 'one') =>
      fetch(signed.url, { method: 'PUT', headers: { ...Object.fromEntries(signed.headers), ...headers }, body });
    expect(await codeOf(send({ 'x-amz-meta-a': '2' }))).toBe('403 SignatureDoesNotMatch');
    expect(await codeOf(send({ 'x-amz-meta-b': '2' }))).toBe('403 AccessDenied');
    expect(await codeOf(fetch(signed.url, { method: 'GET', headers: signed.headers }))).toBe(
      '403 SignatureDoesNotMatch',
    );
    const late = { aws: { datetime: '20200101T000000Z' } };
    expect(await codeOf(client.fetch(url('own/b.txt'), late))).toBe('403 RequestTimeTooSkewed');
    const sum = { 'x-amz-content-sha256': '0'.repeat(64) };
    expect(await codeOf(client.fetch(url('own/b.txt'), { method: 'PUT', body: 'one', headers: sum }))).toBe(
      '400 XAmzContentSHA256Mismatch',
    );
    const md5 = { 'content-md5': 'AAAAAAAAAAAAAAAAAAAAAA==' };
    expect(await codeOf(client.fetch(url('own/b.txt'), { method: 'PUT', body: 'one', headers: md5 }))).toBe(
      '400 BadDigest',
    );
    expect(await served.store.head({ bucket: BUCKET, key: 'own/b.txt' })).toBeNull();
  });

  test('unsupported parts of the protocol are reported as such', async () => {
    const client = operator();
    expect(await codeOf(client.fetch(`${url('own/a.txt')}?torrent`))).toBe('501 NotImplemented');
    expect(await codeOf(client.fetch(url('none.txt')))).toBe('404 NoSuchKey');
    expect(await codeOf(client.fetch(url('x'.repeat(1_025))))).toBe('400 KeyTooLongError');
    expect(await codeOf(client.fetch(url('own/a.txt'), { headers: { range: 'bytes=100-' } }))).toBe('416 InvalidRange');
    const bomb = `<!DOCTYPE x [<!ENTITY a "b">]><Delete><Object><Key>&a;</Key></Object></Delete>`;
    const posted = client.fetch(`${served.endpoint}/${BUCKET}?delete`, { method: 'POST', body: bomb });
    expect(await codeOf(posted)).toBe('400 MalformedXML');
  });
});

describe('limits for writing', () => {
  const limits = { objectBytes: 1_000, quotas: [{ prefix: 'limited/', bytes: 2_500, objects: 3 }] };

  test('an object is within its limit, and the prefix within its own, also for concurrent uploads', async () => {
    const writer = await holderOf({ mode: 'write', prefixes: ['limited/'], limits });
    const write = (name: string, bytes: number) =>
      writer.fetch(url(`limited/${name}`), { method: 'PUT', body: new Uint8Array(bytes) });
    expect(await codeOf(write('large', 1_001))).toBe('400 EntityTooLarge');
    const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => write(`one-${index}`, 700)));
    const stored = answers.filter(({ status }) => status === 200).length;
    expect(stored).toBeLessThanOrEqual(3);
    expect(new Set(answers.map(({ status }) => status))).toEqual(stored === 0 ? new Set([403]) : new Set([200, 403]));
    for (let index = 0; index < 4; index += 1) await write(`then-${index}`, 100);
    expect(await codeOf(write('more', 10))).toBe('403 QuotaExceeded');
  });

  test('parts count together', async () => {
    const writer = await holderOf({ mode: 'write', prefixes: ['parts/'], limits: { objectBytes: 1_000, quotas: [] } });
    const begun = await writer.fetch(`${url('parts/a')}?uploads`, { method: 'POST' });
    const id = /<UploadId>(.+)<\/UploadId>/.exec(await begun.text())?.[1];
    const part = (number: number) =>
      writer.fetch(`${url('parts/a')}?partNumber=${number}&uploadId=${id}`, {
        method: 'PUT',
        body: new Uint8Array(600),
      });
    expect((await part(1)).status).toBe(200);
    expect((await part(1)).status).toBe(200);
    expect(await codeOf(part(2))).toBe('400 EntityTooLarge');
  });

  test('a request that declares fewer bytes than it sends stores nothing', async () => {
    const signed = await operator().sign(url('own/short.txt'), { method: 'PUT', body: 'abcdef' });
    const headers = { ...Object.fromEntries(signed.headers), 'x-amz-decoded-content-length': '3' };
    expect(await codeOf(fetch(signed.url, { method: 'PUT', headers, body: 'abcdef' }))).toBe('403 AccessDenied');
    const declared = { 'x-amz-decoded-content-length': '3' };
    expect(
      await codeOf(operator().fetch(url('own/short.txt'), { method: 'PUT', body: 'abcdef', headers: declared })),
    ).toBe('400 IncompleteBody');
    expect(await served.store.head({ bucket: BUCKET, key: 'own/short.txt' })).toBeNull();
  });

  test('of many concurrent first writes of a key, one succeeds', async () => {
    const write = (body: string) =>
      operator().fetch(url('own/new.txt'), { method: 'PUT', body, headers: { 'if-none-match': '*' } });
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map(write));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412]);
  });

  test('a connection that is lost during an upload leaves no object, and no incomplete file', async () => {
    const signed = await operator().sign(url('own/broken.bin'), { method: 'PUT', body: new Uint8Array(5_000_000) });
    const { hostname, port, pathname } = new URL(signed.url);
    const head = [...signed.headers].map(([name, value]) => `${name}: ${value}`).join('\r\n');
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.write(`PUT ${pathname} HTTP/1.1\r\nhost: ${hostname}:${port}\r\n${head}\r\ncontent-length: 5000000\r\n\r\n`);
    socket.write(randomBytes(1_000_000));
    const incoming = () => readdir(join(served.folder, '.incoming'));
    await vi.waitFor(async () => expect(await incoming()).toHaveLength(1), { timeout: 30_000 });
    socket.destroy();
    await vi.waitFor(async () => expect(await incoming()).toEqual([]), { timeout: 30_000 });
    expect(await served.store.head({ bucket: BUCKET, key: 'own/broken.bin' })).toBeNull();
  });

  test('incomplete files of a killed process are removed at the next start; its stored objects exist', async () => {
    const other = await serveEmbeddedStore();
    const place = { bucket: BUCKET, key: 'kept.txt' };
    await other.store.put(place, Buffer.from('kept'), { contentType: 'text/plain' });
    const disk = await openDisk(other.folder, [BUCKET], objectIndex(other.db));
    const half = await disk.draft(10);
    await half.write(Buffer.from('half'));
    expect(await readdir(join(other.folder, '.incoming'))).toHaveLength(1);
    const again = await openDisk(other.folder, [BUCKET], objectIndex(other.db));
    expect(await readdir(join(other.folder, '.incoming'))).toEqual([]);
    expect(await again.head(place)).toMatchObject({ size: 4 });
    await half.discard();
    await other.stop();
  });
});

describe('responses to tools and browsers', () => {
  test('an uploaded file never runs as a page of the product', async () => {
    await served.store.put({ bucket: BUCKET, key: 'own/x.html' }, Buffer.from('<script>alert(1)</script>'), {
      contentType: 'text/html',
    });
    const answer = await (await holderOf({})).fetch(url('own/x.html'));
    expect(answer.headers.get('content-security-policy')).toContain('sandbox');
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  test('a download has the name in its signed URL; an unchanged object is not sent again', async () => {
    await put('own/a.txt');
    const reader = await holderOf({});
    const target = new URL(url('own/a.txt'));
    target.searchParams.set('X-Amz-Expires', '60');
    target.searchParams.set('response-content-disposition', `attachment; filename*=UTF-8''%E7%AB%99.txt`);
    const { url: signed } = await reader.sign(target, { aws: { signQuery: true } });
    const first = await fetch(signed);
    expect(first.headers.get('content-disposition')).toBe(`attachment; filename*=UTF-8''%E7%AB%99.txt`);
    const etag = first.headers.get('etag') ?? '';
    expect((await fetch(signed, { headers: { 'if-none-match': etag } })).status).toBe(304);
    expect((await fetch(signed, { headers: { range: 'bytes=-3' } })).headers.get('content-range')).toBe('bytes 4-6/7');
    const head = await reader.fetch(url('own/a.txt'), { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '7']);
  });

  test('AWS’s own client streams in chunks, lists in pages, and deletes several objects', async () => {
    const client = new S3Client({
      endpoint: served.endpoint,
      region: 'oss-cn-hongkong',
      credentials: OPERATOR,
      forcePathStyle: true,
    });
    const content = randomBytes(300_000);
    for (const name of ['a', 'b', 'c/d']) {
      const Body = Readable.from([content.subarray(0, 100_000), content.subarray(100_000)]);
      const Key = `sdk/${name}`;
      await client.send(new PutObjectCommand({ Bucket: BUCKET, Key, Body, ContentLength: 300_000 }));
      const found = await served.store.read({ bucket: BUCKET, key: Key });
      expect(Buffer.concat((await found?.body.toArray()) ?? []).equals(content)).toBe(true);
    }
    const page = await client.send(
      new ListObjectsV2Command({ Bucket: BUCKET, Prefix: 'sdk/', Delimiter: '/', MaxKeys: 2 }),
    );
    expect(page).toMatchObject({ IsTruncated: true, KeyCount: 2, Contents: [{ Key: 'sdk/a' }, { Key: 'sdk/b' }] });
    const rest = await client.send(
      new ListObjectsV2Command({
        Bucket: BUCKET,
        Prefix: 'sdk/',
        Delimiter: '/',
        ContinuationToken: page.NextContinuationToken,
      }),
    );
    expect(rest).toMatchObject({ IsTruncated: false, CommonPrefixes: [{ Prefix: 'sdk/c/' }] });
    const Objects = ['sdk/a', 'sdk/b', 'sdk/none'].map((Key) => ({ Key }));
    await client.send(new DeleteObjectsCommand({ Bucket: BUCKET, Delete: { Objects } }));
    const left = await client.send(new ListObjectsV2Command({ Bucket: BUCKET, Prefix: 'sdk/' }));
    expect(left.Contents?.map(({ Key }) => Key)).toEqual(['sdk/c/d']);
    client.destroy();
  });

  test('signed chunks are accepted only with valid signatures', async () => {
    const good = await chunked(url('own/chunks.txt'), OPERATOR, ['first', 'second']);
    expect((await fetch(good.url, good.init)).status).toBe(200);
    const found = await served.store.read({ bucket: BUCKET, key: 'own/chunks.txt' });
    expect(Buffer.concat((await found?.body.toArray()) ?? []).toString()).toBe('firstsecond');
    const bad = await chunked(url('own/forged.txt'), OPERATOR, ['first', 'second']);
    const body = String(bad.init.body).replace('second', 'sEcond');
    expect(await codeOf(fetch(bad.url, { ...bad.init, body }))).toBe('403 SignatureDoesNotMatch');
    expect(await served.store.head({ bucket: BUCKET, key: 'own/forged.txt' })).toBeNull();
  });
});
