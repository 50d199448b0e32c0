import type { Pool, PoolClient } from 'pg';

export type PartitionedTable =
  | 'protocol_frames'
  | 'frame_batches'
  | 'readings'
  | 'reading_batches'
  | 'traffic_hours'
  | 'readings_5m'
  | 'readings_1h'
  | 'readings_1d';

/** The first days (`yyyy-MM-dd`) of the partitions of a table. */
export async function listPartitions(pool: Pool, table: PartitionedTable): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = $1::regclass`,
    [table],
  );
  return rows
    .map((row) => /_(\d{4})(\d{2})(\d{2})$/.exec(row.name))
    .filter((match) => match !== null)
    .map(([, year, month, day]) => `${year}-${month}-${day}`);
}

/**
 * Creates the partition for the days from `day` up to `nextDay`. Moves the rows of these days from the default
 * partition and attaches it, in one transaction.
 */
export async function createPartition(
  pool: Pool,
  table: PartitionedTable,
  day: string,
  nextDay: string,
): Promise<void> {
  const name = partitionName(table, day);
  const range = `at >= '${day}T00:00:00Z' and at < '${nextDay}T00:00:00Z'`;
  await inTransaction(pool, async (client) => {
    // Of two calls at the same time, the second one finds the partition of the first.
    await client.query(`select pg_advisory_xact_lock(hashtext('chargehand partitions'))`);
    const { rowCount } = await client.query('select 1 where to_regclass($1) is not null', [name]);
    if (rowCount) return;
    await client.query(
      `create table ${name} (like ${table} including defaults including constraints including storage)`,
    );
    await client.query(
      `with moved as (delete from ${table}_default where ${range} returning *) insert into ${name} select * from moved`,
    );
    await client.query(`alter table ${name} add check (${range})`);
    await client.query(
      `alter table ${table} attach partition ${name} for values from ('${day}T00:00:00Z') to ('${nextDay}T00:00:00Z')`,
    );
  });
}

/** A partition that queries no longer see. It can be attached again until it is dropped. */
export interface DetachedPartition {
  name: string;
  /** its first day, `yyyy-MM-dd` */
  day: string;
  detachedAt: Date;
}

/** Takes the partition that begins with a day out of its table. Its rows stay in the schema `detached`. */
export async function detachPartition(pool: Pool, table: PartitionedTable, day: string, at: Date): Promise<void> {
  const name = partitionName(table, day);
  await inTransaction(pool, async (client) => {
    await client.query(`alter table ${table} detach partition ${name}`);
    await client.query(`alter table ${name} set schema detached`);
    await client.query(
      `insert into detached_partitions (name, parent, detached_at) values ($1, $2, $3)
       on conflict (name) do update set detached_at = excluded.detached_at`,
      [name, table, at],
    );
  });
}

/** The detached partitions of a table, the oldest first. A restored copy knows of partitions that it does not have. */
export async function listDetached(pool: Pool, table: PartitionedTable): Promise<DetachedPartition[]> {
  const { rows } = await pool.query<{ name: string; detachedAt: Date }>(
    `select name, detached_at as "detachedAt" from detached_partitions where parent = $1 order by name`,
    [table],
  );
  return rows.flatMap(({ name, detachedAt }) => {
    const [, year, month, day] = /_(\d{4})(\d{2})(\d{2})$/.exec(name) ?? [];
    return year === undefined ? [] : [{ name, day: `${year}-${month}-${day}`, detachedAt }];
  });
}

/** Puts a detached partition back, with the rows of its days that came to the default partition meanwhile. */
export async function attachPartition(
  pool: Pool,
  table: PartitionedTable,
  day: string,
  nextDay: string,
): Promise<void> {
  const name = partitionName(table, day);
  const from = `${day}T00:00:00Z`;
  const until = `${nextDay}T00:00:00Z`;
  await inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ found: boolean }>('select to_regclass($1) is not null as found', [
      `detached.${name}`,
    ]);
    if (rows[0]?.found) {
      await client.query(
        `with moved as (delete from ${table}_default where at >= '${from}' and at < '${until}' returning *)
         insert into detached.${name} select * from moved`,
      );
      await client.query(`alter table detached.${name} set schema public`);
      await client.query(`alter table ${table} attach partition ${name} for values from ('${from}') to ('${until}')`);
    }
    await client.query('delete from detached_partitions where name = $1', [name]);
  });
}

/** Drops a detached partition. @returns the number of its rows */
export async function dropDetached(pool: Pool, table: PartitionedTable, day: string): Promise<number> {
  const name = partitionName(table, day);
  const { rows } = await pool.query<{ found: boolean }>('select to_regclass($1) is not null as found', [
    `detached.${name}`,
  ]);
  let count = 0;
  await inTransaction(pool, async (client) => {
    if (rows[0]?.found) {
      const counted = await client.query<{ count: number }>(`select count(*) as count from detached.${name}`);
      count = counted.rows[0]?.count ?? 0;
      await client.query(`drop table detached.${name}`);
    }
    await client.query('delete from detached_partitions where name = $1', [name]);
  });
  return count;
}

/** A partition without rows keeps the space of its indexes. Less than this is not worth a lock. Bytes. */
const EMPTY_BYTES = 65_536;

/**
 * Frees the space of the partitions before a day whose rows were all packed. The database has removed their last pages
 * (0 bytes), so nobody sees rows of them any more. One that is in use waits for the next time.
 */
export async function releaseEmpty(pool: Pool, table: PartitionedTable, day: string): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = $1::regclass and c.relname ~ '_[0-9]{8}$' and c.relname < $2
        and pg_relation_size(c.oid) = 0 and pg_total_relation_size(c.oid) > $3`,
    [table, partitionName(table, day), EMPTY_BYTES],
  );
  for (const { name } of rows) {
    try {
      await inTransaction(pool, async (client) => {
        await client.query(`lock table ${name} in access exclusive mode`);
        const { rows: used } = await client.query<{ bytes: number }>('select pg_relation_size($1) as bytes', [name]);
        if (used[0]?.bytes === 0) await client.query(`truncate ${name}`);
      });
    } catch (error) {
      if ((error as { code?: unknown }).code !== LOCK_NOT_AVAILABLE) throw error;
    }
  }
}

const LOCK_NOT_AVAILABLE = '55P03';

/** Deletes rows before a day from the default partition. @returns their number */
export async function clearDefault(pool: Pool, table: PartitionedTable, day: string): Promise<number> {
  const { rowCount } = await pool.query(`delete from ${table}_default where at < $1`, [`${day}T00:00:00Z`]);
  return rowCount ?? 0;
}

/** Deletes the IDs of batches that can no longer be retried. */
export async function forgetBatches(pool: Pool): Promise<void> {
  await pool.query(`delete from ingest_batches where at < now() - interval '1 hour'`);
}

/** Give up a lock that is not free soon, so that the ingest never waits behind it. */
async function inTransaction(pool: Pool, work: (client: PoolClient) => Promise<unknown>): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(`set local lock_timeout = '2s'`);
    await work(client);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

function partitionName(table: PartitionedTable, day: string): string {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) throw new Error(`"${day}" is not a day`);
  return `${table}_${day.replaceAll('-', '')}`;
}
