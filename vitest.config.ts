import { defineConfig } from 'vitest/config';

/** One project a kind of test: `rules` needs nothing, `server` a real PostgreSQL, `s3` a real S3 service, `mqtt` a real Mosquitto, `browser` a built console and a Chromium. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'rules',
          include: ['packages/*/src/**/*.test.ts', 'apps/simulator/src/**/*.test.ts', 'apps/console/src/**/*.test.ts'],
        },
      },
      {
        test: {
          name: 'server',
          include: ['apps/server/src/**/*.test.ts'],
          globalSetup: ['apps/server/src/testing/postgres.global.ts'],
          testTimeout: 20_000,
          hookTimeout: 60_000,
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 's3',
          include: ['apps/server/src/**/*.s3.ts'],
          testTimeout: 120_000,
          hookTimeout: 300_000,
        },
      },
      {
        test: {
          name: 'mqtt',
          include: ['apps/server/src/**/*.mqtt.ts'],
          globalSetup: ['apps/server/src/testing/postgres.global.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['e2e/**/*.test.ts'],
          globalSetup: ['apps/server/src/testing/postgres.global.ts', 'e2e/harness/browser.global.ts'],
          // What a person waits for takes longer on a laden machine than on an idle one.
          expect: { poll: { timeout: 12_000 } },
          testTimeout: 120_000,
          hookTimeout: 120_000,
          maxWorkers: 1,
        },
      },
    ],
  },
});
