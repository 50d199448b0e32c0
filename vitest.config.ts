import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { BROWSER_FLAGS, findBrowser } from './scripts/browser.mjs';

/** What a test waits for comes as soon as it can; on a machine that others use, too, that can be many seconds. */
const SLOW_TESTS = { poll: { timeout: 30_000 } };

/**
 * The kinds of tests one after the other: those that start servers and browsers do not compete with others for the
 * machine, and how many cores it has does not decide whether kinds may run at all.
 */
const ORDER = { rules: 0, server: 1, s3: 2, mqtt: 3, clients: 4, components: 5, browser: 6 };

/** One project a kind of test: `rules` needs nothing, `server` a real PostgreSQL, `s3` a real S3 service, `mqtt` a real Mosquitto, `clients` clients of other makes, `components` a Chromium, `browser` a built console and a Chromium. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'rules',
          sequence: { groupOrder: ORDER.rules },
          expect: SLOW_TESTS,
          testTimeout: 90_000,
          include: ['packages/*/src/**/*.test.ts', 'apps/simulator/src/**/*.test.ts', 'apps/console/src/**/*.test.ts'],
          setupFiles: ['vitest.properties.ts'],
        },
      },
      {
        test: {
          name: 'server',
          sequence: { groupOrder: ORDER.server },
          expect: SLOW_TESTS,
          include: ['apps/server/src/**/*.test.ts'],
          setupFiles: ['vitest.properties.ts'],
          globalSetup: ['apps/server/src/testing/database/postgres.global.ts'],
          testTimeout: 120_000,
          hookTimeout: 180_000,
          maxWorkers: 2,
          // The files of a worker share its modules: to load them anew for each file took a third of the processor.
          // What a file changes outside its own database (fake timers, the environment) it puts back.
          isolate: false,
        },
      },
      {
        test: {
          name: 's3',
          sequence: { groupOrder: ORDER.s3 },
          expect: SLOW_TESTS,
          include: ['apps/server/src/**/*.s3.ts'],
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
        extends: './apps/console/vite.config.ts',
        root: 'apps/console',
        // All that the console imports is prepared before the first test: a package found later would load tests anew.
        optimizeDeps: { entries: ['src/**/*.{ts,tsx}'] },
        // Ant Design gives everything the same id in what it takes for a test, and Escape no longer finds the last dialog.
        define: { 'process.env.NODE_ENV': '"development"' },
        test: {
          name: 'components',
          sequence: { groupOrder: ORDER.components },
          include: ['src/**/*.component.test.tsx'],
          expect: SLOW_TESTS,
          testTimeout: 60_000,
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            viewport: { width: 1280, height: 800 },
            provider: playwright({
              launchOptions: { executablePath: findBrowser(), args: BROWSER_FLAGS },
              contextOptions: { reducedMotion: 'reduce', timezoneId: 'Europe/Berlin' },
              actionTimeout: 20_000,
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
      {
        test: {
          name: 'browser',
          sequence: { groupOrder: ORDER.browser },
          include: ['e2e/**/*.test.ts'],
          globalSetup: ['apps/server/src/testing/database/postgres.global.ts', 'e2e/harness/browser.global.ts'],
          expect: SLOW_TESTS,
          testTimeout: 300_000,
          hookTimeout: 180_000,
          maxWorkers: 1,
        },
      },
    ],
  },
});
