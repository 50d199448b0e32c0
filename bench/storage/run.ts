// The disk space of a value as the product stores it, one array per message, compared with one row per value in the
// same run; and the space of the rollups. Both with the indexes that a chart needs. node bench/storage/run.ts [--full]
// [--devices 100] [--messages 500]
import { parseArgs } from 'node:util';
import { partitions } from '../../apps/server/src/ingest/index.ts';
import { clockAt, systemClock } from '../../apps/server/src/platform/clock.ts';
import { createLog } from '../../apps/server/src/platform/log.ts';
import { rollups } from '../../apps/server/src/telemetry/index.ts';
import { fill, startDatabase } from '../side-by-side.ts';

const { values: options } = parseArgs({
  options: { full: { type: 'boolean', default: false }, devices: { type: 'string' }, messages: { type: 'string' } },
});
const devices = Number(options.devices ?? (options.full ? 1_000 : 100));
const messages = Number(options.messages ?? (options.full ? 1_000 : 500));
/** Four of 40 quantities are counters, as with a meter for each phase and one in total. */
const ANALOG = 36;
const COUNTERS = 4;
const VALUES = devices * messages * (ANALOG + COUNTERS);
/** Interval of messages. */
const EVERY_SECONDS = 30;
const GOAL = 10;

const base = await startDatabase();
try {
  const { pool } = base.database;
  const log = createLog('warn');
  const days = partitions({
    ...{ pool, clock: systemClock, log, protocolLogDays: 30 },
    readingDays: { raw: 400, rollups: { fiveMinutes: 400, hour: 800, day: 3_660 } },
  });
  await days.start();
  const start = new Date(Math.floor(Date.now() / 86_400_000) * 86_400_000);
  // The devices send in turns, as a real fleet does. Values vary slightly, like measured ones.
  await fill(
    pool,
    `insert into readings (device_id, connector, at, received_at, layout_id, analog, counters)
     select d, 1, t, t + interval '80 ms', 1,
            (select array_agg((i * 10 + 5 * sin(n / 50.0 + i) + random())::numeric(8, 1)::real) from generate_series(1, ${ANALOG}) i),
            (select array_agg((100000 * i + n * 83.4)::float8) from generate_series(1, ${COUNTERS}) i)
       from generate_series(0, ${messages - 1}) n,
            lateral (select timestamptz '${start.toISOString()}' + make_interval(secs => n * ${EVERY_SECONDS}) as t) at,
            generate_series(1, ${devices}) d`,
  );
  await fill(
    pool,
    `create table floor_values (device_id int not null, connector int2 not null, item_id int not null, at timestamptz not null, value float8 not null);
     create index on floor_values (device_id, connector, item_id, at);
     insert into floor_values
     select device_id, connector, item, at, value
       from readings, unnest(analog || counters::real[]) with ordinality as v (value, item) order by at, device_id, item`,
  );
  const readings = await sizeOf('readings');
  const floor = await sizeOf('floor_values');
  await fill(
    pool,
    `insert into reading_marks select distinct device_id, date_bin('5 minutes', at, '2000-01-01Z') from readings`,
  );
  const worker = rollups({ pool, log, clock: clockAt(() => new Date(start.getTime() + 3 * 86_400_000)) });
  await worker.rollUp();
  const rolled = (await sizeOf('readings_5m')) + (await sizeOf('readings_1h')) + (await sizeOf('readings_1d'));
  const perValue = (bytes: number) => `${(bytes / VALUES).toFixed(2)} bytes a value`;
  console.log(
    `${VALUES.toLocaleString('en')} values: ${devices} devices, ${messages} messages of ${ANALOG + COUNTERS}`,
  );
  console.log(`  an array a message: ${perValue(readings)}; its rollups: ${perValue(rolled)}`);
  console.log(`  one row a value: ${perValue(floor)}`);
  const ratio = floor / readings;
  console.log(
    `  ratio ${ratio.toFixed(1)} times less (goal ${GOAL}), with rollups ${(floor / (readings + rolled)).toFixed(1)}`,
  );
  if (ratio < GOAL) process.exitCode = 1;
  await days.stop();

  /** Bytes of a table with its partitions and indexes. */
  async function sizeOf(table: string): Promise<number> {
    const { rows } = await pool.query<{ bytes: number }>(
      `select coalesce(sum(pg_total_relation_size(relid)), 0)::bigint as bytes from pg_partition_tree($1) where isleaf`,
      [table],
    );
    const [{ bytes: own } = { bytes: 0 }] = (
      await pool.query<{ bytes: number }>('select pg_total_relation_size($1::regclass) as bytes', [table])
    ).rows;
    return (rows[0]?.bytes ?? 0) || own;
  }
} finally {
  await base.stop();
}
