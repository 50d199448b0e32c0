import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { expect, onTestFinished, test } from 'vitest';
import { connectDatabase } from '../platform/database/connect.ts';
import { runningDatabase, startEmbeddedPostgres } from '../platform/database/embedded/embedded.ts';
import { createLog } from '../platform/log.ts';
import { contentOf } from '../testing/database/content.ts';
import { freePort } from '../testing/free-port.ts';
import { COMPILED, startProgram } from '../testing/program.ts';
import { verifyBackup } from './verify.ts';

const PORT = String(await freePort());
const S3_KEY = { accessKeyId: 'operator', secretAccessKey: 'a-secret-of-the-operator' };
/** Tables that the demo fleet fills. */
const FILLED = ['devices', 'protocol_frames', 'readings', 'alarms', 'documents', 'stored_objects'];

test('an installation with its own database is backed up while it runs and when it is stopped, and restored', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'chargehand-installation-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const data = join(folder, 'data');
  const settings = { PORT, HOST: '127.0.0.1', DATABASE_URL: '', CHARGEHAND_MQTT_PORT: '0' };
  const demo = { CHARGEHAND_DEMO: '1', CHARGEHAND_DEMO_DEVICES: '2', CHARGEHAND_SHIPPED_DOCUMENTS: 'on' };
  const s3Settings = { S3_ACCESS_KEY_ID: S3_KEY.accessKeyId, S3_SECRET_ACCESS_KEY: S3_KEY.secretAccessKey };
  const program = await startProgram({ ...settings, ...s3Settings, ...demo, CHARGEHAND_DATA: data });
  let stopped = false;
  onTestFinished(() => (stopped ? undefined : program.kill()));

  const s3 = new S3Client({
    endpoint: program.url,
    region: 'oss-cn-hongkong',
    forcePathStyle: true,
    credentials: S3_KEY,
  });
  await s3.send(new PutObjectCommand({ Bucket: 'chargehand', Key: 'logs/kept.txt', Body: 'kept' }));
  const { pool, close } = connectDatabase((await runningDatabase(data)) ?? '', { max: 1 });
  const empty = async () => {
    const found = await Promise.all(FILLED.map((table) => pool.query(`select from ${table} limit 1`)));
    return FILLED.filter((_, n) => found[n]?.rowCount === 0);
  };
  await expect.poll(empty, { timeout: 120_000 }).toEqual([]);
  await close();
  const online = await backup(data, join(folder, 'online'));
  const { tables, objects } = await verifyBackup(online);
  const rows = new Map(tables.map((table) => [table.partition?.of ?? table.name, 0]));
  for (const table of tables) {
    const name = table.partition?.of ?? table.name;
    rows.set(name, rows.get(name)! + table.rows);
  }
  for (const table of FILLED) expect(rows.get(table), table).toBeGreaterThan(0);
  expect(objects?.count).toBeGreaterThan(0);
  stopped = true;
  await program.stop();

  const offline = await backup(data, join(folder, 'offline'));
  expect(await command('restore', { CHARGEHAND_DATA: data }, offline)).toContain('not empty');
  const restored = join(folder, 'restored');
  expect(await command('restore', { CHARGEHAND_DATA: restored }, offline)).toContain('Start the server.');
  expect(await everythingIn(restored)).toEqual(await everythingIn(data));

  // The backup of the running server, over the data of the other one.
  expect(await command('restore', { CHARGEHAND_DATA: restored }, online, '--force')).toContain('Start the server.');
  const again = await startProgram({ ...settings, CHARGEHAND_DATA: restored });
  await again.stop();
  expect((await readdir(restored)).filter((name) => /replaced|unfinished/.test(name))).toEqual([]);
}, 600_000);

/** @returns the folder of the backup */
async function backup(data: string, target: string): Promise<string> {
  const output = await command('backup', { CHARGEHAND_DATA: data }, target);
  const [path] = /\S+(?= is complete)/.exec(output) ?? [];
  if (path === undefined) throw new Error(output);
  return path;
}

async function command(...[name, settings, ...args]: [string, Record<string, string>, ...string[]]): Promise<string> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'cli.ts'), name, ...args], {
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILED, DATABASE_URL: '', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return output + errors;
}

/** All rows of the database of a data folder, and all files of its objects. */
async function everythingIn(data: string): Promise<Record<string, string>> {
  const embedded = await startEmbeddedPostgres({ folder: data, log: createLog('silent') });
  const { pool, close } = connectDatabase(embedded.url, { max: 1, statementTimeout: 0 });
  try {
    const all = await contentOf(pool);
    const objects = join(data, 'objects');
    for (const entry of await readdir(objects, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile() && path.endsWith('.object')) all[path.slice(data.length)] = await readFile(path, 'base64');
    }
    return all;
  } finally {
    await close();
    await embedded.stop();
  }
}
