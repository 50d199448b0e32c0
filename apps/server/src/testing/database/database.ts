import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { connectDatabase, type DatabaseConnection } from '../../platform/database/connect.ts';

export interface TestDatabase extends Omit<DatabaseConnection, 'close'> {
  url: string;
  /** Closes the pool and removes the database, even when it is in use. */
  drop(): Promise<void>;
}

/** Timeout of a connection on a busy machine. Milliseconds. */
const TIMEOUT_MS = 60_000;

/**
 * A new database for one test, copied in some tens of milliseconds from the run's template, which is migrated and
 * empty, or from `template`.
 */
export async function createTestDatabase(options: { max?: number; template?: string } = {}): Promise<TestDatabase> {
  const { url, template: empty } = inject('postgres');
  const { template = empty } = options;
  const name = `test_${randomBytes(6).toString('hex')}`;
  // The default strategy writes every page to the write-ahead log, which takes six times as much CPU time.
  await execute(url, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  const { pool, db, close } = connectDatabase(own.href, { max: options.max ?? 4, connectTimeout: TIMEOUT_MS });
  return {
    url: own.href,
    pool,
    db,
    drop: async () => {
      await close();
      await execute(url, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

/**
 * Deletes all rows of tables, in this order, while a server may still write to them. Each table has its own statement:
 * `truncate` locks one table while it waits for the next, so it can deadlock with the server.
 */
export async function emptyTables(pool: DatabaseConnection['pool'], ...tables: readonly string[]): Promise<void> {
  for (const table of tables) await pool.query(`delete from ${table}`);
}

async function execute(url: string, statement: string): Promise<void> {
  const { pool, close } = connectDatabase(url, { max: 1, connectTimeout: TIMEOUT_MS, statementTimeout: TIMEOUT_MS });
  try {
    await pool.query(statement);
  } finally {
    await close();
  }
}
