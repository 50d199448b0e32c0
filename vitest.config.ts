import { defineConfig } from 'vitest/config';

/** What a test waits for comes as soon as it can; on a machine that others use, too, that can be many seconds. */
const PATIENT = { poll: { timeout: 30_000 } };

/**
 * The kinds of tests one after the other: those that start servers and browsers do not compete with others for the
 * machine, and how many cores it has does not decide whether kinds may run at all.
 */
const ORDER = { rules: 0, server: 1, s3: 2, mqtt: 3, browser: 4 };

/** One project a kind of test: `rules` needs nothing, `server` a real PostgreSQL, `s3` a real S3 service, `mqtt` a real Mosquitto, `browser` a built console and a Chromium. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'rules',
          sequence: { groupOrder: ORDER.rules },
          expect: PATIENT,
          testTimeout: 90_000,
          include: ['packages/*/src/**/*.test.ts', 'apps/simulator/src/**/*.test.ts', 'apps/console/src/**/*.test.ts'],
          setupFiles: ['vitest.properties.ts'],
        },
      },
      {
        test: {
          name: 'server',
          sequence: { groupOrder: ORDER.server },
          expect: PATIENT,
          include: ['apps/server/src/**/*.test.ts'],
          setupFiles: ['vitest.properties.ts'],
          globalSetup: ['apps/server/src/testing/postgres.global.ts'],
          testTimeout: 120_000,
          hookTimeout: 180_000,
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 's3',
          sequence: { groupOrder: ORDER.s3 },
          expect: PATIENT,
          include: ['apps/server/src/**/*.s3.ts'],
          testTimeout: 120_000,
          hookTimeout: 300_000,
        },
      },
      {
        test: {
          name: 'mqtt',
          sequence: { groupOrder: ORDER.mqtt },
          expect: PATIENT,
          include: ['apps/server/src/**/*.mqtt.ts'],
          globalSetup: ['apps/server/src/testing/postgres.global.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'browser',
          sequence: { groupOrder: ORDER.browser },
          include: ['e2e/**/*.test.ts'],
          globalSetup: ['apps/server/src/testing/postgres.global.ts', 'e2e/harness/browser.global.ts'],
          expect: PATIENT,
          testTimeout: 300_000,
          hookTimeout: 180_000,
          maxWorkers: 1,
        },
      },
    ],
  },
});
