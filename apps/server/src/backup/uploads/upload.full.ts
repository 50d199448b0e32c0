import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clockAt } from '../../platform/clock.ts';
import { createLog } from '../../platform/log.ts';
import { s3Objects } from '../../platform/objects/service/s3-objects.ts';
import { scheduledJob } from '../../platform/work/scheduled-job.ts';
import { openZip } from '../../platform/zip/zip-reader.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { type ServedStore, serveEmbeddedStore } from '../../testing/objects/embedded-store.ts';
import { lastBackups } from '../backups.store.ts';
import { backupSchedule } from '../schedule.ts';
import { verifyBackup } from '../verify.ts';

const log = createLog('silent');
const BUCKET = 'chargehand';

let folder: string;
let database: TestDatabase;
let service: ServedStore;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chargehand-uploads-'));
  database = await createTestDatabase({ max: 4 });
  service = await serveEmbeddedStore();
});
afterAll(async () => {
  await service.stop();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

/** A proxy in front of the S3 service that answers 503 to uploads of parts while `broken`. */
async function unreliableService() {
  const state = { broken: false, refused: 0 };
  const server = createServer((from, to) => {
    if (state.broken && from.url?.includes('partNumber=')) {
      state.refused += 1;
      from.resume();
      to.writeHead(503).end();
      return;
    }
    const { method, headers, url } = from;
    const onward = request(new URL(url ?? '', service.endpoint), { method, headers }, (answer) => {
      to.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(to);
    });
    from.pipe(onward);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { state, endpoint, close: () => server.close() };
}

async function keys(): Promise<string[]> {
  const found: string[] = [];
  for await (const { key } of service.store.list(BUCKET, 'backups/')) found.push(key);
  return found;
}

test('each scheduled backup is uploaded with the key of its day; a failed upload fails and leaves nothing', async () => {
  const proxy = await unreliableService();
  const { operator: key, store } = service;
  const buckets = { main: BUCKET, firmware: BUCKET };
  const options = { endpoint: proxy.endpoint, stsEndpoint: '', roleArn: '', region: 'oss-cn-hongkong', key, buckets };
  let now = new Date();
  const clock = clockAt(() => now);
  let run = async (): Promise<unknown> => undefined;
  clock.repeat = (work) => {
    run = () => work(new AbortController().signal);
    return scheduledJob(async () => undefined, { job: 'backup', everyMs: null, log, failed: '' });
  };
  backupSchedule({
    ...{ db: database.db, clock, log, at: 180 },
    backup: { url: database.url, objects: null, folder, version: '1.0.0', keep: 1 },
    upload: { store: s3Objects(options), bucket: BUCKET, prefix: 'backups/', days: 2 },
  });
  const at = (day: number, time = '12:00') => {
    now = new Date(`2026-03-${day.toString().padStart(2, '0')}T${time}:00`);
    return run();
  };
  const days = async () => (await keys()).map((one) => /-(\d\d)\.zip$/.exec(one)?.[1] ?? one);
  await store.put({ bucket: BUCKET, key: 'backups/other.zip' }, Buffer.from('x'), { contentType: 'application/zip' });
  for (const day of [4, 5, 6]) await at(day);
  expect(await days()).toEqual(['04', '05', '06', 'backups/other.zip']);

  proxy.state.broken = true;
  await expect(at(7)).rejects.toThrow('is complete, but was not uploaded');
  expect(proxy.state.refused).toBeGreaterThan(0);
  const { last } = await lastBackups(database.db);
  expect(last).toMatchObject({ scheduled: true, path: null, error: expect.stringContaining('was not uploaded') });
  expect(await days()).toEqual(['04', '05', '06', 'backups/other.zip']);
  proxy.state.broken = false;
  await at(7, '13:00');
  expect(await days()).toEqual(['05', '06', '07', 'backups/other.zip']);
  expect((await lastBackups(database.db)).last?.error).toBeNull();
  proxy.close();

  const archive = await store.read({ bucket: BUCKET, key: 'backups/chargehand-2026-03-07.zip' });
  const zip = await openZip(await buffer(archive!.body), 10_000);
  for (const [path, entry] of zip.entries) {
    await mkdir(dirname(join(folder, 'unpacked', path)), { recursive: true });
    await pipeline(await entry.open(), createWriteStream(join(folder, 'unpacked', path)));
  }
  zip.close();
  const [first = ''] = zip.entries.keys();
  const unpacked = join(folder, 'unpacked', dirname(first).split('/')[0]!);
  await expect(verifyBackup(unpacked)).resolves.toMatchObject({ version: '1.0.0' });
  expect(JSON.parse(await readFile(join(unpacked, 'manifest.json'), 'utf8')).objects).toBeNull();
});
