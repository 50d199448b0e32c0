import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CODES, LOCALES } from '@chargehand/contract';
import Fastify from 'fastify';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { clockAt } from './clock.ts';
import { healthRoutes } from './http/health.ts';
import { createLog } from './log.ts';
import { storageHealth } from './storage-health.ts';

let database: TestDatabase;
let dataFolder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  dataFolder = await mkdtemp(join(tmpdir(), 'chargehand-health-'));
});
afterAll(async () => {
  await database.drop();
  await rm(dataFolder, { recursive: true, force: true });
});

/** The response of the readiness endpoint when the database's clock is ahead of the server's by a number of seconds. */
async function readinessWith(aheadSeconds: number) {
  const metrics = new Registry();
  const health = storageHealth({
    database: { ...database, close: async () => undefined },
    dataFolder,
    log: createLog('silent'),
    metrics,
    clock: clockAt(() => new Date(Date.now() - aheadSeconds * 1_000)),
  });
  const answers = await Promise.all(
    LOCALES.map(async (locale) => {
      const app = Fastify();
      app.decorateRequest('locale', locale);
      const registry = new Registry();
      healthRoutes(app, {
        registry,
        problems: () => health.check(),
        measures: [],
        installation: () => [],
        metricsToken: undefined,
      });
      const response = await app.inject('/readyz');
      await app.close();
      return { http: response.statusCode, ...response.json() };
    }),
  );
  await health.stop();
  return { answers, metrics: await metrics.metrics() };
}

test.each([
  [300, 300],
  [-7_200, 7_200],
])('a database clock that is %s s ahead gives a warning with the difference', async (ahead, off) => {
  const { answers, metrics } = await readinessWith(ahead);
  // Some milliseconds pass while the clock is read.
  const message = expect.stringMatching(new RegExp(`\\b(${off - 1}|${off}|${off + 1})\\b`));
  const warning = { code: CODES.databaseClock.code, cause: 'databaseClock', message };
  const ready = { http: 200, code: 0, data: { status: 'ready', warnings: [warning], problems: [] } };
  expect(answers).toEqual([ready, ready].map((one) => ({ ...one, message: '' })));
  expect(answers[0].data.warnings[0].message).not.toBe(answers[1].data.warnings[0].message);
  expect(metrics).toContain('chargehand_storage_problem{cause="databaseClock"} 1');
  const offset = Number(/^chargehand_database_clock_offset_seconds (\S+)$/m.exec(metrics)?.[1]);
  expect(Math.round(offset / 10) * 10).toBe(ahead);
});

test.each([0, 50, -50])('a database clock that is %s s ahead gives no warning', async (ahead) => {
  const { answers, metrics } = await readinessWith(ahead);
  const ready = { http: 200, code: 0, message: '', data: { status: 'ready', warnings: [], problems: [] } };
  expect(answers).toEqual([ready, ready]);
  expect(metrics).toContain('chargehand_storage_problem{cause="databaseClock"} 0');
});
