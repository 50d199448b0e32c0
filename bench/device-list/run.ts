// The device list with 100,000 devices: filter, sort, page of 20 and total, over HTTP, beside a bare `node:http`
// handler that runs the two bare SQL queries through `pg`. Prints the ratio of the medians; at most 3 is wanted.
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { startChargehand } from '../../apps/server/src/chargehand.ts';
import { readConfig } from '../../apps/server/src/platform/config.ts';
import { connectDatabase } from '../../apps/server/src/platform/database/connect.ts';
import { startEmbeddedPostgres } from '../../apps/server/src/platform/database/embedded.ts';
import { migrate } from '../../apps/server/src/platform/database/migrate.ts';
import { createLog } from '../../apps/server/src/platform/log.ts';
import { openSession } from '../../apps/server/src/testing/client.ts';
import { DEVICES, fillFleet } from './fleet-of-100000.ts';
import { bareQueries, SHAPES, type Shape } from './shapes.ts';

const LIMIT = 3;
const REQUESTS = Number(process.env.BENCH_REQUESTS ?? 150);
const explain = process.argv.includes('--explain');

const log = createLog('silent');
const folder = await mkdtemp(join(tmpdir(), 'chargehand-bench-'));
const postgres = await startEmbeddedPostgres({ folder, log });
const database = connectDatabase(postgres.url, { max: 10 });
await migrate(database.pool);
const config = {
  ...readConfig({ CHARGEHAND_DEMO: '0', CHARGEHAND_CAPTCHA: 'off', PORT: '0' }),
  logLevel: 'silent' as const,
};
const product = await startChargehand(config, database, log);
const floorPool = connectDatabase(postgres.url, { max: 10 });
try {
  const readers = await fillFleet(database.pool);
  await database.pool.query('vacuum analyze devices');
  const cookies = Object.fromEntries(
    await Promise.all(
      Object.entries(readers).map(async ([reader, id]) => {
        const { token } = await openSession(database.db, id);
        return [reader, `x-auth-token=${token}`];
      }),
    ),
  );
  const scope = await scopeOf(database.pool, readers.assigned);
  const floor = await floorServer(floorPool.pool);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  console.log(
    `device list, ${DEVICES.toLocaleString('en')} devices, page of 20 with total; medians of ${REQUESTS} requests each`,
  );
  const ratios: number[] = [];
  for (const template of SHAPES) {
    const shape = filled(template, scope);
    const page = Number(new URLSearchParams(shape.query).get('page') ?? 1);
    const queries = bareQueries(shape, page);
    if (explain) await printPlans(database.pool, shape.name, queries);
    floor.serve(queries);
    const listUrl = `${product.url}/api/auth/sys/devices?${shape.query}`;
    await measure(agent, listUrl, cookies[shape.reader], 20);
    await measure(agent, floor.url, undefined, 20);
    const bare: number[] = [];
    const ours: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      bare.push(...(await measure(agent, floor.url, undefined, REQUESTS / 5)));
      ours.push(...(await measure(agent, listUrl, cookies[shape.reader], REQUESTS / 5)));
    }
    const ratio = at(ours, 0.5) / at(bare, 0.5);
    ratios.push(ratio);
    console.log(
      `  ${shape.name.padEnd(22)} floor p50 ${ms(at(bare, 0.5))}  list p50 ${ms(at(ours, 0.5))} p99 ${ms(at(ours, 0.99))}  ratio ${ratio.toFixed(2)}`,
    );
  }
  const worst = Math.max(...ratios);
  console.log(`worst ratio ${worst.toFixed(2)} (at most ${LIMIT}): ${worst <= LIMIT ? 'kept' : 'MISSED'}`);
  if (worst > LIMIT) process.exitCode = 1;
  agent.destroy();
  await floor.stop();
} finally {
  await product.stop();
  await floorPool.close();
  await database.close();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

/** The least a server can do: two queries side by side, their rows as JSON. */
async function floorServer(pool: Pool) {
  let queries = { rows: '', total: '' };
  const http = createServer(async (_request, response) => {
    const [rows, total] = await Promise.all([pool.query(queries.rows), pool.query(queries.total)]);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ items: rows.rows, total: total.rows[0].total }));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/`,
    serve(next: { rows: string; total: string }) {
      queries = next;
    },
    stop: () => new Promise<void>((resolve) => http.close(() => resolve())),
  };
}

/** Milliseconds of each of some requests, one after the other. */
async function measure(agent: Agent, url: string, cookie: string | undefined, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const from = performance.now();
    const body = await fetched(agent, url, cookie);
    times.push(performance.now() - from);
    const { code = 0 } = JSON.parse(body) as { code?: number };
    if (code !== 0) throw new Error(body);
  }
  return times;
}

function fetched(agent: Agent, url: string, cookie: string | undefined): Promise<string> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: cookie === undefined ? {} : { cookie } }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve(text));
    }).on('error', reject);
  });
}

interface ReaderScope {
  customer: number;
  sites: number[];
  site: number;
  model: number;
}

async function scopeOf(pool: Pool, user: number): Promise<ReaderScope> {
  const { rows } = await pool.query<ReaderScope>(
    `select u.customer_id as customer, array(select site_id from user_sites where user_id = u.id) as sites,
            (select min(id) from sites) as site, (select max(id) from device_models) as model
       from users u where u.id = $1`,
    [user],
  );
  return rows[0]!;
}

function filled(shape: Shape, scope: ReaderScope): Shape {
  const fill = (text: string) =>
    text
      .replaceAll('$customer', String(scope.customer))
      .replaceAll('$sites', scope.sites.join(','))
      .replaceAll('$site', String(scope.site))
      .replaceAll('$model', String(scope.model));
  return { ...shape, query: fill(shape.query), where: fill(shape.where) };
}

async function printPlans(pool: Pool, name: string, queries: { rows: string; total: string }): Promise<void> {
  for (const [part, text] of Object.entries(queries)) {
    const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`explain (analyze, costs off, timing off) ${text}`);
    const lines = rows.map((row) => row['QUERY PLAN']);
    const scans = lines
      .filter((line) => /Scan|Sort Method/.test(line))
      .map((line) => line.trim().replace(/ \(actual.*/, ''));
    console.log(`  [${name}: ${part}] ${lines.at(-1)?.trim()}\n      ${scans.join('\n      ')}`);
  }
}

/** The value below which a share of the values lie. */
function at(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function ms(milliseconds: number): string {
  return `${milliseconds.toFixed(2).padStart(7)} ms`;
}
