// The disk space of a value as the product stores it, with all indexes: new readings, one array per message, and the
// batches of an hour that a job packs them into; compared with one row per value in the same run; and the space of the
// rollups. For messages of five values and of forty. node bench/storage/run.ts [--full] [--devices 100] [--messages 500]
import { parseArgs } from 'node:util';
import { createPastPartitions, partitions } from '../../apps/server/src/ingest/index.ts';
import { type Clock, clockAt, systemClock } from '../../apps/server/src/platform/clock.ts';
import { createLog } from '../../apps/server/src/platform/log.ts';
import { readingPacker, rollups } from '../../apps/server/src/telemetry/index.ts';
import { type Base, fill, startDatabase } from '../side-by-side.ts';

const { values: options } = parseArgs({
  options: { full: { type: 'boolean', default: false }, devices: { type: 'string' }, messages: { type: 'string' } },
});
const devices = Number(options.devices ?? (options.full ? 1_000 : 100));
const messages = Number(options.messages ?? (options.full ? 1_000 : 500));
/** Interval of messages. */
const EVERY_SECONDS = 30;
/** One value of ten is a counter, as with a meter for each phase and one in total. */
const SHAPES = [
  { analog: 4, counters: 1, most: 6 },
  { analog: 36, counters: 4, most: 4 },
];
const GOAL = 10;
const DAY_MS = 86_400_000;
const log = createLog('warn');
/** The server rests while it packs. */
const WITHOUT_PAUSES: Clock = {
  ...systemClock,
  after(_, work) {
    work();
    return () => undefined;
  },
};

for (const shape of SHAPES) {
  const base = await startDatabase();
  try {
    await measure(base, shape);
  } finally {
    await base.stop();
  }
}

async function measure(base: Base, { analog, counters, most }: (typeof SHAPES)[number]): Promise<void> {
  const { pool, db } = base.database;
  const values = devices * messages * (analog + counters);
  // Past days, because a job removes the space of a day when it is over.
  const start = new Date((Math.floor(Date.now() / DAY_MS) - 7) * DAY_MS);
  await createPastPartitions(pool, start, new Date(start.getTime() + messages * EVERY_SECONDS * 1_000));
  // The devices send in turns, as a real fleet does. Values vary slightly, like measured ones.
  await fill(
    pool,
    `insert into readings (device_id, connector, at, received_at, layout_id, analog, counters)
     select d, 1, t + late, t + late + make_interval(secs => 0.05 + random() * 0.1), 1,
            (select array_agg((i * 10 + 5 * sin(n / 50.0 + i + d) + random())::numeric(8, 1)::real) from generate_series(1, ${analog}) i),
            (select array_agg((100000 * i + n * 83.4 + d)::float8) from generate_series(1, ${counters}) i)
       from generate_series(0, ${messages - 1}) n,
            lateral (select timestamptz '${start.toISOString()}' + make_interval(secs => n * ${EVERY_SECONDS}) as t) at,
            generate_series(1, ${devices}) d,
            lateral (select make_interval(secs => floor(random() * 50 + d) / 1000) as late) l;
     update readings set received_at = date_trunc('milliseconds', received_at);
     vacuum full readings`,
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
  const worker = rollups({ pool, log, clock: clockAt(() => new Date(start.getTime() + 3 * DAY_MS)) });
  await worker.rollUp();
  const rolled = (await sizeOf('readings_5m')) + (await sizeOf('readings_1h')) + (await sizeOf('readings_1d'));

  const before = process.cpuUsage();
  const packer = readingPacker({ db, log, clock: WITHOUT_PAUSES });
  await packer.start();
  await packer.stop();
  const { user, system } = process.cpuUsage(before);
  // What autovacuum and the hourly job do.
  await fill(pool, 'vacuum readings');
  const days = partitions({
    ...{ pool, clock: systemClock, log, protocolLogDays: 30 },
    readingDays: { raw: 400, rollups: { fiveMinutes: 400, hour: 800, day: 3_660 } },
  });
  await days.start();
  await days.stop();
  const packed = (await sizeOf('reading_batches')) + (await sizeOf('readings'));

  const perValue = (bytes: number) => `${(bytes / values).toFixed(2)} bytes a value`;
  console.log(
    `${values.toLocaleString('en')} values: ${devices} devices, ${messages} messages of ${analog + counters}`,
  );
  console.log(`  new, an array a message: ${perValue(readings)}`);
  console.log(
    `  packed: ${perValue(packed)} (goal ${most}), ${((user + system) / 1_000 / (devices * messages)).toFixed(3)} CPU ms of the server a message`,
  );
  console.log(`  rollups: ${perValue(rolled)}; one row a value: ${perValue(floor)}`);
  const ratio = floor / packed;
  console.log(
    `  ratio ${ratio.toFixed(1)} times less (goal ${GOAL}), with rollups ${(floor / (packed + rolled)).toFixed(1)}`,
  );
  if (ratio < GOAL || packed / values > most) process.exitCode = 1;

  /** Bytes of a table with its partitions and indexes. */
  async function sizeOf(table: string): Promise<number> {
    const { rows } = await pool.query<{ bytes: number }>(
      `select coalesce(sum(pg_total_relation_size(relid)), pg_total_relation_size($1::regclass))::bigint as bytes
         from pg_partition_tree($1) where isleaf`,
      [table],
    );
    return rows[0]?.bytes ?? Number.NaN;
  }
}
