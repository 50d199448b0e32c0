import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { COMPONENT_BROWSER_FLAGS, findHeadlessBrowser } from './scripts/browser.mjs';
import { LongestFirst } from './vitest.sequencer.ts';

/** The timeout of waits in tests. They usually end quickly, but may take many seconds on a machine under load. */
const SLOW_TESTS = { poll: { timeout: 30_000 } };

/**
 * The kinds of tests run one after another, independent of the number of cores: all at the same time were not faster, since
 * two cores are busy either way. Only rules run beside tests of the server: many of them wait for timers.
 */
const ORDER = {
  ...{ rules: 0, server: 0, full: 2, s3: 3, mqtt: 4, clients: 5, deploy: 6, components: 7, browser: 8 },
  ...{ 'full-journeys': 9, cluster: 10, 'full-components': 11 },
};

/**
 * Processes for rules and for tests of the server, which need the same number. Twice the cores of a small machine,
 * because tests also wait for PostgreSQL, for timers and for other processes.
 */
const PROCESSES = 4;

/** Tests of the server, which differ in what they test. */
const SERVER_TESTS = {
  expect: SLOW_TESTS,
  setupFiles: ['vitest.properties.ts', 'vitest.bytes.ts'],
  globalSetup: ['apps/server/src/testing/database/postgres.global.ts'],
  testTimeout: 120_000,
  hookTimeout: 180_000,
  maxWorkers: PROCESSES,
  // The files of a worker share its modules, because loading them again for each file took a third of the CPU
  // time. A file restores what it changes outside its own database (fake timers, the environment).
  isolate: false,
};

/** Files of `npm test` with larger cases in `npm run test:full` (testing/runs/full-run.ts). */
const LARGER_IN_FULL = globSync('apps/server/src/**/*.test.ts', { cwd: import.meta.dirname }).filter((path) =>
  readFileSync(join(import.meta.dirname, path), 'utf8').includes('/full-run.ts'),
);

const CONSOLE = join(import.meta.dirname, 'apps/console');

/** Journeys: users at the whole product. */
const JOURNEYS = {
  globalSetup: ['apps/server/src/testing/database/postgres.global.ts', 'e2e/harness/browser.global.ts'],
  expect: SLOW_TESTS,
  testTimeout: 300_000,
  hookTimeout: 180_000,
  // Each worker has a product process of its own. They share one Chromium. Journeys also wait for pages and
  // devices: two workers used about two thirds of two cores.
  maxWorkers: 3,
};

/** Component tests that have more languages, or a second theme, in `npm run test:full`. */
const MORE_IN_FULL = globSync('src/**/*.component.test.tsx', { cwd: CONSOLE }).filter((path) =>
  /\/(?:languages|accessibility)\.ts'/.test(readFileSync(join(CONSOLE, path), 'utf8')),
);

/** Components of the console in a browser. Vitest changes the object, so each project has its own. */
const components = (
  name: 'components' | 'full-components',
  test: { include: string[]; env?: Record<string, string> },
) => ({
  extends: './apps/console/vite.config.ts',
  root: 'apps/console',
  // All imports of the console are prepared before the first test. A package found later would reload tests.
  optimizeDeps: { entries: ['src/**/*.{ts,tsx}'] },
  // React and Ant Design as users have them, which need less time than in development. In test mode, Ant Design
  // gives all elements the same id, and Escape no longer finds the last dialog.
  define: { 'process.env.NODE_ENV': '"production"' },
  oxc: { jsx: { development: false } },
  test: {
    name,
    sequence: { groupOrder: ORDER[name] },
    ...test,
    setupFiles: [join(import.meta.dirname, 'apps/console/src/testing/each-test.ts')],
    expect: SLOW_TESTS,
    testTimeout: 60_000,
    // Each worker has a page of its own in the browser.
    maxWorkers: 3,
    // The files of a worker share its page and modules. What a test changes outside its component, `leave` restores.
    isolate: false,
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      viewport: { width: 1280, height: 800 },
      provider: playwright({
        launchOptions: { executablePath: findHeadlessBrowser(), args: COMPONENT_BROWSER_FLAGS },
        // Fewer pixels to draw. Nothing looks at them, and sizes in CSS pixels are the same.
        contextOptions: { deviceScaleFactor: 0.25, reducedMotion: 'reduce', timezoneId: 'Europe/Berlin' },
        actionTimeout: 20_000,
      }),
      instances: [{ browser: 'chromium' as const }],
    },
  },
});

/**
 * One project per kind of test: `rules` needs nothing, `server` a real PostgreSQL, `s3` a real S3 service, `mqtt` a
 * real Mosquitto, `clients` independent clients, `deploy` nginx, PgBouncer and
 * PostgreSQL from Debian, `cluster` also HAProxy, Mosquitto and NATS, `components` a Chromium, `browser` a built console and
 * a Chromium. `full`, `full-components` and `full-journeys` are what `npm test` leaves out of the server, the components and the journeys.
 */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'rules',
          sequence: { groupOrder: ORDER.rules },
          expect: SLOW_TESTS,
          testTimeout: 90_000,
          include: [
            'packages/*/src/**/*.test.ts',
            'apps/simulator/src/**/*.test.ts',
            'apps/console/src/**/*.test.ts',
            'scripts/**/*.test.mjs',
          ],
          setupFiles: ['vitest.properties.ts', 'vitest.bytes.ts'],
          maxWorkers: PROCESSES,
          // As for the server: loading the modules again for each file took more than half of the CPU time.
          isolate: false,
        },
      },
      {
        test: {
          ...SERVER_TESTS,
          name: 'server',
          // Most code runs too few times to gain from V8's last optimization, and less often collected garbage costs
          // less: a seventh of the CPU time of eight files, with PostgreSQL.
          execArgv: ['--no-opt', '--max-semi-space-size=64', '--min-semi-space-size=32'],
          sequence: { groupOrder: ORDER.server },
          include: ['apps/server/src/**/*.test.ts'],
        },
      },
      {
        test: {
          ...SERVER_TESTS,
          name: 'full',
          // Most of them measure how long the event loop is busy, or start programs of their own.
          maxWorkers: 2,
          isolate: true,
          sequence: { groupOrder: ORDER.full },
          include: ['apps/server/src/**/*.full.ts', ...LARGER_IN_FULL],
          env: { TEST_PART: 'full' },
        },
      },
      {
        test: {
          name: 's3',
          sequence: { groupOrder: ORDER.s3 },
          expect: SLOW_TESTS,
          include: ['apps/server/src/**/*.s3.ts'],
          globalSetup: ['apps/server/src/testing/database/postgres.global.ts'],
          testTimeout: 120_000,
          hookTimeout: 300_000,
        },
      },
      {
        test: {
          name: 'mqtt',
          sequence: { groupOrder: ORDER.mqtt },
          expect: SLOW_TESTS,
          include: ['apps/server/src/**/*.mqtt.ts'],
          globalSetup: ['apps/server/src/testing/database/postgres.global.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'clients',
          sequence: { groupOrder: ORDER.clients },
          expect: SLOW_TESTS,
          include: ['apps/server/src/**/*.clients.ts'],
          globalSetup: ['apps/server/src/testing/database/postgres.global.ts'],
          testTimeout: 600_000,
          hookTimeout: 180_000,
          maxWorkers: 1,
        },
      },
      {
        test: {
          name: 'deploy',
          sequence: { groupOrder: ORDER.deploy },
          expect: SLOW_TESTS,
          include: ['apps/server/src/**/*.deploy.ts', 'e2e/**/*.deploy.ts'],
          testTimeout: 180_000,
          hookTimeout: 300_000,
          maxWorkers: 1,
        },
      },
      {
        test: {
          name: 'cluster',
          sequence: { groupOrder: ORDER.cluster },
          expect: SLOW_TESTS,
          include: ['apps/server/src/**/*.cluster.ts'],
          testTimeout: 600_000,
          hookTimeout: 900_000,
          maxWorkers: 1,
        },
      },
      components('components', { include: ['src/**/*.component.test.tsx'] }),
      // The second languages and the dark theme that `npm test` leaves out (testing/languages.ts, accessibility.ts).
      components('full-components', { include: MORE_IN_FULL, env: { TEST_PART: 'full' } }),
      {
        test: {
          ...JOURNEYS,
          name: 'browser',
          sequence: { groupOrder: ORDER.browser },
          include: ['e2e/**/*.test.ts'],
        },
      },
      {
        test: {
          ...JOURNEYS,
          name: 'full-journeys',
          sequence: { groupOrder: ORDER['full-journeys'] },
          // The files of `npm test` have the journeys and languages that it leaves out.
          include: ['e2e/**/*.full.ts', 'e2e/**/*.test.ts'],
          env: { TEST_PART: 'full' },
        },
      },
    ],
  },
});
