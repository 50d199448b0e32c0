import { execFile, execFileSync } from 'node:child_process';
import { chmod, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SERVER } from '../../../scripts/build/server-bundle.mjs';
import { connectDatabase } from './platform/database/connect.ts';
import { runningDatabase } from './platform/database/embedded/embedded.ts';
import { createTestDatabase } from './testing/database/database.ts';
import { freePort } from './testing/free-port.ts';
import { COMPILED, type Program, startProgram } from './testing/program.ts';
import { buildServerOnce } from './testing/runs/built-server.ts';
import { isFullRun } from './testing/runs/full-run.ts';

const PORT = String(await freePort());

/** RSS of a server without devices after its first start (MiB): 180, and 60 more while the shipped documents are read. */
const MOST_MB = 200;

let folder: string;
let program: Program;
/** The built server, as `npm start` runs it: its start takes half the CPU time of a start from the sources. */
const BUILT = { built: true };
const start = (more: Record<string, string> = {}) =>
  startProgram({ PORT, HOST: '127.0.0.1', CHARGEHAND_DATA: folder, DATABASE_URL: '', ...more }, BUILT);

beforeAll(async () => {
  await buildServerOnce();
  folder = await mkdtemp(join(tmpdir(), 'chargehand-main-'));
  program = await start({ CHARGEHAND_SHIPPED_DOCUMENTS: 'on', CHARGEHAND_LOG: 'info' });
});
afterAll(async () => {
  await program.stop();
  await rm(folder, { recursive: true, force: true });
});

test('after its first start, the built server has the memory at rest that the README states', async () => {
  await expect.poll(program.output, { timeout: 60_000 }).toContain('shipped documents added');
  const memory = async () => (await program.memoryDuring(() => Promise.resolve())).before / 2 ** 20;
  // V8 returns free pages to the system a few seconds after a collection.
  await expect.poll(memory, { timeout: 60_000 }).toBeLessThan(MOST_MB);
}, 400_000);

test('a stop ends its database, and a second start with the folder starts one', async () => {
  await program.stop();
  expect(databases()).toBe(0);
  program = await start();
  await expect.poll(databases).toBe(1);
  expect(await loggedCrashes()).toEqual([]);
}, 400_000);

test('after a kill, the next start stops the remaining database', async () => {
  await program.kill();
  // A process that its server has just forked looks like the server for a moment.
  await expect.poll(databases).toBe(1);
  // Throws an error on a signal.
  const fault = `process.on('SIGUSR2', () => { throw new TypeError('the harbour is closed, token=abc') })`;
  program = await start({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(fault)}` });
  await expect.poll(databases).toBe(1);
  await expect.poll(loggedCrashes).toMatchObject([{ name: 'ServerKilled', count: 1, stack: null }]);
}, 240_000);

test('the error that ended a run is in the error log after the next start', async () => {
  program.signal('SIGUSR2');
  await expect.poll(() => program.exitCode()).not.toBeNull();
  program = await start();
  await expect.poll(loggedCrashes).toMatchObject([
    { name: 'ServerKilled', count: 1 },
    {
      ...{ name: 'TypeError', count: 1, message: 'The server crashed: the harbour is closed, token=***' },
      stack: expect.stringMatching(/^TypeError: the harbour is closed, token=\*\*\*\n +at /),
      details: { uptime: expect.stringMatching(/^0:\d\d:\d\d$/), memory: expect.stringMatching(/^\d+ MB$/) },
    },
  ]);
}, 240_000);

/** The same message for other ports; and settings, which have a table of their own in `config.test.ts`. */
const OTHER_REFUSALS: [string, Record<string, string>, string][] = [
  ['a port for links that is in use', { CHARGEHAND_LINKS_PORT: PORT }, `Port ${PORT} is in use`],
  ['an MQTT port that is in use', { CHARGEHAND_MQTT_PORT: PORT }, `Port ${PORT} is in use`],
  ['an invalid setting', { PORT: 'eighty' }, 'PORT must be a whole number'],
];

// Concurrent, because one of them waits as long as a server that is stopping may keep the database.
describe.concurrent('a start', () => {
  test('of two programs with one data folder, the second ends with a message', async () => {
    const { status, stderr } = await another({ PORT: '0', CHARGEHAND_DATA: folder });
    expect(stderr).toContain(`Chargehand already runs on the data folder ${folder}`);
    expect(status).toBe(1);
  }, 240_000);

  test('of two programs with one database, the second ends with a message', async () => {
    const database = await createTestDatabase();
    const own = `${folder}-first`;
    const first = await startProgram(
      { PORT: String(await freePort()), CHARGEHAND_DATA: own, DATABASE_URL: database.url },
      BUILT,
    );
    const { status, stderr } = await another({
      ...{ PORT: '0', CHARGEHAND_DATA: `${folder}-second`, DATABASE_URL: database.url },
      CHARGEHAND_MQTT_PORT: '0',
    });
    expect(stderr).toContain('uses this database. Several processes need S3_ENDPOINT');
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(status).toBe(1);
    await first.stop();
    await database.drop();
    for (const path of [own, `${folder}-second`]) await rm(path, { recursive: true, force: true });
  }, 240_000);

  test.each([
    ['a port that is in use', { PORT }, `Port ${PORT} is in use`],
    [
      'a database that does not respond',
      { DATABASE_URL: 'postgres://x@127.0.0.1:1/x', CHARGEHAND_DATABASE_WAIT_SECONDS: '0' },
      'The database cannot be reached',
    ],
    ...(isFullRun ? OTHER_REFUSALS : []),
  ])(
    '%s is refused with a message',
    async (_what, environment, sentence) => {
      const refused = await mkdtemp(join(tmpdir(), 'chargehand-refused-'));
      const { status, stderr } = await another({ PORT: '0', CHARGEHAND_DATA: refused, ...environment });
      expect(stderr).toContain(sentence);
      expect(stderr).not.toContain(' at ');
      expect(status).toBe(1);
      const made = await readdir(refused);
      expect(made.filter((name) => name.startsWith('postgres'))).toEqual([]);
      await rm(refused, { recursive: true });
    },
    240_000,
  );

  test('a data folder without write permission is refused with a message', async () => {
    const closed = await mkdtemp(join(tmpdir(), 'chargehand-closed-'));
    await chmod(closed, 0o555);
    // Root may write anywhere, so the program is started as nobody.
    const account = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    const { status, stderr } = await another({ PORT: '0', CHARGEHAND_DATA: closed, NODE_COMPILE_CACHE: '' }, account);
    expect(stderr).toContain(`The data folder ${closed} cannot be written by this account`);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(status).toBe(1);
    await rm(closed, { recursive: true });
  }, 240_000);
});

test('a database without its password file is refused with a message, and opens once the file is back', async () => {
  await program.stop();
  const file = join(folder, 'postgres.password');
  await rename(file, `${file}.kept`);
  const { status, stderr } = await another({ PORT: '0', CHARGEHAND_DATA: folder });
  expect(stderr).toContain(`The password file ${file} is missing`);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(status).toBe(1);
  await writeFile(file, '\n');
  expect((await another({ PORT: '0', CHARGEHAND_DATA: folder })).stderr).toContain(
    `The password file ${file} is empty`,
  );
  await rename(`${file}.kept`, file);
  program = await start();
}, 240_000);

/** Timeout of a start that creates a database before it fails, on a busy machine. */
const REFUSED_WITHIN_MS = 180_000;

/** Starts the program with an error, and waits until it has reported the reason. */
function another(
  environment: Record<string, string>,
  account: { uid?: number; gid?: number } = {},
): Promise<{ status: unknown; stderr: string }> {
  const defaults = { NODE_COMPILE_CACHE: COMPILED, CHARGEHAND_DEMO: '0', CHARGEHAND_LOG: 'error', DATABASE_URL: '' };
  const env = { ...process.env, ...defaults, ...environment };
  const options = { ...account, env, encoding: 'utf8', timeout: REFUSED_WITHIN_MS } as const;
  return new Promise((resolve) => {
    execFile(process.execPath, [SERVER], options, (error, _stdout, stderr) =>
      resolve({ status: error?.code ?? 0, stderr }),
    );
  });
}

/** The crashes in the error log of the test's folder. */
async function loggedCrashes(): Promise<object[]> {
  const { pool, close } = connectDatabase((await runningDatabase(folder))!, { max: 1 });
  const { rows } = await pool.query(
    `select g.name, g.message, g.stack, g.count, o.details
       from error_groups g join error_occurrences o on o.group_id = g.id where details ? 'lastHeartbeat' order by g.id`,
  );
  await close();
  return rows;
}

/** The number of database servers that run on the test's folder. */
function databases(): number {
  const lines = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split('\n');
  return lines.filter((line) => line.includes('postgres -D') && line.includes(folder)).length;
}
