import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pool, PoolClient } from 'pg';
import type { Log } from '../log.ts';

/** The folder of the product's migrations: plain SQL files named NNN_name.sql. */
export const MIGRATIONS_FOLDER = join(import.meta.dirname, 'migrations');

/**
 * Any number that is not used otherwise in this database: the lock during migrations, so that processes that
 * start at the same time take turns.
 */
const ADVISORY_LOCK = 7_263_540_117;

/**
 * Updates the schema: applies the files that are not recorded yet, in the order of their numbers, each in its own
 * transaction together with its record.
 * With `until`, files after that one are left out.
 * @returns the names of the files applied now
 * @throws with a message, before anything is applied, when an applied file has changed since, when the database
 * contains a record of an unknown file (from a newer version), or when a new file is older than an applied one.
 */
export async function migrate(
  pool: Pool,
  options: { folder?: string; log?: Log; until?: string } = {},
): Promise<string[]> {
  const { until } = options;
  const all = await readMigrations(options.folder);
  const files = until === undefined ? all : all.filter(({ name }) => name <= until);
  const client = await pool.connect();
  try {
    await client.query('SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0');
    await client.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCK]);
    await client.query(
      `CREATE TABLE IF NOT EXISTS migrations (
         name text PRIMARY KEY,
         checksum text NOT NULL,
         applied_at timestamptz NOT NULL DEFAULT now()
       )`,
    );
    const { rows } = await client.query<AppliedMigration>('SELECT name, checksum FROM migrations ORDER BY name');
    const pending = pendingMigrations(files, rows);
    for (const file of pending) {
      await apply(client, file);
      options.log?.info({ migration: file.name }, 'schema migrated');
    }
    return pending.map((file) => file.name);
  } finally {
    // Closing the connection releases its lock and its settings, whatever its state.
    client.release(true);
  }
}

export interface MigrationFile {
  name: string;
  checksum: string;
  sql: string;
}

export interface AppliedMigration {
  name: string;
  checksum: string;
}

/** The files that must still be applied. @throws like `migrate`. */
function pendingMigrations(files: MigrationFile[], applied: AppliedMigration[]): MigrationFile[] {
  const known = new Map(files.map((file) => [file.name, file]));
  for (const { name, checksum } of applied) {
    const file = known.get(name);
    if (file === undefined) {
      throw new Error(
        `The database has migration ${name}, which this version does not know: a newer version has used it. ` +
          'Start that version, or restore a backup.',
      );
    }
    if (file.checksum !== checksum) {
      throw new Error(
        `Migration ${name} was changed after it was applied. Undo the change, and write a new migration instead.`,
      );
    }
  }
  const done = new Set(applied.map(({ name }) => name));
  const last =
    applied
      .map(({ name }) => name)
      .sort()
      .at(-1) ?? '';
  const pending = files.filter((file) => !done.has(file.name));
  const late = pending.find((file) => file.name < last);
  if (late !== undefined) {
    throw new Error(`Migration ${late.name} comes before ${last}, which is applied already. Give it the next number.`);
  }
  return pending;
}

/** The migrations of a folder, in their order. */
export async function readMigrations(folder = MIGRATIONS_FOLDER): Promise<MigrationFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  const numbers = new Set<string>();
  const files: MigrationFile[] = [];
  for (const name of names) {
    const number = /^(\d{3})_[a-z0-9_]+\.sql$/.exec(name)?.[1];
    if (number === undefined) throw new Error(`Migration ${name} is not named like 001_what_it_does.sql.`);
    if (numbers.has(number)) throw new Error(`Two migrations have the number ${number}.`);
    numbers.add(number);
    const sql = (await readFile(join(folder, name), 'utf8')).replaceAll('\r\n', '\n');
    files.push({ name, sql, checksum: createHash('sha256').update(sql).digest('hex') });
  }
  return files;
}

async function apply(client: PoolClient, file: MigrationFile): Promise<void> {
  try {
    await client.query('BEGIN');
    await client.query(file.sql);
    await client.query('INSERT INTO migrations (name, checksum) VALUES ($1, $2)', [file.name, file.checksum]);
    await client.query('COMMIT');
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`Migration ${file.name} failed: ${reason}`, { cause });
  }
}
