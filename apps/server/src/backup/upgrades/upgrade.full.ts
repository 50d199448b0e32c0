import { createWriteStream, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { expect, onTestFinished, test } from 'vitest';
import { connectDatabase } from '../../platform/database/connect.ts';
import { runningDatabase } from '../../platform/database/embedded/embedded.ts';
import { readMigrations } from '../../platform/database/migrate.ts';
import { createLog } from '../../platform/log.ts';
import { openZip } from '../../platform/zip/zip-reader.ts';
import { client } from '../../testing/client.ts';
import { testConfig } from '../../testing/config.ts';
import { startProgram } from '../../testing/program.ts';
import { signIn } from '../../testing/sign-in.ts';
import { ACCOUNT, type Expected, readExpected } from '../../testing/upgrades/expected.ts';
import { restoreBackup } from '../restore.ts';

const FIXTURES = join(import.meta.dirname, '../../testing/upgrades');
const LARGEST_FIXTURE_BYTES = 2_000_000;
/** The data of a fixture is never too old to be kept. */
const KEEP = { CHARGEHAND_PROTOCOL_LOG_DAYS: '3650', CHARGEHAND_READING_DAYS: '36500' };

/** What earlier versions wrote; `make-fixture.ts` makes one for each release. */
const fixtures = readdirSync(FIXTURES).filter((name) => name.endsWith('.zip'));

test.each(fixtures)(
  'this version starts on the data of %s and shows all of it; the data of a later version is refused',
  async (name) => {
    const folder = await mkdtemp(join(tmpdir(), 'chargehand-upgrade-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await extract(join(FIXTURES, name), folder);
    const expected: Expected = JSON.parse(await readFile(join(folder, 'expected.json'), 'utf8'));
    const data = join(folder, 'data');
    const config = testConfig(data, { databaseUrl: undefined });
    const from = join(folder, 'backup');
    const { migrations } = await restoreBackup({ from, config, log: createLog('silent') });

    const settings = { PORT: '19737', HOST: '127.0.0.1', DATABASE_URL: '', CHARGEHAND_MQTT_PORT: '0' };
    const start = () => startProgram({ ...settings, ...KEEP, CHARGEHAND_DATA: data });
    const program = await start();
    try {
      const { pool, close } = connectDatabase((await runningDatabase(data)) ?? '', { max: 1 });
      const { rows } = await pool.query<{ name: string }>('select name from migrations order by name');
      const known = (await readMigrations()).map((file) => file.name);
      expect(rows.map((row) => row.name)).toEqual(known);
      expect(migrations.map((file) => file.name)).toEqual(known.slice(0, migrations.length));
      const { session } = await signIn(program.url, ACCOUNT.userName, ACCOUNT.password);
      const { until, document, file, alarms } = expected;
      const ids = { document: document.id, file: file.id, newestAlarm: alarms.at(-1)! };
      expect(await readExpected(client(program.url, session), { until, ...ids })).toEqual(expected);
      expect(alarms.length).toBeGreaterThan(0);
      expect(Object.values(expected.frames).some(({ count }) => count > 0)).toBe(true);
      await pool.query(`insert into migrations (name, checksum) values ('999_later.sql', '')`);
      await close();
    } finally {
      await program.stop();
    }
    await expect(start()).rejects.toThrow(
      '999_later.sql, which this version does not know: a newer version has used it',
    );
  },
  400_000,
);

async function extract(archive: string, folder: string): Promise<void> {
  const content = await readFile(archive);
  expect(content.length).toBeLessThan(LARGEST_FIXTURE_BYTES);
  const zip = await openZip(content, 10_000);
  for (const [path, entry] of zip.entries) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await pipeline(await entry.open(), createWriteStream(join(folder, path)));
  }
  zip.close();
}
