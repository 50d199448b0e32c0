import {
  CopyObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListBucketsCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { describe, expect, test } from 'vitest';
import { type Deviation, refusalOf, type StoreUnderTest, toolsClient } from './tools-client.ts';

const HOUR = 3_600_000;
const ago = (ms: number) => new Date(Date.now() - ms);

/** Reading, writing and copying one object, with conditions. */
export function toolsReadAndWrite(under: () => StoreUnderTest, deviations: Deviation[]): void {
  describe('for tools: objects', () => {
    const client = toolsClient(under);
    const stored = async (key: string, Body = 'first', more: object = {}) => {
      const { s3, bucket } = client();
      const { ETag = '' } = await s3.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body, ...more }));
      return ETag;
    };
    const textOf = async (key: string) => {
      const { s3, bucket } = client();
      return await (await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }))).Body?.transformToString();
    };

    test('the buckets are listed', async () => {
      const { Buckets = [] } = await client().s3.send(new ListBucketsCommand({}));
      expect(Buckets.map(({ Name }) => Name)).toEqual(['chargehand', 'chargehand-firmware']);
    });

    test('a read follows the conditions of its request', async () => {
      const { s3, bucket, fresh } = client();
      const Key = `${fresh()}a.txt`;
      const etag = await stored(Key);
      const cases: [object, string][] = [
        [{ IfMatch: etag }, 'ok'],
        [{ IfMatch: '"other"' }, '412 PreconditionFailed'],
        [{ IfNoneMatch: '"other"' }, 'ok'],
        [{ IfNoneMatch: etag }, '304'],
        [{ IfModifiedSince: ago(HOUR) }, 'ok'],
        [{ IfModifiedSince: new Date() }, '304'],
        [{ IfUnmodifiedSince: ago(HOUR) }, '412 PreconditionFailed'],
        [{ IfUnmodifiedSince: new Date() }, 'ok'],
        // An ETag takes precedence over a date.
        [{ IfMatch: etag, IfUnmodifiedSince: ago(HOUR) }, 'ok'],
        [{ IfNoneMatch: etag, IfModifiedSince: ago(HOUR) }, '304'],
      ];
      // Conditions on dates have a resolution of a second, so the object must be older than the compared time by more
      // than that.
      const { LastModified = new Date() } = await s3.send(new HeadObjectCommand({ Bucket: bucket, Key }));
      await expect.poll(() => Date.now() - LastModified.getTime()).toBeGreaterThan(1_000);
      for (const [conditions, expected] of cases) {
        const title = JSON.stringify(conditions);
        const got = await refusalOf(s3.send(new GetObjectCommand({ Bucket: bucket, Key, ...conditions })));
        expect(got.startsWith('304') ? '304' : got, `GET ${title}`).toBe(expected);
        const head = await refusalOf(s3.send(new HeadObjectCommand({ Bucket: bucket, Key, ...conditions })));
        expect(head.slice(0, 3), `HEAD ${title}`).toBe(expected.slice(0, 3));
      }
    });

    test('a write that expects another version, or none, changes nothing', async () => {
      const { s3, bucket, fresh } = client();
      const Key = `${fresh()}a.txt`;
      const put = (conditions: object) =>
        refusalOf(s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body: 'second', ...conditions })));
      expect(await put({ IfMatch: '"none"' })).toMatch(/^(404 NoSuchKey|412 PreconditionFailed)$/);
      await stored(Key);
      expect(await put({ IfMatch: '"other"' })).toBe('412 PreconditionFailed');
      expect(await put({ IfNoneMatch: '*' })).toBe('412 PreconditionFailed');
      expect(await textOf(Key)).toBe('first');
    });

    test.skipIf(deviations.includes('ifMatchOfPut'))(
      'a write that expects the stored version replaces it',
      async () => {
        const { s3, bucket, fresh } = client();
        const Key = `${fresh()}a.txt`;
        const IfMatch = await stored(Key);
        const put = (Body: string) => refusalOf(s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body, IfMatch })));
        expect(await put('second')).toBe('ok');
        expect(await textOf(Key)).toBe('second');
        expect(await put('third')).toBe('412 PreconditionFailed');
        expect(await textOf(Key)).toBe('second');
      },
    );

    test.skipIf(deviations.includes('copyConditions'))('a copy follows the conditions on its source', async () => {
      const { s3, bucket, fresh } = client();
      const folder = fresh();
      const etag = await stored(`${folder}a.txt`);
      const copy = (conditions: object) =>
        refusalOf(
          s3.send(
            new CopyObjectCommand({
              Bucket: bucket,
              Key: `${folder}b.txt`,
              CopySource: `${bucket}/${folder}a.txt`,
              ...conditions,
            }),
          ),
        );
      for (const refused of [
        { CopySourceIfMatch: '"other"' },
        { CopySourceIfNoneMatch: etag },
        { CopySourceIfUnmodifiedSince: ago(HOUR) },
      ])
        expect(await copy(refused), JSON.stringify(refused)).toBe('412 PreconditionFailed');
      expect(await refusalOf(textOf(`${folder}b.txt`))).toBe('404 NoSuchKey');
      for (const accepted of [
        { CopySourceIfMatch: etag },
        { CopySourceIfNoneMatch: '"other"' },
        { CopySourceIfModifiedSince: ago(HOUR) },
      ])
        expect(await copy(accepted), JSON.stringify(accepted)).toBe('ok');
      expect(await textOf(`${folder}b.txt`)).toBe('first');
    });

    test('a copy keeps the metadata, or replaces all of it', async () => {
      const { s3, bucket, fresh } = client();
      const folder = fresh();
      const [from, to] = [`${folder}充电 +&.txt`, `${folder}copy.txt`];
      const kept = { ContentType: 'text/plain', CacheControl: 'no-store', ContentLanguage: 'zh', Metadata: { a: '1' } };
      await stored(from, 'text', kept);
      const source = `${bucket}/${from.split('/').map(encodeURIComponent).join('/')}`;
      const copy = (Key: string, more: object = {}) =>
        s3.send(new CopyObjectCommand({ Bucket: bucket, Key, CopySource: source, ...more }));
      const facts = (Key: string) => s3.send(new HeadObjectCommand({ Bucket: bucket, Key }));
      // Metadata without REPLACE is ignored.
      await copy(to, { ContentType: 'text/html', Metadata: { b: '2' } });
      expect(await facts(to)).toMatchObject(kept);
      expect((await facts(to)).Metadata).toEqual({ a: '1' });
      await copy(to, { MetadataDirective: 'REPLACE', ContentType: 'text/css', Metadata: { b: '2' } });
      expect(await facts(to)).toMatchObject({ ContentType: 'text/css', Metadata: { b: '2' }, ContentLength: 4 });
      expect((await facts(to)).Metadata).toEqual({ b: '2' });
      expect((await facts(to)).CacheControl).toBeUndefined();
      expect(await refusalOf(copy(from))).toBe('400 InvalidRequest');
      await copy(from, { MetadataDirective: 'REPLACE', Metadata: { c: '3' } });
      expect((await facts(from)).Metadata).toEqual({ c: '3' });
      expect(await textOf(from)).toBe('text');
    });

    test('a download has the headers that its request specifies', async () => {
      const { s3, bucket, fresh } = client();
      const Key = `${fresh()}a.txt`;
      await stored(Key);
      const answer = await s3.send(
        new GetObjectCommand({
          Bucket: bucket,
          Key,
          ResponseCacheControl: 'no-cache',
          ResponseContentDisposition: 'attachment; filename="b.txt"',
          ResponseContentLanguage: 'ar',
          ResponseContentType: 'text/csv',
          ResponseExpires: new Date(0),
        }),
      );
      expect(answer).toMatchObject({
        CacheControl: 'no-cache',
        ContentDisposition: 'attachment; filename="b.txt"',
        ContentLanguage: 'ar',
        ContentType: 'text/csv',
        ExpiresString: 'Thu, 01 Jan 1970 00:00:00 GMT',
      });
    });

    test('a range of an object can be requested', async () => {
      const { s3, bucket, fresh } = client();
      const Key = `${fresh()}a.txt`;
      await stored(Key, '0123456789');
      const get = async (Range: string) => {
        const found = await s3.send(new GetObjectCommand({ Bucket: bucket, Key, Range }));
        return `${found.$metadata.httpStatusCode} ${found.ContentRange} ${await found.Body?.transformToString()}`;
      };
      expect(await get('bytes=2-4')).toBe('206 bytes 2-4/10 234');
      expect(await get('bytes=7-')).toBe('206 bytes 7-9/10 789');
      expect(await get('bytes=7-99')).toBe('206 bytes 7-9/10 789');
      expect(await get('bytes=-3')).toBe('206 bytes 7-9/10 789');
      expect(await refusalOf(get('bytes=10-'))).toBe('416 InvalidRange');
    });
  });
}
