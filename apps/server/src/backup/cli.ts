// `npm run backup` and `npm run restore`.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { systemClock } from '../platform/clock.ts';
import { type Config, readConfig } from '../platform/config/config.ts';
import { openDataFolder } from '../platform/config/data-folder.ts';
import { connectDatabase } from '../platform/database/connect.ts';
import { runningDatabase, startEmbeddedPostgres } from '../platform/database/embedded/embedded.ts';
import { newestFact } from '../platform/deletion/deletion.store.ts';
import { deletionGuard } from '../platform/deletion/deletion.ts';
import { createLog, type Log } from '../platform/log.ts';
import { KEYS_STATEMENT, type Manifest } from './manifest.ts';
import { embeddedSource, type ObjectSource, serviceSource } from './object-source.ts';
import { restoreBackup } from './restore.ts';
import { bytesOfBackup, recordedBackup } from './schedule.ts';
import { verifyBackup } from './verify.ts';

const HELP = `npm run backup -- [FOLDER] [--keep N] [--without-objects]
  Backs up the database and the objects into a new folder below FOLDER, or CHARGEHAND_BACKUP_FOLDER.
  The server may be running. --keep deletes older backups, --without-objects leaves out pictures, documents and firmware.

npm run restore -- BACKUP [--force]
  Restores a backup into an empty installation. The server must not be running. --force replaces all data.

npm run restore -- --verify BACKUP
  Compares a backup with its checksums. Changes nothing.
`;

const VERSION: string = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;
/** The least time (ms) between two lines about the progress. */
const PROGRESS_MS = 1_000;

const [command, ...rest] = process.argv.slice(2);
try {
  await run();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  // The channel to the script that started this process would keep it running.
  if (process.connected) process.disconnect();
}

async function run(): Promise<void> {
  const { values, positionals } = parseArgs({
    args: rest,
    allowPositionals: true,
    options: {
      help: { type: 'boolean' },
      keep: { type: 'string' },
      'without-objects': { type: 'boolean' },
      force: { type: 'boolean' },
      verify: { type: 'boolean' },
    },
  });
  const [folder] = positionals;
  if (values.help) {
    process.stdout.write(HELP);
  } else if (command === 'backup') {
    const keep = values.keep === undefined ? undefined : Number(values.keep);
    if (keep !== undefined && !(Number.isInteger(keep) && keep > 0)) throw new Error('--keep needs a number above 0.');
    await backup({ folder, keep, withObjects: !values['without-objects'] });
  } else if (command === 'restore' && folder !== undefined) {
    const from = resolve(process.env.INIT_CWD ?? '.', folder);
    if (values.verify) {
      say(`${from} is complete and undamaged. ${summary(await verifyBackup(from, progress()))}`);
      return;
    }
    const [config, log] = settings();
    const manifest = await restoreBackup({ from, config, log, force: values.force ?? false, onProgress: progress() });
    say(`Restored the data of ${manifest.takenAt}. ${summary(manifest)} Start the server.`);
  } else {
    throw new Error(`${HELP}\nName the backup to restore.`);
  }
}

interface Request {
  folder: string | undefined;
  keep: number | undefined;
  withObjects: boolean;
}

async function backup({ folder, keep, withObjects }: Request): Promise<void> {
  const [config, log] = settings();
  const target = folder === undefined ? config.backup?.folder : resolve(process.env.INIT_CWD ?? '.', folder);
  if (target === undefined) throw new Error('Name a folder, or set CHARGEHAND_BACKUP_FOLDER.');
  await withDatabase(config, log, async (url) => {
    const objects = withObjects ? await objectsOf(config) : null;
    const { db, close } = connectDatabase(url, { max: 1, applicationName: 'chargehand backup' });
    try {
      const guard = await deletionGuard({ db, log, newestFact: () => newestFact(db) });
      const { deleteOld } = guard.watch(systemClock);
      const options = { url, objects, folder: target, version: VERSION, keep, onProgress: progress(), deleteOld };
      const { path, manifest } = await recordedBackup(db, options, false);
      say(`${path} is complete. ${summary(manifest)}\n${KEYS_STATEMENT}`);
    } finally {
      await close();
    }
  });
}

function settings(): [Config, Log] {
  return [readConfig(process.env), createLog('warn')];
}

/** Runs `work` on the database of the running server; otherwise starts the embedded database for it. */
async function withDatabase(config: Config, log: Log, work: (url: string) => Promise<void>): Promise<void> {
  if (config.databaseUrl !== undefined) return await work(config.databaseUrl);
  if (!existsSync(join(config.dataFolder, 'postgres')))
    throw new Error(`There is no database in ${config.dataFolder}. Set CHARGEHAND_DATA to the data folder.`);
  const running = await runningDatabase(config.dataFolder);
  if (running !== null) return await work(running);
  const data = await openDataFolder(config.dataFolder);
  const embedded = await startEmbeddedPostgres({ folder: data.path, log });
  try {
    await work(embedded.url);
  } finally {
    await embedded.stop();
    data.close();
  }
}

async function objectsOf({ dataFolder, objects }: Config): Promise<ObjectSource> {
  const { service, key, region, buckets } = objects;
  if (service === null || key === null) return embeddedSource(dataFolder, buckets);
  const { s3Objects } = await import('../platform/objects/service/s3-objects.ts');
  return serviceSource(s3Objects({ ...service, region, buckets, key }));
}

function summary(manifest: Manifest): string {
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  const objects = manifest.objects ? `${manifest.objects.count} objects` : 'no objects';
  return `${rows} rows, ${objects}, ${(bytesOfBackup(manifest) / 1_000_000).toFixed(1)} MB.`;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Prints the progress, at most once a second. */
function progress(): (sentence: string) => void {
  let last = 0;
  return (sentence) => {
    if (performance.now() - last < PROGRESS_MS) return;
    last = performance.now();
    say(`  ${sentence}`);
  };
}
