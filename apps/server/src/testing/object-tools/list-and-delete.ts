import { createHash } from 'node:crypto';
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { describe, expect, test } from 'vitest';
import { type Deviation, refusalOf, type StoreUnderTest, toolsClient } from './tools-client.ts';

/** Names that imprecise encoding of URLs and XML breaks. */
export const NAMES = [
  'plain.txt',
  'two words.txt',
  'a+b.txt',
  'a&b.txt',
  'quo"te.txt',
  "apo'strophe.txt",
  '100%.txt',
  '%41.txt',
  '<tag>.txt',
  '&#34;.txt',
  'semi;colon=and,comma.txt',
  'question?.txt',
  'hash#.txt',
  'UPPER.TXT',
  '充电站/照片.png',
  'محطة الشحن.txt',
  'зарядка.txt',
  'ჭ-ภาษาไทย-हिन्दी.txt',
  '🔋⚡.txt',
  'e\u0301.txt',
  '..',
  'a//b',
  'ص'.repeat(200),
  'A'.repeat(300),
].toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));

/** Listing keys and deleting several keys. */
export function toolsListAndDelete(under: () => StoreUnderTest, deviations: Deviation[]): void {
  describe('for tools: lists', () => {
    const client = toolsClient(under);
    const fill = async (keys: string[]) => {
      const { s3, bucket } = client();
      for (const Key of keys) await s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body: Key }));
    };
    const listed = async (Prefix: string) => {
      const { s3, bucket } = client();
      const page = await s3.send(new ListObjectsV2Command({ Bucket: bucket, Prefix, EncodingType: 'url' }));
      return (page.Contents ?? []).map(({ Key = '' }) => decodeURIComponent(Key.replaceAll('+', ' ')));
    };

    test('keys in many scripts are stored, listed, read and deleted', async () => {
      const { s3, bucket, fresh } = client();
      const folder = fresh();
      const keys = NAMES.map((name) => folder + name);
      await fill(keys);
      expect(await listed(folder)).toEqual(keys);
      const plain = await s3.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: folder }));
      expect(plain.Contents?.map(({ Key }) => Key)).toEqual(keys);
      for (const Key of keys) {
        const found = await s3.send(new GetObjectCommand({ Bucket: bucket, Key }));
        expect(await found.Body?.transformToString()).toBe(Key);
      }
      const Objects = keys.map((Key) => ({ Key }));
      const { Deleted = [], Errors } = await s3.send(new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects } }));
      expect(Errors).toBeUndefined();
      expect(Deleted.map(({ Key }) => Key).toSorted()).toEqual(keys.toSorted());
      expect(await listed(folder)).toEqual([]);
    });

    test('keys are deleted in any encoding of the request’s XML', async () => {
      const { fetch, url, fresh } = client();
      const folder = fresh();
      const written: [string, string][] = [
        ['a"b', 'a&#34;b'],
        ['a"c', 'a&#x22;c'],
        ['a"d', 'a&quot;d'],
        ['电', '&#x7535;'],
        ['🔋', '&#128267;'],
        ['<&>', '<![CDATA[<&>]]>'],
        ['&#34;', '&amp;#34;'],
        ['kept', 'not-kept'],
      ];
      await fill(written.map(([key]) => folder + key));
      const objects = written.map(([, text]) => `<Object><Key>${folder}${text}</Key></Object>`);
      const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Delete xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${objects.join('\n')}</Delete>`;
      const md5 = createHash('md5').update(body).digest('base64');
      const answer = await fetch(`${url('')}?delete`, { method: 'POST', body, headers: { 'content-md5': md5 } });
      expect(answer.status).toBe(200);
      expect(await listed(folder)).toEqual([`${folder}kept`]);
    });

    test('a list has pages, with either version of the call', async () => {
      const { s3, bucket, fresh } = client();
      const folder = fresh();
      const keys = ['a', 'b/1', 'b/2', 'c', 'd/1', 'e'].map((name) => folder + name);
      await fill(keys);
      const options = { Bucket: bucket, Prefix: folder, MaxKeys: 2 };
      const byToken = async (Delimiter?: string) => {
        const pages: string[][] = [];
        let ContinuationToken: string | undefined;
        do {
          const page = await s3.send(new ListObjectsV2Command({ ...options, Delimiter, ContinuationToken }));
          pages.push(namesIn(page, folder));
          expect(page.KeyCount).toBe(pages.at(-1)?.length);
          ContinuationToken = page.NextContinuationToken;
          expect(page.IsTruncated).toBe(ContinuationToken !== undefined);
        } while (ContinuationToken !== undefined);
        return pages;
      };
      const byMarker = async (Delimiter?: string) => {
        const pages: string[][] = [];
        for (let Marker: string | undefined, more: boolean | undefined = true; more; ) {
          const page = await s3.send(new ListObjectsCommand({ ...options, Delimiter, Marker }));
          pages.push(namesIn(page, folder));
          more = page.IsTruncated;
          Marker = page.NextMarker ?? page.Contents?.at(-1)?.Key;
        }
        return pages;
      };
      for (const pages of [byToken, byMarker]) {
        expect(await pages()).toEqual([
          ['a', 'b/1'],
          ['b/2', 'c'],
          ['d/1', 'e'],
        ]);
        expect(await pages('/')).toEqual([['a', 'b/'], ['c', 'd/'], ['e']]);
      }
      const after = await s3.send(new ListObjectsV2Command({ ...options, StartAfter: `${folder}b/2` }));
      expect(namesIn(after, folder)).toEqual(['c', 'd/1']);
      const none = await s3.send(new ListObjectsV2Command({ ...options, MaxKeys: 0 }));
      expect([namesIn(none, folder), none.IsTruncated]).toEqual([[], false]);
    });

    test('any text can be a delimiter', async () => {
      const { s3, bucket, fresh } = client();
      const folder = fresh();
      await fill(['a-b-1', 'a-b-2', 'a-c', 'a/站b', 'b::1', 'b::2', 'c站1', 'c站2'].map((name) => folder + name));
      const list = async (Delimiter: string, prefix = '') =>
        namesIn(
          await s3.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: folder + prefix, Delimiter })),
          folder,
        );
      expect(await list('-')).toEqual(['a-', 'a/站b', 'b::1', 'b::2', 'c站1', 'c站2']);
      expect(await list('-', 'a-')).toEqual(['a-b-', 'a-c']);
      expect(await list('::')).toEqual(['a-b-1', 'a-b-2', 'a-c', 'a/站b', 'b::', 'c站1', 'c站2']);
      expect(await list('站')).toEqual(['a-b-1', 'a-b-2', 'a-c', 'a/站', 'b::1', 'b::2', 'c站']);
      expect(await list('none')).toHaveLength(8);
    });

    test.skipIf(deviations.includes('negativePage'))('a negative page size is refused', async () => {
      const { s3, bucket } = client();
      const list = s3.send(new ListObjectsV2Command({ Bucket: bucket, MaxKeys: -1 }));
      expect(await refusalOf(list)).toBe('400 InvalidArgument');
    });
  });
}

/** Keys and common prefixes of a page, in order, without their common folder. */
function namesIn(
  page: { Contents?: { Key?: string }[] | undefined; CommonPrefixes?: { Prefix?: string }[] | undefined },
  folder: string,
): string[] {
  const keys = (page.Contents ?? []).map(({ Key = '' }) => Key);
  const prefixes = (page.CommonPrefixes ?? []).map(({ Prefix = '' }) => Prefix);
  return [...keys, ...prefixes]
    .toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .map((name) => name.slice(folder.length));
}
