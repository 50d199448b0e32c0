// A file of 2 GB (`BENCH_MB` sets another size): its upload in parts as the console sends it, with registering, and its
// download through the authorized address, compared with `aws s3 cp` to and from the same store. Prints the ratios of the
// speeds; the goal is at least 0.8. Also prints how much the memory of the server, which shares a process with the
// client, grew.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attachmentEndpoints, ENDPOINTS } from '@chargehand/contract';
import { AwsClient } from 'aws4fetch';
import { startChargehand } from '../../apps/server/src/chargehand.ts';
import { readConfig } from '../../apps/server/src/platform/config/config.ts';
import { createLog } from '../../apps/server/src/platform/log.ts';
import { client, openSession } from '../../apps/server/src/testing/client.ts';
import { startDatabase } from '../side-by-side.ts';

const MB = 1024 ** 2;
const SIZE = Number(process.env.BENCH_MB ?? 2048) * MB;
/** As the console sends parts. */
const PART = 16 * MB;
const AT_ONCE = 3;
const GOAL = 0.8;
const ROUNDS = 3;
const KEY = { S3_ACCESS_KEY_ID: 'bench-operator', S3_SECRET_ACCESS_KEY: randomBytes(16).toString('hex') };

const base = await startDatabase();
const folder = await mkdtemp(join(tmpdir(), 'chargehand-bench-files-'));
const config = readConfig({ CHARGEHAND_DEMO: '0', PORT: '0', ...KEY });
const log = createLog('silent');
const product = await startChargehand({ ...config, dataFolder: base.folder, logLevel: 'silent' }, base.database, log);
try {
  const { rows } = await base.database.pool.query<{ id: number }>(`
    with root as (update users set password_state = 'own' where root returning id), accepted as (
      insert into privacy_acceptances (user_id, version) select root.id, p.version from root, privacy_policies p)
    select id from root`);
  const root = client(product.url, await openSession(base.database.db, rows[0]!.id));
  const source = join(folder, 'source.zip');
  await writeSource(source);
  const rss = () => process.memoryUsage().rss / MB;
  const before = rss();
  let highest = before;
  const watch = setInterval(() => {
    highest = Math.max(highest, rss());
  }, 50);
  const ups: number[][] = [];
  const downs: number[][] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const object = `s3://${config.objects.buckets.main}/bench-${round}.zip`;
    const awsUp = await seconds(() => aws('s3', 'cp', '--quiet', source, object));
    const awsDown = await seconds(() => aws('s3', 'cp', '--quiet', object, join(folder, 'copy.zip')));
    await aws('s3', 'rm', '--quiet', object);
    let id = 0;
    const ownUp = await seconds(async () => {
      id = await upload(source);
    });
    const ownDown = await seconds(() => download(id));
    ups.push([ownUp, awsUp]);
    downs.push([ownDown, awsDown]);
    console.log(
      `  upload ${speed(ownUp)}, aws s3 cp ${speed(awsUp)}   download ${speed(ownDown)}, aws s3 cp ${speed(awsDown)}`,
    );
  }
  clearInterval(watch);
  const [up, down] = [ratioOf(ups), ratioOf(downs)];
  console.log(`${SIZE / MB} MB: memory grew by at most ${Math.round(highest - before)} MB`);
  console.log(`upload ratio ${up.toFixed(2)}, download ratio ${down.toFixed(2)} (at least ${GOAL})`);
  if (up < GOAL || down < GOAL) process.exitCode = 1;

  /** Uploads a file in parts, registers it, and returns its id. */
  async function upload(path: string): Promise<number> {
    const credential = await root.data(ENDPOINTS.writeCredentials);
    const key = `${credential.prefixes.find((prefix) => prefix.startsWith('document/'))}${Date.now()}.zip`;
    const store = new AwsClient({
      ...{ accessKeyId: credential.accessKeyId, secretAccessKey: credential.accessKeySecret },
      ...{ sessionToken: credential.securityToken, service: 's3', region: credential.region },
    });
    const object = `${product.url}/${credential.bucket}/${key}`;
    const started = await (await store.fetch(`${object}?uploads`, { method: 'POST' })).text();
    const uploadId = /<UploadId>(.+)<\/UploadId>/.exec(started)?.[1];
    const file = await open(path);
    const parts = Array.from({ length: Math.ceil(SIZE / PART) }, (_, index) => index);
    const tags: string[] = [];
    const sendParts = async () => {
      for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
        const body = Buffer.alloc(Math.min(PART, SIZE - part * PART));
        await file.read(body, 0, body.length, part * PART);
        const init = { method: 'PUT', body, headers: { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' } };
        const answer = await store.fetch(`${object}?partNumber=${part + 1}&uploadId=${uploadId}`, init);
        tags[part] = answer.headers.get('etag') ?? '';
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, sendParts));
    await file.close();
    const list = tags.map((tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tag}</ETag></Part>`);
    const body = `<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`;
    await store.fetch(`${object}?uploadId=${uploadId}`, { method: 'POST', body });
    const registered = { key, name: 'bench.zip' };
    return (await root.data(attachmentEndpoints.registerAttachment, { body: registered })).id;
  }

  /** Downloads a file to the disk. */
  async function download(id: number): Promise<void> {
    const answer = await root.fetch(`/api/auth/sys/attachments/${id}/content?download=true`);
    const file = await open(join(folder, 'own.zip'), 'w');
    let size = 0;
    for await (const chunk of answer.body!) {
      await file.write(chunk);
      size += chunk.length;
    }
    await file.close();
    if (size !== SIZE) throw new Error(`The download has ${size} bytes`);
  }
} finally {
  await product.stop();
  await base.stop();
  await rm(folder, { recursive: true, force: true });
}

/** A zip archive to its first bytes, and then noise that nothing compresses. */
async function writeSource(path: string): Promise<void> {
  const file = await open(path, 'w');
  const noise = randomBytes(PART);
  noise.write('PK\u0003\u0004');
  for (let at = 0; at < SIZE; at += PART) await file.write(noise, 0, Math.min(PART, SIZE - at));
  await file.close();
}

async function aws(...words: string[]): Promise<void> {
  const environment = {
    ...process.env,
    ...{ AWS_ACCESS_KEY_ID: KEY.S3_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY: KEY.S3_SECRET_ACCESS_KEY },
    ...{ AWS_ENDPOINT_URL: product.url, AWS_DEFAULT_REGION: config.objects.region },
  };
  const child = spawn('aws', words, { stdio: 'inherit', env: environment });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`aws ${words.join(' ')} failed`);
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1_000;
}

function speed(time: number): string {
  return `${Math.round(SIZE / MB / time)} MB/s`;
}

/** The median of how much faster the product is than its baseline. */
function ratioOf(pairs: readonly number[][]): number {
  const ratios = pairs.map(([own = 1, floor = 1]) => floor / own).sort((a, b) => a - b);
  return ratios[Math.floor(ratios.length / 2)] ?? 0;
}
