import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { AwsClient } from 'aws4fetch';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Grant, ListedObject, ObjectStore } from '../../platform/objects/store.ts';
import { toolsListAndDelete } from '../object-tools/list-and-delete.ts';
import { toolsReadAndWrite } from '../object-tools/read-and-write.ts';
import type { Deviation, StoreUnderTest } from '../object-tools/tools-client.ts';
import { toolsUploadInParts } from '../object-tools/upload-in-parts.ts';

/**
 * The requirements for every driver of the object store, for the server and for browsers with temporary credentials.
 */
export function objectStoreSuite(
  name: string,
  open: () => Promise<StoreUnderTest>,
  { forTools = false, deviations = [] }: { forTools?: boolean; deviations?: Deviation[] } = {},
): void {
  describe(name, () => {
    let under: StoreUnderTest;
    let store: ObjectStore;
    let bucket: string;
    beforeAll(async () => {
      under = await open();
      store = under.store;
      bucket = store.buckets.main;
    });
    afterAll(() => under.stop());

    const place = (key: string) => ({ bucket, key });
    const fresh = (folder: string) => `${folder}/${randomUUID()}/`;
    const bytesOf = async (key: string, range?: { first: number; last: number }) => {
      const found = await store.read(place(key), range);
      return found && Buffer.concat(await found.body.toArray());
    };
    const keysBelow = async (prefix: string) => {
      const found: ListedObject[] = [];
      for await (const one of store.list(bucket, prefix)) found.push(one);
      return found.map(({ key }) => key);
    };

    if (forTools) {
      toolsReadAndWrite(() => under, deviations);
      toolsListAndDelete(() => under, deviations);
      toolsUploadInParts(() => under, deviations);
    }

    describe('for the server', () => {
      test('an object is stored, read completely and in part, copied and removed', async () => {
        const folder = fresh('images');
        const key = `${folder}充电 +&%"<1>.png`;
        const content = randomBytes(100_000);
        const details = { contentType: 'image/png', contentDisposition: 'attachment; filename="a.png"' };
        await store.put(place(key), content, details);
        const facts = await store.head(place(key));
        expect(facts).toMatchObject({
          ...details,
          size: 100_000,
          etag: createHash('md5').update(content).digest('hex'),
        });
        expect(Date.now() - (facts?.modifiedAt.getTime() ?? 0)).toBeLessThan(600_000);
        expect(await bytesOf(key)).toEqual(content);
        expect(await bytesOf(key, { first: 10, last: 19 })).toEqual(content.subarray(10, 20));
        const first = await store.read(place(key), { first: 0, last: 0 });
        expect(first?.facts.size).toBe(100_000);
        first?.body.destroy();

        const written = `${folder}written.log`;
        const chunks = (broken: boolean) =>
          (async function* () {
            for (let start = 0; start < content.length; start += 30_000) yield content.subarray(start, start + 30_000);
            if (broken) throw new Error('the connection broke');
          })();
        await expect(store.write(place(written), chunks(true), details)).rejects.toThrow('the connection broke');
        expect(await store.head(place(written))).toBe(null);
        expect(await store.write(place(written), chunks(false), details)).toBe(content.length);
        expect(await bytesOf(written)).toEqual(content);
        expect(await store.head(place(written))).toMatchObject(details);
        await store.remove(place(written));

        const copy = `${folder}copy.png`;
        await store.copy(place(key), place(copy));
        await store.remove(place(key));
        await store.remove(place(key));
        expect(await store.head(place(key))).toBeNull();
        expect(await store.read(place(key))).toBeNull();
        expect(await bytesOf(copy)).toEqual(content);
        expect(await store.head(place(copy))).toMatchObject(details);
        await expect(store.copy(place(key), place(`${folder}x.png`))).rejects.toThrow();
      });

      test.each([
        ['short', 'b.png'],
        // Its path would be longer than file systems allow, so that the file has to contain it.
        ['long', `${'long/'.repeat(120)}b.png`],
      ])('an object is moved to a %s key, unless it was replaced or there is one', async (_, name) => {
        const folder = fresh('images');
        const [from, to] = [place(`${folder}a.png`), place(folder + name)];
        const details = { contentType: 'image/png', metadata: { origin: 'quay' } };
        await store.put(from, Buffer.from('first'), details);
        const former = (await store.head(from))!.etag;
        await store.put(from, Buffer.from('second'), details);
        const { etag } = (await store.head(from))!;
        expect(await store.move(from, to, former)).toBe(false);
        expect(await store.head(to)).toBeNull();
        expect(await Promise.all([store.move(from, to, etag), store.move(from, to, etag)])).toContain(true);
        expect(await store.head(from)).toBeNull();
        expect(await bytesOf(to.key)).toEqual(Buffer.from('second'));
        expect(await store.head(to)).toMatchObject({ ...details, size: 6 });
        expect(await keysBelow(folder)).toEqual([to.key]);
        expect(await store.move(from, to, etag)).toBe(false);
        await store.put(from, Buffer.from('second'), details);
        expect(await store.move(from, to, etag)).toBe(false);
        expect(await bytesOf(from.key)).toEqual(Buffer.from('second'));
      });

      test('a second write replaces the first, an object may be empty, and buckets are separate', async () => {
        const key = `${fresh('images')}a.txt`;
        await store.put(place(key), Buffer.from('first'), { contentType: 'text/plain' });
        await store.put(place(key), Buffer.alloc(0), { contentType: 'text/plain' });
        expect(await bytesOf(key)).toEqual(Buffer.alloc(0));
        expect(await store.head({ bucket: store.buckets.firmware, key })).toBeNull();
      });

      test('a list contains all keys with the prefix, in the order of their bytes, at any depth', async () => {
        const folder = fresh('list');
        const names = ['a', 'a-b', 'a/b/c', 'a/d', 'a0', 'B', '..', '../../x', 'é', '充电', 'z.object/y'];
        for (const name of names)
          await store.put(place(folder + name), Buffer.from(name), { contentType: 'text/plain' });
        const sorted = names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
        expect(await keysBelow(folder)).toEqual(sorted.map((name) => folder + name));
        expect(await keysBelow(`${folder}a`)).toEqual(['a', 'a-b', 'a/b/c', 'a/d', 'a0'].map((name) => folder + name));
        expect(await keysBelow(`${folder}a/`)).toEqual(['a/b/c', 'a/d'].map((name) => folder + name));
        expect(await keysBelow(`${folder}none`)).toEqual([]);
        expect(await bytesOf(`${folder}../../x`)).toEqual(Buffer.from('../../x'));
      });
    });

    describe('for browsers', () => {
      const url = (key: string, of = bucket) =>
        new URL(`${under.endpoint}/${of}/${key.split('/').map(encodeURIComponent).join('/')}`);
      const clientOf = async (grant: Partial<Grant>) => {
        const whole: Grant = { mode: 'read', bucket, prefixes: [], ...grant };
        const { accessKeyId, secretAccessKey, sessionToken } = await store.credentials(whole, 3_600);
        return new AwsClient({
          accessKeyId,
          secretAccessKey,
          sessionToken,
          region: store.region,
          service: 's3',
          retries: 0,
        });
      };
      const kept = async (folder: string) => {
        const key = `${folder}a.png`;
        await store.put(place(key), Buffer.from('picture'), { contentType: 'image/png' });
        return key;
      };

      test('write credentials upload an object with its name and type, which read credentials download with a signed URL', async () => {
        const folder = fresh('images');
        const key = `${folder}a b+c.png`;
        const writer = await clientOf({ mode: 'write', prefixes: [folder] });
        const headers = { 'content-type': 'image/png', 'content-disposition': 'attachment; filename="quay.png"' };
        expect((await writer.fetch(url(key), { method: 'PUT', body: 'picture', headers })).status).toBe(200);
        const reader = await clientOf({ prefixes: [folder] });
        const signed = url(key);
        signed.searchParams.set('X-Amz-Expires', '3600');
        const request = await reader.sign(signed, { aws: { signQuery: true } });
        const answer = await fetch(request.url, { headers: { range: 'bytes=0-3' } });
        expect(answer.status).toBe(206);
        expect(answer.headers.get('content-type')).toBe('image/png');
        expect(answer.headers.get('content-disposition')).toBe('attachment; filename="quay.png"');
        expect(answer.headers.get('content-range')).toBe('bytes 0-3/7');
        expect(await answer.text()).toBe('pict');
      });

      test('a multipart upload appears only when it is completed', async () => {
        const folder = fresh('document');
        const key = `${folder}film.mp4`;
        const writer = await clientOf({ mode: 'write', prefixes: [folder] });
        const begun = await writer.fetch(`${url(key)}?uploads`, {
          method: 'POST',
          headers: { 'content-type': 'video/mp4' },
        });
        const id = /<UploadId>(.+)<\/UploadId>/.exec(await begun.text())?.[1] ?? '';
        const parts = [randomBytes(5 * 1024 * 1024), randomBytes(1_000)];
        const tags: (string | null)[] = [];
        for (const [index, body] of parts.entries()) {
          const target = `${url(key)}?partNumber=${index + 1}&uploadId=${encodeURIComponent(id)}`;
          tags.push((await writer.fetch(target, { method: 'PUT', body })).headers.get('etag'));
        }
        expect(await store.head(place(key))).toBeNull();
        const list = tags.map((tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tag}</ETag></Part>`);
        const body = `<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`;
        const done = await writer.fetch(`${url(key)}?uploadId=${encodeURIComponent(id)}`, { method: 'POST', body });
        expect(await done.text()).toContain('CompleteMultipartUploadResult');
        expect(await bytesOf(key)).toEqual(Buffer.concat(parts));
        expect(await store.head(place(key))).toMatchObject({ contentType: 'video/mp4' });
      });

      test('an upload that is aborted or abandoned leaves nothing', async () => {
        const folder = fresh('document');
        const writer = await clientOf({ mode: 'write', prefixes: [folder] });
        const begin = async (key: string) => {
          const answer = await writer.fetch(`${url(key)}?uploads`, { method: 'POST' });
          const id = /<UploadId>(.+)<\/UploadId>/.exec(await answer.text())?.[1] ?? '';
          const target = `${url(key)}?partNumber=1&uploadId=${encodeURIComponent(id)}`;
          expect((await writer.fetch(target, { method: 'PUT', body: 'part' })).status).toBe(200);
          return { id, target };
        };
        const one = await begin(`${folder}a.mp4`);
        const gone = await writer.fetch(`${url(`${folder}a.mp4`)}?uploadId=${encodeURIComponent(one.id)}`, {
          method: 'DELETE',
        });
        expect(gone.status).toBe(204);
        const other = await begin(`${folder}b.mp4`);
        await store.abandonUploads(new Date(Date.now() + 60_000));
        for (const { target } of [one, other])
          expect((await writer.fetch(target, { method: 'PUT', body: 'part' })).status).toBe(404);
        expect(await keysBelow(folder)).toEqual([]);
      });

      test('credentials give access to their bucket, prefix and mode only', async () => {
        const [mine, theirs] = [fresh('images'), fresh('images')];
        const [own, foreign] = [await kept(mine), await kept(theirs)];
        const elsewhere = { bucket: store.buckets.firmware, key: own };
        await store.put(elsewhere, Buffer.from('firmware'), { contentType: 'text/plain' });
        const reader = await clientOf({ prefixes: [mine] });
        const writer = await clientOf({ mode: 'write', prefixes: [mine] });
        const tries: [string, Promise<Response>][] = [
          ['read: another prefix', reader.fetch(url(foreign))],
          ['read: another bucket', reader.fetch(url(own, store.buckets.firmware))],
          ['read: list', reader.fetch(`${under.endpoint}/${bucket}?list-type=2&prefix=${encodeURIComponent(mine)}`)],
          ['read: put', reader.fetch(url(own), { method: 'PUT', body: 'x' })],
          ['read: delete', reader.fetch(url(own), { method: 'DELETE' })],
          ['write: another prefix', writer.fetch(url(`${theirs}new.png`), { method: 'PUT', body: 'x' })],
          ['write: another bucket', writer.fetch(url(own, store.buckets.firmware), { method: 'PUT', body: 'x' })],
          ['write: get', writer.fetch(url(own))],
          ['write: delete', writer.fetch(url(own), { method: 'DELETE' })],
          ['write: parts elsewhere', writer.fetch(`${url(foreign)}?uploads`, { method: 'POST' })],
          ['nobody', fetch(url(own))],
        ];
        for (const [title, attempt] of tries) expect((await attempt).status, title).toBe(403);
        // A permitted key with dots and slashes in it gives no access elsewhere; services differ in the error.
        const climbing = await reader.fetch(`${url(`${mine}x`)}/..%2F..%2F..%2F${foreign}`);
        expect([403, 404]).toContain(climbing.status);
        expect((await reader.fetch(url(own))).status).toBe(200);
        expect(await bytesOf(own)).toEqual(Buffer.from('picture'));
        expect(await bytesOf(foreign)).toEqual(Buffer.from('picture'));
      });

      test('another secret, or a token that was changed, gives no access', async () => {
        const folder = fresh('images');
        const key = await kept(folder);
        const { accessKeyId, secretAccessKey, sessionToken } = await store.credentials(
          { mode: 'read', bucket, prefixes: [folder] },
          3_600,
        );
        const common = { accessKeyId, secretAccessKey, sessionToken, region: store.region, service: 's3', retries: 0 };
        const changed = {
          ...common,
          sessionToken: `${sessionToken.slice(0, 20)}${sessionToken[20] === 'A' ? 'B' : 'A'}${sessionToken.slice(21)}`,
        };
        for (const wrong of [{ ...common, secretAccessKey: 'x'.repeat(40) }, changed]) {
          const { status } = await new AwsClient(wrong).fetch(url(key));
          expect(status).toBeGreaterThanOrEqual(400);
          expect(status).toBeLessThan(500);
        }
      });
    });
  });
}
