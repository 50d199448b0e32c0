import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestProject } from 'vitest/node';
import { connectDatabase } from '../../apps/server/src/platform/database/connect.ts';
import { seedWorld, type World } from '../../apps/server/src/testing/world.ts';
import { buildConsole } from '../../scripts/console.mjs';
import { startChromium } from './chromium.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** the endpoint of the Chromium that the run shares */
    browser: string;
    /** The URLs of the processes that run products, one per worker. */
    productHosts: string[];
    /** The database that is copied for every product, and its content. */
    seededWorld: { template: string; world: World };
  }
}

const HOST = join(import.meta.dirname, 'product-host.ts');
/** The folder of Node's compile cache for `npm start` (scripts/run.mjs). */
const COMPILED = join(import.meta.dirname, '../../node_modules/.cache/node');

/** Builds the console and starts one Chromium, the product hosts and the template database for the whole run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  buildConsole();
  const { postgres } = project.getProvidedContext();
  const [browser, hosts, world] = await Promise.all([
    startChromium(),
    Promise.all(Array.from({ length: Number(project.config.maxWorkers) || 1 }, startHost)),
    seedTemplate(postgres),
  ]);
  project.provide('browser', browser.wsEndpoint());
  project.provide(
    'productHosts',
    hosts.map(({ url }) => url),
  );
  project.provide('seededWorld', world);
  return async () => {
    await Promise.all([browser.close(), ...hosts.map(({ stop }) => stop())]);
    await execute(postgres.url, `DROP DATABASE "${world.template}" WITH (FORCE)`);
  };
}

/** Starts a process that runs products. @throws when it exits before it listens */
async function startHost(): Promise<{ url: string; stop(): Promise<void> }> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', HOST], {
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILED },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  const port = await Promise.race([
    once(createInterface(child.stdout!), 'line').then(([line]) => String(line)),
    ended.then(([code]) => Promise.reject(new Error(`The host of products ended with ${code} before it listened.`))),
  ]);
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      child.disconnect();
      await ended;
    },
  };
}

/** Creates a database with the seeded world, to be copied. */
async function seedTemplate(postgres: { url: string; template: string }): Promise<{ template: string; world: World }> {
  const template = `${postgres.template}_world`;
  await execute(postgres.url, `CREATE DATABASE "${template}" TEMPLATE "${postgres.template}"`);
  const target = new URL(postgres.url);
  target.pathname = `/${template}`;
  const { db, close } = connectDatabase(target.href, { max: 1 });
  try {
    return { template, world: await seedWorld(db) };
  } finally {
    await close();
  }
}

async function execute(url: string, statement: string): Promise<void> {
  const { pool, close } = connectDatabase(url, { max: 1 });
  try {
    await pool.query(statement);
  } finally {
    await close();
  }
}
