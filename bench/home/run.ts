// The figures of Home with 100,000 devices and 300,000 alarms of 90 days, over HTTP, each compared with a bare
// `node:http` handler that runs one bare SQL query through `pg`. Prints the ratio of the medians; the goal is at most
// 3, and at most 100 ms for 95 % of the requests of each figure.
import { Agent } from 'node:http';
import { DEVICES, fillFleet } from '../device-list/fleet-of-100000.ts';
import { at, bareServer, fetched, fill, ms, printPlan, startSides, timed } from '../side-by-side.ts';
import { SHAPES } from './shapes.ts';

const LIMIT = 3;
const LIMIT_MS = 100;
const REQUESTS = Number(process.env.BENCH_REQUESTS ?? 60);
const ROUNDS = 3;
const explain = process.argv.includes('--explain');

const sides = await startSides();
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const bare = await bareServer(sides.floor);
try {
  const { pool } = sides.database;
  const readers = await fillFleet(pool);
  // The history of the fleet: alarms distributed over the last 90 days, and occasional lost connections.
  await fill(
    pool,
    `
    update alarms set raised_at = now() - make_interval(secs => id * 7919 % 7776000),
                      cleared_at = cleared_at - make_interval(secs => id * 7919 % 7776000 - 600);
    insert into device_events (device_id, type, at, code, ended_at)
      select id, id % 4, now() - make_interval(secs => id * 7919 % 7776000), 'WeakSignal', now() from devices;
    -- What the job has added up: every site changed on every day, and three connectors of each device report power.
    delete from figure_changes;
    insert into site_figures select site_id, count(*), count(*), count(*) / 5 from devices group by site_id
      on conflict (site_id) do nothing;
    insert into site_figure_days
      select date_trunc('day', now() at time zone 'Asia/Hong_Kong') at time zone 'Asia/Hong_Kong' - make_interval(days => d),
             id, 0, 0, -id % 3600, 0, 90000, 12, 1 from sites, generate_series(0, 30) as d
      on conflict do nothing;
    insert into site_power select id, 7400, now() + interval '1 hour' from sites on conflict do nothing;
    insert into reading_layouts (items) values ('[{"key":"Power.Active.Import","unit":"W","counter":false}]');
    insert into latest_readings (device_id, connector, layout_id, at, analog, counters)
      select id, c, (select max(id) from reading_layouts), now(), '{7400}', '{}' from devices, generate_series(0, 2) as c
      on conflict do nothing;`,
  );
  for (const table of ['devices', 'alarms', 'device_events', 'sites', 'site_figure_days', 'latest_readings'])
    await fill(pool, `vacuum analyze ${table}`);
  const cookies = {
    root: await sides.cookieOf(readers.root),
    own: await sides.cookieOf(readers.own),
    assigned: await sides.cookieOf(readers.assigned),
  };
  const { rows } = await pool.query<{ customer: number; sites: number[] }>(
    `select customer_id as customer, array(select site_id from user_sites where user_id = u.id) as sites from users u where id = $1`,
    [readers.assigned],
  );
  const scope = rows[0]!;
  console.log(`Home, ${DEVICES.toLocaleString('en')} devices; medians of ${REQUESTS} requests each`);
  const ratios: number[] = [];
  const slowest: number[] = [];
  for (const { name, reader, path, sql } of SHAPES) {
    const text = sql.replaceAll('$customer', String(scope.customer)).replaceAll('$sites', scope.sites.join(','));
    bare.serve([text]);
    if (explain) await printPlan(pool, name, text);
    const least = () => fetched(agent, bare.url, undefined);
    const figure = () => fetched(agent, `${sides.url}/api/auth/sys/${path}`, cookies[reader]);
    await timed(8, least);
    await timed(8, figure);
    const floor: number[] = [];
    const ours: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      floor.push(...(await timed(REQUESTS / ROUNDS, least)));
      ours.push(...(await timed(REQUESTS / ROUNDS, figure)));
    }
    const ratio = at(ours, 0.5) / at(floor, 0.5);
    ratios.push(ratio);
    slowest.push(at(ours, 0.95));
    console.log(
      `  ${name.padEnd(38)} floor p50 ${ms(at(floor, 0.5))}  Home p50 ${ms(at(ours, 0.5))} p95 ${ms(at(ours, 0.95))} p99 ${ms(at(ours, 0.99))}  ratio ${ratio.toFixed(2)}`,
    );
  }
  const late = Math.max(...slowest);
  console.log(`slowest p95 ${ms(late)} (at most ${LIMIT_MS} ms): ${late <= LIMIT_MS ? 'kept' : 'MISSED'}`);
  if (late > LIMIT_MS) process.exitCode = 1;
  const worst = Math.max(...ratios);
  console.log(`worst ratio ${worst.toFixed(2)} (at most ${LIMIT}): ${worst <= LIMIT ? 'kept' : 'MISSED'}`);
  if (worst > LIMIT) process.exitCode = 1;
} finally {
  agent.destroy();
  await bare.stop();
  await sides.stop();
}
