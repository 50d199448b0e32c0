import { readdir } from 'node:fs/promises';
import { type Kysely, sql } from 'kysely';
import { MIGRATIONS_FOLDER } from './migrate.ts';
import type { Database } from './schema.ts';

/** Resolves when the database answers and holds every migration of this version. @throws with what is missing */
export async function requireReadyDatabase(db: Kysely<Database>): Promise<void> {
  const { rows } = await sql<{ name: string }>`select name from migrations`.execute(db);
  const applied = new Set(rows.map(({ name }) => name));
  const files = (await readdir(MIGRATIONS_FOLDER)).filter((name) => name.endsWith('.sql'));
  const missing = files.filter((name) => !applied.has(name));
  if (missing.length > 0) throw new Error(`Migrations not yet applied: ${missing.join(', ')}`);
}
