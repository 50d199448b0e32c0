import type { Pool } from 'pg';
import type { Query } from '../../platform/database/statement.ts';
import { storableText } from '../../platform/database/storable.ts';
import { type Item, rounds } from '../../ports/uplink-items.ts';

/** Kinds of faulty messages that are kept for a device. */
const MOST_OF_DEVICE = 50;

/**
 * Deletes the faults of messages whose latest one is before a time, and of each device all but the newest kinds.
 * @returns their number
 */
export async function deleteMessageFaults(pool: Pool, before: Date): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from device_message_faults f using (
        select ctid as row, last_at, row_number() over (partition by device_id order by last_at desc) as nth
          from device_message_faults) ranked
      where f.ctid = ranked.row and (ranked.last_at < $1 or ranked.nth > $2)`,
    [before, MOST_OF_DEVICE],
  );
  return rowCount ?? 0;
}

/** Stores which messages of devices were rejected or tolerated, since when and why. */
export async function storeMessageFaults(client: Query, items: readonly Item<'messageFault'>[]): Promise<void> {
  for (const round of rounds(items, ({ deviceId, event }) => `${deviceId} ${event.outcome} ${event.action}`)) {
    await client.query({
      name: 'ingest_message_faults',
      text: `insert into device_message_faults as f (device_id, outcome, action, reason, count, first_at, last_at)
        select d, o, a, r, n, since, at from unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::int[],
          $6::timestamptz[], $7::timestamptz[]) as t (d, o, a, r, n, since, at)
        on conflict (device_id, outcome, action) do update set
          reason = excluded.reason, count = f.count + excluded.count, last_at = greatest(f.last_at, excluded.last_at)`,
      values: [
        round.map(({ deviceId }) => deviceId),
        round.map(({ event }) => event.outcome),
        round.map(({ event }) => storableText(event.action, 64)),
        round.map(({ event }) => storableText(event.reason, 300)),
        round.map(({ event }) => event.count),
        round.map(({ event }) => event.since),
        round.map(({ event }) => event.at),
      ],
    });
  }
}
