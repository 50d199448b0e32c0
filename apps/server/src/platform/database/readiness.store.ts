import { readdir } from 'node:fs/promises';
import { type Kysely, sql } from 'kysely';
import { MIGRATIONS_FOLDER } from './migrate.ts';
import type { Database } from './schema.ts';

/** The migrations of this version that the database has not applied. */
export async function missingMigrations(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from migrations`.execute(db);
  const applied = new Set(rows.map(({ name }) => name));
  const files = (await readdir(MIGRATIONS_FOLDER)).filter((name) => name.endsWith('.sql'));
  return files.filter((name) => !applied.has(name));
}
