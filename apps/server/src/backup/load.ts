import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { connectForBackup, tablesOf } from './dump.ts';
import { BackupProblem, type Manifest } from './manifest.ts';

const name = pg.escapeIdentifier;

/** Deletes all tables, functions and types of the product. */
export async function clearDatabase(url: string): Promise<void> {
  const client = await connectForBackup(url);
  try {
    await client.query('drop schema public cascade; drop schema if exists detached cascade; create schema public');
  } finally {
    await client.end();
  }
}

/** True if the database has a table. */
export async function hasTables(url: string): Promise<boolean> {
  const client = await connectForBackup(url);
  try {
    return (await tablesOf(client)).length > 0;
  } finally {
    await client.end();
  }
}

/**
 * Loads all tables of a backup, in one transaction, into a database that has the schema of the backup. Rows that
 * migrations added are replaced. Triggers do not run, and foreign keys are checked at the end.
 * @throws {BackupProblem} if the tables differ from those of the backup
 */
export async function loadDatabase(
  url: string,
  manifest: Manifest,
  options: { folder: string; onProgress(progress: { tables: number; of: number }): void },
): Promise<void> {
  const client = await connectForBackup(url);
  try {
    await client.query('begin');
    await addPartitions(client, manifest);
    await requireSameTables(client, manifest);
    const putBack = await setAside(client);
    await client.query(`truncate ${manifest.tables.map((table) => name(table.name)).join(', ')}`);
    for (const [n, table] of manifest.tables.entries()) {
      const columns = table.columns.map((column) => name(column)).join(', ');
      const target = client.query(copyFrom(`copy ${name(table.name)} (${columns}) from stdin`));
      await pipeline(createReadStream(join(options.folder, table.file)), createZstdDecompress(), target);
      if (target.rowCount !== table.rows)
        throw new BackupProblem(`Table ${table.name} has ${target.rowCount} rows instead of ${table.rows}.`);
      options.onProgress({ tables: n + 1, of: manifest.tables.length });
    }
    for (const { name: sequence, last } of manifest.sequences) {
      await client.query(
        `select setval($1::regclass, coalesce($2::bigint, seqstart), $2 is not null)
           from pg_sequence where seqrelid = $1::regclass`,
        [name(sequence), last],
      );
    }
    for (const statement of putBack) await client.query(statement);
    await client.query('commit');
    await client.query('analyze');
  } finally {
    await client.end();
  }
}

async function addPartitions(client: pg.Client, { tables }: Manifest): Promise<void> {
  const existing = new Set((await tablesOf(client)).map((table) => table.name));
  for (const table of tables) {
    if (table.partition === null || existing.has(table.name)) continue;
    const { of, bounds } = table.partition;
    if (!/^(DEFAULT|FOR VALUES FROM \([^;()]*\) TO \([^;()]*\))$/i.test(bounds))
      throw new BackupProblem(`The bounds of the partition ${table.name} cannot be read.`);
    await client.query(`create table ${name(table.name)} partition of ${name(of)} ${bounds}`);
  }
}

async function requireSameTables(client: pg.Client, { tables }: Manifest): Promise<void> {
  const shapes = (list: readonly { name: string; columns: readonly string[] }[]) =>
    new Map(list.map((table) => [table.name, table.columns.toSorted().join(',')]));
  const [mine, theirs] = [shapes(await tablesOf(client)), shapes(tables)];
  const different = [...mine.keys(), ...theirs.keys()].filter((table) => mine.get(table) !== theirs.get(table));
  if (different.length > 0)
    throw new BackupProblem(`The tables of the backup differ from those of this version: ${different.join(', ')}.`);
}

/** Removes foreign keys and disables triggers. @returns the statements that undo it */
async function setAside(client: pg.Client): Promise<string[]> {
  const { rows: triggers } = await client.query<{ on: string; trigger: string }>(
    `select tgrelid::regclass::text as on, quote_ident(tgname) as trigger from pg_trigger
      join pg_class c on c.oid = tgrelid
     where not tgisinternal and tgenabled = 'O' and tgparentid = 0 and c.relnamespace = current_schema()::regnamespace`,
  );
  const { rows: keys } = await client.query<{ on: string; key: string; definition: string }>(
    `select conrelid::regclass::text as on, quote_ident(conname) as key, pg_get_constraintdef(oid) as definition
       from pg_constraint
      where contype = 'f' and conparentid = 0 and connamespace = current_schema()::regnamespace`,
  );
  for (const { on, trigger } of triggers) await client.query(`alter table ${on} disable trigger ${trigger}`);
  for (const { on, key } of keys) await client.query(`alter table ${on} drop constraint ${key}`);
  return [
    ...keys.map(({ on, key, definition }) => `alter table ${on} add constraint ${key} ${definition}`),
    ...triggers.map(({ on, trigger }) => `alter table ${on} enable trigger ${trigger}`),
  ];
}
