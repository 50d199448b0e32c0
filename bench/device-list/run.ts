// The device list with 100,000 devices: filter, sort, page of 20 and total, over HTTP, compared with a bare `node:http`
// handler that runs the two bare SQL queries through `pg`. Prints the ratio of the medians; the goal is at most 3.
import { Agent } from 'node:http';
import type { Pool } from 'pg';
import { at, bareServer, fetched, ms, printPlan, startSides, timed } from '../side-by-side.ts';
import { DEVICES, fillFleet } from './fleet-of-100000.ts';
import { bareQueries, SHAPES, type Shape } from './shapes.ts';

const LIMIT = 3;
const REQUESTS = Number(process.env.BENCH_REQUESTS ?? 150);
const explain = process.argv.includes('--explain');

const sides = await startSides();
const { database } = sides;
try {
  const readers = await fillFleet(database.pool);
  await database.pool.query('vacuum analyze devices');
  const cookies = Object.fromEntries(
    await Promise.all(Object.entries(readers).map(async ([reader, id]) => [reader, await sides.cookieOf(id)])),
  );
  const scope = await scopeOf(database.pool, readers.assigned);
  const floor = await bareServer(sides.floor);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  console.log(
    `device list, ${DEVICES.toLocaleString('en')} devices, page of 20 with total; medians of ${REQUESTS} requests each`,
  );
  const ratios: number[] = [];
  for (const template of SHAPES) {
    const shape = filled(template, scope);
    const page = Number(new URLSearchParams(shape.query).get('page') ?? 1);
    const queries = bareQueries(shape, page);
    if (explain) {
      for (const [part, text] of Object.entries(queries)) {
        await printPlan(database.pool, `${shape.name}: ${part}`, text);
      }
    }
    floor.serve([queries.rows, queries.total]);
    const listUrl = `${sides.url}/api/auth/sys/devices?${shape.query}`;
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
  await sides.stop();
}

/** The milliseconds of each of several sequential requests. */
function measure(agent: Agent, url: string, cookie: string | undefined, count: number): Promise<number[]> {
  return timed(count, () => fetched(agent, url, cookie));
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
