import { randomBytes } from 'node:crypto';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListPartsCommand,
  PutObjectCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { describe, expect, test } from 'vitest';
import { type Deviation, refusalOf, type StoreUnderTest, toolsClient } from './tools-client.ts';

/** The minimum size of all parts except the last. Bytes. */
const PART = 5 * 1024 * 1024;

/** Multipart uploads. */
export function toolsUploadInParts(under: () => StoreUnderTest, deviations: Deviation[]): void {
  describe('for tools: multipart uploads', () => {
    const client = toolsClient(under);
    const begin = async (Key: string) => {
      const { s3, bucket } = client();
      const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ Bucket: bucket, Key }));
      const of = { Bucket: bucket, Key, UploadId };
      return {
        of,
        part: async (PartNumber: number, Body: Uint8Array) =>
          (await s3.send(new UploadPartCommand({ ...of, PartNumber, Body }))).ETag ?? '',
        complete: (parts: [number, string][]) => {
          const Parts = parts.map(([PartNumber, ETag]) => ({ PartNumber, ETag }));
          return refusalOf(s3.send(new CompleteMultipartUploadCommand({ ...of, MultipartUpload: { Parts } })));
        },
        abort: () => s3.send(new AbortMultipartUploadCommand(of)),
      };
    };

    test.skipIf(deviations.includes('orderOfParts'))('the parts must be listed in order', async () => {
      const upload = await begin(`${client().fresh()}a.bin`);
      const one = await upload.part(1, randomBytes(PART));
      const two = await upload.part(2, randomBytes(1_000));
      const refused: [string, [number, string][]][] = [
        [
          'in the wrong order',
          [
            [2, two],
            [1, one],
          ],
        ],
        [
          'one part twice',
          [
            [1, one],
            [1, one],
          ],
        ],
      ];
      for (const [title, parts] of refused) expect(await upload.complete(parts), title).toBe('400 InvalidPartOrder');
    });

    test('the parts must be listed with their own ETags, and be large enough', async () => {
      const { s3, bucket, fresh } = client();
      const Key = `${fresh()}a.bin`;
      const upload = await begin(Key);
      const [first, second] = [randomBytes(PART), randomBytes(1_000)];
      const one = await upload.part(1, first);
      const two = await upload.part(2, second);
      const refused: [string, [number, string][], RegExp][] = [
        [
          'the ETag of another part',
          [
            [1, two],
            [2, one],
          ],
          /^400 InvalidPart$/,
        ],
        [
          'the ETag of nothing',
          [
            [1, `"${'0'.repeat(32)}"`],
            [2, two],
          ],
          /^400 InvalidPart$/,
        ],
        [
          'a part that was never sent',
          [
            [1, one],
            [3, two],
          ],
          /^400 InvalidPart$/,
        ],
        ['no parts', [], /^400 (MalformedXML|InvalidRequest)$/],
      ];
      for (const [title, parts, code] of refused) expect(await upload.complete(parts), title).toMatch(code);
      expect(await refusalOf(s3.send(new HeadObjectCommand({ Bucket: bucket, Key })))).toMatch(/^404/);
      // A part that is sent again replaces the previous one.
      await upload.part(1, randomBytes(PART));
      expect(
        await upload.complete([
          [1, one],
          [2, two],
        ]),
      ).toBe('400 InvalidPart');
      const small = await upload.part(1, second);
      expect(
        await upload.complete([
          [1, small],
          [2, two],
        ]),
      ).toBe('400 EntityTooSmall');
      expect(await upload.part(1, first)).toBe(one);
      expect(
        await upload.complete([
          [1, one],
          [2, two],
        ]),
      ).toBe('ok');
      const found = await s3.send(new GetObjectCommand({ Bucket: bucket, Key }));
      const bytes = Buffer.from((await found.Body?.transformToByteArray()) ?? []);
      expect(bytes.equals(Buffer.concat([first, second]))).toBe(true);
      expect(found.ETag).toMatch(/^"[0-9a-f]{32}-2"$/);
    });

    test('parts can be copied from stored objects', async () => {
      const { s3, bucket, fresh } = client();
      const folder = fresh();
      const content = randomBytes(PART + 1_000);
      await s3.send(new PutObjectCommand({ Bucket: bucket, Key: `${folder}源 +.bin`, Body: content }));
      const CopySource = `${bucket}/${folder}${encodeURIComponent('源 +.bin')}`;
      const upload = await begin(`${folder}b.bin`);
      const copy = async (PartNumber: number, CopySourceRange?: string) => {
        const answer = await s3.send(
          new UploadPartCopyCommand({ ...upload.of, PartNumber, CopySource, CopySourceRange }),
        );
        return answer.CopyPartResult?.ETag ?? '';
      };
      const one = await copy(1);
      const two = await copy(2, 'bytes=10-19');
      expect(await refusalOf(copy(3, `bytes=0-${content.length}`))).toMatch(/^4(00 InvalidArgument|16 InvalidRange)$/);
      expect(
        await upload.complete([
          [1, one],
          [2, two],
        ]),
      ).toBe('ok');
      const found = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: `${folder}b.bin` }));
      const bytes = Buffer.from((await found.Body?.transformToByteArray()) ?? []);
      expect(bytes.equals(Buffer.concat([content, content.subarray(10, 20)]))).toBe(true);
    });

    test('running uploads and their parts are listed in pages', async () => {
      const { s3, bucket, fresh } = client();
      const folder = fresh();
      const uploads = [];
      for (const name of ['a', 'b/1', 'b/2', 'c&"']) uploads.push(await begin(folder + name));
      const list = (more: object = {}) =>
        s3.send(new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: folder, ...more }));
      const all = await list();
      expect(all.Uploads?.map(({ Key }) => Key)).toEqual(['a', 'b/1', 'b/2', 'c&"'].map((name) => folder + name));
      expect(all.Uploads?.map(({ UploadId }) => UploadId)).toEqual(uploads.map(({ of }) => of.UploadId));
      expect(all.IsTruncated).toBe(false);
      if (!deviations.includes('prefixesOfUploads')) {
        const divided = await list({ Delimiter: '/' });
        expect(divided.Uploads?.map(({ Key }) => Key)).toEqual(['a', 'c&"'].map((name) => folder + name));
        expect(divided.CommonPrefixes).toEqual([{ Prefix: `${folder}b/` }]);
      }
      const first = await list({ MaxUploads: 3 });
      expect([first.IsTruncated, first.Uploads?.length]).toEqual([true, 3]);
      const rest = await list({ KeyMarker: first.NextKeyMarker, UploadIdMarker: first.NextUploadIdMarker });
      expect(rest.Uploads?.map(({ Key }) => Key)).toEqual([`${folder}c&"`]);

      const [upload] = uploads;
      if (!upload) throw new Error('no upload was begun');
      for (const number of [1, 2, 10]) await upload.part(number, randomBytes(number));
      const page = await s3.send(new ListPartsCommand({ ...upload.of, MaxParts: 2 }));
      expect(page).toMatchObject({
        IsTruncated: true,
        Parts: [
          { PartNumber: 1, Size: 1 },
          { PartNumber: 2, Size: 2 },
        ],
      });
      const last = await s3.send(new ListPartsCommand({ ...upload.of, PartNumberMarker: page.NextPartNumberMarker }));
      expect(last).toMatchObject({ IsTruncated: false, Parts: [{ PartNumber: 10, Size: 10 }] });
      for (const one of uploads) await one.abort();
      expect((await list()).Uploads).toBeUndefined();
      const code = deviations.includes('partsOfEndedUpload') ? /^404 / : /^404 NoSuchUpload$/;
      expect(await refusalOf(s3.send(new ListPartsCommand(upload.of)))).toMatch(code);
    });
  });
}
