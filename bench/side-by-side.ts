// Shared by the measurements of lists and exports: the product on a separate database, and timing.
import { mkdtemp, rm } from 'node:fs/promises';
import { type Agent, createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { startChargehand } from '../apps/server/src/chargehand.ts';
import { readConfig } from '../apps/server/src/platform/config/config.ts';
import { connectDatabase, type DatabaseConnection } from '../apps/server/src/platform/database/connect.ts';
import { startEmbeddedPostgres } from '../apps/server/src/platform/database/embedded/embedded.ts';
import { migrate } from '../apps/server/src/platform/database/migrate.ts';
import { createLog } from '../apps/server/src/platform/log.ts';
import { openSession } from '../apps/server/src/testing/client.ts';

/** A migrated database for one measurement. */
export interface Base {
  url: string;
  /** folder for files of the measurement, deleted at the end */
  folder: string;
  database: DatabaseConnection;
  /** the cookie of a new session of a user */
  cookieOf(userId: number): Promise<string>;
  stop(): Promise<void>;
}

/** Starts an embedded PostgreSQL and migrates it. */
export async function startDatabase(): Promise<Base> {
  const folder = await mkdtemp(join(tmpdir(), 'chargehand-bench-'));
  const postgres = await startEmbeddedPostgres({ folder, log: createLog('silent') });
  const database = connectDatabase(postgres.url, { max: 10 });
  await migrate(database.pool);
  return {
    url: postgres.url,
    folder,
    database,
    cookieOf: async (userId) => `x-auth-token=${(await openSession(database.db, userId)).token}`,
    async stop() {
      await database.close();
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The product and, for the floor, separate connections to the same database. */
export interface Sides extends Base {
  /** the address of the product */
  url: string;
  floor: Pool;
}

/** Starts the product on the database of the measurement. */
export async function startSides(): Promise<Sides> {
  const base = await startDatabase();
  const settings = readConfig({ CHARGEHAND_DEMO: '0', CHARGEHAND_CAPTCHA: 'off', PORT: '0' });
  const config = { ...settings, dataFolder: base.folder, logLevel: 'silent' as const };
  const product = await startChargehand(config, base.database, createLog('silent'));
  const floor = connectDatabase(base.url, { max: 10 });
  return {
    ...base,
    url: product.url,
    floor: floor.pool,
    async stop() {
      await product.stop();
      await floor.close();
      await base.stop();
    },
  };
}

/** Runs statements that fill a database, without a timeout. */
export async function fill(pool: Pool, statements: string): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('set statement_timeout = 0');
    await client.query(statements);
  } finally {
    // Destroyed instead of returned to the pool, because it would keep the setting.
    client.release(true);
  }
}

/** The milliseconds of each of several sequential calls. */
export async function timed(count: number, call: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const from = performance.now();
    await call();
    times.push(performance.now() - from);
  }
  return times;
}

/** Requests a URL and reads the whole response. @throws when the product rejects the request */
export function fetched(agent: Agent, url: string, cookie: string | undefined): Promise<string> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: cookie === undefined ? {} : { cookie } }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => {
        const { code = 0 } = JSON.parse(text) as { code?: number };
        if (code === 0) resolve(text);
        else reject(new Error(text));
      });
    }).on('error', reject);
  });
}

/** The minimal server: runs some queries in parallel and returns their rows as JSON. */
export async function bareServer(pool: Pool): Promise<{
  url: string;
  /** sets the queries to serve */
  serve(next: readonly string[]): void;
  stop(): Promise<void>;
}> {
  let queries: readonly string[] = [];
  const http = createServer(async (_request, response) => {
    const results = await Promise.all(queries.map((text) => pool.query(text)));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(results.map(({ rows }) => rows)));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/`,
    serve(next) {
      queries = next;
    },
    stop: () => new Promise<void>((resolve) => http.close(() => resolve())),
  };
}

/** Prints the query plan of PostgreSQL. */
export async function printPlan(pool: Pool, title: string, text: string): Promise<void> {
  const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`explain (analyze, costs off, timing off) ${text}`);
  const lines = rows.map((row) => row['QUERY PLAN']);
  const scans = lines
    .filter((line) => /Scan|Sort Method/.test(line))
    .map((line) => line.trim().replace(/ \(actual.*/, ''));
  console.log(`  [${title}] ${lines.at(-1)?.trim()}\n      ${scans.join('\n      ')}`);
}

/** A quantile: the value below which the given share of the values is. */
export function at(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function ms(milliseconds: number): string {
  return `${milliseconds.toFixed(2).padStart(7)} ms`;
}
