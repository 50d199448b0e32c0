import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clockAt } from '../../platform/clock.ts';
import { createLog } from '../../platform/log.ts';
import { s3Objects } from '../../platform/objects/service/s3-objects.ts';
import type { ObjectStore } from '../../platform/objects/store.ts';
import { testConfig } from '../../testing/config.ts';
import { contentOf } from '../../testing/database/content.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { type RadosGateway, startRadosGateway } from '../../testing/objects/radosgw.ts';
import { createBackup } from '../create.ts';
import { serviceSource } from '../object-source.ts';
import { restoreBackup } from '../restore.ts';
import { uploadBackup } from './upload.ts';

const log = createLog('silent');

let folder: string;
let ceph: RadosGateway;
let database: TestDatabase;
let empty: TestDatabase;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chargehand-s3-backup-'));
  [database, empty] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  ceph = await startRadosGateway();
  const { endpoint, region, key } = ceph.options;
  const client = new S3Client({ endpoint, region, credentials: key, forcePathStyle: true });
  for (const Bucket of ['main', 'firmware', 'new-main', 'new-firmware', 'backups'])
    await client.send(new CreateBucketCommand({ Bucket }));
  client.destroy();
});
afterAll(async () => {
  await ceph?.stop();
  for (const one of [database, empty]) await one?.drop();
  await rm(folder, { recursive: true, force: true });
});

async function objectsIn(store: ObjectStore): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const use of ['main', 'firmware'] as const) {
    for await (const { key } of store.list(store.buckets[use], '')) {
      const object = await store.read({ bucket: store.buckets[use], key });
      const { contentType, contentDisposition, size } = object!.facts;
      found[`${use}/${key}`] = { contentType, contentDisposition, size, content: await text(object!.body) };
    }
  }
  return found;
}

test('objects of an S3 service are backed up, uploaded to it, and restored into other buckets', async () => {
  const store = s3Objects({ ...ceph.options, buckets: { main: 'main', firmware: 'firmware' } });
  const details = { contentType: 'image/png', contentDisposition: 'attachment; filename="a.png"' };
  await store.put({ bucket: 'main', key: 'images/Großes Bild.png' }, Buffer.from('a picture'), details);
  await store.put({ bucket: 'main', key: `logs/${'long/'.repeat(190)}` }, Buffer.from('a log'), details);
  await store.put({ bucket: 'firmware', key: 'empty.bin' }, new Uint8Array(), { contentType: 'application/x-bin' });
  const large = [Buffer.alloc(6 * 1024 * 1024, 'x'), Buffer.alloc(6 * 1024 * 1024, 'y')];
  await store.write({ bucket: 'firmware', key: 'v2.bin' }, iterate(large), { contentType: 'application/x-bin' });

  const backup = { url: database.url, objects: serviceSource(store), folder, version: '1.0.0' };
  const { path, manifest } = await createBackup(backup);
  expect(manifest.objects?.count).toBe(4);

  await empty.pool.query('drop schema public cascade; create schema public');
  const { endpoint, stsEndpoint, roleArn, region, key } = ceph.options;
  const buckets = { main: 'new-main', firmware: 'new-firmware' };
  const objects = { buckets, region, key, service: { endpoint, stsEndpoint, roleArn } };
  const config = testConfig(join(folder, 'restored'), { databaseUrl: empty.url, objects });
  await restoreBackup({ from: path, config, log });
  expect(await contentOf(empty.pool)).toEqual(await contentOf(database.pool));
  expect(await objectsIn(s3Objects({ ...ceph.options, buckets }))).toEqual(await objectsIn(store));
  await expect(restoreBackup({ from: path, config, log })).rejects.toThrow('This installation is not empty');

  const target = { store, bucket: 'backups', prefix: 'daily/', days: 1 };
  for (const day of [1, 2, 3]) {
    const clock = clockAt(() => new Date(Date.UTC(2026, 2, day, 12)));
    await uploadBackup(path, target, { now: clock.now(), deleteOld: (what, work) => clock.deleteOld(what, work) });
  }
  const archives: string[] = [];
  for await (const object of store.list('backups', '')) archives.push(object.key);
  expect(archives).toEqual(['daily/chargehand-2026-03-02.zip', 'daily/chargehand-2026-03-03.zip']);
});

async function* iterate(chunks: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}
