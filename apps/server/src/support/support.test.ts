import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SECRET_SETTINGS, SETTINGS } from '../platform/config/settings.ts';
import { createLog } from '../platform/log.ts';
import { openZip } from '../platform/zip/zip-reader.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { supportBundle } from './bundle.ts';
import { recentLines } from './recent-lines.ts';

let server: TestServer;
let folder: string;
beforeAll(async () => {
  server = await startTestServer({}, { extraData: true });
  folder = await mkdtemp(join(tmpdir(), 'chargehand-support-'));
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

async function filesOf(bundle: Buffer): Promise<Record<string, string>> {
  const zip = await openZip(bundle, 100);
  const files: Record<string, string> = {};
  for (const [path, entry] of zip.entries) files[path] = await text(await entry.open());
  zip.close();
  return files;
}

const bytesOf = (bundle: AsyncIterable<Buffer>) => buffer(Readable.from(bundle, { objectMode: false }));

/** Names of columns whose values give access to something. */
const SECRET_COLUMNS = 'secret|passw|token|_hash|private|credential|challenge|cipher|sealed|^pin$';

/** The values of all columns that contain secrets. */
async function storedSecrets(): Promise<string[]> {
  const { pool } = server.database;
  const { rows } = await pool.query<{ table: string; column: string }>(
    `select table_name as table, column_name as column from information_schema.columns
      where table_schema = 'public' and data_type in ('text', 'bytea')
        and (column_name ~ '${SECRET_COLUMNS}' or (table_name = 'server_secrets' and column_name = 'value'))`,
  );
  const values: string[] = [];
  for (const { table, column } of rows) {
    const found = await pool.query<{ value: string }>(
      `select distinct "${column}"::text as value from "${table}" where length("${column}"::text) >= 12`,
    );
    values.push(...found.rows.map(({ value }) => value));
  }
  return values;
}

test('no secret of the environment, the database or the logs is in the bundle', async () => {
  const environment: Record<string, string> = {
    CHARGEHAND_MAP_TILES: 'https://maps.example.org/{z}/{x}/{y}?key=map-key-of-the-operator',
  };
  for (const name of SECRET_SETTINGS) environment[name] = `value-of-${name}`;
  environment.DATABASE_URL = 'postgres://ops:s3cret%2Fdatabase@db.example.org/x';
  environment.SMTP_URL = 'smtps://ops:mail-p4ss@mail.example.org';
  const log = createLog('silent');
  const recent = recentLines(log, () => new Date());
  log.error({ err: new Error('sign-in failed: password=inMessage1234'), token: 'inField1234' }, 'failed');
  log.warn(
    { url: `https://example.org/share?code=inUrl123456`, header: 'Bearer inHeader123456' },
    'value secret-in-the-database',
  );
  log.info('not kept');
  const postgres = [
    '2026-01-01 00:00:00 UTC [1] LOG:  database system is ready to accept connections',
    '2026-01-01 00:00:01 UTC [2] ERROR:  invalid input syntax for type integer: "In a Row 1"',
    '2026-01-01 00:00:01 UTC [2] DETAIL:  Key (email)=(inDetail@example.org) already exists.',
    `2026-01-01 00:00:01 UTC [2] STATEMENT:  insert into users values ('inStatement')`,
    "\twhere name = 'inContinuation'",
    'FATAL:  password authentication failed for user "chargehand"',
  ];
  await writeFile(join(folder, 'postgres.log'), postgres.join('\n'));
  await writeFile(join(folder, 'postgres.password'), 'password-of-the-database\n');
  await server.database.pool.query(
    `insert into server_secrets (name, value) values ('support', 'secret-in-the-database')`,
  );
  const bundle = supportBundle({
    ...{ version: '1.2.3', environment, dataFolder: folder, pool: server.database.pool, now: new Date() },
    running: {
      metrics: async () => 'chargehand_build_info 1\n# password-of-the-database secret-in-the-database\n',
      problems: async () => [{ message: 'The disk is full: value-of-CHARGEHAND_METRICS_TOKEN' }],
      log: recent.lines,
    },
  });
  const files = await filesOf(await bytesOf(bundle));
  recent.stop();
  const all = Object.values(files).join('\n');
  const secrets = await storedSecrets();
  expect(secrets.length).toBeGreaterThan(10);
  const known = [
    ...secrets,
    ...Object.values(environment),
    ...'s3cret%2Fdatabase s3cret/database mail-p4ss'.split(' '),
  ];
  known.push('map-key-of-the-operator', 'password-of-the-database', 'secret-in-the-database', 'In a Row 1');
  known.push(...'inMessage1234 inField1234 inUrl123456 inHeader123456 inDetail inStatement inContinuation'.split(' '));
  expect(known.filter((secret) => all.includes(secret))).toEqual([]);

  expect(JSON.parse(files['about.json']!)).toMatchObject({
    version: '1.2.3',
    database: [{ schema: expect.any(String) }],
  });
  expect(JSON.parse(files['settings.json']!)).toMatchObject({
    DATABASE_URL: '***',
    CHARGEHAND_MAP_TILES: expect.stringContaining('maps.example.org'),
  });
  expect(JSON.parse(files['tables.json']!)).toContainEqual(expect.objectContaining({ name: 'users' }));
  expect(JSON.parse(files['health.json']!)).toMatchObject({ dataFolder: { freeBytes: expect.any(Number) } });
  expect(files['postgres.log']).toContain('ready to accept connections');
  expect(files['postgres.log']).toContain('for user "chargehand"');
  expect(files['log.jsonl']!.split('\n').map((line) => JSON.parse(line).severity)).toEqual(['error', 'warn']);
});

test('root downloads the bundle, also without a database; others do not', async () => {
  const root = await server.as('root');
  const response = await root.fetch('/api/auth/sys/support-bundle');
  expect(response.headers.get('content-disposition')).toContain('chargehand support');
  const files = await filesOf(Buffer.from(await response.arrayBuffer()));
  expect(files['metrics.txt']).toContain('chargehand_build_info');
  const refused = await (await server.as('northAdmin')).fetch('/api/auth/sys/support-bundle');
  expect(await refused.json()).toMatchObject({ code: expect.any(Number), data: null });

  const { now, ...others } = { now: new Date(), version: '1', environment: {}, dataFolder: folder, pool: null };
  const offline = await filesOf(await bytesOf(supportBundle({ ...others, now })));
  expect(offline['tables.json']).toContain('cannot be reached');
});

test('npm run support writes the bundle, even if a setting is invalid', async () => {
  const data = join(folder, 'data');
  await mkdir(data);
  const file = join(folder, 'bundle.zip');
  const env = { ...process.env, CHARGEHAND_DATA: data, DATABASE_URL: server.database.url, PORT: 'eighty' };
  const { stdout } = await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'cli.ts'), file], { env });
  expect(stdout).toContain('is complete');
  const files = await filesOf(await readFile(file));
  expect(JSON.parse(files['settings.json']!)).toMatchObject({ PORT: 'eighty', DATABASE_URL: '***' });
  expect(Object.keys(SETTINGS)).toEqual(expect.arrayContaining(Object.keys(JSON.parse(files['settings.json']!))));
});
