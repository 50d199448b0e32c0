import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clockAt } from '../platform/clock.ts';
import type { Config } from '../platform/config/config.ts';
import { openDataFolder } from '../platform/config/data-folder.ts';
import { createLog } from '../platform/log.ts';
import { embeddedObjects } from '../platform/objects/embedded/embedded.ts';
import type { ObjectStore } from '../platform/objects/store.ts';
import { scheduledJob } from '../platform/work/scheduled-job.ts';
import { testConfig } from '../testing/config.ts';
import { contentOf } from '../testing/database/content.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { COMPILED } from '../testing/program.ts';
import { isFullRun } from '../testing/runs/full-run.ts';
import { lastBackups } from './backups.store.ts';
import { createBackup, listBackups } from './create.ts';
import { writeManifest } from './manifest.ts';
import { embeddedSource, serviceSource } from './object-source.ts';
import { restoreBackup } from './restore.ts';
import { backupSchedule, isDue } from './schedule.ts';
import { verifyBackup } from './verify.ts';

const log = createLog('silent');
const BUCKETS = { main: 'chargehand', firmware: 'chargehand-firmware' };

let folder: string;
let database: TestDatabase;
let store: ObjectStore;
const dropped: TestDatabase[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chargehand-backup-'));
  database = await createTestDatabase({ max: 8 });
  store = await storeIn(join(folder, 'data'), database);
  for (const key of ['images/1', 'images/Großes Bild.png', `logs/${'long/'.repeat(190)}`]) await addPair(key);
  await store.put({ bucket: BUCKETS.firmware, key: 'v1.bin' }, new Uint8Array(), { contentType: 'application/x-bin' });
});
afterAll(async () => {
  for (const each of [database, ...dropped]) await each.drop();
  await rm(folder, { recursive: true, force: true });
});

const storeIn = (dataFolder: string, { db }: TestDatabase) =>
  embeddedObjects({ dataFolder, buckets: BUCKETS, region: 'x', key: Buffer.alloc(32), operator: null, db, log: null });
/** An object and then a row that refers to it, as the product stores pictures. */
async function addPair(key: string): Promise<void> {
  await store.put({ bucket: BUCKETS.main, key }, Buffer.from(`content of ${key}`), { contentType: 'image/png' });
  await database.pool.query(`insert into server_secrets (name, value) values ($1, 'x')`, [`pair ${key}`]);
}
async function removePair(key: string): Promise<void> {
  await database.pool.query('delete from server_secrets where name = $1', [`pair ${key}`]);
  await store.remove({ bucket: BUCKETS.main, key });
}

const options = (name: string) => ({
  ...{ url: database.url, folder: join(folder, name), version: '1.0.0' },
  objects: embeddedSource(join(folder, 'data'), BUCKETS),
});
/** Settings of an empty installation with a database of its own. */
async function emptyInstallation(name: string): Promise<{ config: Config; database: TestDatabase }> {
  const target = await createTestDatabase();
  dropped.push(target);
  await target.pool.query('drop schema public cascade; create schema public');
  return { config: testConfig(join(folder, name), { databaseUrl: target.url }), database: target };
}

async function objectsOf(from: ObjectStore): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const bucket of Object.values(BUCKETS)) {
    for await (const { key } of from.list(bucket, '')) {
      const object = await from.read({ bucket, key });
      found[`${bucket}/${key}`] = { ...object?.facts, content: object && (await text(object.body)) };
    }
  }
  return found;
}

test('a backup restores all tables and objects, and the sequences continue', async () => {
  await database.pool.query(
    `create table readings_20260102 partition of readings for values from ('2026-01-02 00:00:00Z') to ('2026-01-03 00:00:00Z');
     insert into readings (device_id, connector, at, received_at, layout_id, analog, counters)
       values (1, 1, '2026-01-02 12:00Z', now(), 1, '{1.5,NaN,null}', '{}'), (1, 1, '2020-01-01', now(), 1, '{}', '{}')`,
  );
  await database.pool.query(
    `insert into server_secrets (name, value) values ('a', 'Nord\\ "Ost"'), ('b', e'zwei\\nZeilen\\t'), ('c', '')`,
  );
  await database.pool.query(
    `insert into frame_batches values (1, 1, 2, now(), now(), 2, false, '{1,null}', 1, '\\x00ff5c0a09')`,
  );
  await database.pool.query(`select nextval('customers_id_seq')`);
  const { path, manifest } = await createBackup(options('all'));
  expect(manifest.objects?.count).toBe(4);
  await expect(verifyBackup(path)).resolves.toEqual(manifest);
  const target = await emptyInstallation('restored');
  await restoreBackup({ from: path, config: target.config, log });
  expect(await contentOf(target.database.pool)).toEqual(await contentOf(database.pool));
  const restored = await storeIn(join(folder, 'restored'), target.database);
  expect(await objectsOf(restored)).toEqual(await objectsOf(store));
  const next = `select nextval('customers_id_seq'), nextval('users_id_seq')`;
  const ids = await Promise.all([database, target.database].map(({ pool }) => pool.query(next)));
  expect(ids[1]?.rows).toEqual(ids[0]?.rows);
  const constraints = `select conname, pg_get_constraintdef(oid) as definition from pg_constraint
    where connamespace = 'public'::regnamespace order by conrelid::regclass::text, conname`;
  const enabled =
    'select tgname, tgenabled from pg_trigger where not tgisinternal order by tgrelid::regclass::text, tgname';
  for (const query of [constraints, enabled])
    expect((await target.database.pool.query(query)).rows).toEqual((await database.pool.query(query)).rows);
});

test('a backup of a database in use refers to no object that it does not have', async () => {
  const writing = new AbortController();
  const writer = (async () => {
    for (let n = 0; !writing.signal.aborted; n += 1) {
      await addPair(`busy/${n}`);
      if (n > 5) await removePair(`busy/${n - 5}`);
    }
  })();
  const backups: Awaited<ReturnType<typeof createBackup>>[] = [];
  try {
    for (const name of isFullRun ? ['busy-1', 'busy-2'] : ['busy-1']) backups.push(await createBackup(options(name)));
  } finally {
    writing.abort();
    await writer;
  }
  for (const [index, { path, manifest }] of backups.entries()) {
    const target = await emptyInstallation(`busy-restored-${index}`);
    await restoreBackup({ from: path, config: target.config, log });
    const { rows } = await target.database.pool.query<{ key: string }>(
      `select substr(name, 6) as key from server_secrets where name like 'pair %'`,
    );
    const objects = await objectsOf(await storeIn(target.config.dataFolder, target.database));
    expect(rows.length).toBeGreaterThan(3);
    for (const { key } of rows) expect(objects).toHaveProperty([`${BUCKETS.main}/${key}`]);
    expect(Object.keys(objects).length).toBe(manifest.objects?.count);
  }
});

test('objects of an S3 service are backed up in the same form', async () => {
  const { path, manifest } = await createBackup({ ...options('service'), objects: serviceSource(store) });
  expect((await verifyBackup(path)).objects?.count).toBe(Object.keys(await objectsOf(store)).length);
  const { count, bytes } = (await verifyBackup(await unchangedBackup())).objects!;
  expect(manifest.objects).toMatchObject({ count, bytes });
  if (!isFullRun) return;
  const target = await emptyInstallation('service-restored');
  await restoreBackup({ from: path, config: target.config, log });
  expect(await objectsOf(await storeIn(target.config.dataFolder, target.database))).toEqual(await objectsOf(store));
});

test('a killed backup has no name of a complete one, and the next one removes its files', async () => {
  const target = join(folder, 'killed');
  const start = () => {
    const { CHARGEHAND_DATA: _data, ...environment } = process.env;
    return spawn(process.execPath, [join(import.meta.dirname, 'cli.ts'), 'backup', target, '--without-objects'], {
      env: { ...environment, NODE_COMPILE_CACHE: COMPILED, DATABASE_URL: database.url, CHARGEHAND_LOG: 'silent' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  };
  // Keeps the backup at the table `users`, near its end.
  const blocker = await database.pool.connect();
  await blocker.query('begin; lock table users in access exclusive mode');
  const child = start();
  await expect.poll(() => written(target)).toContain('transfers.copy.zst');
  await expect(createBackup(options('second'))).rejects.toThrow('Another backup of this database is running.');
  child.kill('SIGKILL');
  await once(child, 'exit');
  await blocker.query('rollback');
  blocker.release();
  expect(await readdir(target)).toEqual([expect.stringMatching(/^chargehand-.*\.unfinished$/)]);
  expect(await listBackups(target)).toEqual([]);
  await expect(verifyBackup(join(target, (await readdir(target))[0]!))).rejects.toThrow('is not a complete backup');
  // The database notices the end of the killed process within moments. Other databases of the server have locks, too.
  const locks = `select 1 from pg_locks where locktype = 'advisory'
    and database = (select oid from pg_database where datname = current_database())`;
  await expect.poll(async () => (await database.pool.query(locks)).rowCount).toBe(0);
  const { code, output } = await ended(start());
  expect(output).toContain('is complete');
  expect(output).toContain('contains all keys and secrets');
  expect(code).toBe(0);
  expect(await readdir(target)).toEqual(await listBackups(target));
  expect(await lastBackups(database.db)).toMatchObject({ last: { scheduled: false, error: null }, scheduled: null });
});

async function written(target: string): Promise<string[]> {
  return (await readdir(target, { recursive: true }).catch(() => [])).map((path) => path.split('/').at(-1) ?? '');
}

async function ended(child: ChildProcess): Promise<{ code: number | null; output: string }> {
  const [output, errors] = await Promise.all([text(child.stdout!), text(child.stderr!)]);
  if (child.exitCode === null) await once(child, 'exit');
  return { code: child.exitCode, output: output + errors };
}

/** A backup for several tests, which leave it and the database as they are. */
let unchanged: string | null = null;
async function unchangedBackup(): Promise<string> {
  unchanged ??= (await createBackup(options('unchanged'))).path;
  return unchanged;
}

test('a damaged backup, one of another version and a used installation are refused, and nothing is changed', async () => {
  const path = await unchangedBackup();
  const target = await emptyInstallation('refused-data');
  const restore = (more = {}) => restoreBackup({ from: path, config: target.config, log, ...more });
  const files = ['manifest.json', 'database/users.copy.zst', 'objects.jsonl.zst', 'objects/main/images/1.object'];
  for (const file of files) {
    const content = await readFile(join(path, file));
    await writeFile(join(path, file), Buffer.concat([content.subarray(0, -1), Buffer.from([content.at(-1)! ^ 1])]));
    await expect(restore()).rejects.toThrow(`${join(path, file)} is damaged`);
    await rm(join(path, file));
    await expect(restore()).rejects.toThrow(/is missing|not a complete backup/);
    await writeFile(join(path, file), content);
  }
  const { format: _format, keys: _keys, ...manifest } = await verifyBackup(path);
  const later = { name: '999_later.sql', checksum: 'x' };
  const [first, ...others] = manifest.migrations;
  for (const migrations of [[...manifest.migrations, later], [{ ...first!, checksum: 'x' }, ...others], others]) {
    await writeManifest(path, { ...manifest, version: '9.9.9', migrations });
    await expect(restore()).rejects.toThrow('Version 9.9.9 made this backup');
  }
  await writeManifest(path, manifest);
  expect(existsSync(join(target.config.dataFolder, 'restore.unfinished'))).toBe(false);
  expect(await contentOf(target.database.pool)).toEqual({});

  await target.database.pool.query('create table used (id int)');
  await expect(restore()).rejects.toThrow('This installation is not empty');
  await target.database.pool.query('drop table used');
  await mkdir(join(target.config.dataFolder, 'objects/chargehand'), { recursive: true });
  await writeFile(join(target.config.dataFolder, 'objects/chargehand/old.object'), '');
  await expect(restore()).rejects.toThrow('This installation is not empty');
  await restore({ force: true });
  expect(await contentOf(target.database.pool)).toEqual(await contentOf(database.pool));
  expect(existsSync(join(target.config.dataFolder, 'objects/chargehand/old.object'))).toBe(false);
});

test('after an interrupted restore the server does not start, and the restore can be repeated', async () => {
  const path = await unchangedBackup();
  const target = await emptyInstallation('interrupted-data');
  const restore = () => restoreBackup({ from: path, config: target.config, log });
  const failing = restoreBackup({
    ...{ from: path, config: target.config, log },
    onProgress(sentence) {
      if (sentence.startsWith('99 of')) throw new Error('the machine stops');
    },
  });
  await expect(failing).rejects.toThrow('the machine stops');
  await expect(openDataFolder(target.config.dataFolder)).rejects.toThrow('was interrupted. Repeat it');
  await restore();
  expect(await contentOf(target.database.pool)).toEqual(await contentOf(database.pool));
  const opened = await openDataFolder(target.config.dataFolder);
  opened.close();
});

test('the schedule makes one backup a day and keeps some; a failed one is recorded and repeated', async () => {
  const at = (time: string) => new Date(2026, 2, 5, ...(time.split(':').map(Number) as [number, number]));
  const succeeded = (time: string) => ({ startedAt: at(time), endedAt: at(time), error: null });
  expect(isDue(at('02:00'), 180, null)).toBe(true);
  expect(isDue(at('03:00'), 180, succeeded('02:59'))).toBe(true);
  expect(isDue(at('23:00'), 180, succeeded('03:01'))).toBe(false);
  expect(isDue(at('02:00'), 180, { ...succeeded('00:00'), startedAt: new Date(2026, 2, 3) })).toBe(true);
  expect(isDue(at('04:00'), 180, { ...succeeded('03:01'), error: 'no space' })).toBe(false);
  expect(isDue(at('04:01'), 180, { ...succeeded('03:01'), error: 'no space' })).toBe(true);

  await database.pool.query('delete from backups');
  const blocked = join(folder, 'a file');
  await writeFile(blocked, '');
  let now = at('03:00');
  let run = async (): Promise<unknown> => undefined;
  const clock = clockAt(() => now);
  clock.repeat = (work) => {
    run = () => work(new AbortController().signal);
    return scheduledJob(async () => undefined, { job: 'backup', everyMs: null, log, failed: '' });
  };
  const scheduled = async (target: string) => {
    const backup = { ...options('daily'), objects: null, folder: target, keep: 1 };
    backupSchedule({ db: database.db, clock, log, at: 180, backup });
    return await run();
  };
  await expect(scheduled(blocked)).rejects.toThrow('EEXIST');
  expect(await lastBackups(database.db)).toMatchObject({
    scheduled: { error: expect.stringContaining('EEXIST'), path: null },
  });
  const daily = join(folder, 'daily');
  for (const day of [6, 7]) {
    now = new Date(2026, 2, day, 3, 0);
    await scheduled(daily);
    await scheduled(daily);
  }
  const kept = await listBackups(daily);
  expect(kept).toHaveLength(1);
  const path = join(daily, kept[0]!);
  expect(await lastBackups(database.db)).toMatchObject({
    last: { path },
    succeeded: { path },
    scheduled: { path, startedAt: now },
  });
});
