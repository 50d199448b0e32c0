import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MIGRATIONS_FOLDER, migrate } from '../../platform/database/migrate.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

/**
 * An empty database with the schema that it had before a migration, such as `375_alarm_software.sql`, for rows as they were
 * then. `migrate` then applies this migration and all later ones.
 */
export async function databaseBefore(
  migration: string,
): Promise<{ database: TestDatabase; migrate(): Promise<string[]> }> {
  const names = (await readdir(MIGRATIONS_FOLDER)).filter((name) => name.endsWith('.sql'));
  if (!names.includes(migration)) throw new Error(`There is no migration ${migration}`);
  const folder = await mkdtemp(join(tmpdir(), 'chargehand-before-'));
  try {
    const earlier = names.filter((name) => name < migration);
    await Promise.all(earlier.map((name) => copyFile(join(MIGRATIONS_FOLDER, name), join(folder, name))));
    const database = await createTestDatabase({ template: 'template0' });
    await migrate(database.pool, { folder });
    return { database, migrate: () => migrate(database.pool) };
  } finally {
    await rm(folder, { recursive: true });
  }
}
