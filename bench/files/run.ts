// A file of 2 GB (`BENCH_MB` sets another size): its upload in parts as the console sends it, with registering, and its
// download through the authorized address with curl, compared with `aws s3 cp` to and from the same store. Both clients are
// processes of their own. Prints the ratios of the speeds; the goal is at least 0.8. Also prints how much the memory of
// the server grew in each phase, which must not depend on the size of the file.
import { fork, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CSRF_COOKIE, TOKEN_COOKIE } from '@chargehand/contract';
import { startChargehand } from '../../apps/server/src/chargehand.ts';
import { readConfig } from '../../apps/server/src/platform/config/config.ts';
import { createLog } from '../../apps/server/src/platform/log.ts';
import { openSession } from '../../apps/server/src/testing/client.ts';
import { startDatabase } from '../side-by-side.ts';
import type { Order } from './client.ts';

const MB = 1024 ** 2;
const SIZE = Number(process.env.BENCH_MB ?? 2048) * MB;
const NOISE = 16 * MB;
const GOAL = 0.8;
/** How much the memory of the server may grow, whatever the size of the file. MB. */
const GROWTH = 300;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
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
  const { token, csrf } = await openSession(base.database.db, rows[0]!.id);
  const user = fork(join(import.meta.dirname, 'client.ts'), [product.url, token, csrf]);
  await once(user, 'message');
  const upload = async (wanted: Order): Promise<number> => {
    const failed = once(user, 'exit').then(() => Promise.reject(new Error('The client failed')));
    const answered = once(user, 'message');
    user.send(wanted);
    const [answer] = await Promise.race([answered, failed]);
    return answer as number;
  };
  const source = join(folder, 'source.zip');
  await writeSource(source);
  const rss = () => process.memoryUsage().rss / MB;
  const before = rss();
  const highest: Record<string, number> = {};
  let phase = '';
  const watch = setInterval(() => {
    highest[phase] = Math.max(highest[phase] ?? 0, rss());
  }, 50);
  const timed = (name: string, work: () => Promise<unknown>) => {
    phase = name;
    return seconds(work);
  };
  /** As a browser does: one connection, written to the disk as it arrives. */
  const download = async (id: number, path: string) => {
    const address = `${product.url}/api/auth/sys/attachments/${id}/content?download=true`;
    const cookie = `${TOKEN_COOKIE}=${token}; ${CSRF_COOKIE}=${csrf}`;
    await run('curl', ['--silent', '--fail', '--cookie', cookie, '--output', path, address]);
    const { size } = await stat(path);
    if (size !== SIZE) throw new Error(`The download has ${size} bytes`);
  };
  const ups: number[][] = [];
  const downs: number[][] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const object = `s3://${config.objects.buckets.main}/bench-${round}.zip`;
    const [copy, own] = [join(folder, 'copy.zip'), join(folder, 'own.zip')];
    let id = 0;
    const ownUp = await timed('upload', async () => {
      id = await upload({ path: source, size: SIZE });
    });
    const awsUp = await timed('aws upload', () => aws('s3', 'cp', '--quiet', source, object));
    const ownDown = await timed('download', () => download(id, own));
    await rm(own);
    const awsDown = await timed('aws download', () => aws('s3', 'cp', '--quiet', object, copy));
    await rm(copy);
    await aws('s3', 'rm', '--quiet', object);
    ups.push([ownUp, awsUp]);
    downs.push([ownDown, awsDown]);
    console.log(
      `  upload ${speed(ownUp)}, aws s3 cp ${speed(awsUp)}   download ${speed(ownDown)}, aws s3 cp ${speed(awsDown)}`,
    );
  }
  user.disconnect();
  clearInterval(watch);
  const [up, down] = [ratioOf(ups), ratioOf(downs)];
  const growth = Object.entries(highest).map(([name, value]) => `${name} ${Math.round(value - before)} MB`);
  console.log(
    `${SIZE / MB} MB: the memory of the server grew from ${Math.round(before)} MB by at most: ${growth.join(', ')}`,
  );
  console.log(`upload ratio ${up.toFixed(2)}, download ratio ${down.toFixed(2)} (at least ${GOAL})`);
  const isFlat = ['upload', 'download'].every((name) => (highest[name] ?? 0) - before <= GROWTH);
  if (up < GOAL || down < GOAL || !isFlat) process.exitCode = 1;
} finally {
  await product.stop();
  await base.stop();
  await rm(folder, { recursive: true, force: true });
}

/** A zip archive to its first bytes, and then noise that nothing compresses. */
async function writeSource(path: string): Promise<void> {
  const file = await open(path, 'w');
  const noise = randomBytes(NOISE);
  noise.write('PK\u0003\u0004');
  for (let at = 0; at < SIZE; at += NOISE) await file.write(noise, 0, Math.min(NOISE, SIZE - at));
  await file.close();
}

async function aws(...words: string[]): Promise<void> {
  const environment = {
    ...process.env,
    ...{ AWS_ACCESS_KEY_ID: KEY.S3_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY: KEY.S3_SECRET_ACCESS_KEY },
    ...{ AWS_ENDPOINT_URL: product.url, AWS_DEFAULT_REGION: config.objects.region },
  };
  await run('aws', words, environment);
}

async function run(program: string, words: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<void> {
  const child = spawn(program, words, { stdio: 'inherit', env });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${program} ${words[0]} failed`);
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
