import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress } from 'node:zlib';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { BackedUpTable, Manifest } from './manifest.ts';

/** SQLSTATE of a table that no longer exists. */
const UNDEFINED_TABLE = '42P01';
/** Key of the advisory lock during a backup: "CHGH" in ASCII, and a number for this use. */
const LOCK = [0x43_48_47_48, 2] as const;

/** A view of the database at one moment, which does not change while it is open. */
export interface Snapshot {
  /** the time of the view */
  takenAt: Date;
  query: pg.Client['query'];
  close(): Promise<void>;
  /** for further connections with the same view */
  id: string;
}

/** Opens a connection without limits of time, for the statements of a backup. */
export async function connectForBackup(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: 'chargehand backup', keepAlive: true });
  // A lost connection also fails the statement on it.
  client.on('error', () => undefined);
  await client.connect();
  await client.query(
    "set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set datestyle = 'ISO'; set intervalstyle = 'postgres'; set extra_float_digits = 1",
  );
  return client;
}

/**
 * Makes this process the only one that backs up the database, until `release` or its end.
 * @throws with a message if a backup is running
 */
export async function claimBackup(url: string): Promise<{ release(): Promise<void> }> {
  const client = await connectForBackup(url);
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1, $2) as taken', [...LOCK]);
  if (rows[0]?.taken) return { release: () => client.end() };
  await client.end();
  throw new BackupRunning('Another backup of this database is running.');
}

/** Another process backs up the database: nothing failed. */
export class BackupRunning extends Error {
  override name = 'BackupRunning';
}

/** Opens a view of the database as it is now. */
export async function openSnapshot(url: string): Promise<Snapshot> {
  const client = await connectForBackup(url);
  try {
    await client.query('begin isolation level repeatable read read only');
    const { rows } = await client.query<{ id: string; now: Date }>('select pg_export_snapshot() as id, now()');
    const { id, now } = rows[0]!;
    return { takenAt: now, id, query: client.query.bind(client) as pg.Client['query'], close: () => client.end() };
  } catch (error) {
    await client.end();
    throw error;
  }
}

/** What the dump has written so far. */
export interface DumpProgress {
  tables: number;
  of: number;
  bytes: number;
}

/**
 * Writes all rows of a view to files of `folder`. Each table is read in a transaction of its own, so that no lock
 * outlasts its table. A partition that is dropped meanwhile is left out, because its rows have expired.
 */
export async function dumpDatabase(
  url: string,
  snapshot: Snapshot,
  options: { folder: string; onProgress(progress: DumpProgress): void; signal?: AbortSignal | undefined },
): Promise<Pick<Manifest, 'tables' | 'sequences' | 'migrations' | 'postgres'>> {
  const { folder, onProgress, signal } = options;
  const found = await tablesOf(snapshot);
  const { rows: migrations } = await snapshot.query<{ name: string; checksum: string }>(
    'select name, checksum from migrations order by name',
  );
  const client = await connectForBackup(url);
  try {
    const tables: BackedUpTable[] = [];
    let bytes = 0;
    for (const [n, table] of found.entries()) {
      signal?.throwIfAborted();
      const written = await dumpTable(client, snapshot, { table, folder, signal });
      if (written) tables.push(written);
      bytes += written?.bytes ?? 0;
      onProgress({ tables: n + 1, of: found.length, bytes });
    }
    // Sequences are in no transaction. Read after the rows, they are not behind them.
    const { rows: sequences } = await client.query<{ name: string; last: string | null }>(
      'select sequencename::text as name, last_value::text as last from pg_sequences where schemaname = current_schema() order by 1',
    );
    const { rows } = await client.query<{ server_version: string }>('show server_version');
    return { tables, sequences, migrations, postgres: rows[0]!.server_version };
  } finally {
    await client.end();
  }
}

type FoundTable = Pick<BackedUpTable, 'name' | 'partition' | 'columns'>;

/** The tables that have rows of their own, in the order of their names. */
export async function tablesOf(client: Pick<Snapshot, 'query'>): Promise<FoundTable[]> {
  const { rows } = await client.query<FoundTable & { of: string | null; bounds: string | null }>(
    `select c.relname::text as name, p.relname::text as of, pg_get_expr(c.relpartbound, c.oid) as bounds,
            array(select attname::text from pg_attribute
                   where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = ''
                   order by attnum) as columns
       from pg_class c
       left join pg_inherits i on i.inhrelid = c.oid
       left join pg_class p on p.oid = i.inhparent
      where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
      order by c.relname collate "C"`,
  );
  return rows.map(({ name, of, bounds, columns }) => ({
    name,
    partition: of === null ? null : { of, bounds: bounds ?? 'default' },
    columns,
  }));
}

async function dumpTable(
  client: pg.Client,
  { id }: Snapshot,
  { table, folder, signal }: { table: FoundTable; folder: string; signal: AbortSignal | undefined },
): Promise<BackedUpTable | null> {
  const file = `${table.name}.copy.zst`;
  const path = join(folder, file);
  const columns = table.columns.map((name) => pg.escapeIdentifier(name)).join(', ');
  const hash = createHash('sha256');
  const hashed = new Transform({
    transform(chunk, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  await client.query('begin isolation level repeatable read read only');
  await client.query(`set transaction snapshot ${pg.escapeLiteral(id)}`);
  try {
    const source = client.query(copyTo(`copy ${pg.escapeIdentifier(table.name)} (${columns}) to stdout`));
    const target = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
    await pipeline([source, createZstdCompress(), hashed, target], signal ? { signal } : {});
    await client.query('commit');
    const { size: bytes } = await stat(path);
    return { ...table, rows: source.rowCount, file, bytes, sha256: hash.digest('hex') };
  } catch (error) {
    if ((error as { code?: string }).code !== UNDEFINED_TABLE || table.partition === null) throw error;
    await client.query('rollback');
    return null;
  }
}
