// A chart of one quantity over 30 days and over two years, over HTTP, compared with a bare `node:http` handler that
// runs the bare SQL on the rollup through `pg`. The readings of two years are loaded by SQL into their partitions. node
// bench/charts/run.ts [--full] [--devices 2] [--every 600]
import { Agent } from 'node:http';
import { parseArgs } from 'node:util';
import { createPartition } from '../../apps/server/src/ingest/partitions/partitions.store.ts';
import { at, bareServer, fetched, fill, ms, startSides, timed } from '../side-by-side.ts';

const { values: options } = parseArgs({
  options: { full: { type: 'boolean', default: false }, devices: { type: 'string' }, every: { type: 'string' } },
});
const DAYS = 730;
const ANALOG = 36;
const COUNTERS = 4;
const devices = Number(options.devices ?? (options.full ? 12 : 4));
/** Seconds between two messages; 12 devices at 30 s produce a billion values. */
const every = Number(options.every ?? (options.full ? 30 : 1_800));
const REQUESTS = 100;
const LIMIT = 4;
const DAY_MS = 86_400_000;

const sides = await startSides();
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const bare = await bareServer(sides.floor);
try {
  const { pool } = sides.database;
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const day = (time: number) => new Date(time).toISOString().slice(0, 10);
  for (let time = today - DAYS * DAY_MS; time < today; time += DAY_MS) {
    await createPartition(pool, 'readings', day(time), day(time + DAY_MS));
  }
  for (let back = 24; back > 0; back -= 1) {
    const now = new Date(today);
    const first = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1);
    const next = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back + 1, 1);
    for (const table of ['readings_5m', 'readings_1h'] as const)
      await createPartition(pool, table, day(first), day(next));
  }
  const from = new Date(today - DAYS * DAY_MS).toISOString();
  const to = new Date(today - 1_000).toISOString();
  const array = (of: string, count: number, type: string) =>
    `(select array_agg((${of})::${type}) from generate_series(1, ${count}) i)`;
  const rolled = (table: string, seconds: number) => `
    insert into ${table} select d, 1, 1, t, greatest(1, ${Math.round(seconds / every)}), t, t + interval '${seconds - 1} seconds',
           ${array('i * 10', ANALOG, 'real')}, ${array('i * 10 + 9', ANALOG, 'real')},
           ${array(`i * 10 + 5 * sin(extract(epoch from t) / 20000)`, ANALOG, 'real')},
           ${array('i + extract(epoch from t)', COUNTERS, 'float8')}, ${array('i + 9 + extract(epoch from t)', COUNTERS, 'float8')},
           ${array('i + 9 + extract(epoch from t)', COUNTERS, 'float8')}
      from generate_series(date_trunc('day', timestamptz '${from}', 'Asia/Hong_Kong'), '${to}', '${seconds} seconds') t, ids`;
  const setUp = performance.now();
  await fill(
    pool,
    `insert into customers (code, name) values ('C', 'Customer');
     insert into sites (customer_id, code, name) select id, 'S', 'Site' from customers where code = 'C';
     insert into device_models (name, type) values ('Bench model', 1);
     insert into devices (sn, name, site_id, customer_id, device_model_id)
       select 'BENCH' || n, 'Bench ' || n, s.id, s.customer_id, m.id
         from generate_series(1, ${devices}) n, sites s, device_models m where s.code = 'S' and m.name = 'Bench model';
     create temp table ids as select id as d from devices;
     insert into reading_layouts (items)
       select jsonb_agg(jsonb_build_object('key', 'Item' || i, 'unit', 'W', 'counter', i > ${ANALOG}) order by i)
         from generate_series(1, ${ANALOG + COUNTERS}) i;
     insert into latest_readings select d, 1, 1, now(), ${array('i', ANALOG, 'real')}, ${array('i', COUNTERS, 'float8')} from ids;
     insert into readings (device_id, connector, at, received_at, layout_id, analog, counters)
       select d, 1, t, t, 1, a.a, c.c from ids, ${array('i * 10 + random()', ANALOG, 'real').replace(/^\((.*)\)$/s, 'lateral ($1) a (a)')},
              ${array('1000 * i', COUNTERS, 'float8').replace(/^\((.*)\)$/s, 'lateral ($1) c (c)')},
              generate_series(timestamptz '${from}', '${to}', '${every} seconds') t;
     ${rolled('readings_5m', 300)};
     ${rolled('readings_1h', 3_600)};
     ${rolled('readings_1d', 86_400)};
     insert into users (user_name, password_hash, customer_id, root) select 'bench_root', 'none', id, true from customers where code = 'C';
     insert into privacy_acceptances (user_id, version) select u.id, max(p.version) from users u, privacy_policies p where u.user_name = 'bench_root' group by u.id;`,
  );
  // No work of the load may continue during the measurement.
  for (const table of ['readings', 'readings_5m', 'readings_1h', 'readings_1d', 'devices'])
    await fill(pool, `vacuum analyze ${table}`);
  await fill(pool, 'checkpoint');
  const { rows } = await pool.query<{ root: number; ids: number[] }>(
    `select (select id from users where user_name = 'bench_root') as root, array(select id from devices order by id) as ids`,
  );
  const { root, ids } = rows[0]!;
  // Counting a billion rows would exceed the query timeout.
  const messages = devices * (Math.floor((Date.parse(to) - Date.parse(from)) / 1_000 / every) + 1);
  const cookie = await sides.cookieOf(root);
  console.log(
    `${(messages * (ANALOG + COUNTERS)).toLocaleString('en')} values of ${devices} devices over two years, loaded in ${((performance.now() - setUp) / 1_000).toFixed(0)} s`,
  );
  let turn = 0;
  for (const [name, days, table] of [
    ['30 days', 30, 'readings_1h'],
    ['two years', DAYS, 'readings_1d'],
  ] as const) {
    const range = { from: new Date(today - days * DAY_MS).toISOString(), to: new Date(today).toISOString() };
    const one = () => {
      turn += 1;
      return { id: ids[turn % ids.length]!, item: 1 + ((turn * 7) % ANALOG) };
    };
    const sql = ({ id, item }: { id: number; item: number }) =>
      `select extract(epoch from at) as at, mean[${item}] as value, low[${item}] as low, high[${item}] as high
         from ${table} where device_id = ${id} and connector = 1 and layout_id = 1 and at >= '${range.from}' and at < '${range.to}' order by at`;
    const least = () => {
      bare.serve([sql(one())]);
      return fetched(agent, bare.url, undefined);
    };
    const chart = () => {
      const { id, item } = one();
      const query = new URLSearchParams({ items: encodeURIComponent(`1:Item${item}`), ...range });
      return fetched(agent, `${sides.url}/api/auth/sys/devices/${id}/readings?${query}`, cookie);
    };
    const { data } = JSON.parse(await chart()) as { data: { series: { at: number[]; resolution: string }[] } };
    await timed(10, least);
    await timed(10, chart);
    const floor = await timed(REQUESTS, least);
    const ours = await timed(REQUESTS, chart);
    const alone = await timed(REQUESTS, () => pool.query(sql(one())));
    const ratio = at(ours, 0.95) / at(floor, 0.95);
    console.log(
      `  ${name.padEnd(10)} ${data.series[0]?.at.length} points from ${data.series[0]?.resolution}: floor p95 ${ms(at(floor, 0.95))}  chart p50 ${ms(at(ours, 0.5))} p95 ${ms(at(ours, 0.95))}  ratio ${ratio.toFixed(2)} (goal ${LIMIT}); the SQL alone p95 ${ms(at(alone, 0.95))}`,
    );
    if (ratio > LIMIT) process.exitCode = 1;
  }
} finally {
  await bare.stop();
  agent.destroy();
  await sides.stop();
}
