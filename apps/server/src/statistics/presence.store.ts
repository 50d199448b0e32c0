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

/** Removes spans that ended more than a number of days before a time, in batches, and gaps with them. Returns their number. */
export async function forgetSpans(pool: Pool, days: number, now: Date): Promise<number> {
  let count = 0;
  for (let removed = BATCH; removed === BATCH; count += removed) {
    const { rowCount } = await pool.query(
      `delete from device_status_spans where ctid = any (array(
         select ctid from device_status_spans where ended_at < $2::timestamptz - $1::int * interval '1 day' limit ${BATCH}))`,
      [days, now],
    );
    removed = rowCount ?? 0;
  }
  const gaps = await pool.query(
    `delete from server_gaps where ended_at < $2::timestamptz - $1::int * interval '1 day'`,
    [days, now],
  );
  return count + (gaps.rowCount ?? 0);
}

const BATCH = 5_000;
