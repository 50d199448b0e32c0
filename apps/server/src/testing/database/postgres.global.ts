import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { connectDatabase } from '../../platform/database/connect.ts';
import { startEmbeddedPostgres } from '../../platform/database/embedded/embedded.ts';
import { migrate } from '../../platform/database/migrate.ts';
import { createLog } from '../../platform/log.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the tests' PostgreSQL (its database is not used by tests) and the name of the migrated template in it. */
    postgres: { url: string; template: string };
  }
}

interface TestPostgres {
  url: string;
  template: string;
  stop(): Promise<void>;
}

/** Every project of a run loads this file. The server that they share is stored here. */
const SHARED = Symbol.for('chargehand.testing.postgres');
const shared = globalThis as { [SHARED]?: { started: Promise<TestPostgres>; users: number } };

/**
 * Starts one PostgreSQL for the whole run, or uses the one of TEST_DATABASE_URL, and creates a migrated database in it
 * that `createTestDatabase` copies.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared[SHARED] ??= { started: start(), users: 0 };
  const entry = shared[SHARED];
  entry.users += 1;
  const { url, template, stop } = await entry.started;
  project.provide('postgres', { url, template });
  return async () => {
    entry.users -= 1;
    if (entry.users > 0) return;
    delete shared[SHARED];
    await stop();
  };
}

async function start(): Promise<TestPostgres> {
  const given = process.env.TEST_DATABASE_URL;
  if (given !== undefined && given !== '') {
    const template = await createTemplate(given);
    return { url: given, template, stop: () => execute(given, `DROP DATABASE "${template}"`) };
  }
  const folder = await mkdtemp(join(tmpdir(), 'chargehand-test-'));
  const postgres = await startEmbeddedPostgres({ folder, log: createLog('error'), durable: false });
  return {
    url: postgres.url,
    template: await createTemplate(postgres.url),
    stop: async () => {
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function createTemplate(url: string): Promise<string> {
  const template = `chargehand_template_${randomBytes(4).toString('hex')}`;
  await execute(url, `CREATE DATABASE "${template}"`);
  const target = new URL(url);
  target.pathname = `/${template}`;
  const { pool, close } = connectDatabase(target.href, { max: 1 });
  await migrate(pool);
  await close();
  return template;
}

async function execute(url: string, statement: string): Promise<void> {
  const { pool, close } = connectDatabase(url, { max: 1 });
  await pool.query(statement);
  await close();
}
