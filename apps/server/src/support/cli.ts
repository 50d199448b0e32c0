// `npm run support`: writes a support bundle, whether the server is running or not.
import { createWriteStream, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { SETTINGS } from '../platform/config/settings.ts';
import { connectDatabase } from '../platform/database/connect.ts';
import { runningDatabase } from '../platform/database/embedded/embedded.ts';
import { dayStamp } from '../platform/http/serve/attachment.ts';
import { supportBundle } from './bundle.ts';

const VERSION: string = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;

try {
  const now = new Date();
  const file = resolve(process.env.INIT_CWD ?? '.', process.argv[2] ?? `chargehand-support-${dayStamp(now)}.zip`);
  // Other settings may be invalid: that may be the reason for the bundle.
  const { CHARGEHAND_DATA, DATABASE_URL } = process.env;
  const dataFolder = SETTINGS.CHARGEHAND_DATA.read(CHARGEHAND_DATA?.trim() || SETTINGS.CHARGEHAND_DATA.fallback);
  const url = DATABASE_URL?.trim() || (await runningDatabase(dataFolder));
  const database = url ? connectDatabase(url, { max: 1, applicationName: 'chargehand support' }) : null;
  try {
    const pool = database?.pool ?? null;
    const bundle = supportBundle({ version: VERSION, environment: process.env, dataFolder, pool, now });
    await pipeline(Readable.from(bundle, { objectMode: false }), createWriteStream(file, { flags: 'wx', mode: 0o600 }));
  } finally {
    await database?.close();
  }
  process.stdout.write(
    `${file} is complete. It contains no passwords, keys or tokens; see README.txt in it for what it contains.\n`,
  );
  if (!url) process.stdout.write('The database is not running, so the bundle contains nothing from it.\n');
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  // The channel to the script that started this process would keep it running.
  if (process.connected) process.disconnect();
}
