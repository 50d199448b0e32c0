import type { Pool, PoolClient } from 'pg';

export type PartitionedTable =
  | 'protocol_frames'
  | 'frame_batches'
  | 'readings'
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

/** Drops the partition that begins with a day, with its rows. */
export async function dropPartition(pool: Pool, table: PartitionedTable, day: string): Promise<void> {
  await inTransaction(pool, (client) => client.query(`drop table ${partitionName(table, day)}`));
}

/** Deletes rows before a day from the default partition. */
export async function clearDefault(pool: Pool, table: PartitionedTable, day: string): Promise<void> {
  await pool.query(`delete from ${table}_default where at < $1`, [`${day}T00:00:00Z`]);
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
