import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestProject } from 'vitest/node';
import { buildConsole } from '../../scripts/console.mjs';
import { startChromium } from './chromium.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** the endpoint of the Chromium that the run shares */
    browser: string;
    /** The URLs of the processes that run products, one per worker. */
    productHosts: string[];
  }
}

const HOST = join(import.meta.dirname, 'product-host.ts');
/** The folder of Node's compile cache for `npm start` (scripts/run.mjs). */
const COMPILED = join(import.meta.dirname, '../../node_modules/.cache/node');

/** Builds the console and starts one Chromium and the product hosts for the whole run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  buildConsole();
  const [browser, hosts] = await Promise.all([
    startChromium(),
    Promise.all(Array.from({ length: Number(project.config.maxWorkers) || 1 }, startHost)),
  ]);
  project.provide('browser', browser.wsEndpoint());
  project.provide(
    'productHosts',
    hosts.map(({ url }) => url),
  );
  return async () => {
    await Promise.all([browser.close(), ...hosts.map(({ stop }) => stop())]);
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
