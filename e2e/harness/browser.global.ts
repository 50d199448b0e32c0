import type { TestProject } from 'vitest/node';
import { buildConsole } from '../../scripts/console.mjs';
import { startChromium } from './chromium.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** where the run's one Chromium is reached */
    browser: string;
  }
}

/** Builds the console and starts one Chromium for the whole run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  buildConsole();
  const server = await startChromium();
  project.provide('browser', server.wsEndpoint());
  return () => server.close();
}
