import type { Pool } from 'pg';

/**
 * Stores that the server is running. When it was not for longer than `graceMs`, the time in between is a gap. The rows of
 * the heartbeats are locked first, so that overlapping calls find the gap once.
 */
export async function storeHeartbeat(pool: Pool, node: string, graceMs: number): Promise<void> {
  await pool.query({
    name: 'statistics_beat',
    text: `with mine as (
        select at from server_beats order by node for update
      ), latest as (
        select max(at) as at from mine
      ), gap as (
        insert into server_gaps (began_at, ended_at)
        select at, clock_timestamp() from latest where at < clock_timestamp() - $2::float8 * interval '1 millisecond'
      )
      insert into server_beats (node, at) values ($1, clock_timestamp())
      on conflict (node) do update set at = excluded.at`,
    values: [node, graceMs],
  });
}

/** Removes spans that ended more than a number of days ago, in batches, and gaps with them. */
export async function forgetSpans(pool: Pool, days: number): Promise<void> {
  let removed = BATCH;
  while (removed === BATCH) {
    const { rowCount } = await pool.query(
      `delete from device_status_spans where ctid = any (array(
         select ctid from device_status_spans where ended_at < now() - $1::int * interval '1 day' limit ${BATCH}))`,
      [days],
    );
    removed = rowCount ?? 0;
  }
  await pool.query(`delete from server_gaps where ended_at < now() - $1::int * interval '1 day'`, [days]);
}

const BATCH = 5_000;
