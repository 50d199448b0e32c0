import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { numberArray, type Query, textArray } from '../../platform/database/statement.ts';
import { type PackableReading, packReadings, unpackReadings } from '../../ports/readings/packed-readings.ts';

/** A batch is within an hour (UTC), and therefore within a partition. */
export const HOUR_MS = 3_600_000;
/** Readings of an hour are packed this long after its end, and if none of them was received in the last half of it. */
const OPEN_MS = 3_600_000;
const SETTLED_MS = OPEN_MS / 2;
/** Readings and values of a batch, and of a transaction: some milliseconds of the main thread. */
const MOST_READINGS = 2_000;
const MOST_VALUES = 50_000;
/** First key of the advisory locks of this file: any number that no other module uses. The second is the device. */
const LOCK = 780_377_472;

/** Before this time readings are packed. */
export function packedBefore(now: Date): Date {
  return new Date(Math.floor((now.getTime() - OPEN_MS) / HOUR_MS) * HOUR_MS);
}

/** Readings since this time are not packed, by the clock of any process. */
export function neverPackedSince(now: Date): Date {
  return new Date(now.getTime() - SETTLED_MS);
}

/** A device with readings to pack in a partition, and the time of the oldest. */
export interface DueDevice {
  deviceId: number;
  oldest: Date;
}

/** The partitions with readings, the newest first. One whose rows are all packed is emptied later. */
export async function listParts(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'readings'::regclass and pg_relation_size(c.oid) > 0 order by c.relname desc`.execute(db);
  return rows.map(({ name }) => name);
}

/** The devices of a partition with readings from before a time. Two look-ups in its index for each device. */
export async function listDue(db: Kysely<Database>, part: string, before: Date): Promise<DueDevice[]> {
  const from = sql.table(part);
  const { rows } = await sql<DueDevice>`
    with recursive device (id) as (
      (select device_id from ${from} order by device_id limit 1)
      union all
      select (select r.device_id from ${from} r where r.device_id > device.id order by r.device_id limit 1)
        from device where device.id is not null
    )
    select device.id as "deviceId", first.at as oldest
      from device, lateral (select min(r.at) as at from ${from} r where r.device_id = device.id and r.at < ${before}) first
     where device.id is not null and first.at is not null`.execute(db);
  return rows;
}

/** The oldest reading of a device since `since` and before `before`; null if there is none. */
export async function oldestReading(
  db: Kysely<Database>,
  deviceId: number,
  since: Date,
  before: Date,
): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(at) as at from readings where device_id = ${deviceId} and at >= ${since} and at < ${before}`.execute(db);
  return rows[0]?.at ?? null;
}

/**
 * Moves readings of a device and an hour into batches, in one transaction: a reader finds each reading in one of the two
 * tables, and a process that ends at any time changes nothing. Readings that are not rolled up yet are not packed.
 * @returns how many were packed, at most those of one batch; 0 if none are due, or another process packs those of the
 *   device
 */
export async function packHour(db: Kysely<Database>, deviceId: number, hour: Date, now: Date): Promise<number> {
  const end = new Date(hour.getTime() + HOUR_MS);
  if (end > packedBefore(now)) return 0;
  return await db.transaction().execute(async (trx) => {
    const { rows: locks } = await sql<{ free: boolean }>`
      select pg_try_advisory_xact_lock(${LOCK}, ${deviceId}) as free`.execute(trx);
    if (!locks[0]?.free) return 0;
    const until = await endOfPart(trx, deviceId, hour, end, now);
    if (until === null) return 0;
    const { rows } = await sql<PackableReading>`
      delete from readings
       where device_id = ${deviceId} and at >= ${hour} and at < ${until}::timestamptz and ${HAS_ALL_VALUES}
      returning connector, (extract(epoch from at) * 1000000)::int8 as at,
        (extract(epoch from received_at) * 1000000)::int8 as "receivedAt", layout_id as "layoutId",
        transaction_id as "transactionId", analog, counters`.execute(trx);
    if (rows.length === 0) return 0;
    const merged = distinct([...(await takeBatches(trx, deviceId, hour, end, rows)), ...rows]);
    for (const batch of divide(merged)) await insertBatch(trx, deviceId, batch);
    return rows.length;
  });
}

/** A value that is missing cannot be packed. The server stores none. */
const HAS_ALL_VALUES = sql`array_position(analog, null) is null and array_position(counters, null) is null`;

/** Up to when the readings of an hour are packed now; null if they are not due. A text keeps the microseconds. */
async function endOfPart(
  trx: Transaction<Database>,
  deviceId: number,
  hour: Date,
  end: Date,
  now: Date,
): Promise<Date | string | null> {
  const within = sql`device_id = ${deviceId} and at >= ${hour} and at < ${end}`;
  const { rows } = await sql<{ count: number; values: number; newest: Date | null; marked: boolean }>`
    select count(*)::int as count, coalesce(sum(cardinality(analog) + cardinality(counters)), 0)::int as values,
           max(received_at) as newest, exists (select from reading_marks where ${within}) as marked
      from readings where ${within} and ${HAS_ALL_VALUES}`.execute(trx);
  const { count, values, newest, marked } = rows[0]!;
  if (newest === null || marked || now.getTime() - newest.getTime() < SETTLED_MS) return null;
  const most = Math.max(1, Math.min(MOST_READINGS, Math.floor((MOST_VALUES * count) / Math.max(1, values))));
  if (count <= most) return end;
  // Readings of one instant stay together.
  const { rows: ends } = await sql<{ at: string | null }>`
    select min(at)::text as at from readings
     where ${within} and at > (select min(at) from readings where ${within} and ${HAS_ALL_VALUES})
       and at >= (select at from readings where ${within} order by at offset ${most} limit 1)`.execute(trx);
  return ends[0]?.at ?? end;
}

/**
 * Removes the batches of an hour that readings belong into, and returns theirs: all of the hour if they are few, else
 * those of the same time.
 */
async function takeBatches(
  trx: Transaction<Database>,
  deviceId: number,
  hour: Date,
  end: Date,
  readings: readonly PackableReading[],
): Promise<PackableReading[]> {
  const times = readings.map(({ at }) => at);
  const first = times.reduce((least, at) => Math.min(least, at));
  const last = times.reduce((most, at) => Math.max(most, at));
  const { rows } = await sql<{ data: Buffer }>`
    with hour as (
      select sum(readings) as readings from reading_batches
       where device_id = ${deviceId} and at >= ${hour} and at < ${end}
    )
    delete from reading_batches b using hour
     where b.device_id = ${deviceId} and b.at >= ${hour} and b.at < ${end}
       and (hour.readings + ${readings.length} <= ${MOST_READINGS}::int
            or (b.last_at >= ${timeOf(first)} and b.at <= ${timeOf(last)}))
    returning b.data`.execute(trx);
  return (await Promise.all(rows.map(({ data }) => unpackReadings(data)))).flat();
}

async function insertBatch(
  trx: Transaction<Database>,
  deviceId: number,
  readings: readonly PackableReading[],
): Promise<void> {
  const data = await packReadings(readings);
  await sql`
    insert into reading_batches (device_id, at, last_at, readings, data)
    values (${deviceId}, ${timeOf(readings[0]!.at)}, ${timeOf(readings.at(-1)!.at)}, ${readings.length}, ${data})`.execute(
    trx,
  );
}

/** Exact to the microsecond. */
function timeOf(microseconds: number) {
  return sql`to_timestamp(${microseconds}::float8 / 1000000)`;
}

/** In the order of their times, without those that a device sent again. The first received one stays. */
function distinct(readings: readonly PackableReading[]): PackableReading[] {
  const known = new Map<string, PackableReading>();
  for (const reading of readings) {
    const { at, connector, layoutId, analog, counters } = reading;
    const key = `${at} ${connector} ${layoutId} ${analog.map(Math.fround)} ${counters}`;
    const same = known.get(key);
    if (!same || same.receivedAt > reading.receivedAt) known.set(key, reading);
  }
  return [...known.values()].sort((one, other) => one.at - other.at);
}

/** Divides readings into batches. Readings of one instant are in one batch. */
function divide(readings: readonly PackableReading[]): PackableReading[][] {
  const batches: PackableReading[][] = [];
  let batch: PackableReading[] = [];
  let values = 0;
  for (const reading of readings) {
    const isFull = batch.length >= MOST_READINGS || values >= MOST_VALUES;
    if (batches.length === 0 || (isFull && batch.at(-1)!.at < reading.at)) {
      batch = [];
      batches.push(batch);
      values = 0;
    }
    batch.push(reading);
    values += reading.analog.length + reading.counters.length;
  }
  return batches;
}

/**
 * Moves readings back from batches, so that late ones are rolled up with all others of their five minutes.
 * @param buckets starts of five minutes with late readings
 */
export async function unpackBuckets(
  client: Query,
  buckets: readonly { deviceId: number; at: Date }[],
  bucketMs: number,
): Promise<void> {
  if (buckets.length === 0) return;
  await lock(client, [...new Set(buckets.map(({ deviceId }) => deviceId))]);
  const times = buckets.map(({ at }) => at.getTime());
  const { rows } = await client.query<{ device_id: number; data: Buffer }>({
    text: `delete from reading_batches b using unnest($1::int[], $2::float8[]) as late (d, t)
      where b.device_id = late.d and b.at < to_timestamp((late.t + $3) / 1000) and b.last_at >= to_timestamp(late.t / 1000)
        and b.at >= date_trunc('hour', to_timestamp(late.t / 1000), 'UTC') and b.at >= $4 and b.at < $5
      returning b.device_id, b.data`,
    values: [
      numberArray(buckets.map(({ deviceId }) => deviceId)),
      numberArray(times),
      bucketMs,
      new Date(Math.floor(Math.min(...times) / HOUR_MS) * HOUR_MS),
      new Date(Math.max(...times) + bucketMs),
    ],
  });
  for (const { device_id, data } of rows) await insertReadings(client, device_id, await unpackReadings(data));
}

/** Moves the readings of a device since a time back from batches, to change them. */
export async function unpackSince(client: Query, deviceId: number, since: Date): Promise<void> {
  await lock(client, [deviceId]);
  const { rows } = await client.query<{ data: Buffer }>({
    text: 'delete from reading_batches where device_id = $1 and at >= $2 and last_at >= $3 returning data',
    values: [deviceId, new Date(Math.floor(since.getTime() / HOUR_MS) * HOUR_MS), since],
  });
  for (const { data } of rows) await insertReadings(client, deviceId, await unpackReadings(data));
}

/** Waits until nobody packs readings of the devices, until the end of the transaction. */
async function lock(client: Query, deviceIds: readonly number[]): Promise<void> {
  await client.query({
    text: 'select pg_advisory_xact_lock($1, d) from (select d from unnest($2::int[]) as d order by d) device',
    values: [LOCK, numberArray(deviceIds)],
  });
}

async function insertReadings(client: Query, deviceId: number, readings: readonly PackableReading[]): Promise<void> {
  await client.query({
    text: `insert into readings (device_id, connector, at, received_at, layout_id, transaction_id, analog, counters)
      select $1::int, n, to_timestamp(t / 1000000), to_timestamp(g / 1000000), l, x, a::real[], c::float8[]
        from unnest($2::int2[], $3::float8[], $4::float8[], $5::int[], $6::int[], $7::text[], $8::text[])
          as r (n, t, g, l, x, a, c)
      on conflict do nothing`,
    values: [
      deviceId,
      numberArray(readings.map(({ connector }) => connector)),
      numberArray(readings.map(({ at }) => at)),
      numberArray(readings.map(({ receivedAt }) => receivedAt)),
      numberArray(readings.map(({ layoutId }) => layoutId)),
      numberArray(readings.map(({ transactionId }) => transactionId)),
      textArray(readings.map(({ analog }) => numberArray(analog))),
      textArray(readings.map(({ counters }) => numberArray(counters))),
    ],
  });
}
