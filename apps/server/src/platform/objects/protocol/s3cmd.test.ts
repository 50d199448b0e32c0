import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requireS3cmd } from '../../../../../../scripts/debian.mjs';
import { OPERATOR, type ServedStore, serveEmbeddedStore } from '../../../testing/objects/embedded-store.ts';

let served: ServedStore;
let folder: string;
let program: string;
beforeAll(async () => {
  program = requireS3cmd();
  served = await serveEmbeddedStore();
  folder = await mkdtemp(join(tmpdir(), 'chargehand-s3cmd-'));
  const { host } = new URL(served.endpoint);
  const settings = {
    access_key: OPERATOR.accessKeyId,
    secret_key: OPERATOR.secretAccessKey,
    host_base: host,
    host_bucket: host,
    use_https: 'False',
    bucket_location: served.store.region,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  await writeFile(join(folder, 's3cfg'), ['[default]', ...lines, ''].join('\n'));
}, 300_000);
afterAll(async () => {
  await served?.stop();
  if (folder) await rm(folder, { recursive: true });
});

/** Runs s3cmd and returns its output. */
async function s3cmd(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program, ['-c', join(folder, 's3cfg'), '--no-progress', ...args], {
    cwd: folder,
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
  });
  return stdout;
}

test('s3cmd puts, lists, gets, copies and deletes, with multipart uploads for large files', async () => {
  const large = randomBytes(16 * 1024 * 1024);
  await writeFile(join(folder, 'large.bin'), large);
  await writeFile(join(folder, '站点 1.txt'), 'quay');
  await s3cmd('put', '--multipart-chunk-size-mb=5', 'large.bin', 's3://chargehand/tools/large.bin');
  await s3cmd('put', '站点 1.txt', 's3://chargehand/tools/sub/站点 1.txt');
  const listed = await s3cmd('ls', 's3://chargehand/tools/');
  expect(listed).toMatch(/DIR\s+s3:\/\/chargehand\/tools\/sub\//);
  expect(listed).toMatch(/16777216\s+s3:\/\/chargehand\/tools\/large\.bin/);
  expect((await served.store.head({ bucket: 'chargehand', key: 'tools/large.bin' }))?.etag).toMatch(/-4$/);

  await s3cmd('get', 's3://chargehand/tools/large.bin', 'back.bin');
  const sum = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
  expect(sum(await readFile(join(folder, 'back.bin')))).toBe(sum(large));
  await s3cmd('cp', 's3://chargehand/tools/sub/站点 1.txt', 's3://chargehand-firmware/copy.txt');
  await s3cmd('get', 's3://chargehand-firmware/copy.txt', 'copy.txt');
  expect(await readFile(join(folder, 'copy.txt'), 'utf8')).toBe('quay');

  await s3cmd('del', 's3://chargehand/tools/large.bin');
  expect(await s3cmd('ls', '-r', 's3://chargehand')).not.toContain('large.bin');
  await s3cmd('del', '-r', 's3://chargehand/tools/');
  expect(await s3cmd('ls', '-r', 's3://chargehand')).toBe('');
  await expect(s3cmd('--secret_key=wrong-secret-of-the-operator', 'ls', 's3://chargehand')).rejects.toThrow('403');
});
