import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openDataFolder } from '../../config/data-folder.ts';
import { createLog } from '../../log.ts';
import { connectDatabase } from '../connect.ts';
import { startEmbeddedPostgres } from './embedded.ts';
import { processesOn, recordedPostmaster } from './embedded-processes.ts';

// Each test creates clusters, which takes longer on a busy machine.
vi.setConfig({ testTimeout: 60_000 });
const log = createLog('silent');
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chargehand-embedded-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

test('its data outlives it, and only one account can read its password', async () => {
  const first = await startEmbeddedPostgres({ folder, log });
  await query(first.url, 'CREATE TABLE note AS SELECT 42 AS answer');
  await first.stop();
  const second = await startEmbeddedPostgres({ folder, log });
  expect(await query(second.url, 'SELECT answer FROM note')).toEqual([{ answer: 42 }]);
  await second.stop();
  expect(second.url).toBe(first.url);
  expect((await stat(join(folder, 'postgres.password'))).mode & 0o077).toBe(0);
  expect((await stat(join(folder, 'postgres'))).uid).not.toBe(0);
});

test('when it is killed alone, it is started again for the same pool', async () => {
  const onExit = vi.fn();
  const postgres = await startEmbeddedPostgres({ folder, log, onExit });
  const { pool, close } = connectDatabase(postgres.url, { log });
  await pool.query('CREATE TABLE note AS SELECT 42 AS answer');
  const before = postgres.pid()!;
  process.kill(before, 'SIGKILL');
  await vi.waitFor(() => expect(onExit).toHaveBeenCalledOnce(), { timeout: 30_000 });
  // A backend that has not noticed yet may still answer; only a new postmaster proves the new start.
  await vi.waitFor(() => expect([before, undefined]).not.toContain(postgres.pid()), { timeout: 30_000 });
  await vi.waitFor(async () => expect((await pool.query('SELECT answer FROM note')).rows).toEqual([{ answer: 42 }]), {
    timeout: 30_000,
  });
  await close();
  await postgres.stop();
  expect(await recordedPostmaster(join(folder, 'postgres'))).toBeUndefined();
});

test('when it is stopped just after it was killed, it leaves no process and can start again', async () => {
  const killed = await startEmbeddedPostgres({ folder, log });
  const { pool, close } = connectDatabase(killed.url, { log });
  await pool.query('CREATE TABLE note AS SELECT 42 AS answer');
  process.kill(killed.pid()!, 'SIGKILL');
  await killed.stop();
  await close();
  expect(await processesOn(join(folder, 'postgres'))).toEqual([]);
  const again = await startEmbeddedPostgres({ folder, log });
  expect(await query(again.url, 'SELECT answer FROM note')).toEqual([{ answer: 42 }]);
  await again.stop();
});

test('a lock file that appears and disappears during reading gives its postmaster or none', async () => {
  const file = join(folder, 'postmaster.pid');
  const seen = new Set<number | undefined>();
  let over = false;
  const flicker = async () => {
    try {
      for (let round = 0; round < 1_000; round++) {
        await writeFile(`${file}.new`, '4711\n');
        await rename(`${file}.new`, file);
        await rm(file);
      }
    } finally {
      over = true;
    }
  };
  const look = async () => {
    while (!over) {
      seen.add(await recordedPostmaster(folder));
      await nextTurn();
    }
  };
  await Promise.all([flicker(), look(), look(), look()]);
  expect([...seen].toSorted()).toEqual([4711, undefined]);
});

test('when it remains from a killed process, it is stopped and started again, and the folder is free', async () => {
  const victim = await startVictim();
  const orphan = await recordedPostmaster(join(folder, 'postgres'));
  await expect(openDataFolder(folder)).rejects.toThrow(
    `already runs on the data folder ${folder} (process ${victim.pid})`,
  );
  victim.kill('SIGKILL');
  await once(victim, 'exit');

  const data = await openDataFolder(folder);
  const postgres = await startEmbeddedPostgres({ folder, log });
  expect(postgres.pid()).not.toBe(orphan);
  expect(await query(postgres.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  expect(await readFile(join(folder, 'postgres.log'), 'utf8')).toContain('database system is shut down');
  await postgres.stop();
  data.close();
});

test('killed together with its process, it recovers what was committed', async () => {
  const victim = await startVictim();
  const postmaster = await recordedPostmaster(join(folder, 'postgres'));
  victim.kill('SIGKILL');
  process.kill(postmaster!, 'SIGKILL');
  await once(victim, 'exit');
  const postgres = await startEmbeddedPostgres({ folder, log });
  expect(await query(postgres.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  await postgres.stop();
  expect(await readFile(join(folder, 'postgres.log'), 'utf8')).toContain('database system was not properly shut down');
});

async function query(url: string, text: string): Promise<unknown[]> {
  const { pool, close } = connectDatabase(url, { max: 1, log });
  const { rows } = await pool.query(text);
  await close();
  return rows;
}

/** Another process that holds the data folder and its database. Returns when the database runs. */
async function startVictim(): Promise<ChildProcess> {
  const program = `
    const { openDataFolder } = await import('${import.meta.dirname}/../../config/data-folder.ts');
    const { startEmbeddedPostgres } = await import('${import.meta.dirname}/embedded.ts');
    const { createLog } = await import('${import.meta.dirname}/../../log.ts');
    globalThis.held = await openDataFolder(process.argv[1]);
    await startEmbeddedPostgres({ folder: process.argv[1], log: createLog('silent') });
    console.log('running');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(createInterface(child.stdout!), 'line');
  return child;
}
