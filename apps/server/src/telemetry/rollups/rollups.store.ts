import { DEFAULT_ZONE, ROLLUPS, type Rollup } from '@chargehand/domain';
import type { Pool, PoolClient } from 'pg';
import { unpackBuckets } from '../packing/packing.store.ts';

/** The tables of the rollups, and the source of each. */
export const ROLLUP_TABLES = { fiveMinutes: 'readings_5m', hour: 'readings_1h', day: 'readings_1d' } as const;

/** The rollups that are computed from finer ones. */
type Upper = Exclude<Rollup, 'fiveMinutes'>;
const ABOVE = { fiveMinutes: 'hour', hour: 'day', day: null } as const satisfies Record<Rollup, Upper | null>;
const BELOW = { hour: 'fiveMinutes', day: 'hour' } as const satisfies Record<Upper, Rollup>;

/** A bucket of a device. Not all rows are ordered. */
interface Bucket {
  device_id: number;
  at: Date;
}

/**
 * Rolls up some of the five minutes that have new readings and ended before `endedBefore`: takes their marks, computes them
 * from all of their readings, and marks their hours; all or nothing.
 * @param after where the previous call ended, in the order of devices
 * @returns where this call ended, null when nothing was left, `busy` while another call is working
 */
export async function rollUpReadings(
  pool: Pool,
  after: { deviceId: number; at: Date } | null,
  endedBefore: Date,
  limit: number,
): Promise<{ deviceId: number; at: Date } | 'busy' | null> {
  return withLock(pool, async (client) => {
    const { rows } = await client.query<Bucket>(
      `with taken as (
         select ctid from reading_marks where (device_id, at) >= ($1, $2) and at < $3 order by device_id, at limit $4
       )
       delete from reading_marks m using taken where m.ctid = taken.ctid returning device_id, at`,
      [after?.deviceId ?? 0, after?.at ?? new Date(0), endedBefore, limit],
    );
    if (rows.length === 0) return null;
    const buckets = distinct(rows);
    await unpackLate(client, buckets, endedBefore);
    await client.query(FROM_READINGS, valuesOf(buckets, 'fiveMinutes'));
    await mark(client, 'hour', buckets);
    if (rows.length < limit) return null;
    const last = rows.reduce((one, other) => (isAfter(other, one) ? other : one));
    return { deviceId: last.device_id, at: last.at };
  });
}

/** Readings older than this may be packed, by the clock of another process. Milliseconds before the end of a bucket. */
const MAYBE_PACKED_MS = 1_800_000;

/** Moves readings back that were packed before late ones of the same five minutes arrived. */
async function unpackLate(client: PoolClient, buckets: readonly Bucket[], endedBefore: Date): Promise<void> {
  const late = buckets.filter(({ at }) => at.getTime() < endedBefore.getTime() - MAYBE_PACKED_MS);
  const parts = late.map(({ device_id, at }) => ({ deviceId: device_id, at }));
  await unpackBuckets(client, parts, ROLLUPS.fiveMinutes * 1_000);
}

/**
 * Rolls up some of the hours or days that have new data and ended before `endedBefore`, from the rollup below them.
 * @returns whether there may be more
 */
export async function rollUpFurther(
  pool: Pool,
  level: Upper,
  endedBefore: Date,
  limit: number,
): Promise<boolean | 'busy'> {
  return withLock(pool, async (client) => {
    const { rows } = await client.query<Bucket>(
      `with taken as (
         select device_id, at from rollup_marks where level = $1 and at < $2 order by device_id, at limit $3
       )
       delete from rollup_marks m using taken
        where m.level = $1 and m.device_id = taken.device_id and m.at = taken.at returning m.device_id, m.at`,
      [level, endedBefore, limit],
    );
    if (rows.length === 0) return false;
    await client.query(fromBelow(level), valuesOf(rows, level));
    const above = ABOVE[level];
    if (above !== null) await mark(client, above, rows);
    return rows.length === limit;
  });
}

/** The number of marks that wait to be rolled up. */
export async function countMarks(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ waiting: number }>(
    `select (select count(*) from reading_marks) + (select count(*) from rollup_marks) as waiting`,
  );
  return rows[0]?.waiting ?? 0;
}

/**
 * Runs work in a transaction, under a lock that only one call can hold. Two calls that compute the same bucket at the
 * same time could keep the older result.
 */
async function withLock<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T | 'busy'> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('begin');
    const { rows } = await client.query<{ mine: boolean }>(
      `select pg_try_advisory_xact_lock(hashtext('chargehand rollups')) as mine`,
    );
    const done = rows[0]?.mine ? await work(client) : 'busy';
    await client.query('commit');
    return done;
  } catch (error) {
    await client.query('rollback').catch((failure: Error) => {
      broken = failure;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

/** Marks the hours or days of some buckets. */
async function mark(client: PoolClient, level: Upper, buckets: readonly Bucket[]): Promise<void> {
  await client.query(
    `insert into rollup_marks (level, device_id, at)
     select distinct $1, d, date_trunc($1, t, $4) from unnest($2::int[], $3::timestamptz[]) as b (d, t)
     on conflict do nothing`,
    [level, buckets.map(({ device_id }) => device_id), buckets.map(({ at }) => at), DEFAULT_ZONE],
  );
}

function distinct(rows: readonly Bucket[]): Bucket[] {
  return [...new Map(rows.map((row) => [`${row.device_id} ${row.at.getTime()}`, row])).values()];
}

function isAfter(one: Bucket, other: Bucket): boolean {
  return one.device_id > other.device_id || (one.device_id === other.device_id && one.at > other.at);
}

/**
 * The buckets as a query needs them, with the time that they span. Bounds that are known when the query is planned
 * exclude the partitions of other times.
 */
function valuesOf(buckets: readonly Bucket[], level: Rollup): unknown[] {
  const times = buckets.map(({ at }) => at.getTime());
  return [
    buckets.map(({ device_id }) => device_id),
    buckets.map(({ at }) => at),
    ROLLUPS[level],
    new Date(Math.min(...times)),
    new Date(Math.max(...times) + ROLLUPS[level] * 1_000),
  ];
}

/**
 * The rows of `table` in the buckets, which are to be rolled up. `offset 0` makes the database look them up bucket by
 * bucket: without statistics of the table it would compare all rows of a device with all of its buckets.
 */
function sourceOf(table: string): string {
  return `select b.at as bucket, r.* from unnest($1::int[], $2::timestamptz[]) as b (device_id, at)
    cross join lateral (
      select * from ${table} one
       where one.device_id = b.device_id and one.at >= b.at and one.at < b.at + make_interval(secs => $3)
         and one.at >= $4 and one.at < $5 offset 0
    ) r`;
}

/**
 * Writes the results. A bucket that was computed from readings that no longer exist is unchanged: its sources are past
 * their retention, and only a late reading was found.
 */
function stored(table: string): string {
  return `insert into ${table} as kept (device_id, connector, layout_id, at, readings, first_at, last_at, low, high, mean,
      counter_first, counter_last, counter_high)
    select g.device_id, g.connector, g.layout_id, g.bucket, g.readings, g.first_at, g.last_at,
           coalesce(a.low, '{}'), coalesce(a.high, '{}'), coalesce(a.mean, '{}'),
           coalesce(c.first, '{}'), coalesce(c.last, '{}'), coalesce(c.high, '{}')
      from groups g
      left join analogs a using (device_id, bucket, connector, layout_id)
      left join counts c using (device_id, bucket, connector, layout_id)
    on conflict (device_id, at, connector, layout_id) do update set
      readings = excluded.readings, first_at = excluded.first_at, last_at = excluded.last_at,
      low = excluded.low, high = excluded.high, mean = excluded.mean,
      counter_first = excluded.counter_first, counter_last = excluded.counter_last, counter_high = excluded.counter_high
     where excluded.readings >= kept.readings and excluded.first_at <= kept.first_at and excluded.last_at >= kept.last_at`;
}

/** A mean in single precision. Too small a value becomes zero, as for readings, instead of an error. */
function asReal(mean: string): string {
  return `(case when abs(${mean}) < 1.2e-38 then 0 else ${mean} end)::real`;
}

const GROUP = 'device_id, bucket, connector, layout_id';

const FROM_READINGS = `
  with source as materialized (${sourceOf('readings')}),
  groups as (
    select ${GROUP}, count(*)::int as readings, min(source.at) as first_at, max(source.at) as last_at
      from source group by ${GROUP}
  ),
  analogs as (
    select ${GROUP}, array_agg(low order by place) as low, array_agg(high order by place) as high,
           array_agg(mean order by place) as mean
      from (select ${GROUP}, place, min(value) as low, max(value) as high, ${asReal('avg(value)')} as mean
              from source, unnest(source.analog) with ordinality as u (value, place) group by ${GROUP}, place) one
     group by ${GROUP}
  ),
  counts as (
    select ${GROUP}, array_agg(first order by place) as first, array_agg(last order by place) as last,
           array_agg(high order by place) as high
      from (select ${GROUP}, place, (array_agg(value order by source.at, value))[1] as first,
                   (array_agg(value order by source.at desc, value desc))[1] as last, max(value) as high
              from source, unnest(source.counters) with ordinality as u (value, place) group by ${GROUP}, place) one
     group by ${GROUP}
  )
  ${stored(ROLLUP_TABLES.fiveMinutes)}`;

function fromBelow(level: Upper): string {
  return `
  with source as materialized (${sourceOf(ROLLUP_TABLES[BELOW[level]])}),
  groups as (
    select ${GROUP}, sum(readings)::int as readings, min(first_at) as first_at, max(last_at) as last_at
      from source group by ${GROUP}
  ),
  analogs as (
    select ${GROUP}, array_agg(low order by place) as low, array_agg(high order by place) as high,
           array_agg(mean order by place) as mean
      from (select ${GROUP}, place, min(u.low) as low, max(u.high) as high,
                   ${asReal('sum(u.mean::float8 * readings) / sum(readings)')} as mean
              from source, unnest(source.low, source.high, source.mean) with ordinality as u (low, high, mean, place)
             group by ${GROUP}, place) one
     group by ${GROUP}
  ),
  counts as (
    select ${GROUP}, array_agg(first order by place) as first, array_agg(last order by place) as last,
           array_agg(high order by place) as high
      from (select ${GROUP}, place, (array_agg(u.first order by first_at))[1] as first,
                   (array_agg(u.last order by last_at desc))[1] as last, max(u.high) as high
              from source, unnest(source.counter_first, source.counter_last, source.counter_high) with ordinality
                     as u (first, last, high, place)
             group by ${GROUP}, place) one
     group by ${GROUP}
  )
  ${stored(ROLLUP_TABLES[level])}`;
}
