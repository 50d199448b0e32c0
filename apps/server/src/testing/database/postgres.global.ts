import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { connectDatabase } from '../../platform/database/connect.ts';
import { startEmbeddedPostgres } from '../../platform/database/embedded/embedded.ts';
import { migrate } from '../../platform/database/migrate.ts';
import { createLog } from '../../platform/log.ts';
import { COMPILED } from '../program.ts';
import type { World } from '../world.ts';
import { memoryFolder } from './memory-folder.ts';
import { hashOfSources, packCluster, unpackCluster } from './prepared-cluster.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the tests' PostgreSQL (its database is not used by tests) and the name of the migrated template in it. */
    postgres: { url: string; template: string };
    /** The name of a database with the test data, on which the product has been started once, and its content. */
    seededWorld: SeededWorld;
  }
}

interface SeededWorld {
  template: string;
  world: World;
}

interface TestPostgres {
  url: string;
  template: string;
  seeded: SeededWorld;
  stop(): Promise<void>;
}

const SEED = join(import.meta.dirname, 'world-template.ts');

/** Every project of a run loads this file. The server that they share is stored here. */
const SHARED = Symbol.for('chargehand.testing.postgres');
const shared = globalThis as { [SHARED]?: { started: Promise<TestPostgres>; users: number } };

/**
 * Starts one PostgreSQL for the whole run, or uses the one of TEST_DATABASE_URL. It has two databases that
 * `createTestDatabase` copies: a migrated one, and one with test data.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared[SHARED] ??= { started: start(), users: 0 };
  const entry = shared[SHARED];
  entry.users += 1;
  const { url, template, seeded, stop } = await entry.started;
  project.provide('postgres', { url, template });
  project.provide('seededWorld', seeded);
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
    const made = await createTemplates(given);
    return {
      ...{ url: given, ...made },
      async stop() {
        for (const name of [made.seeded.template, made.template]) await execute(given, `DROP DATABASE "${name}"`);
      },
    };
  }
  const folder = await mkdtemp(join(memoryFolder(), 'chargehand-test-'));
  const templates = await prepareCluster(folder);
  const postgres = await startPostgres(folder);
  return {
    ...{ url: postgres.url, ...templates },
    stop: async () => {
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The file in the data folder that names its templates and the rows of the test data. */
const TEMPLATES = 'templates.json';

type Templates = Pick<TestPostgres, 'template' | 'seeded'>;

/** Fills a data folder with the templates: those of an earlier run with the same sources, or new ones. */
async function prepareCluster(folder: string): Promise<Templates> {
  const file = join(folder, TEMPLATES);
  const hash = await hashOfSources();
  if (await unpackCluster(hash, folder)) return JSON.parse(await readFile(file, 'utf8')) as Templates;
  const postgres = await startPostgres(folder);
  const templates = await createTemplates(postgres.url);
  await postgres.stop();
  await writeFile(file, JSON.stringify(templates));
  await packCluster(hash, folder, ['postgres', 'postgres.password', TEMPLATES]);
  return templates;
}

function startPostgres(folder: string): ReturnType<typeof startEmbeddedPostgres> {
  return startEmbeddedPostgres({ folder, log: createLog('error'), durable: false });
}

async function createTemplates(url: string): Promise<Templates> {
  const template = await createTemplate(url);
  return { template, seeded: await seedTemplate(url, template) };
}

async function createTemplate(url: string): Promise<string> {
  const template = `chargehand_template_${randomBytes(4).toString('hex')}`;
  await execute(url, `CREATE DATABASE "${template}"`);
  const { pool, close } = connectDatabase(urlOf(url, template), { max: 1 });
  await migrate(pool);
  await close();
  return template;
}

async function seedTemplate(url: string, empty: string): Promise<SeededWorld> {
  const template = `${empty}_world`;
  await execute(url, `CREATE DATABASE "${template}" TEMPLATE "${empty}" STRATEGY file_copy`);
  const { stdout } = await promisify(execFile)(process.execPath, [SEED, urlOf(url, template)], {
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILED },
  });
  return { template, world: JSON.parse(stdout) as World };
}

function urlOf(url: string, database: string): string {
  const target = new URL(url);
  target.pathname = `/${database}`;
  return target.href;
}

async function execute(url: string, statement: string): Promise<void> {
  const { pool, close } = connectDatabase(url, { max: 1 });
  await pool.query(statement);
  await close();
}
